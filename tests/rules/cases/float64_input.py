"""PIPE506 float64-input: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

_STEP = """
        import time
        import numpy as np
        import tensorflow as tf

        @tf.function
        def step(rows, labels):
            with tf.GradientTape() as tape:
                loss = loss_fn(labels, model(rows))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
"""

FOUND: Table = {
    "an array that is filled": Case(
        """
        import numpy as np
        import tensorflow as tf

        pictures = np.zeros((len(files), 64, 64, 3))
        for number, file in enumerate(files):
            pictures[number] = load(file)
        model.fit(tf.data.Dataset.from_tensor_slices((pictures, labels)).batch(32))  #! PIPE506 advice, unsafe fix
        """,
        """
        import numpy as np
        import tensorflow as tf

        pictures = np.zeros((len(files), 64, 64, 3))
        for number, file in enumerate(files):
            pictures[number] = load(file)
        model.fit(tf.data.Dataset.from_tensor_slices((pictures.astype("float32"), labels)).batch(32))
        """,
    ),
    "divided right there": """
        import tensorflow as tf

        (x, y), _ = tf.keras.datasets.cifar10.load_data()
        ds = tf.data.Dataset.from_tensor_slices({"picture": x / 255, "label": y}).batch(64)  #! PIPE506 advice
        model.fit(ds, epochs=3)
    """,
    "slices of made-up rows for a GPU, with a clock": f"""{_STEP}
        x, y = np.random.rand(5000, 100), np.random.randint(0, 10, 5000)
        begun = time.time()
        with tf.device("/GPU:0"):
            for i in range(0, 5000, 50):
                step(x[i : i + 50], y[i : i + 50])  #! PIPE506 advice
        print(time.time() - begun)
    """,
}
SILENT: Table = {
    "some hundred of many pictures": """
        import tensorflow as tf
        (pictures, labels), _ = tf.keras.datasets.mnist.load_data()
        pictures = pictures / 255.0
        pictures, labels = pictures[:200], labels[:200]
        model = tf.keras.models.load_model("digits.keras")
        data = tf.data.Dataset.from_tensor_slices((pictures, labels)).shuffle(200).batch(32)
        model.fit(data, epochs=10)
    """,
    "a function of the pipeline may cast it": """
        import tensorflow as tf

        (x, y), _ = tf.keras.datasets.mnist.load_data()
        ds = tf.data.Dataset.from_tensor_slices((x / 255.0, y)).map(lambda x, y: (tf.cast(x, tf.float32), y)).batch(64)
        model.fit(ds)
    """,
    "the model computes in float64": """
        import tensorflow as tf

        tf.keras.backend.set_floatx("float64")
        (x, y), _ = tf.keras.datasets.mnist.load_data()
        x = x / 255.0
        model.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(64))
    """,
    "double precision is named": """
        import numpy as np
        import tensorflow as tf

        weights = tf.Variable(tf.zeros((100, 1), tf.float64))
        grid = np.zeros((10_000, 100))
        for rows in tf.data.Dataset.from_tensor_slices(grid).batch(64):
            model.train_on_batch(rows @ weights)
    """,
    "a few numbers": """
        import numpy as np
        import tensorflow as tf

        x = np.zeros((200, 4))
        fill(x)
        model.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(10), epochs=100)
    """,
    "a hundred pictures": """
        import numpy as np
        import tensorflow as tf

        pictures = np.zeros((100, 64, 64, 3))
        fill(pictures)
        model.fit(tf.data.Dataset.from_tensor_slices((pictures, y)).batch(10), epochs=100)
    """,
    "made-up rows whose time nobody takes": """
        import numpy as np
        import tensorflow as tf

        x = np.random.rand(10_000, 100)
        model.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(10))
    """,
    "labels": """
        import numpy as np
        import tensorflow as tf

        y = np.zeros(1_000_000)
        fill(y)
        model.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(10))
    """,
    "slices on a processor": f"""{_STEP}
        x, y = np.random.rand(5000, 100), np.random.randint(0, 10, 5000)
        begun = time.time()
        for i in range(0, 5000, 50):
            step(x[i : i + 50], y[i : i + 50])
        print(time.time() - begun)
    """,
    "evaluated alone": """
        import tensorflow as tf

        _, (x, y) = tf.keras.datasets.mnist.load_data()
        x = x / 255.0
        model.evaluate(tf.data.Dataset.from_tensor_slices((x, y)).batch(64))
    """,
}
