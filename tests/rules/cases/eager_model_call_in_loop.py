"""PIPE702 eager-model-call-in-loop: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "over a dataset": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for x in ds:
            y = model(x)  #! PIPE702 warning
    """,
    "over an enumerated dataset": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for i, x in enumerate(ds):
            y = model(x)  #! PIPE702 warning
    """,
    "over a range": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        for i in range(1000):
            y = model(data[i])  #! PIPE702 warning
    """,
    "in a function that the loop calls": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        def forward(x):
            return model(x)  #! PIPE702 warning

        for x in ds:
            forward(x)
    """,
    "a class of its own": """
        import tensorflow as tf
        class Net(tf.keras.Model):
            pass
        n = Net()
        for i in range(99):
            n(x[i])  #! PIPE702 warning
    """,
}

SILENT: Table = {
    "a layer is no model": """
        import tensorflow as tf
        layer = tf.keras.layers.Dense(1)
        for i in range(1000):
            layer(data[i])
    """,
    "built before the loop": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        model(data[:1])
        for x in ds:
            print(x)
    """,
    "once an epoch": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        for epoch in range(1000):
            y = model(seeds)
    """,
    "every tenth step": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for i, x in enumerate(ds):
            if i % 10 == 0:
                model(x)
    """,
    "a few times": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        for i in range(3):
            y = model(data[i])
    """,
    "the first element": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for x in ds.take(1):
            model(x)
    """,
    "left at the first element": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for x in ds:
            model(x)
            break
    """,
    "in traced code": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        @tf.function
        def run():
            for x in ds:
                model(x)

        run()
    """,
    "under a tape": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for x in ds:
            with tf.GradientTape() as tape:
                y = model(x)
    """,
    "a functional model": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        def f():
            x = tf.keras.Input(1)
            for _ in range(30):
                x = model(x)
            return x
    """,
}
