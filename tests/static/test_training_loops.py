"""Steps that nothing traces, models called op by op, and results read in every iteration."""

from __future__ import annotations

import pytest

from tests.linting import findings

STEP = """
import tensorflow as tf
from nets import model, optimizer, batches

{decorator}
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
    return loss

"""
EAGER = STEP.format(decorator="")
TRACED = STEP.format(decorator="@tf.function")

UNTRACED = {
    "in a loop over a dataset": (EAGER + "for x in batches:\n    train_step(x)\n", ["PIPE701:5 warning"]),
    "in a while loop": (EAGER + "while True:\n    train_step(next(batches))\n", ["PIPE701:5 warning"]),
    "two loops away": (
        EAGER + "def epoch(data):\n    for x in data:\n        train_step(x)\nfor _ in range(9):\n    epoch(batches)\n",
        ["PIPE701:5 warning"],
    ),
    "a method": (
        """
        import tensorflow as tf
        class Trainer:
            def step(self, x):
                with tf.GradientTape() as tape:
                    loss = self.model(x)
                self.optimizer.apply_gradients(zip(tape.gradient(loss, self.weights), self.weights))
            def train(self, batches):
                for x in batches:
                    self.step(x)
        """,
        ["PIPE701:3 warning"],
    ),
    "the tape in a function, the gradients applied in the loop": (
        """
        import tensorflow as tf
        def gradients(model, x):
            with tf.GradientTape() as tape:
                loss = model(x)
            return tape.gradient(loss, model.variables)
        for x in batches:
            optimizer.apply_gradients(zip(gradients(model, x), model.variables))
        """,
        ["PIPE701:7 warning"],
    ),
    "two tapes of one step in a loop": (
        """
        import tensorflow as tf
        for x in batches:
            with tf.GradientTape() as first, tf.GradientTape() as second:
                a, b = generator(x), critic(x)
            one.apply_gradients(zip(first.gradient(a, weights), weights))
            two.apply_gradients(zip(second.gradient(b, weights), weights))
        """,
        ["PIPE701:3 warning"],
    ),
}

TRACED_OR_UNTRACEABLE = {
    "decorated": TRACED + "for x in batches:\n    train_step(x)\n",
    "wrapped under its own name": (
        EAGER + "train_step = tf.function(train_step)\nfor x in batches:\n    train_step(x)\n"
    ),
    "called from a traced function": (
        EAGER + "@tf.function\ndef outer(x):\n    return train_step(x)\n\nfor x in batches:\n    outer(x)\n"
    ),
    "run by a strategy inside a traced function": (
        EAGER + "@tf.function\ndef outer(x):\n    strategy.run(train_step, (x,))\nfor x in batches:\n    outer(x)\n"
    ),
    "called once": EAGER + "train_step(batches)\n",
    "wrapped as an attribute": """
        import tensorflow as tf
        class Trainer:
            def __init__(self):
                self.step = tf.function(self.step)
            def step(self, x):
                with tf.GradientTape() as tape:
                    loss = self.model(x)
                self.optimizer.apply_gradients(zip(tape.gradient(loss, self.weights), self.weights))
            def train(self, batches):
                for x in batches:
                    self.step(x)
        """,
    "a train_step that a loop calls as well": """
        import tensorflow as tf
        class Net(tf.keras.Model):
            def train_step(self, x):
                with tf.GradientTape() as tape:
                    loss = self(x)
                self.optimizer.apply_gradients(zip(tape.gradient(loss, self.weights), self.weights))
                return {"loss": loss}
        net = Net()
        for x in batches:
            net.train_step(x)
        """,
    "gradients that are not applied": """
        import tensorflow as tf
        for image in images:
            with tf.GradientTape() as tape:
                tape.watch(image)
                score = model(image)
            maps.append(tape.gradient(score, image))
        """,
    "another backend": """
        import os
        os.environ["KERAS_BACKEND"] = "jax"
        import tensorflow as tf
        for x in batches:
            with tf.GradientTape() as tape:
                loss = model(x)
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        """,
}

MODEL = "import tensorflow as tf\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
DATASET = "ds = tf.data.Dataset.from_tensor_slices(data).batch(64)\n"

EAGER_CALLS = {
    "over a dataset": (MODEL + DATASET + "for x in ds:\n    y = model(x)\n", 1),
    "over an enumerated dataset": (MODEL + DATASET + "for i, x in enumerate(ds):\n    y = model(x)\n", 1),
    "over a range": (MODEL + "for i in range(1000):\n    y = model(data[i])\n", 1),
    "in a function that the loop calls": (
        MODEL + DATASET + "def forward(x):\n    return model(x)\n\nfor x in ds:\n    forward(x)\n",
        1,
    ),
    "a class of its own": (
        "import tensorflow as tf\nclass Net(tf.keras.Model):\n    pass\nn = Net()\nfor i in range(99):\n    n(x[i])\n",
        1,
    ),
    "a layer is no model": (
        "import tensorflow as tf\nlayer = tf.keras.layers.Dense(1)\nfor i in range(1000):\n    layer(data[i])\n",
        0,
    ),
    "built before the loop": (MODEL + DATASET + "model(data[:1])\nfor x in ds:\n    print(x)\n", 0),
    "once an epoch": (MODEL + "for epoch in range(1000):\n    y = model(seeds)\n", 0),
    "every tenth step": (MODEL + DATASET + "for i, x in enumerate(ds):\n    if i % 10 == 0:\n        model(x)\n", 0),
    "a few times": (MODEL + "for i in range(3):\n    y = model(data[i])\n", 0),
    "the first element": (MODEL + DATASET + "for x in ds.take(1):\n    model(x)\n", 0),
    "left at the first element": (MODEL + DATASET + "for x in ds:\n    model(x)\n    break\n", 0),
    "in traced code": (MODEL + DATASET + "@tf.function\ndef run():\n    for x in ds:\n        model(x)\n\nrun()\n", 0),
    "under a tape": (
        MODEL + DATASET + "for x in ds:\n    with tf.GradientTape() as tape:\n        y = model(x)\n",
        0,
    ),
    "a functional model": (
        MODEL + "def f():\n    x = tf.keras.Input(1)\n    for _ in range(30):\n        x = model(x)\n    return x\n",
        0,
    ),
}

LOOP = "for step, x in enumerate(batches):\n    loss = train_step(x)\n"
READS = {
    "numpy": (LOOP + "    losses.append(loss.numpy())\n", 1),
    "float": (LOOP + "    total += float(loss)\n", 1),
    "print": (LOOP + "    print(step, loss)\n", 1),
    "an f-string": (LOOP + "    bar.set_description(f'{loss:.3f}')\n", 1),
    "format": (LOOP + "    bar.set_description('{:.3f}'.format(loss))\n", 1),
    "a percent sign": (LOOP + "    print('%f' % loss)\n", 1),
    "a test": (LOOP + "    if loss < 0.1:\n        break\n", 1),
    "a computed value": (LOOP + "    print(float(loss * 2))\n", 1),
    "numpy on the call itself": ("for x in batches:\n    loss = train_step(x).numpy()\n", 1),
    "kept as a tensor": (LOOP + "    metric.update_state(loss)\n    losses.append(loss)\n", 0),
    "every hundredth step": (LOOP + "    if step % 100 == 0:\n        print(float(loss))\n", 0),
    "by a variable that counts": (LOOP + "    due = step % 100 == 0\n    if due:\n        print(float(loss))\n", 0),
    "other steps are skipped": (LOOP + "    if step % 100:\n        continue\n    print(float(loss))\n", 0),
    "behind the loop": (LOOP + "print(float(loss))\n", 0),
    "behind the steps of an epoch": (
        "for _ in range(90):\n    for x in batches:\n        loss = train_step(x)\n    print(float(loss))\n",
        0,
    ),
    "once an epoch": ("for epoch in range(90):\n    print(float(train_step(data)))\n", 0),
    "a loop of a few steps": ("for _ in range(3):\n    print(float(train_step(data)))\n", 0),
    "a loop that plays": (LOOP + "    state = env.step(int(loss))\n", 0),
    "the step already gives numbers": ("for x, y in batches:\n    print(float(model.train_on_batch(x, y)))\n", 0),
}


@pytest.mark.parametrize("reason", UNTRACED)
def test_an_untraced_step_is_found(reason: str) -> None:
    source, expected = UNTRACED[reason]
    assert findings(source, "PIPE701") == expected


@pytest.mark.parametrize("reason", TRACED_OR_UNTRACEABLE)
def test_a_step_is_left_alone(reason: str) -> None:
    assert findings(TRACED_OR_UNTRACEABLE[reason], "PIPE701") == []


@pytest.mark.parametrize("reason", EAGER_CALLS)
def test_eager_calls_of_models(reason: str) -> None:
    source, count = EAGER_CALLS[reason]
    assert len(findings(source, "PIPE702")) == count


@pytest.mark.parametrize("step", [TRACED, EAGER], ids=["traced", "eager"])
@pytest.mark.parametrize("reason", READS)
def test_reads_of_results(reason: str, step: str) -> None:
    loop, count = READS[reason]
    assert len(findings(step + loop, "PIPE802")) == count


def test_a_step_written_out_in_the_loop_is_read_like_any_other() -> None:
    source = """
        import tensorflow as tf
        for x in batches:
            with tf.GradientTape() as tape:
                loss = loss_of(x)
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
            print(float(loss))
        """
    assert findings(source, "PIPE802") == ["PIPE802:6 warning"]


def test_a_step_that_reads_its_loss_is_read_inside() -> None:
    source = EAGER.replace("return loss", "return loss.numpy()") + "for x in batches:\n    print(train_step(x))\n"
    assert findings(source, "PIPE701", "PIPE802") == ["PIPE701:5 warning", "PIPE802:9 warning"]
