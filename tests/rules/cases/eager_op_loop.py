"""PIPE703 eager-op-loop: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "functions of TensorFlow, as often as a constant says": """
        import tensorflow as tf
        TURNS = 500_000
        a = tf.random.normal((10, 10))
        for turn in range(TURNS):  #! PIPE703 warning
            a = tf.nn.relu(tf.matmul(a, a))
    """,
    "results in a list": """
        import tensorflow as tf
        x, found = tf.ones((16,)), []
        for i in range(200_000):  #! PIPE703 warning
            found.append(x * float(i))
    """,
    "in a function that is called eagerly": """
        import tensorflow as tf

        def walk(x):
            for _ in range(100_000):  #! PIPE703 warning
                x = x + tf.random.normal((4,))
            return x

        print(walk(tf.zeros((4,))))
    """,
}
SILENT: Table = {
    "over in a few seconds": """
        import tensorflow as tf

        x = tf.constant(1.0)
        for _ in range(10_000):
            x = tf.sin(x)
    """,
    "a loop that computes nothing yet, and now and then looks at a variable": """
        import tensorflow as tf
        weight = tf.Variable(0.0)
        for step in range(500_000):
            slope = None
            if step % 100 == 0:
                print(step, weight.numpy(), weight * 2)
    """,
    "numpy": """
        import numpy as np
        import tensorflow as tf
        x = np.zeros(4)
        for _ in range(100_000):
            x = x + np.random.normal(size=4)
    """,
    "a model, which other rules look at": """
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        x = tf.zeros((4, 8))
        for _ in range(100_000):
            x = model(x) + x
    """,
    "steps of training": """
        import tensorflow as tf
        w = tf.Variable(1.0)
        for _ in range(100_000):
            with tf.GradientTape() as tape:
                loss = w * w
            w.assign_sub(0.1 * tape.gradient(loss, w))
    """,
    "nobody knows how often": """
        import tensorflow as tf
        x = tf.zeros((4,))
        for _ in range(turns):
            x = x + 1.0
    """,
    "files are written": """
        import tensorflow as tf
        x = tf.zeros((4,))
        with tf.io.TFRecordWriter("x.tfrecord") as writer:
            for i in range(100_000):
                writer.write(tf.io.serialize_tensor(x + float(i)).numpy())
    """,
    "the same is shown in a graph": """
        import tensorflow as tf

        def powers(x):
            for _ in range(1000):
                x = x * x
            return x

        @tf.function
        def traced_powers(x):
            for _ in tf.range(1000):
                x = x * x
            return x

        print(powers(tf.ones((4,))), traced_powers(tf.ones((4,))))
    """,
    "the same is timed in a graph": """
        import time
        import tensorflow as tf

        @tf.function
        def added(a, b):
            return tf.add(a, b)

        a = b = tf.ones((8, 8))
        start = time.time()
        for _ in range(100_000):
            c = tf.add(a, b)
        print(time.time() - start)
        start = time.time()
        for _ in range(100_000):
            c = added(a, b)
        print(time.time() - start)
    """,
}
