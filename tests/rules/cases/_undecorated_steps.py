"""Training steps that run op by op, and what keeps `@tf.function` from being all that they need."""

from __future__ import annotations

from tests.cases import Table

STEP = """
        import random
        import time
        import numpy as np
        import tensorflow as tf
        from nets import Meter, optimizer, batches, scaled
        meter = Meter()
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])

        def train_step(x, note=None):  #! PIPE701 warning
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            {}
            return loss

"""

NOT_IN_A_GRAPH = {
    "it prints": "print(loss)",
    "it prints a text": "print('a step')",
    "it writes a string": "label = f'{loss}'",
    "it reads the clock": "ended = time.time()",
    "it draws a random number of Python": "again = random.random() < 0.5",
    "it takes a number out of a tensor": "total = float(loss)",
    "it takes an array out of a tensor": "total = np.mean(loss)",
    "it makes an array of what it is given": "x = np.array([x])",
    "it asks how long what it is given is": "weight = 1 / len(x)",
    "it goes through what it is given": "parts = [tf.square(row) for row in x]",
    "it goes through a pair of what it is given": "parts = [a * b for a, b in zip(x, note)]",
    "it asks an object of which nothing is known": "old = memory.sample()",
    "it calls an imported function": "loss = scaled(loss, x)",
    "it calls an object of a class out of sight": "meter(x, loss)",
    "it asks such an object": "x = meter.query(x)",
    "it calls what the caller gives": "loss = note(loss)",
    "it sets an item of something outside": "history['loss'] = loss",
    "it sets an attribute": "model.last = loss",
    "it adds to a variable of the module": "global steps; steps = 1",
    "it gathers in a list outside": "losses.append(loss)",
    "it chooses by a tensor": "loss = loss if loss > 0 else -loss",
    "it leaves by a tensor": "if tf.math.is_nan(loss): return None",
    "it makes a variable": "kept = tf.Variable(loss)",
    "it makes a layer": "loss = tf.keras.layers.Dense(1)(loss)",
    "it makes a layer that may keep a seed": "loss = tf.keras.layers.GaussianNoise(0.1)(loss)",
    "it counts up to a tensor": "parts = [loss * turn for turn in range(tf.shape(loss)[0])]",
    "it takes an item out of what it is given": "label = note.pop('label')",
    "it sets an item of what it is given": "x['label'] = loss",
    "it saves the model": "model.save('model.keras')",
    "it opens a file": "open('log.txt').close()",
}

TAKES_LONGER = {
    "it waits": "time.sleep(0.1)",
    "it evaluates": "model.evaluate(batches)",
}


def steps_that(bodies: dict[str, str]) -> dict[str, str]:
    """A step with each of these in it, which a loop calls."""
    loop = """
        for x in batches:
            train_step(x)
"""
    return {title: STEP.format(body) + loop for title, body in bodies.items()}


NEEDS_MORE_THAN_A_DECORATOR: Table = {
    **steps_that(NOT_IN_A_GRAPH),
    **{title: source.replace("warning", "advice") for title, source in steps_that(TAKES_LONGER).items()},
    "an object in sight that takes values out": """
        import tensorflow as tf
        from nets import model, optimizer, batches
        class Reader:
            def __call__(self, logits):
                return "".join(chr(code) for code in logits.numpy())
        read = Reader()
        def train_step(x):  #! PIPE701 warning
            with tf.GradientTape() as tape:
                logits = model(x)
                loss = tf.reduce_mean(logits)
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            return loss, read(logits)
        for x in batches:
            train_step(x)
    """,
    "a method of an attribute that keeps what it is given": """
        import tensorflow as tf
        class Pool:
            def __init__(self):
                self.kept = []
            def pick(self, image):
                self.kept.append(image)
                return self.kept[0]
        class Gan:
            def __init__(self, net):
                self.net = net
                self.pool = Pool()
                self.optimizer = tf.keras.optimizers.Adam()
            def step(self, x):  #! PIPE701 warning
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(self.net(self.pool.pick(x)))
                self.optimizer.apply_gradients(zip(tape.gradient(loss, self.net.weights), self.net.weights))
            def train(self, batches):
                for x in batches:
                    self.step(x)
    """,
    "a loss that is an attribute of which nothing is known": """
        import tensorflow as tf
        class Net(tf.keras.Model):
            def __init__(self, judge):
                super().__init__()
                self.judge = judge
            def learn(self, x):  #! PIPE701 warning
                with tf.GradientTape() as tape:
                    loss = self.judge(self(x))
                self.optimizer.apply_gradients(zip(tape.gradient(loss, self.weights), self.weights))
            def run(self, batches):
                for x in batches:
                    self.learn(x)
    """,
    "objects and functions in sight that are all TensorFlow": """
        import tensorflow as tf
        from nets import optimizer, batches
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        measure = tf.keras.losses.MeanSquaredError()
        seen = tf.keras.metrics.Mean()
        class Scaled:
            def __init__(self, factor):
                self.factor = factor
            def __call__(self, loss):
                return loss * self.factor
        scaled = Scaled(0.5)
        def train_step(x, y):  #! PIPE701 warning, unsafe fix
            with tf.GradientTape() as tape:
                loss = scaled(measure(y, model(x, training=True)))
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
            seen.update_state(loss)
        for x, y in batches:
            train_step(x, y)
    """,
    "a model that is made out of sight": """
        import tensorflow as tf
        from nets import Detector, optimizer, batches
        model = Detector()
        def train_step(x):  #! PIPE701 warning
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        for x in batches:
            train_step(x)
    """,
    "it catches exceptions": """
        import tensorflow as tf
        from nets import model, optimizer, batches
        def train_step(x):  #! PIPE701 warning
            try:
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(model(x))
                optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            except tf.errors.ResourceExhaustedError:
                return None
        for x in batches:
            train_step(x)
    """,
    "its counter is another number in each call": STEP.format("tf.summary.scalar('loss', loss, note)")
    + """
        for number, x in enumerate(batches):
            train_step(x, number)
    """,
    "a number that the loop counts up itself": STEP.format("tf.summary.scalar('loss', loss, note)")
    + """
        number = 0
        for x in batches:
            train_step(x, note=number)
            number += 1
    """,
    "a number that goes through a range": STEP.format("tf.summary.scalar('loss', loss, note)")
    + """
        for number in range(9000):
            train_step(next(batches), number)
    """,
    "what an environment gives": STEP.format("loss = loss * note")
    + """
        import gym
        env = gym.make("CartPole-v1")
        state = env.reset()
        while True:
            state, reward, done, info = env.step(act(state))
            train_step(state, reward)
    """,
    "a list that grows": STEP.format("loss = loss * note")
    + """
        while True:
            rewards = []
            for _ in range(200):
                rewards.append(play())
            train_step(x, rewards)
    """,
    "a variable that a loop changes": STEP.format("loss = loss * decay")
    + """
        decay = 1.0
        for x in batches:
            train_step(x)
            decay = decay * 0.99
    """,
    "a count that the program keeps": """
        import tensorflow as tf
        from nets import model, optimizer, batches
        class Agent:
            def __init__(self, size):
                self.seen = 0
                self.size = size
            def remember(self, x):
                self.seen += 1
            def learn(self, x):  #! PIPE701 warning
                if self.seen < self.size:
                    return
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(model(x))
                optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
        agent = Agent(64)
        for x in batches:
            agent.remember(x)
            agent.learn(x)
    """,
    "a counter that is a tensor": STEP.format("tf.summary.scalar('loss', loss, note)").replace(
        "PIPE701 warning", "PIPE701 warning, unsafe fix"
    )
    + """
        for number, x in enumerate(batches):
            train_step(x, tf.constant(number))
    """,
    "a dictionary of its own that it returns": STEP.format("told = {}; told['loss'] = loss").replace(
        "PIPE701 warning", "PIPE701 warning, unsafe fix"
    )
    + """
        for x in batches:
            train_step(x)
    """,
    "defined anew for each run": """
        import tensorflow as tf
        from nets import build, optimizer, batches
        def run(rate):
            model = build(rate)
            def train_step(x):  #! PIPE701 warning
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(model(x))
                optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            for x in batches:
                train_step(x)
        for rate in rates:
            run(rate)
    """,
    "defined in a function that runs once": """
        import tensorflow as tf
        from nets import optimizer, batches
        def run(rate):
            model = tf.keras.Sequential([tf.keras.layers.Dropout(rate), tf.keras.layers.Dense(1)])
            def train_step(x):  #! PIPE701 warning, unsafe fix
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(model(x))
                optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            for x in batches:
                train_step(x)
        run(0.1)
    """,
    "a model whose call prints": """
        import tensorflow as tf
        from nets import optimizer, batches
        class Net(tf.keras.Model):
            def call(self, x):
                print("called")
                return self.dense(x)
        net = Net()
        def train_step(x):  #! PIPE701 warning
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(net(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.variables), net.variables))
        for x in batches:
            train_step(x)
    """,
    "run by a strategy in a loop": """
        import tensorflow as tf
        from nets import optimizer, batches
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        strategy = tf.distribute.MirroredStrategy()
        def train_step(x):  #! PIPE701 warning, unsafe fix
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
        for x in batches:
            strategy.run(train_step, args=(x,))
    """,
    "what only an error says, and the length of a list of gradients": """
        import tensorflow as tf
        from nets import optimizer, batches
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        def checked(x):
            if x.dtype != tf.float32:
                raise TypeError("{} is no picture".format(x))
            return x
        def step(x):  #! PIPE701 warning, unsafe fix
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(checked(x)))
            gradients = tape.gradient(loss, model.trainable_variables)
            assert len(gradients) == 2
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        for x in batches:
            step(x)
    """,
    "the length of a list, which a trace knows": """
        import tensorflow as tf
        from nets import optimizer, batches
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        def step(x):  #! PIPE701 warning, unsafe fix
            parts = tf.split(x, 2)
            with tf.GradientTape() as tape:
                losses = [tf.reduce_mean(model(x)), tf.reduce_mean(model(parts[0]))]
                loss = tf.add_n(losses) / len(losses) / len(parts)
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
        for x in batches:
            step(x)
    """,
    "a comment that speaks of functions": """
        import tensorflow as tf
        from nets import optimizer, batches
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        # A @tf.function would do here
        # @tf.functional is no such thing
        # One step.
        def step(x):  #! PIPE701 warning, unsafe fix
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
        for x in batches:
            step(x)
    """,
    "a text of the loss, written by TensorFlow": """
        import tensorflow as tf
        from nets import optimizer, batches
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        def step(x):  #! PIPE701 warning
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            tf.print("loss: {}".format(loss))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
        for x in batches:
            step(x)
    """,
    "a subclass that takes the value of its loss": """
        import tensorflow as tf
        class Trainer:
            def __init__(self):
                self.model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
                self.optimizer = tf.keras.optimizers.Adam()
            def loss(self, x):
                return tf.reduce_mean(self.model(x))
            def step(self, x):  #! PIPE701 warning
                with tf.GradientTape() as tape:
                    loss = self.loss(x)
                weights = self.model.trainable_weights
                self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
            def run(self, batches):
                for x in batches:
                    self.step(x)
        class Loud(Trainer):
            def loss(self, x):
                loss = super().loss(x)
                self.last = loss.numpy()
                return loss
    """,
    "a subclass that counts, and of which the file makes no object": """
        import tensorflow as tf
        from nets import batches
        class Trainer:
            def __init__(self):
                self.model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
                self.optimizer = tf.keras.optimizers.Adam()
                self.seen = 0
            def note(self):
                pass
            def step(self, x):  #! PIPE701 warning
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(self.model(x))
                weights = self.model.trainable_weights
                self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
                self.note()
        class Counting(Trainer):
            def note(self):
                self.seen += 1
        trainer = Trainer()
        for x in batches:
            trainer.step(x)
    """,
    "a subclass whose loss is as good": """
        import tensorflow as tf
        class Trainer:
            def __init__(self):
                self.model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
                self.optimizer = tf.keras.optimizers.Adam()
            def loss(self, x):
                return tf.reduce_mean(self.model(x))
            def step(self, x):  #! PIPE701 warning, unsafe fix
                with tf.GradientTape() as tape:
                    loss = self.loss(x)
                weights = self.model.trainable_weights
                self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
            def run(self, batches):
                for x in batches:
                    self.step(x)
        class Steep(Trainer):
            def loss(self, x):
                return 2.0 * super().loss(x)
    """,
    "a model that some turns of a loop make anew": """
        import tensorflow as tf
        from data import folds, settings
        class Trainer:
            def __init__(self):
                self.begin()
            def begin(self):
                self.model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
                self.optimizer = tf.keras.optimizers.Adam()
            def step(self, x):  #! PIPE701 warning
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(self.model(x))
                weights = self.model.trainable_weights
                self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        trainer = Trainer()
        for fold in folds:
            if settings.fresh:
                trainer.begin()
            for x in fold:
                trainer.step(x)
    """,
}
