"""PIPE903 deprecated-tfdata: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "an attribute that is read": """
        import tensorflow as tf

        class Photos:
            def __init__(self):
                self.ahead = tf.data.experimental.AUTOTUNE  #! PIPE903 advice, safe fix

            def read(self, files):
                return tf.data.TFRecordDataset(files).batch(32).prefetch(self.ahead)

        model.fit(Photos().read(["a", "b"]))
    """,
    "beside names that were there long after the new one came": """
        import tensorflow as tf
        import tensorflow_addons as tfa

        ahead = tf.data.experimental.AUTOTUNE  #! PIPE903 advice, safe fix
        model.compile(tfa.optimizers.AdamW(1e-4))
        model.fit(tf.data.TFRecordDataset(files).batch(32).prefetch(ahead))
    """,
    "beside a name that is gone and that is only tried": """
        import tensorflow as tf
        try:
            from tensorflow.keras.utils import multi_gpu_model
        except ImportError:
            multi_gpu_model = None

        ahead = tf.data.experimental.AUTOTUNE  #! PIPE903 advice, safe fix
        model.fit(tf.data.TFRecordDataset(files).batch(32).prefetch(ahead))
    """,
    "an alias where the same file has the new name, and nothing else tells the version": Case(
        """
        import tensorflow as tf

        def train(files):
            return tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=tf.data.AUTOTUNE).batch(32)

        def test(files):
            rows = tf.data.TFRecordDataset(files).map(parse, tf.data.experimental.AUTOTUNE)  #! PIPE903 advice, safe fix
            return rows.batch(32)

        model.fit(train(["a"]), validation_data=test(["b"]))
        """,
        """
        import tensorflow as tf

        def train(files):
            return tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=tf.data.AUTOTUNE).batch(32)

        def test(files):
            rows = tf.data.TFRecordDataset(files).map(parse, tf.data.AUTOTUNE)
            return rows.batch(32)

        model.fit(train(["a"]), validation_data=test(["b"]))
        """,
        required=False,
    ),
    "an alias beside what only Keras 3 has": Case(
        """
        import keras
        import tensorflow as tf

        def rescale(x):
            return keras.ops.cast(x, "float32") / 255

        ds = tf.data.TFRecordDataset(files).map(parse, tf.data.experimental.AUTOTUNE)  #! PIPE903 advice, safe fix
        model.fit(ds.batch(32).map(rescale))
        """,
        required=False,
    ),
    "an option beside one that came with its new name": Case(
        """
        import tensorflow as tf

        options = tf.data.Options()
        options.threading.private_threadpool_size = 4
        options.experimental_deterministic = False  #! PIPE903 advice, safe fix
        model.fit(tf.data.TFRecordDataset(files).batch(32).with_options(options))
        """,
        required=False,
    ),
    "what logs, where nothing tells the version": Case(
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).apply(tf.data.experimental.unique())  #! PIPE903 advice, safe fix
        options = tf.data.Options()
        options.experimental_threading.max_intra_op_parallelism = 1  #! PIPE903 advice, safe fix
        model.fit(ds.batch(32).with_options(options))
        """,
        required=False,
    ),
    "a new name in a comment where a version is required": """
        import tensorflow as tf

        ahead = tf.data.experimental.AUTOTUNE  #! PIPE903 advice, safe fix
        model.fit(tf.data.TFRecordDataset(files).batch(32).prefetch(ahead))  # not yet tf.data.AUTOTUNE
    """,
    "an order that callers choose": """
        import tensorflow as tf

        def load(files, training=False):
            ds = tf.data.Dataset.from_tensor_slices(files)
            return ds.apply(
                tf.data.experimental.parallel_interleave(  #! PIPE903 advice
                    tf.data.TFRecordDataset, cycle_length=4, sloppy=training
                )
            )

        model.fit(load(paths, training=True))
    """,
    "an import": Case(
        """
        from tensorflow.data.experimental import AUTOTUNE as AUTO  #! PIPE903 advice, safe fix
        """,
        """
        from tensorflow.data import AUTOTUNE as AUTO
        """,
    ),
    "options": Case(
        """
        import tensorflow as tf

        options = tf.data.Options()
        options.experimental_deterministic = False  #! PIPE903 advice, safe fix
        options.experimental_threading.private_threadpool_size = 8  #! PIPE903 advice, safe fix
        options.experimental_optimization.map_parallelization = True
        """,
        """
        import tensorflow as tf

        options = tf.data.Options()
        options.deterministic = False
        options.threading.private_threadpool_size = 8
        options.experimental_optimization.map_parallelization = True
        """,
    ),
    "transformations": Case(
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files)
        ds = ds.apply(tf.data.experimental.shuffle_and_repeat(1000, 3, seed=1))  #! PIPE903 advice, unsafe fix
        ds = ds.apply(tf.data.experimental.map_and_batch(parse, 32, drop_remainder=True))  #! PIPE903 advice, unsafe fix
        ds = ds.apply(tf.data.experimental.unbatch())  #! PIPE903 advice, unsafe fix
        """,
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files)
        ds = ds.shuffle(1000, seed=1).repeat(3)
        ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).batch(32, drop_remainder=True)
        ds = ds.unbatch()
        """,
    ),
    "a function at several places of a file, told once": Case(
        """
        import tensorflow as tf
        def ragged(ds):
            return ds.apply(tf.data.experimental.dense_to_ragged_batch(8))  #! PIPE903 advice, safe fix
        train = ragged(tf.data.Dataset.range(80))
        val = ragged(tf.data.Dataset.range(8)).apply(tf.data.experimental.dense_to_ragged_batch(2))
        """,
        """
        import tensorflow as tf
        def ragged(ds):
            return ds.ragged_batch(8)
        train = ragged(tf.data.Dataset.range(80))
        val = ragged(tf.data.Dataset.range(8)).ragged_batch(2)
        """,
    ),
    "an option at several places of a file": Case(
        """
        import tensorflow as tf

        options = tf.data.Options()
        options.experimental_threading.private_threadpool_size = 8  #! PIPE903 advice, safe fix
        options.experimental_threading.max_intra_op_parallelism = 1
        """,
        """
        import tensorflow as tf

        options = tf.data.Options()
        options.threading.private_threadpool_size = 8
        options.threading.max_intra_op_parallelism = 1
        """,
    ),
    "functions that call the new method themselves": Case(
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files)
        ds = ds.apply(tf.data.experimental.take_while(lambda row: row != ""))  #! PIPE903 advice, safe fix
        ds = ds.apply(tf.data.experimental.group_by_window(key, reduce, window_size=8))  #! PIPE903 advice, safe fix
        ds = ds.apply(tf.data.experimental.unique())  #! PIPE903 advice, safe fix
        ds = ds.apply(tf.data.experimental.ignore_errors())  #! PIPE903 advice, safe fix
        ds = ds.apply(tf.data.experimental.dense_to_ragged_batch(batch_size=8))  #! PIPE903 advice, safe fix
        """,
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files)
        ds = ds.take_while(lambda row: row != "")
        ds = ds.group_by_window(key, reduce, window_size=8)
        ds = ds.unique()
        ds = ds.ignore_errors()
        ds = ds.ragged_batch(batch_size=8)
        """,
    ),
    "functions of datasets": """
        import tensorflow as tf

        parts = [tf.data.Dataset.range(8), tf.data.Dataset.range(8)]
        ds = tf.data.experimental.choose_from_datasets(parts, order)  #! PIPE903 advice
        ds = tf.data.experimental.sample_from_datasets([ds, *parts])  #! PIPE903 advice
        print(tf.data.experimental.get_single_element(ds.take(1)))  #! PIPE903 advice
    """,
    "what the target has no more": """
        import tensorflow as tf

        aggregator = tf.data.experimental.StatsAggregator()  #! PIPE903 error
        options = tf.data.Options()
        options.experimental_stats.aggregator = aggregator  #! PIPE903 error
        options.experimental_stats.prefix = "input/"
        print(options.experimental_stats)
    """,
    "options that the target has no more, beside some that it has": """
        import tensorflow as tf

        options = tf.data.Options()
        options.autotune.enabled = True
        options.experimental_optimization.map_fusion = True
        options.experimental_autotune = True  #! PIPE903 error
        options.experimental_optimization.map_vectorization.enabled = True  #! PIPE903 error
    """,
    "questions about something else": Case(
        """
        import numpy as np
        import tensorflow as tf

        class Loader:
            def autotune(self):
                if hasattr(self, "_autotune"):
                    return self._autotune
                return tf.data.experimental.AUTOTUNE  #! PIPE903 advice, safe fix

        if np.__version__ > "2":
            AUTO = tf.data.experimental.AUTOTUNE
        if tf.__version__ < "2.4":
            raise RuntimeError("too old")
        options = tf.data.experimental.AUTOTUNE
        """,
        """
        import numpy as np
        import tensorflow as tf

        class Loader:
            def autotune(self):
                if hasattr(self, "_autotune"):
                    return self._autotune
                return tf.data.AUTOTUNE

        if np.__version__ > "2":
            AUTO = tf.data.AUTOTUNE
        if tf.__version__ < "2.4":
            raise RuntimeError("too old")
        options = tf.data.AUTOTUNE
        """,
    ),
    "a handler that has to do with something else": Case(
        """
        import tensorflow as tf

        try:
            AUTO = tf.data.experimental.AUTOTUNE  #! PIPE903 advice, safe fix
            train(AUTO)
        except Exception:
            print("failed")
        """,
        """
        import tensorflow as tf

        try:
            AUTO = tf.data.AUTOTUNE
            train(AUTO)
        except Exception:
            print("failed")
        """,
    ),
    "a slip in a program for TensorFlow 2": Case(
        """
        import tensorflow as tf

        tf.random.set_seed(1)
        tf.logging.info("start")
        AUTO = tf.data.experimental.AUTOTUNE  #! PIPE903 advice, safe fix
        print(AUTO)
        """,
        """
        import tensorflow as tf

        tf.random.set_seed(1)
        tf.logging.info("start")
        AUTO = tf.data.AUTOTUNE
        print(AUTO)
        """,
    ),
    "a helper of TensorFlow 1 in a program for TensorFlow 2": Case(
        """
        import tensorflow as tf

        tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
        config = tf.compat.v1.ConfigProto()
        config.gpu_options.allow_growth = True
        session = tf.compat.v1.InteractiveSession(config=config)
        AUTO = tf.data.experimental.AUTOTUNE  #! PIPE903 advice, safe fix
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.fit(tf.data.TFRecordDataset(files).map(parse, AUTO).batch(32))
        """,
        """
        import tensorflow as tf

        tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
        config = tf.compat.v1.ConfigProto()
        config.gpu_options.allow_growth = True
        session = tf.compat.v1.InteractiveSession(config=config)
        AUTO = tf.data.AUTOTUNE
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.fit(tf.data.TFRecordDataset(files).map(parse, AUTO).batch(32))
        """,
    ),
}

SILENT: Table = {
    "an alias where nothing tells the version": Case(
        """
        import tensorflow as tf

        options = tf.data.Options()
        options.experimental_deterministic = False
        ds = tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=tf.data.experimental.AUTOTUNE)
        model.fit(ds.batch(32).with_options(options))
        """,
        required=False,
    ),
    "an option whose new name came later than what the file has": Case(
        """
        import tensorflow as tf

        options = tf.data.Options()
        options.experimental_deterministic = False
        ds = tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        model.fit(ds.batch(32).with_options(options))
        """,
        required=False,
    ),
    "the new name taken out for the old one": Case(
        """
        import tensorflow as tf

        tf.keras.mixed_precision.set_global_policy("mixed_float16")
        ds = tf.data.TFRecordDataset(files).map(parse, tf.data.experimental.AUTOTUNE)  # tf.data.AUTOTUNE)
        model.fit(ds.batch(32))
        """,
        required=False,
    ),
    "a file that tests the version, with a name that came later": Case(
        """
        import tensorflow as tf

        if tf.__version__.startswith("2.0"):
            tf.config.set_soft_device_placement(True)
        attention = tf.keras.layers.MultiHeadAttention(4, 64)
        ds = tf.data.TFRecordDataset(files).map(parse, tf.data.experimental.AUTOTUNE)
        model.fit(ds.batch(32))
        """,
        required=False,
    ),
    "a new name that is only tried": Case(
        """
        import tensorflow as tf

        try:
            policy = tf.keras.mixed_precision.set_global_policy
        except AttributeError:
            policy = None
        ds = tf.data.TFRecordDataset(files).map(parse, tf.data.experimental.AUTOTUNE)
        model.fit(ds.batch(32))
        """,
        required=False,
    ),
    "an attribute that only comments read": """
        import tensorflow as tf

        class Photos:
            def __init__(self, size):
                self.size = size
                self.ahead = tf.data.experimental.AUTOTUNE

            def read(self, files):
                # .prefetch(self.ahead)
                return tf.data.TFRecordDataset(files).batch(self.size)

        model.fit(Photos(32).read(["a", "b"]))
    """,
    "beside a function that is gone since the new name came": """
        import tensorflow as tf
        from tensorflow.keras.utils import multi_gpu_model

        model = multi_gpu_model(build(), gpus=2)
        model.fit(tf.data.TFRecordDataset(files).map(parse, tf.data.experimental.AUTOTUNE).batch(32))
    """,
    "a variable that nothing reads": """
        import tensorflow as tf

        AUTO = tf.data.experimental.AUTOTUNE

        def train(model, x, y):
            model.fit(x, y)

        train(tf.keras.Sequential([tf.keras.layers.Dense(1)]), x, y)
    """,
    "still there in the target": Case(
        """
        import tensorflow as tf
        aggregator = tf.data.experimental.StatsAggregator()
        """,
        target=(2, 5),
    ),
    "the new name is tried first": """
        import tensorflow as tf

        try:
            AUTO = tf.data.AUTOTUNE
        except AttributeError:
            AUTO = tf.data.experimental.AUTOTUNE
    """,
    "the new name is tried first, and anything may go wrong": """
        import tensorflow as tf

        try:
            AUTO = tf.data.AUTOTUNE
        except:
            AUTO = tf.data.experimental.AUTOTUNE
    """,
    "the old name is tried first": """
        try:
            from tensorflow.data.experimental import AUTOTUNE
        except ImportError:
            from tensorflow.data import AUTOTUNE
    """,
    "a default for a name that may be missing": """
        import tensorflow as tf
        AUTO = getattr(tf.data, "AUTOTUNE", tf.data.experimental.AUTOTUNE)
    """,
    "a look whether the name is there": """
        import tensorflow as tf

        AUTO = hasattr(tf.data, "AUTOTUNE") and tf.data.AUTOTUNE or tf.data.experimental.AUTOTUNE
        if not hasattr(tf.data, "AUTOTUNE"):
            AUTO = tf.data.experimental.AUTOTUNE
    """,
    "the version decides": """
        import tensorflow as tf
        from packaging.version import Version

        recent = Version(tf.__version__) >= Version("2.4")
        if recent:
            AUTO = tf.data.AUTOTUNE
        else:
            AUTO = tf.data.experimental.AUTOTUNE
    """,
    "the version decides, and leaves early": """
        import tensorflow as tf

        def is_recent():
            return int(tf.__version__.split(".")[1]) >= 4

        def autotune():
            if is_recent():
                return tf.data.AUTOTUNE
            return tf.data.experimental.AUTOTUNE
    """,
    "an attribute that holds the version decides": """
        import tensorflow as tf

        class Input:
            def __init__(self):
                self.installed = tf.version.VERSION

            def read(self, files):
                if self.installed == "2.3.1":
                    ahead = tf.data.experimental.AUTOTUNE
                else:
                    ahead = tf.data.AUTOTUNE
                return tf.data.TFRecordDataset(files).batch(32).prefetch(ahead)

        model.fit(Input().read(["a", "b"]))
    """,
    "the version decides on the transformation": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files)
        if tf.__version__ < "2":
            ds = ds.apply(tf.data.experimental.map_and_batch(parse, 32))
        else:
            ds = ds.map(parse).batch(32)
    """,
    "a target without the new name": Case(
        """
        import tensorflow as tf
        A = tf.data.experimental.AUTOTUNE
        """,
        target=(2, 3),
    ),
    "a target that may lack the methods": Case(
        """
        import tensorflow as tf
        ds = tf.data.TFRecordDataset(files).apply(tf.data.experimental.take_while(lambda row: row != ""))
        """,
        target=(2, 5),
    ),
    "code for TensorFlow 1": """
        import tensorflow.compat.v1 as tf

        AUTO = tf.data.experimental.AUTOTUNE
    """,
    "beside what today's TensorFlow lacks": """
        import tensorflow as tf

        policy = tf.keras.mixed_precision.experimental.Policy("mixed_float16")
        AUTO = tf.data.experimental.AUTOTUNE
        ds = tf.data.TFRecordDataset(files).map(parse, AUTO)
    """,
    "still experimental": """
        import tensorflow as tf
        shards = tf.data.experimental.AutoShardPolicy.DATA
    """,
}
