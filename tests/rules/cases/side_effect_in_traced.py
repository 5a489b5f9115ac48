"""PIPE601 side-effect-in-traced: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from dataclasses import replace

from tests.cases import Case, Table, case_of

_FOUND: Table = {
    "a print in a layer that is trained by a tape in a graph": """
        import tensorflow as tf

        class Gate(tf.keras.layers.Layer):
            def call(self, x):
                opened = tf.sigmoid(x)
                print(opened)  #! PIPE601 advice
                return x * opened

        inputs = tf.keras.Input((4,))
        model = tf.keras.Model(inputs, Gate()(inputs))
        optimizer = tf.keras.optimizers.Adam()

        @tf.function
        def step(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x) - y))
            weights = model.trainable_variables
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    """,
    "the only subclass that says how it is done": """
        import abc
        import time
        import tensorflow as tf

        class Reader(abc.ABC):
            @abc.abstractmethod
            def read(self, path): ...

            def batches(self, paths):
                return tf.data.Dataset.from_tensor_slices(paths).map(self.read).batch(32)

        class Patient(Reader):
            def read(self, path):
                time.sleep(1)  #! PIPE601 error
                return tf.io.read_file(path)

        def train(reader: Reader, model: tf.keras.Model):
            model.fit(reader.batches(paths))
    """,
    "one of two functions that a test chooses from": """
        import time
        import numpy as np
        import tensorflow as tf
        if fixed:
            def factor():
                return 1.0
        else:
            def factor():
                return time.time()  #! PIPE601 warning
        ds = tf.data.Dataset.from_tensor_slices(data).map(lambda x: x * factor())
    """,
    "a sleep that delays nothing, and a clock that stands still": """
        import time
        import tensorflow as tf

        def load(path):
            start = time.time()  #! PIPE601 error
            time.sleep(0.01)  #! PIPE601 error
            return tf.io.read_file(path)

        ds = tf.data.Dataset.list_files("*.jpg").map(load)
    """,
    "a counter and a list that outlive the step": """
        import tensorflow as tf

        losses = []

        class Trainer(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.steps = 0

            def train_step(self, data):
                self.steps += 1  #! PIPE601 error
                loss = tf.reduce_mean(self(data))
                losses.append(loss)  #! PIPE601 error
                return {"loss": loss, "steps": self.steps}
    """,
    "a print that shows a symbolic tensor once": Case(
        """
        import tensorflow as tf

        @tf.function
        def step(x):
            loss = tf.reduce_mean(x)
            print("loss", loss)  #! PIPE601 advice, unsafe fix
            return loss
        """,
        """
        import tensorflow as tf

        @tf.function
        def step(x):
            loss = tf.reduce_mean(x)
            tf.print("loss", loss)
            return loss
        """,
    ),
    "words that only hold the letters of tracing": """
        import tensorflow as tf

        class Extractor(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.extraction_count = 0
            def call(self, x):
                self.extraction_count += 1  #! PIPE601 error
                print("Extracting features", x)  #! PIPE601 advice, unsafe fix
                return x * self.extraction_count
    """,
    "texts that show a tensor, which tf.print cannot mend": """
        import tensorflow as tf

        def show(x):
            print(f"x is {x}")  #! PIPE601 advice
            return tell(x)
        def tell(x):
            print("x is %s" % x)  #! PIPE601 advice
            return write(x)
        def write(x):
            print("x is " + str(x))  #! PIPE601 advice
            return say(x)
        def say(x):
            print("x is {}".format(x))  #! PIPE601 advice
            return x

        ds = tf.data.Dataset.range(3).map(show)
    """,
    "a dict of tensors": """
        import tensorflow as tf

        @tf.function
        def f(x):
            out = {"mean": tf.reduce_mean(x)}
            print(out)  #! PIPE601 advice
            return out
    """,
    "the shape that only the graph knows": """
        import tensorflow as tf

        @tf.function
        def f(x):
            print(tf.shape(x))  #! PIPE601 advice
            return x
    """,
    "a parameter that turns out to be a tensor further down": """
        import tensorflow as tf

        @tf.function
        def f(fake, tar, settings):
            print(fake, settings)  #! PIPE601 advice
            print(settings)
            return tf.square(fake) + g(tar)
        def g(tar):
            print(tar)  #! PIPE601 advice
            return tar[:, 0]
    """,
    "a guard by its letters": """
        import tensorflow as tf

        def make(eager_mode, debug_numpy):
            @tf.function
            def f(x):
                if eager_mode or debug_numpy:
                    print(tf.square(x))  #! PIPE601 advice
                return x
            return f
    """,
    "clocks and sleep, through a helper": """
        import tensorflow as tf
        import time
        from datetime import datetime
        def wait(x):
            time.sleep(1)  #! PIPE601 error
            now = datetime.now()  #! PIPE601 error
            return x
        def f(x):
            start = time.perf_counter()  #! PIPE601 error
            return wait(x)
        ds = tf.data.Dataset.range(3).map(f)
    """,
    "counters": """
        import tensorflow as tf

        count = 0
        def outer():
            steps = 0
            @tf.function
            def f(x):
                global count
                count += 1  #! PIPE601 error
                inner = 0
                inner += 1
                return g(x)
            def g(x):
                nonlocal steps
                steps += 1  #! PIPE601 error
                return x
            return f(1), count, steps
        outer()
    """,
    "counters that are written as assignments": """
        import tensorflow as tf

        rounds = 0

        class Counted(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.seen, self.drawn, self.told, self.kept = 0, 0, 0, 0
                self.total = tf.Variable(0)

            def train_step(self, data):
                global rounds
                rounds = 1 + rounds  #! PIPE601 error
                self.see()
                self.draw()
                self.told = self.told + 1
                kept = self.kept
                self.kept = kept
                self.total = self.total + 1
                self.loss = self.seen + tf.reduce_mean(data)
                return {"loss": self.loss, "rounds": rounds}

            def see(self):
                self.seen = self.seen + 1  #! PIPE601 error

            def draw(self):
                drawn = self.drawn
                for weight in self.trainable_weights:
                    tf.summary.scalar(weight.name, tf.norm(weight), step=drawn)
                    drawn += 1
                    self.drawn = drawn  #! PIPE601 error
    """,
    "lists that outlive the function": """
        import tensorflow as tf

        losses = []
        class M(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.kept = []
            def train_step(self, x):
                losses.append(x)  #! PIPE601 error
                self.keep(x)
                own = []
                def add(y):
                    own.append(y)
                add(x)
                return own
            def keep(self, x):
                self.kept.append(x)  #! PIPE601 error
    """,
    "the clock before and after, twice in one step": """
        import time
        import tensorflow as tf

        @tf.function
        def step(x):
            begun = time.time()  #! PIPE601 error
            y = tf.square(x)
            squared = time.time() - begun
            begun = time.time()
            y = tf.sqrt(y)
            return y, squared, time.time() - begun
    """,
    "a list that is emptied in some calls only": """
        import tensorflow as tf
        class Tower(tf.keras.layers.Layer):
            def __init__(self):
                super().__init__()
                self.levels = []
            def call(self, x, first):
                if first:
                    self.levels = []
                self.levels.append(tf.square(x))  #! PIPE601 error
                return tf.add_n(self.levels)
    """,
    "lists that another way makes anew, or that are made anew too late": """
        import tensorflow as tf

        class Task:
            def __init__(self):
                self.terms, self.parts = [], []

            @tf.function
            def step(self, x, begins):
                if begins:
                    self.terms = [tf.norm(x)]
                else:
                    self.terms.append(tf.norm(x))  #! PIPE601 error
                return self.terms

            @tf.function
            def last_step(self, x, ends):
                if ends:
                    self.parts.append(tf.norm(x))  #! PIPE601 error
                    self.parts = []
                return x
    """,
    "a list that is cleared now and then": """
        import tensorflow as tf
        class Tower(tf.keras.layers.Layer):
            def __init__(self):
                super().__init__()
                self.heights = []
            def call(self, x, last):
                self.heights.append(tf.norm(x))  #! PIPE601 error
                if last:
                    self.heights.clear()
                return x
    """,
    "a counter that names operations and is told as well": """
        import tensorflow as tf
        class Tag(tf.keras.layers.Layer):
            def call(self, x):
                self.turn += 1  #! PIPE601 error
                self.add_metric(self.turn)
                return tf.identity(x, name=f"turn_{self.turn}")
    """,
}

_SILENT: Table = {
    "a number of the function around, which each trace begins anew": """
        import tensorflow as tf

        class Unrolled(tf.keras.layers.Layer):
            def call(self, x):
                return self.build_steps(x)

            def build_steps(self, x):
                turn = 0
                kept = []

                def keep(value):
                    nonlocal turn
                    if turn == self.steps - 1:
                        kept.append(value)
                    turn += 1

                self.build_step(x, keep)
                return kept[0]

            def build_step(self, x, keep):
                for _ in range(self.steps):
                    x = tf.tanh(x)
                    keep(x)
    """,
    "a counter of a function that eager code calls too": """
        import tensorflow as tf

        class Sampler:
            def __init__(self, seed):
                self.seed = seed
                self.ready = tf.Variable(False)
                self.noise = tf.Variable(tf.zeros((8,)))

            @tf.function
            def __call__(self, x):
                if not self.ready:
                    self.draw()
                    self.ready.assign(True)
                return x + self.noise

            def draw(self):
                self.seed += 1
                self.noise.assign(tf.random.stateless_normal((8,), (0, self.seed)))

        sampler = Sampler(4)
        sampler(x)
        sampler.draw()
    """,
    "a counter of a method that eager code calls of an object whose class is not in sight": """
        import tensorflow as tf

        class Sampler:
            def __init__(self, seed):
                self.seed = seed
                self.noise = tf.Variable(tf.zeros((8,)))

            @tf.function
            def __call__(self, x):
                self.draw_again()
                return x + self.noise

            def draw_again(self):
                self.seed += 1
                self.noise.assign(tf.random.stateless_normal((8,), (0, self.seed)))

        def refresh(sampler):
            sampler.draw_again()
    """,
    "a counter that is called after traces": """
        import tensorflow as tf

        traces = 0
        @tf.function
        def f(x):
            global traces
            traces += 1
            return x
    """,
    "a counter that nothing reads": """
        import tensorflow as tf
        class Scale(tf.keras.layers.Layer):
            def __init__(self):
                super().__init__()
                self.calls = 0
            def call(self, x):
                self.calls += 1
                calls = tf.square(x)
                return calls
    """,
    "shown on numbers, as they are and as a tensor": """
        import tensorflow as tf

        @tf.function
        def doubled(x):
            print("x is", x)
            return 2 * x

        doubled(4)
        doubled(tf.constant(4.0))
        doubled(tf.random.uniform((2, 2)))
    """,
    "what a script shows of tracing: with a number, beside tf.print, and before it is written anew": """
        import tensorflow as tf

        seen = []

        @tf.function
        def gather(x):
            seen.append(x)
            return x + 1

        gather(1)
        gather(2)
        print(len(seen))

        @tf.function
        def twofold(x):
            print("by Python", x)
            tf.print("by TensorFlow", x)

        @tf.function
        def square(x):
            squared = tf.square(x)
            print("squared", squared)
            return squared

        variable = tf.Variable(0.0)
        for _ in range(3):
            twofold(variable)
            square(variable)

        @tf.function
        def square(x):
            squared = tf.square(x)
            tf.print("squared", squared)
            return squared
    """,
    "behind py_function, where Python runs for each element": """
        import time
        import tensorflow as tf

        def wait(x):
            time.sleep(0.01)
            return x

        ds = tf.data.Dataset.range(9).map(lambda x: tf.py_function(wait, [x], tf.int64))
    """,
    "a list of the function's own, a metric, a variable": """
        import tensorflow as tf

        seen = tf.Variable(0)
        metric = tf.keras.metrics.Mean()

        @tf.function
        def step(xs):
            outputs = []
            for x in tf.unstack(xs):
                outputs.append(x * 2)
            seen.assign_add(1)
            metric.update_state(outputs)
            return tf.stack(outputs)
    """,
    "eager code": """
        import time
        import tensorflow as tf

        start = time.time()
        for x in tf.data.Dataset.range(9):
            print(x)
    """,
    "a print of what is known while tracing": """
        import tensorflow as tf

        @tf.function
        def f(x, n: int):
            y = tf.square(x)
            print("working on it")
            print(y.shape, y.dtype, y.name, type(y), len(y), y.get_shape(), n)
            print(f"shape {y.shape}, {n} times")
            print("%s" % y.shape + "{}".format(n))
            return y
    """,
    "a print that says that it traces": """
        import tensorflow as tf

        @tf.function
        def f(x):
            print("Tracing with", x)
            print(f"retracing for {x}")
            return tf.square(x)
    """,
    "a print of what nobody knows to be a tensor": """
        import tensorflow as tf
        from elsewhere import describe

        @tf.function
        def f(x, options):
            print(options, describe(x))
            return tf.square(x)
    """,
    "one of several subclasses, which may be another one": """
        import time
        import tensorflow as tf

        class Reader:
            def read(self, path):
                return tf.io.read_file(path)

            def batches(self, paths):
                return tf.data.Dataset.from_tensor_slices(paths).map(self.read).batch(32)

        class Patient(Reader):
            def read(self, path):
                time.sleep(1)
                return path

            def batches(self, paths):
                return [self.read(path) for path in paths]

        def train(reader: Reader, model: tf.keras.Model):
            model.fit(reader.batches(paths))
    """,
    "variables that are made once": """
        import tensorflow as tf

        state = []
        @tf.function
        def f(x):
            if not state:
                state.append(tf.Variable(1.0))
            return state[0] * x
    """,
    "variables that are made once, one for each gradient": """
        import tensorflow as tf

        class Sums:
            def __init__(self):
                self.sums = []

            def add(self, gradients):
                if not self.sums:
                    self.sums.extend([
                        tf.Variable(tf.zeros_like(gradient), trainable=False) if gradient is not None else gradient
                        for gradient in gradients
                    ])
                for total, gradient in zip(self.sums, gradients):
                    total.assign_add(gradient)

        sums = Sums()

        @tf.function
        def step(x):
            with tf.GradientTape() as tape:
                loss = model(x)
            sums.add(tape.gradient(loss, model.trainable_variables))
    """,
    "variables, metrics and attributes": """
        import tensorflow as tf
        class M(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.seen = tf.Variable(0)
                self.metric = tf.keras.metrics.Mean()
            def call(self, x):
                self.seen.assign_add(1)
                self.metric.update_state(x)
                self.last = x
                self.add_loss(x)
                return x
    """,
    "print under a test for eager": """
        import tensorflow as tf
        @tf.function
        def f(x):
            if tf.executing_eagerly():
                print(x)
            return x
    """,
    "a list of the function's own": """
        import tensorflow as tf

        @tf.function
        def pair(x):
            outputs = []
            outputs.append(x * 2)
            return tf.stack(outputs)
    """,
    "a list that each call makes anew": """
        import tensorflow as tf
        class Tower(tf.keras.layers.Layer):
            def __init__(self):
                super().__init__()
                self.levels = []
            def call(self, x):
                self.levels = []
                for _ in range(3):
                    x = tf.square(x)
                    self.levels.append(x)
                return tf.add_n(self.levels)
    """,
    "a list that is made anew in each turn, or under the same test, before it is filled": """
        import tensorflow as tf

        class Task:
            def __init__(self, network, terms):
                self.network, self.terms = network, terms
                self.watched, self.values = [], []

            @tf.function
            def step(self, weight, turns):
                for _ in range(turns):
                    self.watched = self.network.trainable_variables
                    if self.weighs:
                        self.watched.extend([tf.square(weight)])
                    self.gradients(self.watched)

            @tf.function
            def measure(self, x, together):
                if together:
                    self.values = [term(x) for term in self.terms]
                    self.values.append(tf.norm(x))
                    return tf.add_n(self.values)
                return tf.norm(x)
    """,
    "a list that each call begins with its input": """
        import tensorflow as tf
        class Tower(tf.keras.layers.Layer):
            def __init__(self):
                super().__init__()
                self.levels = []
            def call(self, x):
                self.levels = [x]
                for _ in range(3):
                    self.levels.append(tf.square(self.levels[-1]))
                return tf.add_n(self.levels)
    """,
    "lists that each call begins anew, for whoever asks what the last one has left": """
        import tensorflow as tf
        class Tower(tf.keras.layers.Layer):
            def __init__(self):
                super().__init__()
                self.levels, self.heights = [], []
            def call(self, x):
                self.levels.clear()
                self.levels.append(tf.square(x))
                self.heights = [tf.norm(x)]
                self.heights.append(tf.norm(x))
                return x
            def show(self):
                return self.levels, self.heights
    """,
    "lists that each call leaves empty": """
        import tensorflow as tf
        class Tower(tf.keras.layers.Layer):
            def __init__(self):
                super().__init__()
                self.levels, self.heights = [], []
            def call(self, x):
                for _ in range(3):
                    x = tf.square(x)
                    self.levels.append(x)
                    self.heights.append(tf.norm(x))
                levels, heights = tf.add_n(self.levels), tf.stack(self.heights)
                self.levels.clear()
                self.heights = []
                return levels, heights
    """,
    "counters that are parts of names": """
        import tensorflow as tf
        class Tag(tf.keras.layers.Layer):
            def __init__(self):
                super().__init__()
                self.turn = self.scope = 0
            def call(self, x):
                self.turn += 1
                self.scope += 1
                label = "turn_%d" % self.turn
                with tf.name_scope("part_{}".format(self.scope)):
                    return tf.identity(x, name=label)
    """,
    "a print in a layer of a functional model that only a tape trains": """
        import tensorflow as tf

        class Gate(tf.keras.layers.Layer):
            def call(self, x):
                opened = tf.sigmoid(x)
                print(opened)
                return x * opened

        inputs = tf.keras.Input((4,))
        model = tf.keras.Model(inputs, Gate()(inputs))
        optimizer = tf.keras.optimizers.Adam()

        def step(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x) - y))
            weights = model.trainable_variables
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    """,
    "a print where the model runs eagerly": """
        import tensorflow as tf
        class M(tf.keras.Model):
            def train_step(self, data):
                if self.run_eagerly and data.shape[0]:
                    print("batch", data)
                return {}
    """,
    "an object that is no list": """
        import tensorflow as tf

        @tf.function
        def infer(ids, values):
            done, unrolls = store.append(ids, values)
            buffer.insert(unrolls, values)
            return done
    """,
}


def asked(table: Table) -> Table:
    """The cases with the option that has prints told."""
    options = {"side-effect-in-traced": {"prints": 1}}
    return {title: replace(case_of(entry), options=options) for title, entry in table.items()}


FOUND: Table = {
    **asked(_FOUND),
    "a sleep in a function that also prints, which nobody asked about": """
        import time
        import tensorflow as tf

        @tf.function
        def step(x):
            print("mean", tf.reduce_mean(x))
            time.sleep(1)  #! PIPE601 error
            return x
    """,
}
SILENT: Table = {
    **asked(_SILENT),
    "prints that nobody asked about": """
        import tensorflow as tf

        def load(path):
            print(path)
            return tf.io.read_file(path)

        class Gate(tf.keras.layers.Layer):
            def call(self, x):
                print("gate", x)
                return tf.sigmoid(x)

        ds = tf.data.Dataset.list_files("*.jpg").map(load)
    """,
}
