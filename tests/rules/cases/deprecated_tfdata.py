"""PIPE903 deprecated-tfdata: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "an import": Case(
        """
        from tensorflow.data.experimental import AUTOTUNE as AUTO  #! PIPE903 warning, safe fix
        """,
        """
        from tensorflow.data import AUTOTUNE as AUTO
        """,
    ),
    "options": Case(
        """
        import tensorflow as tf

        options = tf.data.Options()
        options.experimental_deterministic = False  #! PIPE903 warning, safe fix
        options.experimental_threading.private_threadpool_size = 8  #! PIPE903 warning, safe fix
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
        ds = ds.apply(tf.data.experimental.shuffle_and_repeat(1000, 3, seed=1))  #! PIPE903 warning, unsafe fix
        ds = ds.apply(tf.data.experimental.map_and_batch(parse, 32, drop_remainder=True))  #! PIPE903 warning, unsafe fix
        ds = ds.apply(tf.data.experimental.unbatch())  #! PIPE903 warning, unsafe fix
        """,
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files)
        ds = ds.shuffle(1000, seed=1).repeat(3)
        ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).batch(32, drop_remainder=True)
        ds = ds.unbatch()
        """,
    ),
}

SILENT: Table = {
    "a target without the new name": Case(
        """
        import tensorflow as tf
        A = tf.data.experimental.AUTOTUNE
        """,
        target=(2, 3),
    ),
    "code for TensorFlow 1": """
        import tensorflow.compat.v1 as tf

        AUTO = tf.data.experimental.AUTOTUNE
    """,
    "still experimental": """
        import tensorflow as tf
        shards = tf.data.experimental.AutoShardPolicy.DATA
    """,
}
