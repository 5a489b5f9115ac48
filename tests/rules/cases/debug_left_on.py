"""PIPE901 debug-left-on: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "a step of the program's own that would be a graph": """
        import tensorflow as tf

        tf.config.run_functions_eagerly(True)  #! PIPE901 warning, unsafe fix
        net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        optimizer = tf.keras.optimizers.Adam()

        @tf.function
        def learn(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(net(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.variables), net.variables))

        for x in tf.data.TFRecordDataset("train"):
            learn(x)
    """,
    "as TensorFlow's own module has it": """
        import tensorflow as tf
        from tensorflow.python.eager import def_function

        def_function.run_functions_eagerly(True)  #! PIPE901 warning, unsafe fix
        model.fit(x, y)
    """,
    "a layer that makes another in each call needs it": """
        from tensorflow import keras

        class Block(keras.layers.Layer):
            def call(self, x):
                return keras.layers.Dense(4)(x)

        model = keras.Sequential([Block(), keras.layers.Dense(1)])
        model.compile("adam", "mse", run_eagerly=True)  #! PIPE901 advice
        model.fit(x, y)
    """,
    "a comment above says why": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        # Without this the loss has no value.
        tf.config.run_functions_eagerly(True)  #! PIPE901 warning
        model.compile("adam", "mse")
        model.fit(x, y)
    """,
    "turned on twice, told once": """
        import tensorflow as tf
        tf.debugging.enable_check_numerics()  #! PIPE901 warning, unsafe fix
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        tf.debugging.enable_check_numerics()
        model.compile("adam", "mse")
        model.fit(x, y)
    """,
    "given by a constant of the program, which would be left behind": """
        import tensorflow as tf
        EAGER = True
        model = tf.keras.Sequential()
        model.compile("adam", "mse", run_eagerly=EAGER)  #! PIPE901 warning
        model.fit(x, y)
    """,
    "a script that gives its model to code out of sight": """
        import tensorflow as tf
        from training import train

        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile("adam", "mse")
        model.run_eagerly = True  #! PIPE901 advice
        train(model)
    """,
    "a tf.function that calls fit": """
        import tensorflow as tf

        tf.config.run_functions_eagerly(True)  #! PIPE901 advice
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])

        @tf.function
        def train(x, y):
            model.compile("adam", "mse")
            model.fit(x, y)

        train(x, y)
    """,
    "a tf.function that gives a tensor to numpy": """
        import numpy as np
        import tensorflow as tf

        tf.config.run_functions_eagerly(True)  #! PIPE901 advice
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])

        @tf.function
        def scaled(x):
            return x / np.prod(tf.reduce_sum(x))

        model.fit(scaled(x), y)
    """,
    "every tf.function runs as Python": Case(
        """
        import tensorflow as tf

        tf.config.run_functions_eagerly(True)  #! PIPE901 warning, unsafe fix
        tf.data.experimental.enable_debug_mode()  #! PIPE901 warning, unsafe fix
        model.fit(x, y)
        """,
        """
        import tensorflow as tf

        model.fit(x, y)
        """,
    ),
    "a line in the log for every operation": Case(
        """
        import tensorflow as tf

        tf.debugging.set_log_device_placement(True)  #! PIPE901 advice, safe fix
        model.fit(tf.constant(x), y)
        """,
        """
        import tensorflow as tf

        model.fit(tf.constant(x), y)
        """,
    ),
    "a step that draws in TensorFlow": """
        import tensorflow as tf

        class Net(tf.keras.Model):
            def train_step(self, x):
                return {"loss": tf.reduce_mean(self(x) - tf.random.normal((4, 8)))}

        net = Net()
        net.compile("adam", run_eagerly=True)  #! PIPE901 warning, unsafe fix
        net.fit(x)
    """,
    "switched on after compile": """
        import tensorflow as tf

        model = tf.keras.Sequential()
        model.compile("adam", "mse")
        model.run_eagerly = True  #! PIPE901 warning
        model.fit(x, y)
    """,
    "in a function that runs": """
        import tensorflow as tf
        def main():
            tf.config.experimental_run_functions_eagerly(True)  #! PIPE901 warning, unsafe fix
            for batch in tf.data.TFRecordDataset("train"):
                model.train_on_batch(batch)
        main()
    """,
    "what a graph calls back into Python for may read values": """
        import tensorflow as tf

        def pipeline(files):
            def read(name):
                return load(name.numpy())
            return files.map(lambda name: tf.py_function(read, [name], tf.float32))

        tf.config.run_functions_eagerly(True)  #! PIPE901 warning, unsafe fix
        model.fit(x, y)
    """,
    "a metric that gathers in a list of the call": """
        import tensorflow as tf
        class Spread(tf.keras.metrics.Metric):
            def update_state(self, y_true, y_pred, sample_weight=None):
                parts = []
                parts.append(tf.reduce_max(y_pred))
                parts.append(tf.reduce_min(y_pred))
                self.widest.assign(tf.maximum(self.widest, parts[0] - parts[1]))

        model = tf.keras.Sequential()
        model.compile("adam", "mse", metrics=[Spread()], run_eagerly=True)  #! PIPE901 warning, unsafe fix
        model.fit(x, y)
    """,
    "checks of every number": """
        import tensorflow as tf

        tf.debugging.enable_check_numerics()  #! PIPE901 warning, unsafe fix
        model.evaluate(x, y)
    """,
    "a model that is not known": """
        import tensorflow as tf
        def build(model):
            model.compile("adam", "mse", run_eagerly=True)  #! PIPE901 advice, unsafe fix
    """,
    "a function that is called after debugging, and one that only holds the letters": """
        import tensorflow as tf
        def debug_mode():
            tf.config.run_functions_eagerly(True)  #! PIPE901 advice
        def debugged_once_upon_a_time():
            tf.data.experimental.enable_debug_mode()  #! PIPE901 warning, unsafe fix
        model.fit(x, y)
    """,
    "a name that only holds the letters": """
        import tensorflow as tf
        def build_debugger_free(model):
            model.compile("adam", "mse", run_eagerly=True)  #! PIPE901 warning, unsafe fix
            model.fit(x, y)
    """,
    "a loss that reads values": """
        import tensorflow as tf
        def loss(y_true, y_pred):
            return float(y_pred.numpy().sum())

        model = tf.keras.Sequential()
        model.compile("adam", loss, run_eagerly=True)  #! PIPE901 advice
        model.fit(x, y)
    """,
    "a metric that reads values": """
        import tensorflow as tf
        class Hits(tf.keras.metrics.Metric):
            def update_state(self, y_true, y_pred, sample_weight=None):
                self.total = y_pred.numpy().sum()

        model = tf.keras.Sequential()
        model.compile("adam", "mse", metrics=[Hits()], run_eagerly=True)  #! PIPE901 advice
        model.fit(x, y)
    """,
    "a callback that reads values, which Keras never traces": """
        import tensorflow as tf
        class Report(tf.keras.callbacks.Callback):
            def on_epoch_end(self, epoch, logs=None):
                print(self.model.optimizer.learning_rate.numpy())

        model = tf.keras.Sequential()
        model.compile("adam", "mse", run_eagerly=True)  #! PIPE901 warning, unsafe fix
        model.fit(x, y)
    """,
    "a step that cannot be traced": Case(
        """
        import tensorflow as tf
        class Net(tf.keras.Model):
            def train_step(self, data):
                print(data[0].numpy())
                return {}

        model = Net()
        model.compile("adam", "mse", run_eagerly=True)  #! PIPE901 advice
        model.fit(x, y)
        """,
        beside=("PIPE601", "PIPE603"),
    ),
    "two models of which one cannot be traced": Case(
        """
        import tensorflow as tf
        class Net(tf.keras.Model):
            def train_step(self, data):
                return {"mean": data[0].numpy().mean()}

        first, second = Net(), tf.keras.Sequential()
        first.compile("adam", "mse", run_eagerly=True)  #! PIPE901 advice
        second.compile("adam", "mse", run_eagerly=True)  #! PIPE901 advice
        second.fit(x, y)
        """,
        beside=("PIPE603",),
    ),
}

SILENT: Table = {
    "a model that the program's own steps train": """
        import tensorflow as tf

        class Agent:
            def __init__(self):
                self.policy = make_policy()
                self.policy.compile(run_eagerly=True)
                self.optimizer = tf.keras.optimizers.Adam()

            def train(self, states, returns):
                with tf.GradientTape() as tape:
                    loss = -tf.reduce_mean(self.policy(states) * returns)
                gradients = tape.gradient(loss, self.policy.trainable_variables)
                self.optimizer.apply_gradients(zip(gradients, self.policy.trainable_variables))

        agent = Agent()
        for states, returns in played:
            agent.train(states, returns)
    """,
    "the only tf.function is a helper": """
        import tensorflow as tf

        tf.config.run_functions_eagerly(True)
        net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        optimizer = tf.keras.optimizers.Adam()

        @tf.function
        def scaled(x):
            return x / tf.reduce_max(x)

        for x in tf.data.TFRecordDataset("train"):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(net(scaled(x)))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.variables), net.variables))
    """,
    "a step that is given lists, each length of which would be traced anew": """
        import tensorflow as tf

        tf.config.run_functions_eagerly(True)
        net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        optimizer = tf.keras.optimizers.Adam()

        @tf.function
        def learn(trees):
            with tf.GradientTape() as tape:
                loss = tf.add_n([tf.reduce_mean(net(tree)) for tree in trees])
            optimizer.apply_gradients(zip(tape.gradient(loss, net.variables), net.variables))

        for chosen in order:
            learn([grown(seed) for seed in chosen])
    """,
    "a tf.function that makes its optimizer and runs all epochs": """
        import tensorflow as tf

        tf.config.run_functions_eagerly(True)
        net = tf.keras.Sequential([tf.keras.layers.Dense(1)])

        @tf.function
        def paint(picture, epochs):
            optimizer = tf.keras.optimizers.Adam()
            for _ in range(epochs):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(net(picture))
                optimizer.apply_gradients([(tape.gradient(loss, picture), picture)])

        paint(tf.Variable(start), 100)
    """,
    "a model whose fit nobody calls": """
        import tensorflow as tf

        net = tf.keras.Sequential([tf.keras.layers.Dense(1)])

        def train(x, y):
            net.compile("adam", "mse")
            net.fit(x, y)

        def look(files):
            for row in tf.data.TFRecordDataset(files).take(4):
                print(net(row))

        if __name__ == "__main__":
            tf.config.run_functions_eagerly(True)
            look("rows")
    """,
    "a function that says it is for debugging": """
        import tensorflow as tf
        def debug_mode():
            tf.config.run_functions_eagerly(True)
    """,
    "a program that only exports a model": """
        import tensorflow as tf

        tf.config.run_functions_eagerly(True)
        tf.saved_model.save(network, "exported")
    """,
    "beside a loop of which nobody knows what it does": """
        import tensorflow as tf
        tf.config.run_functions_eagerly(True)
        for batch in tf.data.TFRecordDataset("train"):
            handle(batch)
    """,
    "a script that ends before its model runs": """
        import tensorflow as tf

        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile("adam", "mse")
        model.run_eagerly = True
        model.summary()
    """,
    "a metric that gathers all batches in a list": """
        import tensorflow as tf
        class Correlation(tf.keras.metrics.Metric):
            def __init__(self, **kwargs):
                super().__init__(**kwargs)
                self.batches = []
            def update_state(self, y_true, y_pred, sample_weight=None):
                self.batches.append(tf.stack([y_true, y_pred]))
            def result(self):
                return correlation(tf.concat(self.batches, axis=1))

        model = tf.keras.Sequential()
        model.compile("adam", "mse", metrics=[Correlation()], run_eagerly=True)
        model.fit(x, y)
    """,
    "a step that draws in Python from what it has kept": """
        import random
        import tensorflow as tf

        class Memory:
            def __init__(self):
                self.kept = [tf.zeros((1, 8))]
            def recall(self, count):
                return tf.concat(random.choices(self.kept, k=count), axis=0)

        class Net(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.memory = Memory()
            def train_step(self, x):
                return {"loss": tf.reduce_mean(self(x) - self.memory.recall(4))}

        net = Net()
        net.compile("adam", run_eagerly=True)
        net.fit(x)
    """,
    "a step that gathers in a list": """
        import tensorflow as tf

        class Net(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.kept = []
            def train_step(self, x):
                loss = tf.reduce_mean(self(x))
                self.kept.append(loss)
                return {"loss": loss}

        net = Net()
        net.compile("adam", run_eagerly=True)
        net.fit(x)
    """,
    "a fit of a few rows, which shows how it is done": """
        import tensorflow as tf

        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile("adam", "mse", run_eagerly=True)
        model.fit(x[:64], y[:64], epochs=1)

        model.compile("adam", "mse")
        model.fit(x, y, epochs=100)
    """,
    "a log of where single operations run": """
        import tensorflow as tf

        tf.debugging.set_log_device_placement(True)
        tf.config.set_visible_devices(tf.config.list_physical_devices("CPU"))
        print(tf.matmul(tf.ones((2, 2)), tf.ones((2, 2))))
    """,
    "under a switch of the user's own": """
        import tensorflow as tf

        def main(debug):
            if debug:
                tf.config.run_functions_eagerly(True)
            model = tf.keras.Sequential()
            model.compile("adam", "mse", run_eagerly=debug)
    """,
    "checks that end": """
        import tensorflow as tf

        tf.debugging.enable_check_numerics()
        train()
        tf.debugging.disable_check_numerics()
    """,
    "switched off": """
        import tensorflow as tf

        tf.config.run_functions_eagerly(False)
        tf.debugging.set_log_device_placement(False)
        model.compile("adam", run_eagerly=False)
    """,
    "a parameter with a default": """
        import tensorflow as tf
        def build(model, eager=True):
            model.compile("adam", "mse", run_eagerly=eager)
    """,
    "a constant that names it": """
        import tensorflow as tf

        DEBUG = True
        if DEBUG:
            tf.config.run_functions_eagerly(True)
    """,
    "an argument that is not plainly true": """
        import tensorflow as tf
        def build(model, args):
            model.compile("adam", "mse", run_eagerly=args.debug)
    """,
    "turned off again": """
        import tensorflow as tf

        tf.config.run_functions_eagerly(True)
        step(x)
        tf.config.run_functions_eagerly(False)
    """,
}
