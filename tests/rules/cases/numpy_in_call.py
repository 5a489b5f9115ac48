"""PIPE604 numpy-in-call: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

# numpy-on-tensor is on as well: one line is never reported by both.
IN_A_LAYER = """
        import numpy as np
        import tensorflow as tf
        class Base(tf.keras.layers.Layer):
            pass
        class Noisy(Base):
            @tf.function
            def call(self, inputs):
                {}
                return inputs
"""


def in_a_layer(line: str) -> Case:
    return Case(IN_A_LAYER.format(line), beside=("PIPE603",))


FOUND: Table = {
    "a draw that decides a number": """
        import numpy as np
        import tensorflow as tf

        class Cut(tf.keras.layers.Layer):
            def call(self, x):
                return x[:, :int(np.random.rand() * x.shape[1])]  #! PIPE604 error
    """,
    "what has no gradient, in a model that is fitted": """
        import numpy as np
        import tensorflow as tf

        class Net(tf.keras.Model):
            def call(self, x):
                return x + np.zeros_like(x)  #! PIPE604 error, unsafe fix

        net = Net()
        net.compile("adam", "mse")
        net.fit(x, y)
    """,
    "a file that uses Keras alone gets keras.ops": Case(
        """
        import keras
        import numpy as np
        class Centre(keras.layers.Layer):
            def call(self, x):
                return x - np.mean(x, axis=-1, keepdims=True)  #! PIPE604 error, unsafe fix
        """,
        """
        import keras
        import numpy as np
        class Centre(keras.layers.Layer):
            def call(self, x):
                return x - keras.ops.mean(x, axis=-1, keepdims=True)
        """,
    ),
    "a random number that is drawn once, in a method that call reaches": """
        import numpy as np
        import tensorflow as tf
        class Base(tf.keras.Model):
            pass
        class Noisy(Base):
            @tf.function
            def call(self, x, training=None):
                return x + self.noise()
            def noise(self):
                return np.random.normal(0.0, 0.1)  #! PIPE604 error
    """,
    "an array as large as a shape that only the graph knows": """
        import numpy as np
        import tensorflow as tf
        class Identity(tf.keras.layers.Layer):
            def call(self, inputs):
                return tf.matmul(inputs, np.eye(tf.shape(inputs)[-1]))  #! PIPE604 error
    """,
    "a layer": """
        import numpy as np
        import tensorflow as tf
        from tensorflow.keras.layers import Layer
        class L(tf.keras.layers.Layer):
            def call(self, x):
                return np.sin(x)  #! PIPE604 error, unsafe fix
    """,
    "a subclass of a subclass with tf.function on call": """
        import numpy as np
        import tensorflow as tf
        from tensorflow.keras.layers import Layer
        class A(Layer):
            pass
        class B(A):
            @tf.function(jit_compile=True)
            def call(self, x):
                return np.sin(x)  #! PIPE604 error, unsafe fix
    """,
    "a base of another module, with weights": """
        import numpy as np
        import tensorflow as tf
        from elsewhere import Thing
        class Scale(Thing):
            def __init__(self):
                super().__init__()
                self.scale = self.add_weight(shape=(3,))
            def call(self, x):
                return self.scale * tf.constant(np.sin(x))  #! PIPE604 error, unsafe fix
    """,
    "a base of another module, with layers of Keras": """
        import numpy as np
        from tensorflow.keras import layers
        from .base import Thing
        class Head(Thing):
            def __init__(self):
                super().__init__()
                self.dense = layers.Dense(3)
            def call(self, x):
                return self.dense(np.sin(x))  #! PIPE604 error, unsafe fix
    """,
    "a base of another module, built for the shape of its input": """
        import numpy as np
        import tensorflow as tf
        import blocks
        class Norm(blocks.Thing):
            def build(self, input_shape):
                self.scale = tf.Variable(tf.ones(input_shape[-1]))
            def call(self, x):
                return np.abs(x) * self.scale  #! PIPE604 error, unsafe fix
    """,
    "a function of the program is what it does, whatever it is called": """
        import numpy as np
        import tensorflow as tf
        from tensorflow.keras.layers import Layer
        def my_resize(x):
            return tf.image.resize(x, (8, 8))
        def silence(x):
            return x * 0.0
        class L(Layer):
            def blend(self, x):
                return tf.reduce_mean(x)
            def call(self, x):
                return np.sin(my_resize(x)) + np.cos(silence(x)) + np.tan(self.blend(x))  #! PIPE604 error, unsafe fix; PIPE604 error, unsafe fix; PIPE604 error, unsafe fix
    """,
    "parameters that the call uses as tensors, whatever they are called": """
        import numpy as np
        import tensorflow as tf
        from tensorflow.keras.layers import Layer
        class L(Layer):
            def call(self, x, shape_features, path_embedding=None, name_mask=None):
                a = np.sin(shape_features)  #! PIPE604 error, unsafe fix
                b = np.sin(path_embedding)  #! PIPE604 error, unsafe fix
                c = np.sin(name_mask)
                return tf.matmul(x, shape_features) + tf.reduce_sum(path_embedding, axis=-1) + a + b + c
    """,
    "functions that a test chose for tensors": """
        import numpy as np
        import tensorflow as tf
        from tensorflow.keras.layers import Layer
        class L(Layer):
            def call(self, x):
                sine = np.sin if isinstance(x, tf.Tensor) else tf.sin
                return sine(x)  #! PIPE604 warning
    """,
    "where a test finds no array there is a tensor": """
        import numpy as np
        import tensorflow as tf
        from tensorflow.keras.layers import Layer
        class L(Layer):
            def call(self, x):
                if isinstance(x, np.ndarray):
                    return np.clip(x, 0, 1)
                else:
                    return np.clip(x, 0, 1)  #! PIPE604 error, unsafe fix
    """,
    "a test whose letters say eager, numpy or debug": """
        import numpy as np
        from tensorflow.keras.layers import Layer
        class L(Layer):
            def __init__(self, eagerness, use_numpy, debug):
                super().__init__()
                self.eagerness = eagerness
                self.use_numpy = use_numpy
                self.debug = debug
            def call(self, x):
                if self.eagerness > 3 or self.use_numpy or self.debug:
                    return np.sin(x)  #! PIPE604 error, unsafe fix
                return x
    """,
    "methods and functions that call reaches": """
        import numpy as np
        from tensorflow.keras.layers import Layer
        def helper(x):
            return np.cos(x)  #! PIPE604 error, unsafe fix
        class L(Layer):
            def call(self, x):
                return self.middle(x)
            def middle(self, x):
                return helper(x) + np.exp(x)  #! PIPE604 error, unsafe fix
    """,
    "a chain of numpy": """
        import numpy as np
        import tensorflow as tf
        class L(tf.keras.Model):
            def call(self, x):
                x = np.abs(x)  #! PIPE604 error, unsafe fix
                return np.sum(x)  #! PIPE604 error, unsafe fix
    """,
    "parts of the inputs": """
        import numpy as np
        from tensorflow.keras.layers import Layer
        class L(Layer):
            def call(self, inputs, mask=None):
                a, b = inputs
                c = np.maximum(a, 0)  #! PIPE604 error, unsafe fix
                d = np.where(b > 0, b, 1.0)  #! PIPE604 error, unsafe fix
                return c + d + np.sum(inputs["c"]) + inputs[0]  #! PIPE604 error, unsafe fix
    """,
    "a list that fills with tensors": """
        import numpy as np
        import tensorflow as tf
        from tensorflow.keras.layers import Layer
        class L(Layer):
            def call(self, x):
                parts = []
                for part in tf.unstack(x):
                    parts.append(tf.sin(part))
                return np.stack(parts)  #! PIPE604 error, unsafe fix
    """,
    "weights": """
        import numpy as np
        from tensorflow.keras.layers import Layer
        class L(Layer):
            def build(self, shape):
                self.w = self.add_weight(shape=(3,))
            def call(self, x):
                return x * np.linalg.norm(self.w)  #! PIPE604 error
    """,
    "the dynamic shape is a tensor": """
        import numpy as np
        import tensorflow as tf
        from tensorflow.keras import backend as K
        from tensorflow.keras.layers import Layer
        class L(Layer):
            def call(self, x):
                return x / np.sqrt(tf.cast(tf.shape(x)[-1], tf.float32)) + np.eye(K.shape(x)[0])  #! PIPE604 error, unsafe fix; PIPE604 error
    """,
    "a function given to map_fn": """
        import numpy as np
        import tensorflow as tf
        from tensorflow.keras.layers import Layer
        class L(Layer):
            def call(self, x):
                return tf.map_fn(lambda row: np.fft.fft(row), x)  #! PIPE604 error
    """,
    "a function for training alone": """
        import random
        import numpy as np
        from tensorflow.keras import backend as K
        from tensorflow.keras.layers import Layer
        class L(Layer):
            def call(self, x, training=None):
                def noised():
                    return x + np.random.normal(size=3)  #! PIPE604 error
                return K.in_train_phase(noised, x, training=training)
    """,
    "random draws": """
        import random
        import numpy as np
        from tensorflow.keras.layers import Layer
        from numpy.random import uniform
        class L(Layer):
            def __init__(self):
                super().__init__()
                self.rng = np.random.default_rng(0)
            def call(self, x, training=None):
                if training:
                    x = x + np.random.normal()  #! PIPE604 error
                return x * random.random() + self.rng.uniform() + uniform()  #! PIPE604 error; PIPE604 error; PIPE604 error
    """,
    "OpenCV": """
        import cv2
        from tensorflow.keras.layers import Layer
        class L(Layer):
            def call(self, image):
                return cv2.resize(image, (4, 4))  #! PIPE604 error
    """,
    "a numpy function kept in an attribute": """
        import numpy as np
        from tensorflow.keras.layers import Layer
        class L(Layer):
            def __init__(self):
                super().__init__()
                self.activation = np.tanh
            def call(self, x):
                return self.activation(x)  #! PIPE604 error
    """,
    "a tensor on each way": """
        import numpy as np
        import tensorflow as tf
        from tensorflow.keras.layers import Layer
        class L(Layer):
            def call(self, x, mask=None, training=None):
                y, z = None, 0.0
                if training:
                    y, z = tf.sin(x), tf.cos(x)
                if mask is None:
                    mask = tf.ones_like(x)
                return np.abs(y) + np.abs(z) + np.abs(mask)  #! PIPE604 error, unsafe fix; PIPE604 error, unsafe fix; PIPE604 error, unsafe fix
    """,
    "a sum over a loop": """
        import numpy as np
        import tensorflow as tf
        from tensorflow.keras.layers import Layer
        class L(Layer):
            def call(self, x):
                total = 0
                for row in tf.unstack(x):
                    total += tf.reduce_sum(row)
                return np.log(total)  #! PIPE604 error, unsafe fix
    """,
    "a test of the inputs that says nothing of arrays": """
        import numpy as np
        from tensorflow.keras.layers import Layer
        class L(Layer):
            def call(self, x):
                if not isinstance(x, list):
                    raise ValueError
                return np.stack(x)  #! PIPE604 error, unsafe fix
    """,
    "a layer in a cell of its own": Case(
        (
            "import numpy as np\nimport tensorflow as tf",
            """
            class Wave(tf.keras.layers.Layer):
                def call(self, x):
                    return np.sin(x)  #! PIPE604 error, unsafe fix
            """,
        )
    ),
    "on a tensor, in a traced call": in_a_layer("inputs = np.tanh(inputs)  #! PIPE604 error, unsafe fix"),
    "drawn at random, in a traced call": in_a_layer("inputs += np.random.normal(size=3)  #! PIPE604 error"),
}

SILENT: Table = {
    "a draw that rounds a number": """
        import numpy as np
        import tensorflow as tf

        class Cut(tf.keras.layers.Layer):
            def call(self, x):
                kept = int(0.3 * x.shape[1] + np.random.rand())
                return x[:, :kept]
    """,
    "functions that a test chose for arrays, where there is a tensor": """
        import numpy as np
        import tensorflow as tf

        def darker(picture, mask):
            power = tf.pow if tf.is_tensor(picture) else np.power
            if isinstance(picture, np.ndarray):
                library = np
            else:
                library = tf
            picture = scaled(picture)
            return library.multiply(power(picture, 2.0), mask)

        class Darken(tf.keras.layers.Layer):
            def call(self, x):
                return darker(x, tf.ones_like(x))
    """,
    "what has no gradient, in a layer that nothing in sight traces": """
        import numpy as np
        import tensorflow as tf

        class Masked(tf.keras.layers.Layer):
            def call(self, scores):
                mask = np.zeros_like(scores)
                mask[:, self.first :] = -np.inf
                return scores + mask
    """,
    "what is known while tracing: shapes, dtypes, constants, attributes": """
        import numpy as np
        import tensorflow as tf
        class Flat(tf.keras.layers.Layer):
            def __init__(self, units):
                super().__init__()
                self.units = units
                self.table = np.sin(np.arange(units))
            def call(self, x):
                size = np.prod(x.shape[1:])
                x = tf.cast(tf.reshape(x, [-1, size]), np.float32)
                return x / np.sqrt(self.units) + np.log(2.0) + self.table
    """,
    "the numpy interface of TensorFlow": """
        import tensorflow as tf
        import tensorflow.experimental.numpy as np
        class Wave(tf.keras.layers.Layer):
            def call(self, x):
                return np.sin(x)
    """,
    "a method that the script calls, not call": """
        import numpy as np
        import tensorflow as tf
        class Agent(tf.keras.Model):
            def call(self, state):
                return self.policy(state)
            def act(self, state):
                return np.argmax(self(state), axis=-1)
    """,
    "static shapes": """
        import numpy as np
        import tensorflow as tf
        from tensorflow.keras import backend as K
        from tensorflow.keras.layers import Layer
        class L(Layer):
            def call(self, x):
                a = np.prod(x.shape[1:]) + np.prod(x.get_shape().as_list()) + np.prod(K.int_shape(x))
                b = np.arange(len(x)) + np.arange(K.ndim(x)) + np.zeros(np.shape(x))
                return tf.reshape(x, (-1, np.prod(tf.TensorShape(x.shape).as_list())))
    """,
    "shapes that are dynamic only where they must be": """
        import numpy as np
        import tensorflow as tf
        from tensorflow.keras.layers import Layer
        def shape_list(x):
            dynamic = tf.shape(x)
            return [dynamic[i] if size is None else size for i, size in enumerate(x.shape)]
        class L(Layer):
            def call(self, x):
                rows = tf.shape(x)[0] if x.shape[0] is None else x.shape[0]
                return tf.reshape(x, (rows, np.prod(shape_list(x)[1:]), np.sqrt(rows)))
    """,
    "dtypes and constants": """
        import numpy as np
        import tensorflow as tf
        from tensorflow.keras.layers import Layer
        class L(Layer):
            def call(self, x):
                limit = np.finfo(np.float32).max
                return tf.cast(x, np.float32) * np.pi + np.log(2.0) + np.array([1, 2], dtype=np.float32) + limit
    """,
    "attributes that __init__ and build set": """
        import random
        import numpy as np
        import tensorflow as tf
        from tensorflow.keras.layers import Layer
        class L(Layer):
            def __init__(self, alpha):
                super().__init__()
                self.alpha = alpha
                self.scale = tf.constant(2.0) * 3
            def build(self, shape):
                self.size = np.prod(shape)
                self.table = np.random.normal(size=shape)
            def get_config(self):
                return {"alpha": np.sqrt(self.alpha)}
            def call(self, x):
                return x * np.sqrt(self.alpha) + np.log(self.size) + self.table + np.sqrt(self.scale)
    """,
    "settings among the parameters": """
        import numpy as np
        import tensorflow as tf
        from tensorflow.keras.layers import Layer
        class L(Layer):
            def call(self, x, num_heads, size: int, axis=-1):
                return tf.reshape(x, (np.prod(size), np.sqrt(num_heads), np.abs(axis)))
    """,
    "behind py_function": """
        import random
        import numpy as np
        import tensorflow as tf
        from tensorflow.keras.layers import Layer
        def python(x):
            return np.sin(x) + np.random.normal()
        class L(Layer):
            def call(self, x):
                return tf.py_function(python, [x], tf.float32) + tf.numpy_function(self.other, [x], tf.float32)
            def other(self, x):
                return np.cos(x)
    """,
    "a class that calls itself as Python does, and not through Keras": """
        import keras
        import numpy as np
        from keras import ops

        class Processor(keras.layers.Layer):
            def __call__(self, image):
                return self.call(image)

        class Crop(Processor):
            def call(self, image):
                return ops.convert_to_tensor(np.asarray(ops.convert_to_numpy(image))[:, :8])
    """,
    "whole numbers that are looked up, in a model that only runs eagerly": """
        import numpy as np
        import tensorflow as tf

        class Ratings(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.embedding = tf.keras.layers.Embedding(1000, 8)

            def call(self, users):
                known, places = np.unique(users, return_inverse=True)
                return tf.gather(self.embedding(known), places)

        ratings = Ratings()
        for users, y in batches:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(ratings(users) - y))
            optimizer.apply_gradients(zip(tape.gradient(loss, ratings.variables), ratings.variables))
    """,
    "a gradient of its own, in a layer that only runs eagerly": """
        import numpy as np
        import tensorflow as tf
        tf.config.run_functions_eagerly(True)

        class Outside(tf.keras.layers.Layer):
            @tf.custom_gradient
            def call(self, x):
                values = self.values(x)
                return tf.constant(np.sin(values)), lambda upstream: upstream * np.cos(values)

            def values(self, x):
                return np.asarray(x)

        outside = Outside()
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(outside(x))
    """,
    "sizes, in a layer that only runs eagerly": """
        import numpy as np
        import tensorflow as tf
        tf.config.run_functions_eagerly(True)

        class Mirror(tf.keras.layers.Layer):
            def call(self, x):
                return tf.matmul(x, tf.constant(-np.eye(tf.shape(x)[-1]), tf.float32))

        mirror = Mirror()
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(mirror(x))
    """,
    "an array by test": """
        import numpy as np
        import tensorflow as tf
        from tensorflow.keras.layers import Layer
        class L(Layer):
            def call(self, x):
                if isinstance(x, np.ndarray):
                    return np.clip(x, 0, 1)
                return tf.clip_by_value(x, 0, 1)
    """,
    "methods that only a script calls": """
        import random
        import numpy as np
        import tensorflow as tf
        class Agent(tf.keras.Model):
            def call(self, x):
                return x
            def act(self, x):
                return np.argmax(self(x)) + np.random.choice(3)
    """,
    "a loss is no layer": """
        import numpy as np
        import tensorflow as tf
        class Loss(tf.keras.losses.Loss):
            def call(self, y_true, y_pred):
                return np.abs(y_true - y_pred)
    """,
    "what a function out of sight makes of a tensor is not known": """
        import numpy as np
        from tensorflow.keras.layers import Layer
        from elsewhere import my_resize, features_of
        class L(Layer):
            def call(self, x):
                return np.sin(my_resize(x)) + np.prod(features_of(x))
    """,
    "arrays and eager tensors by tests, on each way": """
        import numpy as np
        import tensorflow as tf
        from tensorflow.keras.layers import Layer
        class L(Layer):
            def call(self, x, weights=None):
                y = np.sin(x) if isinstance(x, (np.ndarray, float)) else tf.sin(x)
                if not tf.is_tensor(x):
                    y += np.cos(x)
                if tf.executing_eagerly() and np.any(x > 0):
                    y += np.tan(x)
                if not tf.inside_function():
                    y += np.exp(x)
                if hasattr(weights, "numpy"):
                    y += np.abs(weights)
                elif isinstance(weights, tf.Tensor):
                    return y + tf.reduce_sum(weights)
                else:
                    y += np.sum(weights)
                if isinstance(x, tf.Tensor):
                    return y
                return y + np.square(x)
    """,
    "a class with a call that is no layer": """
        import numpy as np
        import tensorflow as tf
        from elsewhere import Thing
        class Step(Thing):
            def call(self, x):
                return np.abs(x)
    """,
    "no TensorFlow, and a Layer of a module of the user's own": """
        import numpy as np
        from network import Layer
        class Relu(Layer):
            def call(self, x):
                return np.maximum(0, x)  # keras has this too
    """,
    "the numpy of jax and of TensorFlow": """
        import keras
        import jax.numpy as np
        import tensorflow.experimental.numpy as tnp
        class Wave(keras.layers.Layer):
            def call(self, x):
                return np.sin(x) + tnp.sin(x)
    """,
    "the size of a static shape": in_a_layer("inputs *= np.prod(inputs.shape[1:])"),
    "a dtype": in_a_layer("inputs = tf.cast(inputs, np.float32)"),
    "constants alone": in_a_layer("inputs *= np.sqrt(2.0 / np.pi)"),
    "an attribute": in_a_layer("inputs *= np.sqrt(self.dim)"),
    "a static shape as a list": in_a_layer("inputs *= np.log(inputs.get_shape().as_list()[-1])"),
}
