"""PIPE904 removed-keras-api: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "all arguments of an optimizer, as Keras 2 had them by default": Case(
        """
        import keras
        first = keras.optimizers.Adam(
            lr=0.001,  #! PIPE904 error, safe fix
            epsilon=None,  #! PIPE904 error, safe fix
            amsgrad=False,
        )
        second = keras.optimizers.RMSprop(learning_rate=0.01, epsilon=None)
        """,
        """
        import keras
        first = keras.optimizers.Adam(
            learning_rate=0.001,
            amsgrad=False,
        )
        second = keras.optimizers.RMSprop(learning_rate=0.01)
        """,
    ),
    "all metrics of a model of one's own": """
        import tensorflow as tf

        class Scored(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.dense = tf.keras.layers.Dense(1)
                self.seen = tf.keras.metrics.Mean()

            def call(self, x):
                return self.dense(x)

            def begin(self):
                for metric in self.metrics:
                    metric.reset_states()  #! PIPE904 error, safe fix

        Scored().begin()
    """,
    "metrics that are reset by their old name, told once a file": Case(
        """
        import tensorflow as tf

        class Run:
            def __init__(self):
                self.loss = tf.keras.metrics.Mean()

            def start_of_epoch(self):
                self.loss.reset_states()  #! PIPE904 error, safe fix

        hits = tf.keras.metrics.BinaryAccuracy()
        hits.reset_states()
        """,
        """
        import tensorflow as tf

        class Run:
            def __init__(self):
                self.loss = tf.keras.metrics.Mean()

            def start_of_epoch(self):
                self.loss.reset_state()

        hits = tf.keras.metrics.BinaryAccuracy()
        hits.reset_state()
        """,
    ),
    "what a model and an optimizer can no longer do": """
        from tensorflow import keras
        model = keras.Sequential([keras.layers.LSTM(8, stateful=True)])
        model.reset_states()  #! PIPE904 error
        optimizer = keras.optimizers.Adam()
        optimizer.minimize(lambda: model(x), model.trainable_variables)  #! PIPE904 error
        kept = optimizer.get_weights()  #! PIPE904 error
    """,
    "a learning rate that no longer decays": """
        from tensorflow import keras
        optimizer = keras.optimizers.SGD(0.1, momentum=0.9, decay=1e-4)  #! PIPE904 warning
        other = keras.optimizers.SGD(0.1, decay=rate / 10)
    """,
    "a learning rate of the old name that no longer decays": Case(
        """
        from tensorflow import keras
        first = keras.optimizers.SGD(lr=0.1, decay=1e-4, momentum=0.9)  #! PIPE904 error, safe fix; PIPE904 warning
        second = keras.optimizers.Adam(decay=1e-5, lr=0.01)
        """,
        """
        from tensorflow import keras
        first = keras.optimizers.SGD(learning_rate=0.1, decay=1e-4, momentum=0.9)  #! PIPE904 warning
        second = keras.optimizers.Adam(decay=1e-5, learning_rate=0.01)
        """,
    ),
    "layers that have moved, however they are named": """
        import tensorflow as tf
        from tensorflow.keras.layers.experimental import preprocessing  #! PIPE904 error
        from tensorflow.keras.layers.experimental.preprocessing import Resizing
        model = tf.keras.Sequential([preprocessing.RandomFlip(), Resizing(8, 8)])
        rate = tf.keras.experimental.CosineDecay(0.1, 1000)  #! PIPE904 error
    """,
    "a phase that is set for all layers at once": """
        import tensorflow as tf
        from tensorflow.keras import backend as K

        tf.keras.backend.set_learning_phase(1)  #! PIPE904 error
        is_training = K.learning_phase()  #! PIPE904 error
    """,
    "an argument of tf.function, as TensorFlow's own module has it": """
        import tensorflow as tf
        from tensorflow.python.eager import def_function

        faster = def_function.function(step, experimental_relax_shapes=True)  #! PIPE904 advice, safe fix
    """,
    "methods of models for generators and classes": """
        from tensorflow import keras
        model = keras.Sequential([keras.layers.Dense(2)])
        model.fit_generator(batches, steps_per_epoch=10)  #! PIPE904 error
        print(model.evaluate_generator(batches, steps=10))  #! PIPE904 error
        print(model.predict_classes(x))  #! PIPE904 error
    """,
    "a model out of sight": """
        import tensorflow as tf
        from networks import build
        build().predict_generator(tf.keras.utils.Sequence())  #! PIPE904 error
    """,
    "workers of fit, told once a call": """
        from tensorflow import keras
        model = keras.Sequential([keras.layers.Dense(2)])
        model.fit(
            batches,
            workers=4,  #! PIPE904 error
            use_multiprocessing=True,
        )
        model.predict(batches, max_queue_size=20)  #! PIPE904 error
    """,
    "the old name of a learning rate": Case(
        """
        import tensorflow as tf
        first = tf.keras.optimizers.Adam(lr=1e-4)  #! PIPE904 error, safe fix
        second = tf.keras.optimizers.SGD(momentum=0.9, lr = rate)
        """,
        """
        import tensorflow as tf
        first = tf.keras.optimizers.Adam(learning_rate=1e-4)
        second = tf.keras.optimizers.SGD(momentum=0.9, learning_rate = rate)
        """,
    ),
    "the old name beside the new one, which a renaming would give twice": Case(
        """
        import tensorflow as tf
        rate = 0.1
        first = tf.keras.optimizers.SGD(rate, lr=1e-5)  #! PIPE904 error
        second = tf.keras.optimizers.Adam(learning_rate=rate, lr=1e-5)
        third = tf.keras.optimizers.RMSprop(lr=rate)  #! PIPE904 error, safe fix
        """,
        """
        import tensorflow as tf
        rate = 0.1
        first = tf.keras.optimizers.SGD(rate, lr=1e-5)  #! PIPE904 error
        second = tf.keras.optimizers.Adam(learning_rate=rate, lr=1e-5)
        third = tf.keras.optimizers.RMSprop(learning_rate=rate)
        """,
    ),
    "an old name of an argument under a TensorFlow that keeps both": Case(
        """
        import tensorflow as tf

        @tf.function(experimental_relax_shapes=True)  #! PIPE904 advice, safe fix
        def first(x):
            return x + 1
        """,
        """
        import tensorflow as tf

        @tf.function(reduce_retracing=True)
        def first(x):
            return x + 1
        """,
        target=(2, 12),
    ),
    "old names of arguments of tf.function": Case(
        """
        import tensorflow as tf

        @tf.function(experimental_relax_shapes=True)  #! PIPE904 advice, safe fix
        def first(x):
            return x + 1

        second = tf.function(first, experimental_compile=False)  #! PIPE904 advice, safe fix
        """,
        """
        import tensorflow as tf

        @tf.function(reduce_retracing=True)
        def first(x):
            return x + 1

        second = tf.function(first, jit_compile=False)
        """,
    ),
    "an iterator for sessions where none is": """
        import tensorflow as tf
        tf.random.set_seed(1)
        ds = tf.data.Dataset.range(9).batch(3)
        batches = ds.make_one_shot_iterator()  #! PIPE904 error
    """,
    "all at once where an import fails before": """
        import tensorflow as tf
        from tensorflow.keras.utils import np_utils  #! PIPE904 error
        model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        model.compile(tf.keras.optimizers.Adam(lr=0.1), "mse")
        model.fit_generator(batches, workers=4)
    """,
    "all at once where Keras alone has it no more": """
        from keras import Sequential, layers, optimizers
        from keras.preprocessing.image import ImageDataGenerator  #! PIPE904 error
        model = Sequential([layers.Dense(2)])
        model.compile(optimizers.Adam(lr=0.1), "mse")
        model.fit_generator(batches)
    """,
    "all at once where a file has both, and imports from Keras what only tf.keras still has": """
        import tensorflow as tf
        from keras.preprocessing.text import Tokenizer  #! PIPE904 error
        model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        model.compile(tf.keras.optimizers.Adam(lr=0.1), "mse")
        model.fit(x, y, workers=4)
    """,
    "what tf.keras still has, and is no sign of Keras 2": """
        import tensorflow as tf
        from tensorflow.keras.preprocessing.text import Tokenizer
        model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        model.fit(x, y, workers=4)  #! PIPE904 error
    """,
    "a learning rate that is ignored before Keras 3": Case(
        """
        import tensorflow as tf
        model.compile(tf.keras.optimizers.Adam(lr=1e-5), "mse")  #! PIPE904 error, safe fix
        """,
        """
        import tensorflow as tf
        model.compile(tf.keras.optimizers.Adam(learning_rate=1e-5), "mse")
        """,
        target=(2, 12),
    ),
    "a learning rate that is ignored, and is what it would be": Case(
        """
        import tensorflow as tf
        model.compile(tf.keras.optimizers.Adam(lr=0.001), "mse")  #! PIPE904 advice, safe fix
        """,
        target=(2, 12),
    ),
    "a learning rate that is ignored, beside a package of that time and a module that was still there": Case(
        """
        import tensorflow as tf
        import tensorflow_addons as tfa
        from keras.utils import np_utils
        model.compile(tf.keras.optimizers.Adam(lr=1e-5), tfa.losses.TripletSemiHardLoss())  #! PIPE904 error, safe fix
        """,
        target=(2, 12),
    ),
    "the key of a history that the program asks for itself": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        model.compile(tf.keras.optimizers.RMSprop(lr=1e-4), "mse", metrics=["acc"])  #! PIPE904 error, safe fix
        seen = model.fit(x, y)
        print(seen.history["acc"])
    """,
    "a share of a dataset": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
        model.fit(ds, validation_split=0.2)  #! PIPE904 error
    """,
    "a method of a strategy in a function": Case(
        """
        import tensorflow as tf
        strategy = tf.distribute.MirroredStrategy()

        @tf.function
        def train(batch):
            return strategy.experimental_run_v2(step, args=(batch,))  #! PIPE904 error, safe fix
        """,
        """
        import tensorflow as tf
        strategy = tf.distribute.MirroredStrategy()

        @tf.function
        def train(batch):
            return strategy.run(step, args=(batch,))
        """,
    ),
    "the same method in several places, with one fix": Case(
        """
        import tensorflow as tf
        strategy = tf.distribute.MirroredStrategy()
        first = strategy.experimental_run_v2(step)  #! PIPE904 error, safe fix
        second = strategy.experimental_run_v2(step)
        """,
        """
        import tensorflow as tf
        strategy = tf.distribute.MirroredStrategy()
        first = strategy.run(step)
        second = strategy.run(step)
        """,
    ),
    "pictures of files and of arrays, told once a file": """
        from tensorflow.keras.preprocessing.image import ImageDataGenerator
        train = ImageDataGenerator(horizontal_flip=True).flow_from_dataframe(table)  #! PIPE904 advice
        test = ImageDataGenerator().flow_from_directory("test")
    """,
    "pictures of arrays alone": """
        import tensorflow as tf
        augment = tf.keras.preprocessing.image.ImageDataGenerator(rotation_range=20)  #! PIPE904 advice
        model.fit(augment.flow(x, y))
    """,
}
SILENT: Table = {
    "a stateful layer, which has the method still": """
        from tensorflow import keras
        layer = keras.layers.LSTM(8, stateful=True)
        layer.reset_states()
    """,
    "a metric of the program's own": """
        from tensorflow import keras
        class Largest(keras.metrics.Metric):
            def reset_states(self):
                self.largest.assign(0)
        Largest().reset_states()
    """,
    "models of other libraries, which run one of Keras by methods of their own": """
        import deepchem as dc
        from art.estimators.classification import TensorFlowV2Classifier
        from poutyne import Model
        from tensorflow import keras

        class Net(keras.Model):
            def call(self, x):
                return x

        held = dc.models.KerasModel(Net(), loss=dc.models.losses.L2Loss())
        held.fit_generator(batches())
        held.evaluate_generator(batches(), [metric])
        TensorFlowV2Classifier(model=Net(), nb_classes=10, input_shape=(28, 28)).fit_generator(batches(), nb_epochs=9)
        Model(network, "sgd", "mse").predict_generator(batches())
    """,
    "a rate that never decayed": """
        from tensorflow import keras
        optimizer = keras.optimizers.SGD(0.1, decay=0.0)
    """,
    "layers that are looked for at both places": """
        import tensorflow as tf
        try:
            from tensorflow.keras.layers import Rescaling
        except ImportError:
            from tensorflow.keras.layers.experimental.preprocessing import Rescaling
        if hasattr(tf.keras.layers, "Resizing"):
            Resizing = tf.keras.layers.Resizing
        else:
            Resizing = tf.keras.layers.experimental.preprocessing.Resizing
    """,
    "what would run without eager execution, which TensorFlow 2 has everywhere but in graphs": """
        import tensorflow as tf

        def first_of(ds):
            if tf.executing_eagerly():
                return next(iter(ds))
            return ds.make_one_shot_iterator().get_next()

        print(first_of(tf.data.Dataset.range(9)))
    """,
    "an attribute that was given the version decides": """
        import tensorflow as tf

        def release():
            return tf.__version__

        class Runner:
            def __init__(self, settings):
                self.release = settings["release"]
                self.strategy = tf.distribute.MirroredStrategy()

            def run(self, step):
                if self.release < "2.2":
                    return self.strategy.experimental_run_v2(step)
                return self.strategy.run(step)

        Runner({"release": release()}).run(print)
    """,
    "beside a function that was gone long before": """
        import tensorflow as tf
        from tensorflow.keras.utils import multi_gpu_model

        model = multi_gpu_model(tf.keras.Sequential([tf.keras.layers.Dense(1)]), gpus=2)
        model.compile(tf.keras.optimizers.Adam(lr=0.001), "mse")
    """,
    "arguments of tf.function that have no other name yet": Case(
        """
        import tensorflow as tf
        first = tf.function(f, experimental_relax_shapes=True)
        """,
        target=(2, 4),
    ),
    "iterators of sessions": """
        import tensorflow as tf
        batches = tf.data.Dataset.range(9).batch(3).make_one_shot_iterator()
        with tf.Session() as session:
            print(session.run(batches.get_next()))
    """,
    "an older TensorFlow": Case(
        """
        from tensorflow import keras
        model = keras.Sequential([keras.layers.Dense(2)])
        model.compile(keras.optimizers.Adam(lr=0.1), "mse")
        model.fit_generator(batches, workers=4)
        """,
        target=(2, 10),
    ),
    "Keras 2 as a package of its own": """
        import tf_keras as keras
        model = keras.Sequential([keras.layers.Dense(2)])
        model.fit(batches, workers=4)
    """,
    "a package that only Keras 2 has": """
        import tensorflow as tf
        import tensorflow_addons as tfa
        model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        model.compile(tfa.optimizers.AdamW(1e-4), "mse")
        model.fit(batches, workers=4)
    """,
    "a package of Keras 2 that is only imported": """
        import keras_retinanet
        from keras import Sequential, layers, optimizers
        model = Sequential([layers.Dense(2)])
        model.compile(optimizers.Adam(lr=0.1), "mse")
    """,
    "a layer of a package of Keras 2": """
        from keras import Sequential, layers, optimizers
        from keras_contrib.layers import CRF
        model = Sequential([layers.Dense(2), CRF(2)])
        model.compile(optimizers.Adam(lr=0.1), "mse")
        model.fit_generator(batches, workers=2)
    """,
    "the key of a history that metrics had before TensorFlow 2": """
        from keras import Sequential, layers, optimizers
        model = Sequential([layers.Dense(2)])
        model.compile(optimizers.Adam(lr=0.1), "mse", metrics=["accuracy"])
        run = model.fit_generator(batches)
        print(run.history["acc"], run.history["val_acc"])
    """,
    "a learning rate where only a package tells of the time": Case(
        """
        import tensorflow as tf
        import tensorflow_addons as tfa
        model.compile(tf.keras.optimizers.Adam(lr=1e-5), tfa.losses.TripletSemiHardLoss())
        """,
        required=False,
    ),
    "a learning rate that was taken": Case(
        """
        import tensorflow as tf
        model.compile(tf.keras.optimizers.Adam(lr=1e-5), "mse")
        """,
        target=(2, 10),
    ),
    "an object of another library, as far as is known": """
        import joblib
        import tensorflow as tf
        forest = joblib.load("forest.pkl")
        forest.fit(x, workers=4)
        print(forest.predict_proba(x))
    """,
    "Keras 2 by the environment": """
        import os
        os.environ["TF_USE_LEGACY_KERAS"] = "1"
        import tensorflow as tf
        optimizer = tf.keras.optimizers.Adam(lr=1e-4)
    """,
    "only where the version has it": """
        import tensorflow as tf
        strategy = tf.distribute.MirroredStrategy()
        if hasattr(strategy, "run"):
            losses = strategy.run(step)
        else:
            losses = strategy.experimental_run_v2(step)
    """,
    "a method of the program's own": """
        import tensorflow as tf

        class Trainer:
            def fit_generator(self, batches, workers=1):
                return [self.step(batch) for batch in batches]

            def fit(self, batches, workers=1):
                return self.fit_generator(batches, workers)

        Trainer().fit(batches, workers=4)
        Trainer().fit_generator(batches)
    """,
    "other libraries": """
        import tensorflow as tf
        from sklearn.linear_model import LogisticRegression
        print(LogisticRegression().fit(x, y).predict_proba(x))
    """,
    "a share of arrays": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        model.fit(x, y, validation_split=0.2)
    """,
    "TensorFlow 1": """
        import tensorflow as tf
        session = tf.Session()
        x = tf.placeholder(tf.float32)
        model.fit_generator(batches)
    """,
}
