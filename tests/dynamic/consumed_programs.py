"""Programs that consume datasets in every way; the line that counts ends in `# HERE`."""

from __future__ import annotations

import textwrap

PREAMBLE = """
import numpy as np
import tensorflow as tf

def pairs(width, batches=40, size=4):
    return tf.data.Dataset.from_tensors((tf.ones([width]), tf.ones([1]))).repeat(batches * size).batch(size)

train, val = pairs(3), pairs(5)
"""
KERAS = """
import keras

def compiled(width=3):
    model = keras.Sequential([keras.Input([width]), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model
"""
LOOP = """
weight = tf.Variable(tf.ones([3, 1]))

@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ weight - y) ** 2)
    weight.assign_sub(0.1 * tape.gradient(loss, weight))
    return loss
"""


def program(*parts: str) -> str:
    """A script out of its parts, with TensorFlow and two datasets at hand."""
    return "\n".join([PREAMBLE, *(textwrap.dedent(part) for part in parts)])


PROGRAMS = {
    "fit": program(
        KERAS,
        """
        model = compiled()
        model.fit(train, validation_data=pairs(3, batches=2), epochs=3)  # HERE
        model.save("model.keras")
        reached.append("saved")
        """,
    ),
    "fit_behind_evaluate_and_glances": program(
        KERAS,
        """
        model = compiled()
        adapted = keras.layers.Normalization()
        adapted.adapt(train.map(lambda x, y: x))
        for x, y in train.take(10):
            reached.append("glance")
        for x, y in train:
            break
        next(iter(train))
        model.evaluate(pairs(3))
        model.fit(train)  # HERE
        """,
    ),
    "evaluate_alone": program(
        KERAS,
        """
        model = compiled()
        model.evaluate(train, verbose=0)  # HERE
        reached.append("behind")
        """,
    ),
    "predict_alone": program(
        KERAS,
        """
        compiled().predict(train.map(lambda x, y: x))  # HERE
        reached.append("behind")
        """,
    ),
    "fit_on_arrays": program(
        KERAS,
        """
        compiled().fit(np.ones([8, 3]), np.ones([8, 1]))  # HERE SOURCE
        reached.append("behind")
        """,
    ),
    "fit_on_arrays_among_others": program(
        KERAS,
        """
        compiled().fit({"x": np.ones([64, 3])}["x"], np.ones([64, 1]), batch_size=8, validation_split=0.5)  # HERE SOURCE
        compiled().fit(np.ones([64, 3]), np.ones([64, 1]))
        """,
    ),
    "fit_on_a_generator": program(
        KERAS,
        """
        def batches():  # SOURCE
            while True:
                yield np.ones([8, 3]), np.ones([8, 1])
        compiled().fit(batches(), steps_per_epoch=20, epochs=2)  # HERE
        reached.append("behind")
        """,
    ),
    "fit_on_a_generator_that_ends": program(
        KERAS,
        """
        def batches():  # SOURCE
            for _ in range(12):
                yield np.ones([8, 3]), np.ones([8, 1])
        compiled().fit(batches())  # HERE
        """,
    ),
    "fit_on_a_pydataset": program(
        KERAS,
        """
        class Rows(keras.utils.PyDataset):
            def __len__(self):
                return 20
            def __getitem__(self, index):  # SOURCE
                return np.ones([8, 3]), np.ones([8, 1])
        compiled().fit(Rows(workers=2), class_weight={0: 1.0, 1: 2.0})  # HERE
        reached.append("behind")
        """,
    ),
    "loop_over_a_generator": program(
        KERAS,
        """
        def batches(count):  # SOURCE
            for _ in range(count):
                yield np.ones([8, 3]), np.ones([8, 1])
        model = compiled()
        for epoch in range(10**6):
            for step, (x, y) in enumerate(batches(30)):  # HERE
                loss = model.train_on_batch(x, y)
        reached.append("behind")
        """,
    ),
    "loop_that_asks_an_iterator": program(
        LOOP,
        """
        class Loader:
            def __next__(self):  # SOURCE
                return np.ones([8, 3], "float32"), np.ones([8, 1], "float32")
        class Trainer:
            def run(self, loader):
                for step in range(10**6):  # HERE
                    x, y = next(loader)
                    loss = self.step(x, y)
            def step(self, x, y):
                return train_step(x, y)
        Trainer().run(Loader())
        reached.append("behind")
        """,
    ),
    "loop_under_a_tape_on_slices": program(
        LOOP,
        """
        rows = np.ones([800, 3], "float32")
        for step in range(10**6):  # HERE
            x = rows[step % 100 * 8 : step % 100 * 8 + 8]  # SOURCE
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((x @ weight) ** 2)
            gradient = tape.gradient(loss, weight)
            weight.assign_sub(0.1 * gradient)
        reached.append("behind")
        """,
    ),
    "loop_that_makes_its_batches_in_the_call": program(
        KERAS,
        """
        class Rows(keras.utils.PyDataset):
            def __len__(self):
                return 20
            def __getitem__(self, index):  # SOURCE
                return np.ones([8, 3]), np.ones([8, 1])
        model, rows = compiled(), Rows()
        for epoch in range(10**6):
            for index in range(len(rows)):  # HERE
                model.train_on_batch(*rows[index])
        reached.append("behind")
        """,
    ),
    "loop_on_what_a_model_predicts": program(
        KERAS,
        """
        model, rows = compiled(), np.ones([800, 3], "float32")
        for step in range(10**6):  # HERE
            made = model.predict(rows[:8], verbose=0)
            x = np.concatenate([rows[:8], np.repeat(made, 3, axis=1)])  # SOURCE
            loss = model.train_on_batch(x, np.ones([16, 1]))
        reached.append("behind")
        """,
    ),
    "loop_of_a_few_turns": program(
        KERAS,
        """
        def load(index):  # SOURCE
            return np.ones([8, 3]), np.ones([8, 1])
        model = compiled()
        for index in range(4):  # HERE
            x, y = load(index)
            model.train_on_batch(x, y)
        reached.append("behind")
        """,
    ),
    "training_outside_of_loops": program(
        LOOP,
        """
        x, y = np.ones([8, 3], "float32"), np.ones([8, 1], "float32")
        train_step(x, y)
        train_step(x, y)
        train_step(x, y)  # HERE
        train_step(x, y)
        reached.append("behind")
        """,
    ),
    "fit_in_several_steps_at_once": program(
        KERAS,
        """
        model = keras.Sequential([keras.Input([3]), keras.layers.Dense(1)])
        model.compile("sgd", "mse", steps_per_execution=4)
        model.fit(train, class_weight={1: 2.0})  # HERE
        """,
    ),
    "fit_eagerly_with_a_step_of_its_own": program(
        KERAS,
        """
        class Own(keras.Model):
            def __init__(self):
                super().__init__()
                self.dense = keras.layers.Dense(1)
            def call(self, x):
                return self.dense(x)
            def train_step(self, data):
                x, y = data
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean((self(x) - y) ** 2)
                self.optimizer.apply_gradients(zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables))
                return {"loss": loss}
        model = Own()
        model.compile("sgd", run_eagerly=True)
        model.fit(train)  # HERE
        """,
    ),
    "training_loop": program(
        LOOP,
        """
        for epoch in range(3):
            for x, y in train:  # HERE
                train_step(x, y)
                reached.append("step")
            open("checkpoint", "w").write("saved")
            reached.append("epoch")
        """,
    ),
    "training_loop_behind_an_evaluation_loop": program(
        LOOP,
        """
        for x, y in val:
            reached.append("evaluated")
        for step, (x, y) in enumerate(train):  # HERE
            train_step(x, y)
        """,
    ),
    "evaluation_behind_training_loop": program(
        LOOP,
        """
        def evaluate(data):
            for x, y in data:
                reached.append("evaluated")
        test = val.map(lambda x, y: (x + 1, y))
        for epoch in range(3):
            for x, y in train:  # HERE
                train_step(x, y)
            for step, (x, y) in enumerate(val):
                reached.append("evaluated")
        evaluate(test)
        """,
    ),
    "evaluate_behind_fit": program(
        KERAS,
        """
        model = compiled()
        model.fit(train)  # HERE
        model.evaluate(val)
        """,
    ),
    "training_loop_that_saves": program(
        LOOP,
        """
        checkpoint = tf.train.Checkpoint(weight=weight)
        for step, (x, y) in enumerate(train):  # HERE
            train_step(x, y)
            if step == 5:
                checkpoint.save("checkpoint")
                reached.append("saved")
        """,
    ),
    "training_of_three_batches": program(
        LOOP,
        """
        few = pairs(3, batches=3)
        for epoch in range(2):
            for x, y in few:  # HERE
                train_step(x, y)
            reached.append("epoch")
        """,
    ),
    "fit_that_traces_a_function_of_its_own": program(
        KERAS,
        """
        class Own(keras.Model):
            def train_step(self, data):
                return {"loss": self.loss_of(*data)}
            @tf.function
            def loss_of(self, x, y):
                if tf.reduce_sum(x) > 0.0:
                    return tf.reduce_mean(x)
                return tf.reduce_mean(y)
        model = Own()
        model.compile("sgd", run_eagerly=True)
        model.fit(train)  # HERE
        """,
    ),
    "training_of_few_batches_at_a_time": program(
        LOOP,
        """
        for epoch in range(2):
            for x, y in pairs(3).take(5):  # HERE
                train_step(x, y)
            reached.append("epoch")
        """,
    ),
    "many_files_looked_through": program(
        LOOP,
        """
        for file in range(3):
            for x, y in pairs(3):
                pass
            reached.append(file)
        for x, y in train:  # HERE
            train_step(x, y)
        """,
    ),
    "training_of_a_single_batch": program(
        LOOP,
        """
        one = pairs(3, batches=1)
        for epoch in range(2):
            for x, y in one:  # HERE
                train_step(x, y)
            reached.append("epoch")
        """,
    ),
    "train_on_batch": program(
        KERAS,
        """
        model = compiled()
        for x, y in train.as_numpy_iterator():  # HERE
            model.train_on_batch(x, y)
        """,
    ),
    "iterator_by_name": program(
        LOOP,
        """
        iterator = iter(train)  # HERE
        for _ in range(300):
            x, y = next(iterator)
            train_step(x, y)
        reached.append("behind")
        """,
    ),
    "plain_loop": program(
        """
        for x, y in train:  # HERE
            reached.append("element")
        """,
    ),
    "loop_of_another_library": program(
        """
        from itertools import islice
        for x, y in islice(train, 10):  # HERE
            pass
        """,
    ),
    "glances_only": program(
        """
        for x, y in train.take(16):
            pass
        for x in train.map(lambda x, y: x).take(3).prefetch(1):
            pass
        next(iter(train))
        """,
    ),
    "dataset_given_to_a_traced_function": program(
        LOOP,
        """
        @tf.function
        def epoch(data):
            for x, y in data:
                train_step(x, y)
        epoch(train)  # HERE
        reached.append("behind")
        """,
    ),
    "dataset_captured_by_a_traced_function": program(
        LOOP,
        """
        @tf.function
        def epoch():
            for i, (x, y) in enumerate(train):  # HERE
                train_step(x, y)
        epoch()
        reached.append("behind")
        """,
    ),
    "traced_evaluation_before_traced_training": program(
        LOOP,
        """
        @tf.function
        def evaluate(data):
            total = 0.0
            for x, y in data:
                total += tf.reduce_sum(x)
            return total
        @tf.function
        def epoch(data):
            for x, y in data:
                train_step(x, y)
        reached.append(float(evaluate(val)))
        epoch(train)  # HERE
        """,
    ),
    "iterator_given_to_a_traced_function": program(
        LOOP,
        """
        @tf.function
        def step(iterator):
            x, y = next(iterator)
            train_step(x, y)
        iterator = iter(train)
        for _ in range(30):
            step(iterator)  # HERE
        reached.append("behind")
        """,
    ),
    "distributed_loop": program(
        LOOP,
        """
        strategy = tf.distribute.MirroredStrategy(["CPU:0"])
        for x, y in strategy.experimental_distribute_dataset(train):  # HERE
            train_step(x, y)
        reached.append("behind")
        """,
    ),
    "file_cache": program(
        KERAS,
        """
        cached = train.cache("cache")
        compiled().fit(cached)  # HERE
        """,
    ),
}
