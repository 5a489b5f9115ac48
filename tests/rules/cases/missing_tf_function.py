"""PIPE701 missing-tf-function: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table
from tests.rules.cases._undecorated_steps import NEEDS_MORE_THAN_A_DECORATOR

EAGER = """
        import tensorflow as tf
        from nets import model, optimizer, batches

        def train_step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            return loss
"""

TRACED = """
        import tensorflow as tf
        from nets import model, optimizer, batches

        @tf.function
        def train_step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            return loss
"""

FOUND: Table = {
    "a step in a run that a library calls again and again: each makes an optimizer": """
        import search
        import tensorflow as tf
        from nets import batches

        def step(model, optimizer, x, y):  #! PIPE701 warning
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x) - y))
            grads = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(grads, model.trainable_variables))

        def one_run(settings=None):
            model = tf.keras.Sequential([tf.keras.layers.Conv2D(32, 3), tf.keras.layers.LSTM(8)])
            optimizer = tf.keras.optimizers.Adam()
            for _ in range(20):
                for x, y in batches:
                    step(model, optimizer, x, y)

        search.try_all(one_run, times=10)
    """,
    "a step that asks for its logger, as it may once or each time": """
        import logging
        import tensorflow as tf
        from nets import model, optimizer, batches

        def train_step(x):  #! PIPE701 warning
            log = logging.getLogger("training")
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            return loss

        for x in batches:
            train_step(x)
    """,
    "a step in a script whose main function is handed to absl": """
        import tensorflow as tf
        from absl import app
        from nets import batches

        def step(model, optimizer, x, y):  #! PIPE701 warning, unsafe fix
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x) - y))
            grads = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(grads, model.trainable_variables))

        def main(_):
            model = tf.keras.Sequential([tf.keras.layers.Conv2D(32, 3), tf.keras.layers.LSTM(8)])
            optimizer = tf.keras.optimizers.Adam()
            for _ in range(20):
                for x, y in batches:
                    step(model, optimizer, x, y)

        app.run(main)
    """,
    "a step that two callers give their own optimizers: a graph would make variables twice": """
        import tensorflow as tf
        from nets import make, batches

        def step(model, optimizer, x, y):  #! PIPE701 warning
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((model(x) - y) ** 2)
            grads = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(grads, model.trainable_variables))
            return loss

        first, second = make(), make()
        one, other = tf.keras.optimizers.Adam(), tf.keras.optimizers.Adam()
        for epoch in range(100):
            for x, y in batches:
                step(first, one, x, y)
                step(second, other, x, y)
    """,
    "a switch in a function that nothing leads to": """
        import tensorflow as tf
        from nets import model, optimizer, batches

        def slowly():
            tf.config.run_functions_eagerly(True)

        def learn(x):  #! PIPE701 warning
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))

        def main():
            for x in batches:
                learn(x)

        main()
    """,
    "a switch that only some runs turn on": """
        import sys
        import tensorflow as tf
        from nets import model, optimizer, batches

        if len(sys.argv) > 1:
            tf.config.run_functions_eagerly(True)

        def learn(x):  #! PIPE701 warning
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))

        for x in batches:
            learn(x)
    """,
    "a test of a list, which is no test of the tensors in it": """
        import tensorflow as tf
        from tensorflow import keras

        net = keras.Sequential([keras.layers.Dense(8), keras.layers.Dense(8), keras.layers.Dense(1)])
        optimizer = keras.optimizers.Adam()

        def learn(x):  #! PIPE701 warning, unsafe fix
            with tf.GradientTape() as tape:
                parts = []
                for scale in (1.0, 2.0):
                    parts.append(tf.reduce_mean(net(x * scale)))
                loss = tf.add_n(parts) if parts else tf.constant(0.0)
            optimizer.apply_gradients(zip(tape.gradient(loss, net.variables), net.variables))

        for x in tf.data.TFRecordDataset(files).map(parsed, num_parallel_calls=tf.data.AUTOTUNE).batch(32).prefetch(2):
            learn(x)
    """,
    "one of two models, as a test before the loop chose it": Case("""
        import sys
        import tensorflow as tf
        if len(sys.argv) > 1:
            net = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        else:
            net = tf.keras.Sequential([tf.keras.layers.Dense(4), tf.keras.layers.Dense(2)])
        optimizer = tf.keras.optimizers.Adam()
        def step(net, x):  #! PIPE701 warning, unsafe fix
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(net(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
        for x in batches:
            step(net, x)
    """),
    "settings among what it is given": """
        import tensorflow as tf
        from settings import config
        net, optimizer = tf.keras.Sequential([tf.keras.layers.Dense(2)]), tf.keras.optimizers.Adam()
        def step(config, x):  #! PIPE701 warning
            with tf.GradientTape() as tape:
                loss = config.TRAIN.SCALE * tf.reduce_mean(net(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
        for x in batches:
            step(config, x)
    """,
    "thousands of steps, beside loops that make some hundred, as take and a counter say": """
        import tensorflow as tf
        from nets import model, optimizer, numbers
        data = tf.data.Dataset.from_tensor_slices(numbers).repeat().batch(32)
        for x in data.take(900):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
        for step, x in enumerate(data):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            if step == 500:
                break
        for x in data.take(2000):
            with tf.GradientTape() as tape:  #! PIPE701 advice
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
    """,
    "a train_step of Keras that a loop of the program calls": """
        import tensorflow as tf
        class Net(tf.keras.Model):
            def train_step(self, x):  #! PIPE701 warning, unsafe fix
                with tf.GradientTape() as tape:
                    loss = self(x)
                self.optimizer.apply_gradients(zip(tape.gradient(loss, self.weights), self.weights))
                return {"loss": loss}
        net = Net()
        for x in batches:
            net.train_step(x)
    """,
    "a few steps in some turns of a loop that predicts in each": """
        import gym
        import tensorflow as tf
        env = gym.make("CartPole-v1")
        net = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        optimizer = tf.keras.optimizers.Adam()
        def learn(x):  #! PIPE701 advice, unsafe fix
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(net(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
        def play(times, passes):
            seen = []
            for _ in range(times):
                state, over = env.reset(), False
                while not over:
                    state, gain, over, _ = env.step(net.predict(state).argmax())
                    seen.append(state)
                    if len(seen) > 32 or over:
                        for _ in range(passes):
                            learn(tf.stack(seen))
                        seen = []
        play(10_000, 4)
    """,
    "a loss that is a graph around a model that is none": """
        import tensorflow as tf
        net = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        optimizer = tf.keras.optimizers.Adam()
        @tf.function
        def distance(a, b):
            return tf.reduce_mean(tf.square(a - b))
        for x, y in batches:
            with tf.GradientTape() as tape:  #! PIPE701 advice
                loss = distance(net(x), y)
            optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
    """,
    "layers that are tf.functions by themselves": """
        import tensorflow as tf
        class Affine(tf.keras.layers.Layer):
            @tf.function
            def call(self, x):
                return tf.matmul(x, self.w)
        class Stack(tf.keras.Model):
            def call(self, x):
                for layer in self.parts:
                    x = layer(x)
                return x
        net, optimizer = Stack(), tf.keras.optimizers.Adam()
        for x in batches:
            with tf.GradientTape() as tape:  #! PIPE701 advice
                loss = tf.reduce_mean(net(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
    """,
    "input that a generator of the program loads in Python": """
        import cv2
        import numpy as np
        import tensorflow as tf
        net, optimizer = tf.keras.Sequential([tf.keras.layers.Dense(10)]), tf.keras.optimizers.Adam()
        def load(path):
            return cv2.imread(path) / 255
        def batches(paths, size):
            while True:
                yield np.stack([load(path) for path in np.random.choice(paths, size)])
        made = batches(paths, 8)
        for step in range(5000):
            images = next(made)
            with tf.GradientTape() as tape:  #! PIPE701 advice
                loss = tf.reduce_mean(net(images))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
    """,
    "input that a generator of the program has at hand": """
        import numpy as np
        import tensorflow as tf
        net, optimizer = tf.keras.Sequential([tf.keras.layers.Dense(10)]), tf.keras.optimizers.Adam()
        def batches(rows, size):
            while True:
                yield rows[np.random.choice(len(rows), size)]
        made = batches(rows, 8)
        for step in range(5000):
            images = next(made)
            with tf.GradientTape() as tape:  #! PIPE701 advice
                loss = tf.reduce_mean(net(images))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
    """,
    "pictures that a function reads one by one, eagerly": """
        import tensorflow as tf
        net, optimizer = tf.keras.Sequential([tf.keras.layers.Dense(10)]), tf.keras.optimizers.Adam()
        def read(paths):
            return tf.stack([tf.io.decode_jpeg(tf.io.read_file(path)) for path in paths])
        for paths in tf.data.Dataset.from_tensor_slices(names).batch(16):
            images = read(paths)
            with tf.GradientTape() as tape:  #! PIPE701 advice
                loss = tf.reduce_mean(net(images))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
    """,
    "rows of a data set of Keras of which a part is left out": """
        import tensorflow as tf
        net, optimizer = tf.keras.Sequential([tf.keras.layers.Dense(10)]), tf.keras.optimizers.Adam()
        (x, y), _ = tf.keras.datasets.boston_housing.load_data(test_split=0.1)
        ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(40)
        for epoch in range(10):
            for rows, _ in ds:
                with tf.GradientTape() as tape:  #! PIPE701 advice
                    loss = tf.reduce_mean(net(rows))
                optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
    """,
    "each turn prints all gradients": """
        import tensorflow as tf
        net, optimizer = tf.keras.Sequential([tf.keras.layers.Dense(2)]), tf.keras.optimizers.Adam()
        while True:
            with tf.GradientTape() as tape:  #! PIPE701 advice
                loss = tf.reduce_mean(net(sample))
            slopes = tape.gradient(loss, net.weights)
            for slope, weight in zip(slopes, net.weights):
                print(weight.name, tf.norm(slope))
            optimizer.apply_gradients(zip(slopes, net.weights))
    """,
    "now and then a turn prints all gradients": """
        import tensorflow as tf
        net, optimizer = tf.keras.Sequential([tf.keras.layers.Dense(2)]), tf.keras.optimizers.Adam()
        for step, x in enumerate(batches):
            with tf.GradientTape() as tape:  #! PIPE701 advice
                loss = tf.reduce_mean(net(x))
            slopes = tape.gradient(loss, net.weights)
            if step % 1000 == 0:
                for slope, weight in zip(slopes, net.weights):
                    print(weight.name, tf.norm(slope))
            optimizer.apply_gradients(zip(slopes, net.weights))
    """,
    **NEEDS_MORE_THAN_A_DECORATOR,
    "a file that runs nothing is there to be imported": """
        import tensorflow as tf
        from nets import model, optimizer
        __version__ = str(1)
        def on_all(batches):
            for x in batches:
                with tf.GradientTape() as tape:  #! PIPE701 advice
                    loss = tf.reduce_mean(model(x))
                optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
    """,
    "what a decorator may register": """
        import tensorflow as tf
        from commands import command, run
        from nets import model, optimizer, batches
        @command
        def learn():
            for x in batches:
                with tf.GradientTape() as tape:  #! PIPE701 advice
                    loss = tf.reduce_mean(model(x))
                optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
        if __name__ == "__main__":
            run()
    """,
    "batches that are padded to lengths of their own": """
        import tensorflow as tf
        from nets import files
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        optimizer = tf.keras.optimizers.SGD()

        def train_step(x):  #! PIPE701 warning
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.weights), model.weights))

        for x in tf.data.TFRecordDataset(files).padded_batch(8):
            train_step(x)
    """,
    "batches that are padded to one length": Case(
        """
        import tensorflow as tf
        from nets import files
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        optimizer = tf.keras.optimizers.SGD()

        def train_step(x):  #! PIPE701 warning, unsafe fix
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.weights), model.weights))

        for x in tf.data.TFRecordDataset(files).padded_batch(8, padded_shapes=(64,)):
            train_step(x)
    """
    ),
    "games that are drawn, or played by predict": """
        import gymnasium as gym
        import tensorflow as tf
        from nets import memory
        model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        optimizer = tf.keras.optimizers.Adam()
        env = gym.make("CartPole-v1")
        for _ in range(100_000):
            env.render()
            state, reward, done, _, _ = env.step(env.action_space.sample())
            with tf.GradientTape() as tape:  #! PIPE701 advice
                loss = tf.reduce_mean(model(memory.draw(state)))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.weights), model.weights))
        for _ in range(100_000):
            state, reward, done, _, _ = env.step(model.predict(state))
            with tf.GradientTape() as tape:  #! PIPE701 advice
                loss = tf.reduce_mean(model(memory.draw(state)))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.weights), model.weights))
    """,
    "gradients that one function computes and another applies": """
        import tensorflow as tf
        from nets import pictures, optimizers
        model = tf.keras.models.load_model("model.keras")
        def gradients_of(picture):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(picture))
            return tape.gradient(loss, picture)
        def change(picture, gradients, number):
            optimizers[number].apply_gradients([(gradients, picture)])  #! PIPE701 advice
        for number, picture in enumerate(pictures):
            change(picture, gradients_of(picture), number)
    """,
    "losses that a layer adds": Case(
        """
        import tensorflow as tf
        from nets import batches

        class Small(tf.keras.layers.Layer):
            def call(self, x):
                self.add_loss(tf.reduce_sum(x))
                return x

        model = tf.keras.Sequential([Small(), tf.keras.layers.Dense(1)])
        small = Small()
        optimizer = tf.keras.optimizers.SGD()

        def train_step(x):  #! PIPE701 warning, unsafe fix
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(small(x)))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.weights), model.weights))

        for x in batches:
            train_step(x)
    """
    ),
    "values taken in what is called under the tape": """
        import tensorflow as tf
        from nets import optimizer, batches

        class Net(tf.keras.Model):
            def call(self, x):
                height = tf.reduce_max(x).numpy()
                return self.crop(x, height)

        model = Net()
        for x in batches:
            with tf.GradientTape() as tape:  #! PIPE701 advice
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
    """,
    "shapes asked of a variable": Case(
        """
        import tensorflow as tf
        from nets import batches
        weights = {"out": tf.Variable(tf.zeros([8, 1]))}
        optimizer = tf.keras.optimizers.SGD()

        def train_step(x):  #! PIPE701 warning, unsafe fix
            with tf.GradientTape() as tape:
                flat = tf.reshape(x, [-1, weights["out"].get_shape().as_list()[0]])
                loss = tf.reduce_mean(tf.matmul(flat, weights["out"]))
            optimizer.apply_gradients(zip(tape.gradient(loss, [weights["out"]]), [weights["out"]]))

        for x in batches:
            train_step(x)
    """
    ),
    "two classes with the same step, one of them in a graph": """
        import tensorflow as tf
        from nets import batches

        class Slow:
            def step(self, x):  #! PIPE701 warning
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(self.model(x))
                gradients = tape.gradient(loss, self.model.variables)
                self.optimizer.apply_gradients(zip(gradients, self.model.variables))

        class Fast:
            @tf.function
            def step(self, x):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(self.model(x))
                gradients = tape.gradient(loss, self.model.variables)
                self.optimizer.apply_gradients(zip(gradients, self.model.variables))

        for x in batches:
            Slow().step(x)
            Fast().step(x)
    """,
    "thirty steps for each of many pictures": """
        import tensorflow as tf
        from nets import model, optimizer, pictures
        for x in pictures:
            for _ in range(30):
                with tf.GradientTape() as tape:  #! PIPE701 advice
                    loss = tf.reduce_mean(model(x))
                optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
    """,
    "a branch beside one that does not train": """
        import tensorflow as tf
        from nets import model, optimizer, batches
        if mode == "learn":
            for x in batches:
                with tf.GradientTape() as tape:  #! PIPE701 advice
                    loss = tf.reduce_mean(model(x))
                optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
        else:
            model.summary()
    """,
    "a step named as those of Keras, on a model that nothing fits": Case(
        """
        import tensorflow as tf

        class Folding(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.fold = tf.keras.layers.Dense(4)
                self.optimizer = tf.keras.optimizers.Adam()

            def train_step(self, x):  #! PIPE701 warning, unsafe fix
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(tf.square(self.fold(x) - x))
                gradients = tape.gradient(loss, self.fold.trainable_variables)
                self.optimizer.apply_gradients(zip(gradients, self.fold.trainable_variables))
                return loss

            def learn(self, batches):
                for x in batches:
                    self.train_step(x)

        folding = Folding()
        rows = tf.data.Dataset.from_tensor_slices(tf.random.normal([9000, 4])).batch(32)
        for epoch in range(50):
            folding.learn(rows)
    """
    ),
    "a thread of its own": """
        import threading
        import tensorflow as tf

        class Learner:
            def __init__(self):
                self.net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
                self.optimizer = tf.keras.optimizers.Adam()

            def learn(self, x):  #! PIPE701 warning, unsafe fix
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(tf.square(self.net(x)))
                gradients = tape.gradient(loss, self.net.trainable_variables)
                self.optimizer.apply_gradients(zip(gradients, self.net.trainable_variables))

        class Player(threading.Thread):
            def __init__(self, learner, states):
                threading.Thread.__init__(self)
                self.learner, self.states = learner, states

            def run(self):
                while self.states:
                    self.learner.learn(tf.constant([self.states.pop()]))

        players = [Player(Learner(), load(name)) for name in names]
        for player in players:
            player.start()
    """,
    "a step that a loop calls": Case(
        """
        import tensorflow as tf

        def train_step(model, optimizer, x, y):  #! PIPE701 warning, unsafe fix
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x) - y))
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
            return loss

        def train(optimizer, batches):
            model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
            for x, y in batches:
                train_step(model, optimizer, x, y)
        """,
        """
        import tensorflow as tf

        @tf.function
        def train_step(model, optimizer, x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x) - y))
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
            return loss

        def train(optimizer, batches):
            model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
            for x, y in batches:
                train_step(model, optimizer, x, y)
        """,
    ),
    "written out in the loop, with variables that some turns make": """
        import tensorflow as tf
        from nets import careful, model, optimizer, batches
        for x in batches:
            with tf.GradientTape() as tape:  #! PIPE701 advice
                loss = tf.reduce_mean(model(x))
            slopes = tape.gradient(loss, model.variables)
            if careful:
                slopes = [tf.Variable(slope) for slope in slopes]
            optimizer.apply_gradients(zip(slopes, model.variables))
    """,
    "written out in the loop": """
        import tensorflow as tf

        for x, y in batches:
            with tf.GradientTape() as tape:  #! PIPE701 advice
                loss = tf.reduce_mean(tf.square(model(x) - y))
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    """,
    "in a loop over a dataset": """
        import tensorflow as tf
        from nets import optimizer, batches
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])

        def train_step(x):  #! PIPE701 warning, unsafe fix
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            return loss

        for x in batches:
            train_step(x)
    """,
    "in a while loop": """
        import tensorflow as tf
        from nets import optimizer, batches
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])

        def train_step(x):  #! PIPE701 warning, unsafe fix
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            return loss

        while True:
            train_step(next(batches))
    """,
    "two loops away": """
        import tensorflow as tf
        from nets import optimizer, batches
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])

        def train_step(x):  #! PIPE701 warning, unsafe fix
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            return loss

        def epoch(data):
            for x in data:
                train_step(x)
        for _ in range(9):
            epoch(batches)
    """,
    "a method": """
        import tensorflow as tf
        class Trainer:
            def __init__(self, optimizer):
                self.model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
                self.optimizer = optimizer
            def step(self, x):  #! PIPE701 warning, unsafe fix
                with tf.GradientTape() as tape:
                    loss = self.model(x)
                self.optimizer.apply_gradients(zip(tape.gradient(loss, self.model.weights), self.model.weights))
            def train(self, batches):
                for x in batches:
                    self.step(x)
    """,
    "the tape in a function, the gradients applied in the loop": """
        import tensorflow as tf
        def gradients(model, x):
            with tf.GradientTape() as tape:
                loss = model(x)
            return tape.gradient(loss, model.variables)
        for x in batches:
            optimizer.apply_gradients(zip(gradients(model, x), model.variables))  #! PIPE701 advice
    """,
    "noise of numpy under the tape": """
        import numpy as np
        import tensorflow as tf
        for x in batches:
            with tf.GradientTape() as tape:  #! PIPE701 advice
                loss = tf.reduce_mean(critic(generator(np.random.uniform(size=(32, 8)))))
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    """,
    "values taken under the tape": """
        import tensorflow as tf
        for x in batches:
            with tf.GradientTape() as tape:  #! PIPE701 advice
                chosen = tf.argmax(policy(x))
                loss = tf.reduce_mean(policy(x)) * judge(chosen.numpy())
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    """,
    "values taken under the tape and only shown": """
        import logging
        import numpy as np
        import tensorflow as tf
        losses = []
        for number, x in enumerate(batches):
            with tf.GradientTape() as tape:  #! PIPE701 advice
                loss = tf.reduce_mean(policy(x))
                print("%d: %f" % (number, loss.numpy()))
                logging.info(f"loss {loss.numpy():.3f}")
                latest = float(loss.numpy())
                losses.append(loss.numpy())
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
            print("now {}, all {}".format(latest, np.mean(losses)))
    """,
    "a value that is shown, and weighs the next step": """
        import tensorflow as tf
        latest = 1.0
        for x in batches:
            with tf.GradientTape() as tape:  #! PIPE701 advice
                loss = tf.reduce_mean(policy(x)) * latest
                latest = loss.numpy()
                print(latest)
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    """,
    "a step inside the loop of another": """
        import tensorflow as tf
        for x in batches:
            for _ in range(turns):
                with tf.GradientTape() as first:  #! PIPE701 advice
                    a = critic(x)
                one.apply_gradients(zip(first.gradient(a, weights), weights))
            with tf.GradientTape() as second:  #! PIPE701 advice
                b = generator(x)
            two.apply_gradients(zip(second.gradient(b, weights), weights))
    """,
    "two tapes of one step in a loop": """
        import tensorflow as tf
        for x in batches:
            with tf.GradientTape() as first, tf.GradientTape() as second:  #! PIPE701 advice
                a, b = generator(x), critic(x)
            one.apply_gradients(zip(first.gradient(a, weights), weights))
            two.apply_gradients(zip(second.gradient(b, weights), weights))
    """,
    "a model for each of several runs": """
        import tensorflow as tf
        from data import batches, rates
        def run(rate):
            model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
            optimizer = tf.keras.optimizers.Adam(rate)
            for x in batches:
                with tf.GradientTape() as tape:  #! PIPE701 advice
                    loss = tf.reduce_mean(model(x))
                optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
        for rate in rates:
            run(rate)
    """,
    "a layer for each task, for as many steps as somebody says": """
        import tensorflow as tf
        from data import optimizer, tasks, steps
        for x in tasks:
            layer = tf.keras.layers.Dense(1)
            for _ in range(steps):
                with tf.GradientTape() as tape:  #! PIPE701 advice
                    loss = tf.reduce_mean(layer(x))
                optimizer.apply_gradients(zip(tape.gradient(loss, layer.variables), layer.variables))
    """,
    "a model that is made when there is none yet": """
        import tensorflow as tf
        from data import optimizer, tasks, steps
        model = None
        for x in tasks:
            if model is None:
                model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
            for _ in range(steps):
                with tf.GradientTape() as tape:  #! PIPE701 advice
                    loss = tf.reduce_mean(model(x))
                optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
    """,
    "a call with more arguments than the step takes is no call of it": """
        import tensorflow as tf

        model, optimizer = make_model(), tf.keras.optimizers.Adam()

        def train_step(x, y, learns=True):  #! PIPE701 warning
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x) - y))
            if learns:
                optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))

        for x, y in batches:
            train_step(x, y)
        for x, y, weights in others:
            train_step(x, y, False, weights)
    """,
}

SILENT: Table = {
    "a handful of numbers, each as a row of its own": """
        import tensorflow as tf

        class Line(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.dense = tf.keras.layers.Dense(1)

            def call(self, x):
                return self.dense(x)

        def step(net, pair):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(net(pair["at"]) - pair["of"]))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.variables), net.variables))
            return loss

        at = tf.range(20.0)[:, tf.newaxis]
        optimizer, line = tf.keras.optimizers.SGD(), Line()
        for pair in tf.data.Dataset.from_tensor_slices({"at": at, "of": 3 * at}).repeat(5).batch(4):
            print(step(line, pair).numpy())
    """,
    "every tf.function of the program runs as plain Python": """
        import tensorflow as tf

        tf.config.run_functions_eagerly(True)
        net = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.Dense(8), tf.keras.layers.Dense(1)])
        optimizer = tf.keras.optimizers.Adam()

        def learn(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(net(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.variables), net.variables))

        for x in batches:
            learn(x)
    """,
    "a step that TensorFlow's own module traces": """
        import tensorflow as tf
        from tensorflow.python.eager import def_function

        class Net(tf.keras.Model):
            def made(self):
                def one(iterator):
                    return self.train_step(next(iterator))
                if not self.run_eagerly:
                    one = def_function.function(one)
                return one

            def train_step(self, x):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(self(x))
                self.optimizer.minimize(loss, self.trainable_variables, tape=tape)

            def fit(self, data, epochs):
                step = self.made()
                for _ in range(epochs):
                    iterator = iter(data)
                    for _ in range(1000):
                        step(iterator)

        Net().fit(tf.data.TFRecordDataset("rows").batch(8), 100)
    """,
    "a decorator that a comment turns off where the tape is": """
        import tensorflow as tf
        net, optimizer = tf.keras.Sequential([tf.keras.layers.Dense(2)]), tf.keras.optimizers.Adam()
        # @tf.function  # off, to look at values
        def slopes(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(net(x))
            return tape.gradient(loss, net.weights)
        for x in batches:
            optimizer.apply_gradients(zip(slopes(x), net.weights))
    """,
    "a decorator that a comment turns off above the method that is overridden": """
        import tensorflow as tf
        class Solver:
            # @tf.function
            def slopes(self, x):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(self.net(x))
                return tape.gradient(loss, self.net.weights)
        class Stiff(Solver):
            def slopes(self, x):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_max(self.net(x))
                return tape.gradient(loss, self.net.weights)
            def solve(self, batches):
                for x in batches:
                    self.optimizer.apply_gradients(zip(self.slopes(x), self.net.weights))
        Stiff().solve(batches)
    """,
    "a decorator that somebody has turned off": """
        import tensorflow as tf
        from nets import optimizer, batches
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        class Trainer:
            # @tf.function(reduce_retracing=True)  # off, to look at the loss
            # What follows is one step.
            @staticmethod
            def step(x):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(model(x))
                optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
        for x in batches:
            Trainer.step(x)
    """,
    "a decorator that somebody has turned off without a word": """
        import tensorflow as tf
        from nets import optimizer, batches
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        #@tf.function
        def step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
        for x in batches:
            step(x)
    """,
    "the model is a graph, so that its loss and the update are all that is left": """
        import tensorflow as tf

        class Scorer(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.dense = tf.keras.layers.Dense(8)
            @tf.function
            def scores(self, x):
                return self.dense(x)
            def call(self, x):
                return self.scores(x)

        scorer, optimizer = Scorer(), tf.keras.optimizers.Adam()
        for x, y in batches:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(scorer(x) - y))
            optimizer.apply_gradients(zip(tape.gradient(loss, scorer.weights), scorer.weights))
    """,
    "an option of the command line chooses a graph, and is off by default": """
        import argparse
        import tensorflow as tf
        parser = argparse.ArgumentParser()
        parser.add_argument("--compiled", action="store_true")
        options = parser.parse_args()
        net, optimizer = tf.keras.Sequential([tf.keras.layers.Dense(2)]), tf.keras.optimizers.Adam()

        def plain(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(net(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))

        @tf.function
        def compiled(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(net(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))

        for x in batches:
            if options.compiled:
                compiled(x)
            else:
                plain(x)
    """,
    "five times the 74 batches of a data set whose size is known, by the name of its part": """
        import tensorflow as tf
        import tensorflow_datasets as tfds

        ds = tfds.load("tf_flowers", split=tfds.Split.TRAIN, as_supervised=True).map(resize).batch(50)
        model = tf.keras.applications.MobileNetV2(weights=None, classes=5)
        optimizer = tf.keras.optimizers.Adam()
        for _ in range(5):
            for images, labels in ds:
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(tf.square(model(images) - labels))
                gradients = tape.gradient(loss, model.trainable_variables)
                optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    """,
    "some hundred games, with a step as each of them ends": """
        import tensorflow as tf

        model, optimizer = make_model(), tf.keras.optimizers.Adam()

        def learn(states):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(states))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))

        for game in range(500):
            state, done, states = env.reset(), False, []
            while not done:
                state, reward, done, _ = env.step(policy(state))
                states.append(state)
                if done:
                    learn(tf.stack(states))
    """,
    "descent by hand": """
        import tensorflow as tf
        from nets import images, labels
        w = tf.Variable(tf.zeros([8, 1]))
        for x, y in tf.data.Dataset.from_tensor_slices((images, labels)).batch(64):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
            w.assign_sub(0.1 * tape.gradient(loss, w))
    """,
    "as many steps as the rows of a data set of Keras make": """
        import tensorflow as tf
        net, optimizer = tf.keras.Sequential([tf.keras.layers.LSTM(10)]), tf.keras.optimizers.Adam()
        (x, y), _ = tf.keras.datasets.mnist.load_data()
        x = x.reshape(-1, 784).astype("float32") / 255
        ds = tf.data.Dataset.from_tensor_slices((x[..., None], y)).batch(600)
        for epoch in range(6):
            for images, _ in ds:
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(net(images))
                optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
    """,
    "a model that is out of sight, and may run in a graph": """
        import tensorflow as tf

        def train_step(x, model):
            with tf.GradientTape() as tape:
                loss = model.forward(x)
            optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))

        def train(model, batches):
            for x in batches:
                train_step(x, model)
    """,
    "a part of a data set of some hundred examples": """
        import tensorflow as tf
        import tensorflow_datasets as tfds

        slope, bias = tf.Variable(tf.zeros([4, 1])), tf.Variable(0.0)
        optimizer = tf.keras.optimizers.SGD()
        for epoch in range(300):
            for x, y in tfds.load("iris", split="train[:90%]", as_supervised=True).batch(32):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(tf.square(x @ slope + bias - y))
                optimizer.apply_gradients(zip(tape.gradient(loss, [slope, bias]), [slope, bias]))
    """,
    "a few thousand steps of a few plain layers, by the length of the data": """
        import tensorflow as tf
        from sklearn.datasets import make_circles
        from sklearn.model_selection import train_test_split

        class Net(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.hidden, self.out = tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)

            def call(self, x):
                return self.out(self.hidden(x))

        net, optimizer = Net(), tf.keras.optimizers.SGD()
        x, y = make_circles(500)
        seen, unseen, right, wrong = train_test_split(x, y, test_size=0.2)
        batches = seen.shape[0] // 20
        for epoch in range(len(seen) // 4):
            for batch in range(batches):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(net(seen[batch * 20:(batch + 1) * 20]))
                optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
    """,
    "two numbers that are fitted by hand, for as many steps as the data is repeated": """
        import tensorflow as tf
        slope = tf.Variable(0.0)
        points = tf.data.Dataset.from_tensor_slices(tf.range(12)).repeat(200).batch(2)
        for x in points:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(slope * tf.cast(x, tf.float32))
            slope.assign_sub(0.01 * tape.gradient(loss, slope))
    """,
    "a lesson that goes on to show what tf.function does": """
        import tensorflow as tf
        from nets import model, optimizer, batches

        for x in batches:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))

        @tf.function
        def squared(x):
            return x ** 2

        squared(3)
        squared(tf.constant(3.0))
    """,
    "a few steps, by the rows of a data set of Keras": """
        import tensorflow as tf
        net, optimizer = tf.keras.Sequential([tf.keras.layers.Dense(10)]), tf.keras.optimizers.Adam()
        (x, y), _ = tf.keras.datasets.boston_housing.load_data()
        ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(40)
        for epoch in range(10):
            for rows, _ in ds:
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(net(rows))
                optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
    """,
    "a few steps now and then beside moves in an environment of which nobody knows what they cost": """
        import gym
        import tensorflow as tf
        env = gym.make("OurBrowser-v0")
        net = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        optimizer = tf.keras.optimizers.Adam()
        def learn(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(net(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
        def play(times, passes):
            seen = []
            for _ in range(times):
                state, over = env.reset(), False
                while not over:
                    state, gain, over, _ = env.step(net.predict(state).argmax())
                    seen.append(state)
                    if len(seen) > 32 or over:
                        for _ in range(passes):
                            learn(tf.stack(seen))
                        seen = []
        play(10_000, 4)
    """,
    "a function that the program never gets to": """
        import tensorflow as tf
        from nets import model, optimizer, batches
        def on_all(batches):
            for x in batches:
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(model(x))
                optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
        def twice(batches):
            on_all(batches)
            on_all(batches)
        def main():
            print(model.summary())
        main()
    """,
    "two hundred steps in all": """
        import tensorflow as tf
        from nets import model, optimizer, x
        for _ in range(200):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
    """,
    "a few batches for a few epochs, by the size of the data": """
        import numpy as np
        import tensorflow as tf
        from sklearn.datasets import make_moons
        from sklearn.model_selection import train_test_split
        net, optimizer = tf.keras.Sequential([tf.keras.layers.Dense(2)]), tf.keras.optimizers.Adam()
        points, sides = make_moons(n_samples=200, noise=0.1)
        train_points, test_points, train_sides, test_sides = train_test_split(points, sides, test_size=0.2)
        line = np.linspace(-1, 1, 100)
        for epoch in range(20):
            for x, y in tf.data.Dataset.from_tensor_slices((train_points, train_sides)).shuffle(200).batch(32):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(net(x) - y)
                optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
        for epoch in range(40):
            for x in tf.data.Dataset.from_tensor_slices(line).batch(20):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(net(x))
                optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
    """,
    "a few steps after each whole game": """
        import gym
        import tensorflow as tf
        env = gym.make("CartPole-v1")
        net, optimizer = tf.keras.Sequential([tf.keras.layers.Dense(2)]), tf.keras.optimizers.Adam()
        def learn(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(net(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
        for game in range(5000):
            state, over, seen = env.reset(), False, []
            while not over:
                state, gain, over, _ = env.step(choose(state))
                seen.append(state)
            for _ in range(10):
                learn(tf.stack(seen))
    """,
    "wrapped with some of its arguments": """
        import functools
        import tensorflow as tf
        from nets import model, optimizer, batches
        def train_step(weight, x):
            with tf.GradientTape() as tape:
                loss = weight * tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
        step = tf.function(functools.partial(train_step, 0.5))
        for x in batches:
            step(x)
    """,
    "one of two steps, wrapped": """
        import tensorflow as tf
        from nets import model, optimizer, batches, settings
        def plain(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
        def squared(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x)))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
        step = tf.function(plain if settings.plain else squared)
        for x in batches:
            step(x)
    """,
    "wrapped after the function that calls it": EAGER
    + """
        def train():
            for x in batches:
                train_step(x)
        train_step = tf.function(train_step)
        train()
    """,
    "wrapped where it is handed on": EAGER
    + """
        def on_each(function, items):
            for item in items:
                function(item)
        on_each(tf.function(train_step), batches)
    """,
    "traced by the function of a subclass": """
        import tensorflow as tf
        class Trainer:
            def __init__(self, model, optimizer):
                self.model, self.optimizer = model, optimizer
            def step(self, x):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(self.model(x))
                weights = self.model.trainable_weights
                self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
            def run(self, batches):
                for x in batches:
                    self.step(x)
        class Traced(Trainer):
            @tf.function
            def step(self, x):
                return super().step(x)
    """,
    "a layer for each task, and ten steps with it": """
        import tensorflow as tf
        from data import optimizer, tasks
        for x in tasks:
            layer = tf.keras.layers.Dense(1)
            for _ in range(10):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(layer(x))
                optimizer.apply_gradients(zip(tape.gradient(loss, layer.variables), layer.variables))
    """,
    "a branch for debugging beside one that calls fit": """
        import tensorflow as tf
        from tensorflow import keras
        from nets import batches
        model = keras.Sequential([keras.layers.Dense(1)])
        optimizer = keras.optimizers.Adam()
        if flags.mode == "eager_tf":
            for x in batches:
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(model(x))
                optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
        else:
            model.fit(batches)
    """,
    "timed beside the same step in a graph": """
        import time
        import tensorflow as tf
        from nets import model, optimizer, batches
        @tf.function
        def in_a_graph(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
        started = time.time()
        for x in batches:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
        print(time.time() - started)
        started = time.time()
        for x in batches:
            in_a_graph(x)
        print(time.time() - started)
    """,
    "a few steps": EAGER
    + """
        for _ in range(10):
            train_step(batches)
    """,
    "wrapped where it is used": """
        import tensorflow as tf

        def train_step(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x) - y))
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))

        step = tf.function(train_step)
        for x, y in batches:
            step(x, y)
    """,
    "the train_step of a Keras model": """
        import tensorflow as tf

        class Net(tf.keras.Model):
            def train_step(self, data):
                x, y = data
                with tf.GradientTape() as tape:
                    loss = self.compute_loss(y=y, y_pred=self(x, training=True))
                gradients = tape.gradient(loss, self.trainable_variables)
                self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
                return {"loss": loss}
    """,
    "beside a model that is trained as a whole in each turn": """
        import tensorflow as tf
        for turn in range(1000):
            child = build(controller)
            child.fit(images, labels, epochs=20)
            with tf.GradientTape() as tape:
                loss = loss_of(controller, child)
            optimizer.apply_gradients(zip(tape.gradient(loss, controller.variables), controller.variables))
    """,
    "descent by hand on a few numbers": """
        import tensorflow as tf
        w = tf.Variable(0.0)
        for _ in range(1000):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(numbers * w - others))
            w.assign_sub(0.1 * tape.gradient(loss, w))
    """,
    "gradients that another step uses, which has a tape of its own": """
        import tensorflow as tf
        from nets import actor, critic, optimizer, memory
        def gains(states):
            with tf.GradientTape() as tape:
                tape.watch(states)
                worth = critic(states)
            return tape.gradient(worth, states)
        @tf.function
        def learn(states, gradients):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(actor(states) * gradients)
            optimizer.apply_gradients(zip(tape.gradient(loss, actor.variables), actor.variables))
        for _ in range(100_000):
            states = memory.draw()
            learn(states, gains(states))
    """,
    "one step after each game": """
        import gymnasium as gym
        import tensorflow as tf
        from nets import model, optimizer

        env = gym.make("CartPole-v1")

        def learn(states):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(states))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))

        for game in range(1000):
            states = [env.reset()[0]]
            for _ in range(500):
                state, reward, done, _, _ = env.step(int(model(states[-1:])[0]))
                states.append(state)
                if done:
                    break
            learn(states)
    """,
    "the same in a graph in the next cell": Case(
        (
            """
            import tensorflow as tf
            from nets import model, optimizer, loss_of, batches
            for x, y in batches:
                with tf.GradientTape() as tape:
                    loss = loss_of(y, model(x))
                optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            """,
            """
            @tf.function
            def run_epoch(batches):
                for x, y in batches:
                    with tf.GradientTape() as tape:
                        loss = loss_of(y, model(x))
                    optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            run_epoch(batches)
            """,
        )
    ),
    "an environment in Python under the tape": """
        import tensorflow as tf

        def play(env, model, optimizer, state):
            with tf.GradientTape() as tape:
                action = int(tf.argmax(model(state)[0]))
                state, reward, done, _ = env.step(action)
                loss = -reward * tf.reduce_mean(model(state))
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))

        for _ in range(1000):
            play(env, model, optimizer, env.reset())
    """,
    "decorated": TRACED
    + """
        for x in batches:
            train_step(x)
    """,
    "wrapped under its own name": EAGER
    + """
        train_step = tf.function(train_step)
        for x in batches:
            train_step(x)
    """,
    "called from a traced function": EAGER
    + """
        @tf.function
        def outer(x):
            return train_step(x)

        for x in batches:
            outer(x)
    """,
    "run by a strategy inside a traced function": EAGER
    + """
        @tf.function
        def outer(x):
            strategy.run(train_step, (x,))
        for x in batches:
            outer(x)
    """,
    "called once": EAGER
    + """
        train_step(batches)
    """,
    "wrapped as an attribute": """
        import tensorflow as tf
        class Trainer:
            def __init__(self):
                self.step = tf.function(self.step)
            def step(self, x):
                with tf.GradientTape() as tape:
                    loss = self.model(x)
                self.optimizer.apply_gradients(zip(tape.gradient(loss, self.weights), self.weights))
            def train(self, batches):
                for x in batches:
                    self.step(x)
    """,
    "gradients that are not applied": """
        import tensorflow as tf
        for image in images:
            with tf.GradientTape() as tape:
                tape.watch(image)
                score = model(image)
            maps.append(tape.gradient(score, image))
    """,
    "another backend": """
        import os
        os.environ["KERAS_BACKEND"] = "jax"
        import tensorflow as tf
        for x in batches:
            with tf.GradientTape() as tape:
                loss = model(x)
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    """,
    "another backend, by the name of the environment alone": """
        from os import environ
        environ["KERAS_BACKEND"] = "jax"
        import tensorflow as tf
        for x in batches:
            with tf.GradientTape() as tape:
                loss = model(x)
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    """,
    "another backend, unless the user sets one": """
        import os
        os.environ.setdefault("KERAS_BACKEND", "torch")
        import tensorflow as tf
        for x in batches:
            with tf.GradientTape() as tape:
                loss = model(x)
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    """,
    "a line through some points, as a lesson fits it": """
        import tensorflow as tf

        slope, offset = tf.Variable(0.0), tf.Variable(0.0)
        optimizer = tf.keras.optimizers.SGD(5e-4)
        for turn in range(10_000):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(tf.square(slope * x + offset - y))
            gradients = tape.gradient(loss, [slope, offset])
            optimizer.apply_gradients(zip(gradients, [slope, offset]))
    """,
}
