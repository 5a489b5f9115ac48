"""PIPE603 numpy-on-tensor: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "a test that a function changes between two of its uses": """
        import cv2
        import tensorflow as tf

        in_graph = True

        def switch():
            global in_graph
            in_graph = not in_graph

        def read(path):
            return tf.io.read_file(path) if in_graph else cv2.imread(path)  #! PIPE603 error

        if in_graph:
            switch()
            ds = tf.data.Dataset.from_tensor_slices(paths).map(lambda path: read(path))
    """,
    "what a constant of the module turns on, or a function may": """
        import numpy as np
        import tensorflow as tf
        CHECK_SUMS = True
        CHECK_MEANS = False
        def check_means():
            global CHECK_MEANS
            CHECK_MEANS = True
        @tf.function
        def f(x):
            if CHECK_SUMS:
                assert np.sum(x) > 0  #! PIPE603 error, unsafe fix
            if CHECK_MEANS:
                assert np.mean(x) > 0  #! PIPE603 error, unsafe fix
            return tf.reduce_sum(x)
    """,
    "one of two functions that a test chooses from": """
        import numpy as np
        import tensorflow as tf
        if fast:
            scale = tf.math.sigmoid
        else:
            def scale(x):
                return np.sort(x)  #! PIPE603 warning, unsafe fix
        ds = tf.data.Dataset.from_tensor_slices(data).map(lambda x: scale(x))
    """,
    "one of two, of which the other is imported": """
        import cv2
        import tensorflow as tf
        def load(path):
            if small:
                from files import read
            else:
                read = lambda path: cv2.imread(path)  #! PIPE603 warning
            return read(path)
        ds = tf.data.Dataset.from_tensor_slices(paths).map(load)
    """,
    "both functions that a test chooses from": """
        import numpy as np
        import tensorflow as tf
        if fast:
            def scale(x):
                return np.partition(x, 3)  #! PIPE603 error
        else:
            def scale(x):
                return np.sort(x)  #! PIPE603 error, unsafe fix
        ds = tf.data.Dataset.from_tensor_slices(data).map(lambda x: scale(x))
    """,
    "the same test, whose name is another thing in each function": """
        import cv2
        import tensorflow as tf
        def load(path, fast):
            if fast:
                return tf.io.read_file(path)
            return cv2.imread(path)  #! PIPE603 error
        def make(paths, fast):
            if fast:
                return tf.data.Dataset.from_tensor_slices(paths).map(lambda path: load(path, slow))
    """,
    "the value of a path, and OpenCV on a tensor, through a helper": """
        import cv2
        import tensorflow as tf

        def read(path):
            return cv2.imread(path)  #! PIPE603 error

        def load(path):
            image = read(path)
            name = path.numpy()  #! PIPE603 error
            return image

        ds = tf.data.Dataset.list_files("*.jpg").map(load)
    """,
    "a mapped function and its helper": """
        import numpy as np
        import tensorflow as tf
        def helper(x):
            return np.sqrt(x)  #! PIPE603 error, unsafe fix
        ds = tf.data.Dataset.range(3).map(lambda x: helper(x))
    """,
    "the value of a tensor": """
        import tensorflow as tf
        @tf.function
        def f(x):
            y = tf.reduce_sum(x)
            return y.numpy()  #! PIPE603 error
    """,
    "a signature makes tensors of all parameters": """
        import numpy as np
        import tensorflow as tf
        @tf.function(input_signature=[tf.TensorSpec([None]), tf.TensorSpec([])])
        def f(sizes, n):
            return np.sum(sizes) + np.sqrt(n)  #! PIPE603 error, unsafe fix; PIPE603 error, unsafe fix
    """,
    "what annotations and callers say": """
        import numpy as np
        import tensorflow as tf
        @tf.function
        def f(a: tf.Tensor, b: "tf.Tensor | None", c):
            return np.sin(a) + np.cos(b) + np.tan(c)  #! PIPE603 error, unsafe fix; PIPE603 error, unsafe fix; PIPE603 error, unsafe fix
        f(x, y, np.ones(3))
    """,
    "parameters by what is done with them": """
        import numpy as np
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        loss_fn = tf.keras.losses.MeanSquaredError()
        @tf.function
        def f(obs, batch, w, rows):
            first, second = batch
            np.abs(obs)  #! PIPE603 error, unsafe fix
            np.abs(first)  #! PIPE603 error, unsafe fix
            np.abs(second)  #! PIPE603 error, unsafe fix
            np.abs(w)  #! PIPE603 error, unsafe fix
            np.abs(rows)  #! PIPE603 error, unsafe fix
            return loss_fn(first, second) + model(obs) @ w + tf.ones(rows.shape)
    """,
    "a model that is made out of sight": """
        import tensorflow as tf
        class Trainer:
            def __init__(self, model):
                self.model = model
            @tf.function
            def step(self, x, y):
                out = self.model(x, training=True)
                return out.numpy(), x.numpy()  #! PIPE603 error; PIPE603 error
    """,
    "what `call` does by an option that a step gives, and by one of Keras": """
        import tensorflow as tf
        class M(tf.keras.Model):
            def call(self, x, mode="train", training=False):
                if mode == "report":
                    self.first = x[0].numpy()  #! PIPE603 error
                if training:
                    self.last = x[-1].numpy()  #! PIPE603 error
                return x
            def test_step(self, data):
                return {"loss": tf.reduce_mean(self.call(data, mode="report"))}
    """,
    "train_step": """
        import numpy as np
        import tensorflow as tf
        class M(tf.keras.Model):
            def train_step(self, data):
                return {"loss": np.mean(data)}  #! PIPE603 error, unsafe fix
    """,
    "a switch for eager runs that is off, and one that Keras never gets": """
        import numpy as np
        import tensorflow as tf
        class M(tf.keras.Model):
            def test_step(self, data):
                total = tf.reduce_sum(data)
                if not self.settings.slow:
                    np.log(total)  #! PIPE603 error, unsafe fix
                if self.settings.loud:
                    np.log(total)  #! PIPE603 error, unsafe fix
                return {}
        def build(settings):
            M().compile(run_eagerly=settings.slow)
    """,
    "options that are on by default, that the program sets, and of a mapped function": """
        import tensorflow as tf
        from absl import flags

        flags.DEFINE_bool("show", True, "draw each step")
        flags.DEFINE_bool("watch", False, "print each step")
        flags.DEFINE_bool("turn", False, "turn images")
        FLAGS = flags.FLAGS

        @tf.function
        def step(x):
            loss = tf.reduce_sum(model(x))
            if FLAGS.show:
                draw(loss.numpy())  #! PIPE603 error
            if FLAGS.watch:
                print(loss.numpy())  #! PIPE603 error
            return loss

        def load(image):
            return image.numpy()[::-1] if FLAGS.turn else image  #! PIPE603 error

        def main(_):
            FLAGS.watch = True
            for x in tf.data.Dataset.from_tensor_slices(images).map(load).batch(8):
                step(x)
    """,
    "a switch that says nothing of a tf.function": """
        import numpy as np
        import tensorflow as tf
        @tf.function
        def f(x, slow):
            if slow:
                np.log(tf.reduce_sum(x))  #! PIPE603 error, unsafe fix
        model.compile(run_eagerly=slow)
    """,
    "a method that a subclass overrides with one that needs values": """
        import numpy as np
        import tensorflow as tf
        class Steady:
            def weigh(self, x):
                return tf.reduce_mean(x)
            @tf.function
            def step(self, x):
                return self.weigh(tf.square(x))
        class Middle(Steady):
            def weigh(self, x):
                return np.median(x)  #! PIPE603 error
    """,
}

SILENT: Table = {
    "what `call` does by an option that Keras leaves as it is": """
        import tensorflow as tf
        class M(tf.keras.Model):
            def call(self, batch, mode="train", verbose=False):
                if mode == "report" and len(batch) > 1:
                    self.title = batch[0].numpy().decode()
                if verbose:
                    self.last = batch[1].numpy()
                return batch[1] * 2.0
    """,
    "a subclass that runs eagerly, beside one that is fitted": """
        import numpy as np
        import tensorflow as tf

        class Base(tf.keras.Model):
            def call(self, x):
                return self.head(x)

            def head(self, x):
                raise NotImplementedError

        class Graph(Base):
            def head(self, x):
                return tf.square(x)

        class Eager(Base):
            def head(self, x):
                return tf.constant(x.numpy() ** 2)

        graph, eager = Graph(), Eager()
        graph.compile("adam", "mse")
        graph.fit(x, y)
        for row in np.zeros((9, 1, 4)):
            eager(row)
    """,
    "one test of the module chooses the function and whether it is mapped": """
        import os
        import cv2
        import tensorflow as tf

        in_graph = os.environ.get("READER") == "tensorflow"

        def read(path):
            decode = tf.io.read_file if in_graph else cv2.imread
            return decode(path)

        def rows(paths):
            if in_graph:
                return tf.data.Dataset.from_tensor_slices(paths).map(lambda path: read(path))
            return [read(path) for path in paths]
    """,
    "a tensor that a branch makes of what is none": """
        import numpy as np
        import tensorflow as tf
        @tf.function
        def f(x):
            if tf.is_tensor(x):
                return x
            else:
                x = tf.constant(x)
            return np.sin(x)
    """,
    "arrays again, where a test told that they were": """
        import numpy as np
        import tensorflow as tf

        class Drop(tf.keras.layers.Layer):
            def call(self, x, edges=None):
                was_tensor = tf.is_tensor(x)
                x = tf.nn.dropout(x, 0.5)
                if not was_tensor:
                    x = x.numpy()
                parts = [x, edges]
                for place in range(len(parts)):
                    if tf.is_tensor(parts[place]):
                        parts[place] = tf.gather(parts[place], [0, 1])
                    else:
                        parts[place] = np.take(parts[place], [0, 1])
                return parts
    """,
    "texts of Python, by a test of what may be a tensor": """
        import tensorflow as tf
        from elsewhere import first

        def ids_of(text):
            if tf.is_tensor(text):
                return tf.strings.to_hash_bucket_fast(tf.strings.split(text), 1000)
            return list(tf.strings.to_hash_bucket_fast(tf.constant(text.split()), 1000).numpy())

        dataset = tf.data.TextLineDataset("train.txt").map(lambda *parts: ids_of(first(parts)))
    """,
    "values behind a test that there are some": """
        import tensorflow as tf

        class Told(tf.keras.Model):
            def call(self, inputs):
                for name, value in inputs.items():
                    if hasattr(value, "numpy"):
                        print(name, value[:3].numpy(), tf.reduce_min(value).numpy())
                return inputs["x"]
    """,
    "a method that the subclass in use overrides": """
        import numpy as np
        import tensorflow as tf
        class Middle:
            def weigh(self, x):
                return np.median(x)
            @tf.function
            def step(self, x):
                return self.weigh(tf.square(x))
        class Steady(Middle):
            def weigh(self, x):
                return tf.reduce_mean(x)
        steady = Steady()
        for x in batches:
            steady.step(x)
    """,
    "the other branch of a test under which the dataset is made": """
        import tensorflow as tf
        from settings import backend
        def load(path):
            if backend.is_tensorflow:
                from files import read
            else:
                import cv2
                read = lambda path: cv2.imread(path)
            return read(path)
        def make(paths):
            if backend.is_tensorflow:
                return tf.data.Dataset.from_tensor_slices(paths).map(lambda path: load(path))
            return [load(path) for path in paths]
    """,
    "what numpy-in-call reports is not reported twice": """
        import numpy as np
        import tensorflow as tf
        from tensorflow.keras.layers import Layer
        class L(Layer):
            def call(self, x):
                return np.sin(x)
        layer = L()
        ds = tf.data.Dataset.range(3).map(lambda x: layer(x))
    """,
    "parameters of which nothing is known": """
        import numpy as np
        import tensorflow as tf
        @tf.function
        def f(features, obs, tar):
            return tf.ones(3) * np.sum(features) * np.prod(obs) + np.sqrt(tar)
    """,
    "what an annotation says is plain": """
        from typing import Optional, Tuple
        import numpy as np
        import tensorflow as tf
        @tf.function
        def f(x: tf.Tensor, a: Tuple[int, ...], b: Optional[float], c: "int"):
            return tf.square(x) * np.prod(a) * np.sqrt(b) * np.sqrt(c) + tf.square(b)
    """,
    "parameters that are plain Python": """
        import numpy as np
        import tensorflow as tf
        @tf.function
        def f(sigma, size, x=3, mode="a"):
            return tf.constant(np.exp(-sigma) + np.zeros(size) + np.sqrt(x))
    """,
    "a function that is called with a number": """
        import numpy as np
        import tensorflow as tf
        @tf.function
        def f(x):
            return tf.ones(3) * np.sqrt(x)
        f(2.0)
    """,
    "a pool is no dataset": """
        import numpy as np
        import tensorflow as tf
        from multiprocessing import Pool
        def f(x):
            print(x)
            return np.sqrt(x)
        Pool().map(f, [1, 2])
        pool.map(f, [1, 2])
    """,
    "eager by a switch": """
        import tensorflow as tf

        tf.config.run_functions_eagerly(True)
        @tf.function
        def f(x):
            return tf.reduce_sum(x).numpy()
    """,
    "a model that is compiled to run eagerly": """
        import tensorflow as tf
        class M(tf.keras.Model):
            def train_step(self, data):
                return {"loss": self(data).numpy()}
        model = M()
        model.compile("adam", "mse", run_eagerly=True)
    """,
    "a test_step that the fit of its class calls as it is": """
        import tensorflow as tf
        class M(tf.keras.Model):
            def test_step(self, data):
                return tf.reduce_mean(self(data)).numpy()
            def fit(self, dataset, held):
                for batch in dataset:
                    self.learn(batch)
                self.test_step(held)
    """,
    "eager by a test": """
        import numpy as np
        import tensorflow as tf
        @tf.function
        def f(x):
            if tf.executing_eagerly():
                return np.sum(x)
            return tf.reduce_sum(x)
    """,
    "eager by a function that asks for it, where there is TensorFlow": """
        import importlib.util
        import numpy as np
        import tensorflow as tf
        def records():
            if importlib.util.find_spec("tensorflow") is None:
                return False
            return not tf.executing_eagerly()
        @tf.function
        def f(x):
            total = tf.reduce_sum(x)
            if not records():
                return np.sum(total)
            return total
    """,
    "what a test finds to be a container of Python": """
        import numpy as np
        import tensorflow as tf
        @tf.function
        def f(x: tf.Tensor, y: tf.Tensor):
            if isinstance(x, (list, tuple)):
                x = tf.constant(np.stack(x))
            if isinstance(y, dict) or isinstance(y, np.ndarray):
                y = tf.constant(np.asarray(y))
            return x + y
    """,
    "a decorator that leads out of the graph": """
        import numpy as np
        import tensorflow as tf
        @tf.py_function(Tout=tf.float32)
        def python(x):
            return np.sqrt(x)
        @tf.function
        def f(x):
            return python(x)
    """,
    "an option that is off by default, in a helper of an object that has the options": """
        import tensorflow as tf
        from absl import app, flags

        flags.DEFINE_bool("debug_mode", False, "look at what is between")

        def show(outputs):
            draw(outputs["disparity"][0].numpy())

        class Trainer:
            def __init__(self, options):
                self.opt = options

            def losses(self, outputs):
                if self.opt.debug_mode and self.opt.verbose:
                    show(outputs)
                return tf.reduce_sum(outputs["disparity"])

            @tf.function
            def grad(self, x):
                return self.losses({"disparity": tf.square(x)})

        def main(_):
            trainer = Trainer(flags.FLAGS)
            for x in tf.data.Dataset.from_tensor_slices(images).batch(8):
                trainer.grad(x)

        app.run(main)
    """,
    "what a constant of the module turns off": """
        import numpy as np
        import tensorflow as tf
        CHECK_SUMS = False
        @tf.function
        def f(x):
            if CHECK_SUMS:
                print(x)
                assert np.sum(x) > 0
            return tf.reduce_sum(x)
    """,
    "where Keras is told to run eagerly": """
        import numpy as np
        import tensorflow as tf
        class M(tf.keras.Model):
            def __init__(self, settings, slow):
                super().__init__()
                self.settings, self.slow = settings, slow
            def test_step(self, data):
                total = tf.reduce_sum(data)
                if self.settings.steps.slow and total.shape:
                    np.log(total)
                if self.slow:
                    np.log(total)
                if self.run_eagerly:
                    np.log(total)
                return {}
        def build(settings, options):
            model = M(settings, options.slow)
            model.compile(run_eagerly=settings.steps.slow)
            model.compile(run_eagerly=options.slow)
    """,
}
