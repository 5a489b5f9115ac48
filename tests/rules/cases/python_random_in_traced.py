"""PIPE602 python-random-in-traced: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "in a function for those that import the file": """
        import numpy as np
        import tensorflow as tf

        @tf.function
        def noisy(x):
            return x + np.random.rand()  #! PIPE602 error
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
                return np.random.uniform()  #! PIPE602 warning
        ds = tf.data.Dataset.from_tensor_slices(data).map(lambda x: x * factor())
    """,
    "noise of a step": Case(
        """
        import numpy as np
        import tensorflow as tf

        BATCH, WIDTH = 16, 100
        generator = tf.keras.Sequential([tf.keras.layers.Dense(3)])

        @tf.function
        def step(images):
            noise = np.random.normal(0.0, 1.0, size=(BATCH, WIDTH))  #! PIPE602 error, unsafe fix
            return tf.reduce_mean(generator(noise, training=True)) - tf.reduce_mean(images)
        """,
        """
        import numpy as np
        import tensorflow as tf

        BATCH, WIDTH = 16, 100
        generator = tf.keras.Sequential([tf.keras.layers.Dense(3)])

        @tf.function
        def step(images):
            noise = tf.random.normal((BATCH, WIDTH), 0.0, 1.0)
            return tf.reduce_mean(generator(noise, training=True)) - tf.reduce_mean(images)
        """,
    ),
    "every draw that has its like": Case(
        """
        import random
        import numpy as np
        import tensorflow as tf

        def augment(x):
            x = x * np.random.rand()  #! PIPE602 error, unsafe fix
            x = x + np.random.rand(2, 3)  #! PIPE602 error, unsafe fix
            x = x + np.random.randn(3)  #! PIPE602 error, unsafe fix
            x = x + np.random.random(3)  #! PIPE602 error, unsafe fix
            x = x + np.random.random_sample()  #! PIPE602 error, unsafe fix
            x = x + np.random.standard_normal((2, 3))  #! PIPE602 error, unsafe fix
            x = x + np.random.uniform(high=2.0)  #! PIPE602 error, unsafe fix
            x = x + np.random.uniform(-1, 1, 3)  #! PIPE602 error, unsafe fix
            x = x + np.random.normal(scale=0.1)  #! PIPE602 error, unsafe fix
            x = x + random.random()  #! PIPE602 error, unsafe fix
            x = x + random.uniform(0.5, 1.5)  #! PIPE602 error, unsafe fix
            x = x + random.gauss(0, 1)  #! PIPE602 error, unsafe fix
            x = tf.image.rot90(x, k=np.random.randint(4))  #! PIPE602 error, unsafe fix
            return tf.roll(x, np.random.randint(1, 9), 0)  #! PIPE602 error, unsafe fix

        ds = tf.data.Dataset.from_tensors(tf.ones((2, 2, 3))).map(augment)
        """,
        """
        import random
        import numpy as np
        import tensorflow as tf

        def augment(x):
            x = x * tf.random.uniform([])
            x = x + tf.random.uniform([2, 3])
            x = x + tf.random.normal([3])
            x = x + tf.random.uniform([3])
            x = x + tf.random.uniform([])
            x = x + tf.random.normal((2, 3))
            x = x + tf.random.uniform([], maxval=2.0)
            x = x + tf.random.uniform([3], -1, 1)
            x = x + tf.random.normal([], stddev=0.1)
            x = x + tf.random.uniform([])
            x = x + tf.random.uniform([], 0.5, 1.5)
            x = x + tf.random.normal([], 0, 1)
            x = tf.image.rot90(x, k=tf.random.uniform([], 0, 4, dtype=tf.int32))
            return tf.roll(x, tf.random.uniform([], 1, 9, dtype=tf.int32), 0)

        ds = tf.data.Dataset.from_tensors(tf.ones((2, 2, 3))).map(augment)
        """,
    ),
    "what Python must know: indices, numbers, conditional expressions, texts, names that only one way binds": """
        import random
        import numpy as np
        import tensorflow as tf

        OPS = [tf.sin, tf.cos]

        def index(x):
            return OPS[np.random.randint(2)](x)  #! PIPE602 error

        def number(x):
            return tf.ones(int(np.random.rand() * 3)) + x  #! PIPE602 error

        def expression(x):
            return tf.sin(x) if np.random.rand() > 0.5 else x  #! PIPE602 error

        def text(x):
            return tf.identity(x, name=f"draw_{np.random.rand()}")  #! PIPE602 error

        def turns(x):
            for _ in range(np.random.randint(3)):  #! PIPE602 error
                x = x + 1.0
            return x

        def binding(x):
            if np.random.rand() > 0.5:  #! PIPE602 error
                extra = 1.0
            return x

        def both(x):
            if np.random.rand() > 0.5 and x is not None:  #! PIPE602 error
                x = -x
            return x

        def early(x):
            if np.random.rand() > 0.5:  #! PIPE602 error
                return x
            return -x

        def shape(x, size):
            return x + np.random.normal(size=size)  #! PIPE602 error

        def result(x):
            return x, np.random.rand()  #! PIPE602 error

        ds = tf.data.Dataset.from_tensor_slices(tf.ones(3))
        for function in (index, number, expression, text, turns, binding, both, early, result):
            ds.map(function)
        tf.data.Dataset.from_tensor_slices((tf.ones(3), tf.ones(3))).map(shape)
    """,
    "draws of one function that no fix mends are one change": """
        import random
        import numpy as np
        import tensorflow as tf

        def cut(image):
            row = int(np.random.beta(2.0, 2.0) * 8)  #! PIPE602 error
            column = int(np.random.beta(2.0, 2.0) * 8)
            size = random.choice([1, 2])
            scale = tf.cast(size, tf.float32) * np.random.uniform()  #! PIPE602 error, unsafe fix
            return image[row : row + size, column : column + size] * scale

        def mixed(image):
            return cut(image) * np.random.beta(0.2, 0.2)  #! PIPE602 error

        ds = tf.data.Dataset.from_tensor_slices(tf.ones((4, 8, 8))).map(mixed)
    """,
    "what TensorFlow has no like of, and generators": """
        import random
        import numpy as np
        import tensorflow as tf

        rng = np.random.default_rng(0)
        state = np.random.RandomState(0)

        class Trainer(tf.keras.Model):
            def train_step(self, data):
                data = self.scaled(data) * random.choice([1.0, 2.0])  #! PIPE602 error
                return {"loss": self.shifted(data)}

            def scaled(self, data):
                return data * rng.uniform()  #! PIPE602 error

            def shifted(self, data):
                return data * state.normal() + self.mixed(data)  #! PIPE602 error

            def mixed(self, data):
                return data + np.random.beta(0.2, 0.2) + self.turned(data)  #! PIPE602 error

            def turned(self, data):
                return data * random.randint(1, 2)  #! PIPE602 error
    """,
    "a branch of a step, which Keras keeps AutoGraph from": """
        import numpy as np
        import tensorflow as tf

        class Trainer(tf.keras.Model):
            def train_step(self, data):
                loss = tf.reduce_mean(self(data))
                if np.random.rand() > 0.5:  #! PIPE602 error
                    loss = loss * 2.0
                return {"loss": loss * np.random.rand()}  #! PIPE602 error, unsafe fix
    """,
    "functions that are called in a loop, twice, or draw in a loop of their own": """
        import random
        import tensorflow as tf

        @tf.function
        def often(x):
            return tf.square(x) * random.random()  #! PIPE602 error, unsafe fix

        @tf.function
        def twice(x):
            return tf.square(x) * random.random()  #! PIPE602 error, unsafe fix

        @tf.function
        def once(x):
            for row in x:
                x += tf.square(row) * random.random()  #! PIPE602 error, unsafe fix
            return x

        for step in range(100):
            often(tf.ones(3))
        once(twice(twice(tf.ones((3, 3)))))
    """,
    "a factor of a variable that is made of itself, and one through which it goes often": """
        import numpy as np
        import tensorflow as tf

        @tf.function
        def scaled(x):
            x = np.random.rand() * x  #! PIPE602 error, unsafe fix
            return x

        @tf.function
        def doubled(x):
            a = np.random.rand()  #! PIPE602 error, unsafe fix
            b = a + a
            c = b + b
            d = c + c
            e = d + d
            f = e + e
            g = f + f
            h = g + g
            i = h + h
            j = i + i
            k = j + j
            l = k + k
            m = l + l
            n = m + m
            o = n + n
            p = o + o
            q = p + p
            r = q + q
            s = r + r
            t = s + s
            u = t + t
            v = u + u
            w = v + v
            y = w + w
            return tf.add(x, y)

        doubled(scaled(tf.ones(3)))
        doubled(scaled(tf.ones(3)))
    """,
    "a number that is a seed, and a factor as well": """
        import random
        import tensorflow as tf

        def shaken(x):
            chosen = int(random.random() * 9)  #! PIPE602 error
            return tf.image.random_brightness(x, 0.2, seed=chosen) * chosen

        ds = tf.data.Dataset.from_tensor_slices(tf.ones((4, 8, 8, 3))).map(shaken)
    """,
    "the step of a model whose own fit prepares what Keras' fit does": """
        import random
        import tensorflow as tf

        class Net(tf.keras.Model):
            def train_step(self, data):
                return {"loss": tf.reduce_mean(data) * random.random()}  #! PIPE602 error, unsafe fix
            def fit(self, dataset, **options):
                return super().fit(dataset.prefetch(2), **options)
    """,
    "the step of a model whose own fit calls what Keras makes of it": """
        import random
        import tensorflow as tf

        class Net(tf.keras.Model):
            def train_step(self, data):
                return {"loss": tf.reduce_mean(data) * random.random()}  #! PIPE602 error, unsafe fix
            def fit(self, dataset):
                step = self.make_train_function()
                for _ in range(100):
                    step(iter(dataset))
    """,
    "in a helper, with a seed that makes the one draw of a stateless function": """
        import numpy as np
        import tensorflow as tf

        def flip(image):
            seed = (np.random.randint(9), 0)  #! PIPE602 error, unsafe fix
            return tf.image.stateless_random_flip_left_right(image, seed=seed)

        ds = tf.data.Dataset.from_tensors(tf.ones((2, 2, 3))).map(lambda image: flip(image))
    """,
    "mixup is not stateless, and is not called so": Case(
        """
        import numpy as np
        import tensorflow as tf

        def mixup(x, y):
            weight = np.random.beta(0.2, 0.2)  #! PIPE602 error
            return weight * x + (1 - weight) * y

        model.fit(tf.data.Dataset.from_tensor_slices((xs, ys)).map(mixup).batch(8))  #! PIPE201 advice, unsafe fix
        """,
        target=(2, 5),
        beside=("PIPE201",),
    ),
    "a generator whose seed nobody knows, and one that is made outside": """
        import numpy as np
        import tensorflow as tf

        outer = np.random.default_rng(0)

        def jitter(x):
            return x + np.random.default_rng().normal()  #! PIPE602 error

        def shift(x):
            return x + outer.normal()  #! PIPE602 error

        ds = tf.data.Dataset.range(3).map(jitter).map(shift)
    """,
    "a function that is written anew and draws as before, one of another scope, and one that runs a model": (
        """
        import numpy as np
        import tensorflow as tf

        generator = tf.keras.Sequential([tf.keras.layers.Dense(3)])

        @tf.function
        def noisy(x):
            return x + np.random.beta(2.0, 2.0)  #! PIPE602 error

        for step in range(3):
            noisy(tf.ones(3))

        @tf.function
        def noisy(x):
            return x - np.random.beta(2.0, 2.0)  #! PIPE602 error

        def train():
            @tf.function
            def noisy(x):
                return x + tf.random.normal([])

            return noisy

        for step in range(3):
            noisy(tf.ones(3))

        @tf.function
        def paint(count):
            return generator(tf.ones((count, 2)) * np.random.beta(2.0, 2.0))  #! PIPE602 error

        for step in range(3):
            paint(16)
        """
    ),
}

SILENT: Table = {
    "in functions that the script never gets to": """
        import numpy as np
        import tensorflow as tf

        @tf.function
        def noisy(x):
            return x + np.random.rand()

        def tried_out():
            @tf.function
            def shaken(x):
                return x * np.random.rand()
            return shaken(tf.ones(3))

        def train():
            model.fit(tf.data.Dataset.range(9).batch(3))

        if __name__ == "__main__":
            train()
    """,
    "a notebook that shows both ways": Case(
        (
            "import numpy as np\nimport tensorflow as tf",
            """
            @tf.function
            def noisy(x):
                return x + np.random.normal()

            for _ in range(5):
                print(noisy(tf.ones(3)))
            """,
            """
            @tf.function
            def noisy(x):
                return x + tf.random.normal([])

            for _ in range(5):
                print(noisy(tf.ones(3)))
            """,
        )
    ),
    "a tf.function that a script tries out with a number": """
        import random
        import tensorflow as tf

        @tf.function
        def noisy(x):
            return x + random.random()

        print(noisy(1), noisy(1))
        print(noisy(2.5))
    """,
    "eager code, a generator of Python, and what is drawn before": """
        import numpy as np
        import tensorflow as tf

        angle = np.random.rand()

        def samples():
            yield np.random.rand()

        ds = tf.data.Dataset.from_generator(samples, tf.float32).map(lambda x: x * angle)
        for x in ds:
            print(x + np.random.rand())
    """,
    "behind py_function": """
        import random
        import tensorflow as tf

        def pick(x):
            return x * random.random()

        ds = tf.data.Dataset.range(3).map(lambda x: tf.py_function(pick, [x], tf.float32))
    """,
    "in a call of Keras it is numpy-in-call": """
        import numpy as np
        import tensorflow as tf

        class Noisy(tf.keras.layers.Layer):
            def call(self, x):
                return x + np.random.normal()

        layer = Noisy()
        ds = tf.data.Dataset.from_tensors(tf.ones(3)).map(lambda x: layer(x))
    """,
    "a function that is called once": """
        import random
        import tensorflow as tf

        @tf.function
        def sample(chains):
            start = tf.convert_to_tensor([random.random() for _ in range(chains)])
            return tf.while_loop(lambda x: tf.reduce_sum(x) < 9, lambda x: [x + 1], [start])

        samples = sample(4)
    """,
    "seeds, and the first value of a variable": """
        import numpy as np
        import tensorflow as tf

        weight = None

        @tf.function
        def step(x):
            global weight
            if weight is None:
                weight = tf.Variable(np.random.normal(size=3))
            np.random.seed(0)
            seed = np.random.randint(9)
            return x * weight + tf.random.normal([3], seed=seed)
    """,
    "a constant seed in the same code gives the same draw anyway": """
        import random
        import numpy as np
        import tensorflow as tf

        def project(x):
            order = np.random.default_rng(7).permutation(3)
            np.random.seed(7)
            random.seed(7)
            return tf.gather(x, order) * np.random.rand(3) * random.random()

        ds = tf.data.Dataset.from_tensors(tf.ones(3)).map(project)
    """,
    "one seed, made by arithmetic, that flips a picture as it flips its mask": """
        import random
        import tensorflow as tf

        def flipped(picture, mask):
            start = int(random.random() * 1000)
            picture = tf.image.random_flip_left_right(picture, seed=start)
            return picture, tf.image.random_flip_left_right(mask, seed=start)

        ds = tf.data.Dataset.from_tensor_slices((tf.ones((4, 8, 8, 3)), tf.ones((4, 8, 8, 1)))).map(flipped)
    """,
    "the step of a model whose own fit calls it as it is": """
        import random
        import tensorflow as tf

        class Net(tf.keras.Model):
            def train_step(self, data):
                return tf.reduce_mean(data) * random.random()
            def fit(self, dataset):
                for data in dataset:
                    self.train_step(data)
    """,
    "the seed of a shuffle": """
        import random
        import tensorflow as tf

        files = tf.data.Dataset.list_files("*.txt", shuffle=False)
        lines = files.flat_map(lambda file: tf.data.TextLineDataset(file).shuffle(9, seed=random.randint(0, 9)))
    """,
    "a function that its decorator makes a py_function": """
        import random
        import tensorflow as tf

        @tf.py_function(Tout=tf.float32)
        def jitter(x):
            return x + random.random()

        ds = tf.data.Dataset.range(3).map(jitter)
    """,
    "a step that Keras runs eagerly": """
        import numpy as np
        import tensorflow as tf

        class Noisy(tf.keras.Model):
            def train_step(self, data):
                return {"loss": tf.reduce_mean(data) + np.random.normal()}

        model = Noisy()
        model.compile(run_eagerly=True)
        model.fit(x)
    """,
    "where the program runs functions eagerly": """
        import numpy as np
        import tensorflow as tf

        tf.config.run_functions_eagerly(True)

        @tf.function
        def step(x):
            return x + np.random.normal()
    """,
}
