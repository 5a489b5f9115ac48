"""PIPE902 benchmark-includes-warm-up: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "two ends in variables, and a graph that is called in a loop": """
        import time
        import tensorflow as tf

        x = tf.random.normal((512, 512))

        @tf.function
        def squared(a):
            return tf.matmul(a, a)

        begin = time.perf_counter()
        for _ in range(100):
            squared(x)  #! PIPE902 advice
        end = time.perf_counter()
        print("ms a call:", (end - begin) * 10)
    """,
    "in a function, with a difference that is logged": """
        import logging
        from time import time
        import numpy as np
        from tensorflow import keras

        def compare(model):
            rows = np.random.uniform(size=(4096, 16))
            start = time()
            model.predict(rows)  #! PIPE902 advice
            took = time() - start
            logging.info("predict: %s", took)

        compare(keras.models.load_model("model.keras"))
    """,
    "files that the program itself has made up": """
        import time
        import numpy as np
        import tensorflow as tf

        with tf.io.TFRecordWriter("rows.tfrecord") as writer:
            for row in np.random.normal(size=(1000, 8)):
                writer.write(row.tobytes())
        ds = tf.data.TFRecordDataset("rows.tfrecord").batch(32)
        start = time.time()
        for batch in ds:  #! PIPE902 advice
            step(batch)
        print(time.time() - start)
    """,
}
SILENT: Table = {
    "how long it took to read a file": """
        import time
        import numpy as np
        import tensorflow as tf

        def key_of(row):
            return row.numpy().tobytes()

        start, found = time.time(), {}
        for row in tf.data.Dataset.from_tensor_slices(np.random.rand(1000, 8)):
            found[key_of(row)] = row
        print("read in", time.time() - start)
    """,
    "the time of a whole training": """
        import time
        from tensorflow import keras
        (x, y), _ = keras.datasets.mnist.load_data()
        model = keras.Sequential([keras.layers.Dense(10)])
        model.compile("adam", "mse")
        start = time.time()
        model.fit(x, y, epochs=20)
        print("training took", time.time() - start)
    """,
    "noise for a generator of pictures": """
        import time
        import tensorflow as tf
        (x, y), _ = tf.keras.datasets.mnist.load_data()
        noise = tf.random.normal((64, 100))
        start = time.time()
        generator = tf.keras.models.load_model("generator.keras")
        generator.predict(noise)
        print(time.time() - start)
    """,
    "each epoch by itself": """
        import time
        import numpy as np
        from tensorflow import keras
        x, y = np.random.rand(1000, 8), np.random.rand(1000, 1)
        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile("adam", "mse")
        for epoch in range(10):
            start = time.time()
            model.fit(x, y)
            print(time.time() - start)
    """,
    "nothing but the making of a model": """
        import time
        import numpy as np
        from tensorflow import keras
        x, y = np.random.rand(1000, 8), np.random.rand(1000, 1)
        start = time.time()
        model = keras.Sequential([keras.layers.Dense(1)])
        print(time.time() - start)
        model.compile("adam", "mse")
        model.fit(x, y)
    """,
    "a time that nobody is told": """
        import time
        import numpy as np
        from tensorflow import keras
        x, y = np.random.rand(1000, 8), np.random.rand(1000, 1)
        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile("adam", "mse")
        start = time.time()
        model.fit(x, y)
        left = budget - (time.time() - start)
    """,
    "a call before the clock": """
        import time
        import tensorflow as tf

        x = tf.random.normal((512, 512))

        @tf.function
        def squared(a):
            return tf.matmul(a, a)

        squared(x)
        start = time.time()
        for _ in range(100):
            squared(x)
        print(time.time() - start)
    """,
}
