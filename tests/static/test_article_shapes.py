"""Programs of the kind that articles on slow training show, and the findings that each must and must not give."""

from __future__ import annotations

import pytest

from tests.linting import findings

OURS = (
    "PIPE101", "PIPE102", "PIPE110", "PIPE201", "PIPE202", "PIPE203", "PIPE301", "PIPE302", "PIPE401", "PIPE503",
    "PIPE601", "PIPE603", "PIPE604", "PIPE701", "PIPE702", "PIPE801", "PIPE802", "PIPE901", "PIPE903",
)  # fmt: skip

STEP = """
        import time
        import numpy as np
        import tensorflow as tf

        rows = np.random.rand(5000, 20)
        targets = np.random.randint(0, 3, 5000)
        net = tf.keras.Sequential([tf.keras.layers.Dense(3)])
        adam = tf.keras.optimizers.Adam()
        criterion = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

        @tf.function
        def step(inputs, wanted, network, criterion):
            with tf.GradientTape() as tape:
                loss = criterion(wanted, network(inputs))
            adam.apply_gradients(zip(tape.gradient(loss, network.trainable_variables), network.trainable_variables))
            return loss
"""

JITTER = """
        import numpy as np
        import tensorflow as tf

        def jitter(picture):
            return tf.image.random_flip_left_right(tf.image.random_brightness(picture, max_delta=0.1))

        def pictures(size, amount=500):
            arrays = np.zeros((amount, 64, 64, 3), dtype=np.uint8)
            ds = tf.data.Dataset.from_tensor_slices((arrays, np.zeros(amount)))

            def prepare(picture, label):
                return jitter(tf.cast(picture, tf.float32) / 255.0), label

            {}
            return ds

        for number, (batch, labels) in enumerate(pictures(32)):
            if number > 10:
                break
            pass
"""

EAGER = """
        import time
        import numpy as np
        import tensorflow as tf

        def work(values):
            {work}
            return values

        class Bend(tf.keras.layers.Layer):
            def call(self, inputs):
                return {bend}(inputs)

        ds = tf.data.Dataset.from_tensor_slices((values, labels))
        {stages}
        net = tf.keras.models.Sequential([tf.keras.layers.Conv2D(8, 3), Bend()])
        for epoch in range(5):
            for values, labels in ds:
                _ = net(values)
"""

SLEEPY = """
        import time
        import tensorflow as tf

        def prepare(picture, label):
            {}
            return tf.image.random_brightness(picture, max_delta=0.1), label

        ds = tf.data.Dataset.from_tensor_slices((pictures, labels))
        ds = ds.map(prepare{}).batch(32).prefetch(tf.data.AUTOTUNE)
        net = tf.keras.models.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(3)])
        net.fit(ds, epochs=2, verbose=0)
"""


def eager(stages: str, work: str = "pass", bend: str = "tf.sin") -> str:
    return EAGER.format(work=work, bend=bend, stages=stages)


CASES = {
    "a good pipeline": (
        """
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices((rows, targets)).shuffle(5000).batch(512).prefetch(tf.data.AUTOTUNE)
        net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        net.compile(optimizer="adam", loss="mse")
        net.fit(ds, epochs=3)
        """,
        [],
    ),
    "placement is logged": (
        "import tensorflow as tf\ntf.debugging.set_log_device_placement(True)\n",
        ["PIPE901:2 advice"],
    ),
    "models built under devices": (
        """
        import tensorflow as tf
        net = tf.keras.Sequential([tf.keras.layers.Dense(10)])
        with tf.device("/GPU:0"):
            copy = tf.keras.models.clone_model(net)
        """,
        [],
    ),
    "steps on slices of ten, each waited for": (
        STEP
        + """
        with tf.device("/CPU:0"):
            for i in range(100):
                at = (i * 10) % 5000
                loss = step(rows[at:at + 10], targets[at:at + 10], net, criterion).numpy()
        """,
        ["PIPE801:21 advice", "PIPE802:21 warning"],
    ),
    "steps on a good dataset, each waited for": (
        STEP
        + """
        ds = tf.data.Dataset.from_tensor_slices((rows, targets)).batch(32).prefetch(tf.data.AUTOTUNE)
        for inputs, wanted in ds:
            loss = step(inputs, wanted, net, criterion).numpy()
        """,
        ["PIPE802:20 warning"],
    ),
    "random augmentation, one element at a time, returned without prefetch": (
        JITTER.format("ds = ds.map(prepare).batch(size)"),
        ["PIPE201:14 warning", "PIPE101:14 advice"],
    ),
    "the same in parallel with prefetch": (
        JITTER.format(
            "ds = ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE).batch(size).prefetch(tf.data.AUTOTUNE)"
        ),
        [],
    ),
    "a sleep in a mapped function, and a model called eagerly": (
        eager(
            "ds = ds.batch(32).map(lambda values, labels: (work(values), labels))",
            work="time.sleep(0.001 * values.shape[0])",
        ),
        ["PIPE601:6 error", "PIPE101:14 advice", "PIPE201:14 advice", "PIPE702:18 warning"],
    ),
    "prefetch behind batch is right": (
        eager("ds = ds.map(lambda values, labels: (work(values), labels)).batch(32).prefetch(tf.data.AUTOTUNE)"),
        ["PIPE201:14 advice", "PIPE702:18 warning"],
    ),
    "a layer that calls numpy": (
        eager("ds = ds.batch(32)", bend="np.sin"),
        ["PIPE604:11 error", "PIPE101:14 advice", "PIPE702:18 warning"],
    ),
    "a sleep and random values in a mapped function, fitted": (
        SLEEPY.format("time.sleep(0.001)", ""),
        ["PIPE601:5 error", "PIPE201:9 warning"],
    ),
    "the same without the sleep, in parallel": (SLEEPY.format("pass", ", num_parallel_calls=tf.data.AUTOTUNE"), []),
    "many small operations in a loop": (
        """
        import tensorflow as tf
        a = tf.random.normal((10, 10))
        for _ in range(100_000):
            c = tf.matmul(a, a)
        """,
        [],
    ),
}


@pytest.mark.parametrize("title", CASES)
def test_what_an_article_s_program_gives(title: str) -> None:
    source, expected = CASES[title]
    assert findings(source, *OURS) == expected
