"""`@tf.function` on a training step, tried with TensorFlow: where it is offered the step learns the same."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest

from pipelint.project.projects import Overrides
from tests.knowledge.installed import np
from tests.linting import check, fixed

MISSING = Overrides(select=("PIPE701",))
WHOLE = Overrides()

SETTING = """
import keras
import numpy as np
import tensorflow as tf

keras.utils.set_random_seed(7)
inputs = np.random.normal(size=(24, 4)).astype("float32")
targets = inputs.sum(axis=1, keepdims=True)
batches = [(inputs[i:i + 6], targets[i:i + 6]) for i in range(0, 24, 6)]
net = keras.Sequential([keras.layers.Dense(3, activation="tanh"), keras.layers.Dense(1)])
optimizer = keras.optimizers.Adam(0.05)
"""

TRACEABLE = {
    "a plain step": """
        def step(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(net(x) - y))
            gradients = tape.gradient(loss, net.trainable_variables)
            optimizer.apply_gradients(zip(gradients, net.trainable_variables))
            return loss
        for x, y in batches:
            step(x, y)
    """,
    "a step that is given its model and optimizer": """
        def step(model, adam, x, y):
            with tf.GradientTape() as tape:
                loss = keras.losses.MeanSquaredError()(y, model(x, training=True))
            gradients, _ = tf.clip_by_global_norm(tape.gradient(loss, model.trainable_variables), 1.0)
            adam.apply_gradients(zip(gradients, model.trainable_variables))
            return {"loss": loss}
        for x, y in batches:
            step(net, optimizer, x, y)
    """,
    "two models and two optimizers in one step": """
        critic = keras.Sequential([keras.layers.Dense(1)])
        other = keras.optimizers.SGD(0.1)
        def step(x, y):
            with tf.GradientTape() as one, tf.GradientTape() as two:
                given = net(x)
                doubt = tf.reduce_mean(critic(given))
                loss = tf.reduce_mean(tf.abs(given - y)) + doubt
            optimizer.apply_gradients(zip(one.gradient(loss, net.trainable_variables), net.trainable_variables))
            other.apply_gradients(zip(two.gradient(doubt, critic.trainable_variables), critic.trainable_variables))
        for x, y in batches:
            step(x, y)
    """,
    "arrays of other dtypes that only Keras computes with, or that are cast": """
        def step(x, y, weight):
            with tf.GradientTape() as tape:
                loss = keras.losses.MeanSquaredError()(y, net(x)) * tf.reduce_mean(tf.cast(weight, tf.float32) + 1.0)
            gradients = tape.gradient(loss, net.trainable_variables)
            optimizer.apply_gradients(zip(gradients, net.trainable_variables))
        for x, y in batches:
            step(x.astype("float64"), np.round(y).astype("int"), np.arange(6))
    """,
    "arrays of the dtype that models have": """
        def step(x, y, weight):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(net(x) - y) * (1.0 - weight / 2.0))
            gradients = tape.gradient(loss, net.trainable_variables)
            optimizer.apply_gradients(zip(gradients, net.trainable_variables))
        for x, y in batches:
            step(np.array(x), y.squeeze()[:, None], np.stack([y, y]).mean(axis=0))
    """,
    "a trainer with a net of its own for each rate": """
        class Trainer:
            def __init__(self, rate):
                self.net = keras.Sequential([keras.layers.Dense(1)])
                self.optimizer = keras.optimizers.SGD(rate)
            def step(self, x, y):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(tf.square(self.net(x) - y))
                weights = self.net.trainable_variables
                self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
            def run(self):
                for x, y in batches:
                    self.step(x, y)
        for rate in np.linspace(0.1, 0.2, 3):
            trainer = Trainer(rate)
            trainer.run()
        net = trainer.net
    """,
    "a method with a metric, and a branch on a setting": """
        class Trainer:
            def __init__(self, clip):
                self.clip = clip
                self.seen = keras.metrics.Mean()
            def step(self, x, y):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(tf.square(net(x) - y))
                gradients = tape.gradient(loss, net.trainable_variables)
                if self.clip:
                    gradients = [tf.clip_by_norm(one, 1.0) for one in gradients]
                optimizer.apply_gradients(zip(gradients, net.trainable_variables))
                self.seen.update_state(loss)
        trainer = Trainer(clip=True)
        for x, y in batches:
            trainer.step(x, y)
    """,
}


def run(source: str) -> list[Any]:
    """The weights that a program leaves in its net."""
    names: dict[str, Any] = {}
    exec(compile(source, "train.py", "exec"), names)
    return [np.array(weight) for weight in names["net"].get_weights()]


def program(steps: str) -> str:
    return SETTING + textwrap.dedent(steps)


@pytest.mark.parametrize("steps", TRACEABLE.values(), ids=TRACEABLE)
def test_the_decorated_step_learns_the_same(steps: str) -> None:
    before = program(steps)
    after = fixed(before, MISSING)
    assert after.count("@tf.function") == 1
    for plain, traced in zip(run(before), run(after), strict=True):
        np.testing.assert_allclose(plain, traced, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("steps", TRACEABLE.values(), ids=TRACEABLE)
def test_the_decorated_step_is_clean(steps: str) -> None:
    found = {diagnostic.code for diagnostic in check(program(steps), WHOLE).diagnostics}
    left = {diagnostic.code for diagnostic in check(fixed(program(steps), MISSING), WHOLE).diagnostics}
    assert left == found - {"PIPE701"}


BREAKS = {
    "the optimizer counts in Python": (
        """
        class Momentum:
            def __init__(self):
                self.t = 0
            def apply_gradients(self, pairs):
                self.t += 1
                for gradient, weight in pairs:
                    weight.assign_sub(gradient * (0.5 / self.t))
        own = Momentum()
        def step(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(net(x) - y))
            own.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        for x, y in batches:
            step(x, y)
        """,
        "it counts in Python (`self.t`)",
    ),
    "whole numbers that meet what a model gives": (
        """
        def error(given, y):
            return tf.reduce_mean(tf.square((1 - y) + given))
        def step(x, y):
            with tf.GradientTape() as tape:
                loss = error(net(x), y)
            optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        for x, y in batches:
            step(x, np.round(y).astype("int"))
        """,
        "`y` is an array of int64: eager code makes it fit",
    ),
    "an array of which nobody knows the dtype, in a function of TensorFlow": (
        """
        def step(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.maximum(y, net(x)))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        for x, y in batches:
            step(x, np.array([float(value[0]) for value in y])[:, None])
        """,
        "`y` is an array whose dtype is not known here",
    ),
    "doubles in a list with tensors": (
        """
        def step(x, noise):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.concat([net(x), noise], 1))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        for x, y in batches:
            step(x, np.random.normal(size=(6, 1)))
        """,
        "`noise` is an array of float64",
    ),
    "doubles that are to be converted": (
        """
        def step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(net(tf.convert_to_tensor(x, dtype=tf.float32)))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        for x, y in batches:
            step(np.zeros((6, 4)))
        """,
        "`x` is an array of float64",
    ),
    "a constant of an array": (
        """
        def step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(net(tf.constant(x)))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        for x, y in batches:
            step(np.zeros((6, 4), dtype="float32"))
        """,
        "`x` is an array of float32",
    ),
    "floats as indices": (
        """
        def step(x, chosen):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(net(x) * tf.one_hot(chosen, 3))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        for x, y in batches:
            step(x, np.array([0, 1, 2, 0, 1, 2]).astype(np.float32))
        """,
        "`chosen` is an array of float32",
    ),
    "an item is taken out of what the step is given": (
        """
        def step(batch):
            y = batch.pop("y")
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(net(batch["x"]) - y))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        for x, y in batches:
            step({"x": x, "y": y})
        """,
        "`batch.pop` changes what it is given",
    ),
    "a method of arrays": (
        """
        def step(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(net(x) - y.reshape(-1, 1)))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        for x, y in batches:
            step(x, y)
        """,
        "`.reshape()` is a method of arrays",
    ),
    "a net that the trainer makes anew for each rate": (
        """
        class Trainer:
            def start(self, rate):
                self.net = keras.Sequential([keras.layers.Dense(1)])
                self.optimizer = keras.optimizers.SGD(rate)
            def step(self, x, y):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(tf.square(self.net(x) - y))
                weights = self.net.trainable_variables
                self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        trainer = Trainer()
        for rate in np.linspace(0.1, 0.2, 3):
            trainer.start(rate)
            for x, y in batches:
                trainer.step(x, y)
        net = trainer.net
        """,
        "a loop makes `keras.Sequential` anew",
    ),
    "a net that a function makes in each of its calls": (
        """
        def step(model, adam, x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x) - y))
            adam.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        def train(rate):
            fresh = keras.Sequential([keras.layers.Dense(1)])
            adam = keras.optimizers.Adam(rate)
            for x, y in batches:
                step(fresh, adam, x, y)
        for rate in np.linspace(0.1, 0.2, 3):
            train(rate)
        """,
        "`model` is not always the same object",
    ),
    "several models in one step": (
        """
        def step(model, adam, x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x) - y))
            adam.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        second = keras.Sequential([keras.layers.Dense(1)])
        adam = keras.optimizers.Adam()
        for x, y in batches:
            step(net, optimizer, x, y)
            step(second, adam, x, y)
        """,
        "`model` is not always the same object",
    ),
    "a model for each turn of an outer loop": (
        """
        def step(model, adam, x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x) - y))
            adam.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        for rate in (0.1, 0.01):
            fresh = keras.Sequential([keras.layers.Dense(1)])
            adam = keras.optimizers.Adam(rate)
            for x, y in batches:
                step(fresh, adam, x, y)
        """,
        "`model` is not always the same object",
    ),
    "an optimizer in some calls only": (
        """
        def step(x, y, adam=None):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(net(x) - y))
            if adam is not None:
                adam.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
            return loss
        for x, y in batches:
            step(x, y)
            step(x, y, optimizer)
        """,
        "`adam` is None in some calls only",
    ),
    "a flag that says whether to learn": (
        """
        def step(x, y, learns):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(net(x) - y))
            if learns:
                optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
            return loss
        for x, y in batches:
            step(x, y, learns=False)
            step(x, y, learns=True)
        """,
        "`learns` is False in some calls only",
    ),
    "a flag that is off in a call before the loop": (
        """
        def step(x, y, learns=True):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(net(x) - y))
            if learns:
                optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
            return loss
        step(*batches[0], learns=False)
        for x, y in batches:
            step(x, y)
        """,
        "`learns` is False in some calls only",
    ),
    "a return in one branch of a test on a tensor": (
        """
        def step(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(net(x) - y))
            if loss < 1e-9:
                return loss
            optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        for x, y in batches:
            step(x, y)
        """,
        "it branches on the value of a tensor",
    ),
    "the value of the loss": (
        """
        def step(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(net(x) - y))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
            return loss.numpy()
        for x, y in batches:
            step(x, y)
        """,
        "`.numpy()` needs the value of a tensor",
    ),
    "numpy on a tensor, in a function that it calls": (
        """
        def error(y, given):
            return tf.reduce_mean(tf.square(given - y)) * np.sign(y)[0, 0]
        def step(x, y):
            with tf.GradientTape() as tape:
                loss = error(y, net(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        for x, y in batches:
            step(tf.constant(x), tf.constant(y))
        """,
        "needs the value",
    ),
    "a list outside that keeps the last loss": (
        """
        kept = [tf.constant(1.0)]
        def step(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(net(x) - y)) * kept[-1]
            kept.append(loss)
            optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        for x, y in batches:
            step(x, y)
        assert len(kept) == 5
        """,
        "`append` changes an object outside of it",
    ),
    "an attribute that it sets": (
        """
        class Trainer:
            last = 1.0
            def step(self, x, y):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(tf.square(net(x) - y)) * self.last
                optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
                self.last = loss
        trainer = Trainer()
        for x, y in batches:
            trainer.step(x, y)
        assert float(trainer.last) >= 0
        """,
        "it sets `self.last`",
    ),
    "an optimizer that is made in the step": (
        """
        def step(x, y):
            adam = keras.optimizers.Adam(0.1)
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(net(x) - y))
            adam.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
        for x, y in batches:
            step(x, y)
        """,
        "it makes `keras.optimizers.Adam` in each call",
    ),
}


REFUSALS = (AssertionError, AttributeError, NotImplementedError, RuntimeError, TypeError, ValueError)


def behaviour(source: str) -> list[Any] | str:
    try:
        return run(source)
    except REFUSALS as error:
        return type(error).__name__


@pytest.mark.parametrize(("steps", "reason"), BREAKS.values(), ids=BREAKS)
def test_what_would_break_is_told_and_not_decorated(steps: str, reason: str) -> None:
    before = program(steps)
    (diagnostic,) = check(before, MISSING).diagnostics
    assert reason in diagnostic.message
    assert diagnostic.fix is None
    assert fixed(before, MISSING) == before


@pytest.mark.parametrize(("steps", "reason"), BREAKS.values(), ids=BREAKS)
def test_it_would_break_indeed(steps: str, reason: str) -> None:
    before = program(steps)
    lines = [
        f"{line[: len(line) - len(line.lstrip())]}@tf.function\n{line}"
        if line.lstrip().startswith("def step(")
        else line
        for line in before.splitlines()
    ]
    plain, traced = behaviour(before), behaviour("\n".join(lines))
    assert not isinstance(plain, str), reason
    alike = (
        not isinstance(traced, str)
        and len(plain) == len(traced)
        and all(np.allclose(one, other, rtol=1e-4, atol=1e-5) for one, other in zip(plain, traced, strict=True))
    )
    assert not alike
