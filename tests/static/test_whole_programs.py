"""Whole programs, of the kind that articles on slow training show, and all that is found in each."""

from __future__ import annotations

import pytest

from tests.cases import Case, Table, prove

RULES = (
    "PIPE101", "PIPE102", "PIPE110", "PIPE201", "PIPE202", "PIPE203", "PIPE301", "PIPE302", "PIPE401",
    "PIPE503", "PIPE506", "PIPE509", "PIPE601", "PIPE603", "PIPE604", "PIPE701", "PIPE702", "PIPE801", "PIPE802", "PIPE901", "PIPE903",
)  # fmt: skip

PROGRAMS: Table = {
    "a good pipeline": """
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices((rows, targets)).shuffle(5000).batch(512).prefetch(tf.data.AUTOTUNE)
        net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        net.compile(optimizer="adam", loss="mse")
        net.fit(ds, epochs=3)
    """,
    "placement is logged": """
        import tensorflow as tf
        tf.debugging.set_log_device_placement(True)  #! PIPE901 advice, safe fix
    """,
    "models built under devices": """
        import tensorflow as tf
        net = tf.keras.Sequential([tf.keras.layers.Dense(10)])
        with tf.device("/GPU:0"):
            copy = tf.keras.models.clone_model(net)
    """,
    "steps on slices of ten, each waited for": """
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

        with tf.device("/CPU:0"):
            for i in range(100):
                at = (i * 10) % 5000
                loss = step(rows[at:at + 10], targets[at:at + 10], net, criterion).numpy()  #! PIPE801 advice; PIPE802 advice
    """,
    "the same on a graphics card, with a clock": """
        import time
        import numpy as np
        import tensorflow as tf

        rows = np.random.rand(5000, 200)
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

        begun = time.time()
        with tf.device("/GPU:0"):
            for i in range(100):
                at = (i * 50) % 5000
                some = rows[at:at + 50]
                step(some, targets[at:at + 50], net, criterion)  #! PIPE509 advice; PIPE506 advice
        print(time.time() - begun)
    """,
    "steps on a good dataset, each waited for": """
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

        ds = tf.data.Dataset.from_tensor_slices((rows, targets)).batch(32).prefetch(tf.data.AUTOTUNE)
        for inputs, wanted in ds:
            loss = step(inputs, wanted, net, criterion).numpy()  #! PIPE802 advice
    """,
    "random augmentation, one element at a time, returned without prefetch": """
        import numpy as np
        import tensorflow as tf

        def jitter(picture):
            return tf.image.random_flip_left_right(tf.image.random_brightness(picture, max_delta=0.1))

        def pictures(size, amount=500):
            arrays = np.zeros((amount, 256, 256, 3), dtype=np.uint8)
            ds = tf.data.Dataset.from_tensor_slices((arrays, np.zeros(amount)))

            def prepare(picture, label):
                return jitter(tf.cast(picture, tf.float32) / 255.0), label

            ds = ds.map(prepare).batch(size)  #! PIPE201 warning, unsafe fix; PIPE101 advice, safe fix
            return ds

        for number, (batch, labels) in enumerate(pictures(32)):
            if number > 100:
                break
            learn(batch, labels)
    """,
    "the same in parallel with prefetch": """
        import numpy as np
        import tensorflow as tf

        def jitter(picture):
            return tf.image.random_flip_left_right(tf.image.random_brightness(picture, max_delta=0.1))

        def pictures(size, amount=500):
            arrays = np.zeros((amount, 256, 256, 3), dtype=np.uint8)
            ds = tf.data.Dataset.from_tensor_slices((arrays, np.zeros(amount)))

            def prepare(picture, label):
                return jitter(tf.cast(picture, tf.float32) / 255.0), label

            ds = ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE).batch(size).prefetch(tf.data.AUTOTUNE)
            return ds

        for number, (batch, labels) in enumerate(pictures(32)):
            if number > 10:
                break
            pass
    """,
    "a sleep in a mapped function, and a model called eagerly": """
        import time
        import numpy as np
        import tensorflow as tf

        def work(values):
            time.sleep(0.001 * values.shape[0])  #! PIPE601 error
            return values

        class Bend(tf.keras.layers.Layer):
            def call(self, inputs):
                return tf.sin(inputs)

        values, labels = np.zeros((10_000, 128, 128, 3), np.float32), np.zeros(10_000)
        ds = tf.data.Dataset.from_tensor_slices((values, labels))
        ds = ds.batch(32).map(lambda values, labels: (work(values), labels))  #! PIPE101 advice, safe fix; PIPE201 advice, safe fix
        net = tf.keras.models.Sequential([tf.keras.layers.Conv2D(8, 3), Bend()])
        for epoch in range(5):
            for values, labels in ds:
                _ = net(values)  #! PIPE702 advice
    """,
    "prefetch behind batch is right": """
        import time
        import numpy as np
        import tensorflow as tf

        def work(values):
            pass
            return values

        class Bend(tf.keras.layers.Layer):
            def call(self, inputs):
                return tf.sin(inputs)

        values, labels = np.zeros((10_000, 128, 128, 3), np.float32), np.zeros(10_000)
        ds = tf.data.Dataset.from_tensor_slices((values, labels))
        ds = ds.map(lambda values, labels: (work(values), labels)).batch(32).prefetch(tf.data.AUTOTUNE)  #! PIPE201 advice, safe fix
        net = tf.keras.models.Sequential([tf.keras.layers.Input((128, 128, 3)), tf.keras.layers.Conv2D(8, 3), Bend()])
        for epoch in range(5):
            for values, labels in ds:
                _ = net(values)  #! PIPE702 advice
    """,
    "a layer that calls numpy": """
        import time
        import numpy as np
        import tensorflow as tf

        def work(values):
            pass
            return values

        class Bend(tf.keras.layers.Layer):
            def call(self, inputs):
                return np.sin(inputs)  #! PIPE604 error, unsafe fix

        values, labels = np.zeros((10_000, 128, 128, 3), np.float32), np.zeros(10_000)
        ds = tf.data.Dataset.from_tensor_slices((values, labels))
        ds = ds.batch(32)  #! PIPE101 advice, safe fix
        net = tf.keras.models.Sequential([tf.keras.layers.Conv2D(8, 3), Bend()])
        for epoch in range(5):
            for values, labels in ds:
                _ = net(values)  #! PIPE702 advice
    """,
    "a sleep and random values in a mapped function, fitted": """
        import time
        import tensorflow as tf

        def prepare(picture, label):
            time.sleep(0.001)  #! PIPE601 error
            return tf.image.random_hue(picture, max_delta=0.1), label

        ds = tf.data.Dataset.from_tensor_slices((pictures, labels))
        ds = ds.map(prepare).batch(32).prefetch(tf.data.AUTOTUNE)  #! PIPE201 warning, unsafe fix
        net = tf.keras.models.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(3)])
        net.fit(ds, epochs=2, verbose=0)
    """,
    "the same without the sleep, in parallel": """
        import time
        import tensorflow as tf

        def prepare(picture, label):
            pass
            return tf.image.random_brightness(picture, max_delta=0.1), label

        ds = tf.data.Dataset.from_tensor_slices((pictures, labels))
        ds = ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE).batch(32).prefetch(tf.data.AUTOTUNE)
        net = tf.keras.models.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(3)])
        net.fit(ds, epochs=2, verbose=0)
    """,
    "many small operations in a loop": """
        import tensorflow as tf
        a = tf.random.normal((10, 10))
        for _ in range(100_000):
            c = tf.matmul(a, a)
    """,
    "a pipeline of TensorFlow 1": """
        import tensorflow.compat.v1 as tf
        ds = tf.data.TFRecordDataset(files).map(parse).batch(2)
        features = ds.make_one_shot_iterator().get_next()
    """,
    "a layer of TensorFlow 1": """
        import numpy as np
        import tensorflow.compat.v1 as tf

        class Wave(tf.keras.layers.Layer):
            def call(self, x):
                print(x)
                return np.sin(x)

        tf.debugging.set_log_device_placement(True)
    """,
}


@pytest.mark.parametrize("case", PROGRAMS.values(), ids=PROGRAMS)
def test_what_a_program_gives(case: str | Case) -> None:
    prove(case, *RULES)
