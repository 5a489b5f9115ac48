"""PIPE607 state-created-in-call: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "numbers of rows, which need no variable": """
        import tensorflow as tf

        class Chosen(tf.keras.layers.Layer):
            def build(self, shape):
                self.kernel = self.add_weight(shape=(shape[-1], 10))

            def call(self, x, labels):
                rows = tf.Variable(range(x.shape[0]))  #! PIPE607 warning
                first = tf.Variable([0, 1, 2])
                return tf.gather_nd(x @ self.kernel, tf.stack([rows, labels], 1))
    """,
    "layers of several methods of one class, which are one change": """
        import tensorflow as tf

        class Heads(tf.keras.Model):
            def block(self, x):
                x = tf.keras.layers.Conv2D(8, 3)(x)  #! PIPE607 error
                return tf.keras.layers.BatchNormalization()(x)

            def head(self, x):
                return tf.keras.layers.Conv2D(4, 1)(x)

            def call(self, x):
                x = self.block(x)
                return self.head(x), self.head(tf.nn.relu(x))
    """,
    "in a method that call calls, told once": """
        from tensorflow import keras
        from tensorflow.keras import layers

        class Net(keras.Model):
            def embed(self, x):
                return layers.Embedding(1000, 16)(x)  #! PIPE607 error

            def call(self, x, y):
                return self.embed(x) + self.embed(y)
    """,
    "several in one function": """
        import tensorflow as tf

        class Net(tf.keras.Model):
            def call(self, x):
                x = tf.keras.layers.Conv2D(8, 3)(x)  #! PIPE607 error
                return tf.keras.layers.BatchNormalization()(x)
    """,
    "weights that belong to build": """
        import tensorflow as tf

        class Scale(tf.keras.layers.Layer):
            def call(self, x):
                scale = self.add_weight(shape=(1,), name="scale")  #! PIPE607 error
                return x * scale
    """,
    "a layer that is kept, and made anew all the same": """
        import tensorflow as tf

        class Net(tf.keras.Model):
            def call(self, x):
                self.dense = tf.keras.layers.Dense(10)  #! PIPE607 error
                return self.dense(x)
    """,
    "in a step of its own": """
        import tensorflow as tf

        class Net(tf.keras.Model):
            def train_step(self, data):
                seen = tf.Variable(0)  #! PIPE607 error
                return super().train_step(data)
    """,
    "a dropout, whose seed has a state in Keras 3": """
        import tensorflow as tf

        class Block(tf.keras.layers.Layer):
            def call(self, x, training=None):
                return tf.keras.layers.Dropout(0.5)(x, training=training)  #! PIPE607 error
    """,
}
SILENT: Table = {
    "a decorator may run it in the first call alone": """
        import modules
        import tensorflow as tf

        class Penalty:
            @modules.once
            def initialize(self, shape):
                self.weight = tf.Variable(tf.ones(shape))

            @tf.function
            def step(self, x):
                self.initialize(x.shape[1:])
                return tf.reduce_sum(self.weight * x)
    """,
    "a dropout in Keras 2": Case(
        """
        import tensorflow as tf

        class Block(tf.keras.layers.Layer):
            def call(self, x, training=None):
                return tf.keras.layers.Dropout(0.5)(x, training=training)
        """,
        target=(2, 10),
    ),
    "an attention, which has weights only where it is told to": """
        import tensorflow as tf

        class Block(tf.keras.layers.Layer):
            def call(self, x):
                return tf.keras.layers.Attention()([x, x])
    """,
    "in build": """
        import tensorflow as tf

        class Block(tf.keras.layers.Layer):
            def build(self, shape):
                self.dense = tf.keras.layers.Dense(shape[-1])
                self.scale = self.add_weight(shape=(1,))

            def call(self, x):
                return self.dense(x) * self.scale
    """,
    "a method that builds a model of `call`": """
        import tensorflow as tf

        class Net(tf.keras.Model):
            def call(self, x):
                return tf.keras.layers.Dense(1)(tf.keras.layers.Dense(8)(x))

            def functional(self):
                inputs = tf.keras.Input((8,))
                return tf.keras.Model(inputs, self.call(inputs))

        model = Net().functional()
    """,
    "a function that builds a model": """
        import tensorflow as tf

        def build():
            inputs = tf.keras.Input((8,))
            return tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))

        model = build()
    """,
    "made when it is first needed": """
        import tensorflow as tf

        class Counted(tf.Module):
            def __init__(self):
                self.count = None

            @tf.function
            def __call__(self, x):
                if self.count is None:
                    self.count = tf.Variable(0)
                return x + self.count
    """,
    "lifted out of the graph": """
        import tensorflow as tf

        @tf.function
        def step(x):
            with tf.init_scope():
                state.append(tf.Variable(0.0))
            return x

        step(x)
    """,
    "a lesson that shows the error": """
        import contextlib
        import tensorflow as tf

        @contextlib.contextmanager
        def shows(expected):
            try:
                yield
            except expected as error:
                print(error)

        @tf.function
        def double(x):
            return x * tf.Variable(2.0)

        with shows(ValueError):
            double(tf.constant(1.0))
    """,
}
