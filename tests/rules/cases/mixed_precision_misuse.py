"""PIPE812 mixed-precision-misuse: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

_POLICY = """
        import tensorflow as tf
        from tensorflow.keras import layers, mixed_precision

        mixed_precision.set_global_policy("mixed_float16")
"""

FOUND: Table = {
    "a functional model": Case(
        f"""{_POLICY}
        def build():
            inputs = tf.keras.Input((32,))
            outputs = layers.Dense(units=10, activation=tf.nn.softmax)(layers.Dense(64)(inputs))  #! PIPE812 warning, unsafe fix
            return tf.keras.Model(inputs, outputs)

        build().fit(x, y)
        """,
        f"""{_POLICY}
        def build():
            inputs = tf.keras.Input((32,))
            outputs = layers.Dense(units=10, activation=tf.nn.softmax, dtype="float32")(layers.Dense(64)(inputs))
            return tf.keras.Model(inputs, outputs)

        build().fit(x, y)
        """,
    ),
    "a layer of its own for it": f"""{_POLICY}
        model = tf.keras.Sequential([layers.Dense(10), layers.Activation("softmax")])  #! PIPE812 warning, unsafe fix
        model.fit(x, y)
    """,
}
SILENT: Table = {
    "the range of float32": """
        from tensorflow import keras

        keras.mixed_precision.set_global_policy("mixed_bfloat16")
        model = keras.Sequential([keras.layers.Dense(10, activation="softmax")])
        model.fit(x, y)
    """,
    "a loss that takes logits": f"""{_POLICY}
        model = tf.keras.Sequential([layers.Dense(10)])
        model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
        model.fit(x, y)
    """,
    "only where somebody asks for it": """
        from tensorflow import keras

        if half:
            keras.mixed_precision.set_global_policy("mixed_float16")
        model = keras.Sequential([keras.layers.Dense(10, activation="softmax")])
        model.fit(x, y)
    """,
    "made before the policy, or behind the next": f"""
        from tensorflow.keras import layers, Sequential
        first = Sequential([layers.Dense(10, activation="softmax")])
        {_POLICY.strip()}
        mixed_precision.set_global_policy("float32")
        second = Sequential([layers.Dense(10, activation="softmax")])
        first.fit(x, y)
        second.fit(x, y)
    """,
    "a part of another layer": f"""{_POLICY}
        class Attention(layers.Layer):
            def __init__(self):
                super().__init__()
                self.weigh = layers.Dense(8, activation="softmax")

            def call(self, x):
                return x * self.weigh(x)

        model = tf.keras.Sequential([Attention(), layers.Dense(1)])
        model.fit(x, y)
    """,
    "a loss that is scaled": f"""{_POLICY}
        optimizer = mixed_precision.LossScaleOptimizer(tf.keras.optimizers.Adam())

        @tf.function
        def step(x, y):
            with tf.GradientTape() as tape:
                loss = optimizer.scale_loss(loss_fn(y, model(x)))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))

        for x, y in tf.data.TFRecordDataset(files).map(parse).batch(64):
            step(x, y)
    """,
    "the step of a model that is compiled": f"""{_POLICY}
        class Net(tf.keras.Model):
            def train_step(self, data):
                with tf.GradientTape() as tape:
                    loss = self.compute_loss(*data)
                gradients = tape.gradient(loss, self.trainable_variables)
                self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
                return {{"loss": loss}}

        net = Net()
        net.compile("adam", "mse")
        net.fit(x, y)
    """,
}
