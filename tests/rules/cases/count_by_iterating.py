"""PIPE508 count-by-iterating: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "a comprehension that ignores them": Case(
        """
        import tensorflow as tf

        steps = len([0 for _ in tf.data.Dataset.list_files("photos/*").batch(32)])  #! PIPE508 advice, unsafe fix
        """,
        """
        import tensorflow as tf

        steps = len(tf.data.Dataset.list_files("photos/*").batch(32))
        """,
    ),
    "a data set of TensorFlow Datasets": Case(
        """
        import tensorflow as tf
        import tensorflow_datasets as tfds

        train = tfds.load("cifar10", split="train").map(prepare).batch(64)
        steps = sum(1 for batch in train)  #! PIPE508 advice, unsafe fix
        """,
        """
        import tensorflow as tf
        import tensorflow_datasets as tfds

        train = tfds.load("cifar10", split="train").map(prepare).batch(64)
        steps = len(train)
        """,
    ),
    "a reduction that adds one for each": Case(
        """
        import numpy as np
        import tensorflow as tf

        ds = tf.data.Dataset.list_files("photos/*").map(decode)
        batches = ds.batch(32).reduce(np.int64(0), lambda n, _: n + 1).numpy()  #! PIPE508 advice, unsafe fix
        photos = ds.reduce(tf.constant(0), lambda count, photo: 1 + count)  #! PIPE508 advice
        photos += ds.reduce(initial_state=0, reduce_func=lambda n, _: n + 1)  #! PIPE508 advice
        """,
        """
        import numpy as np
        import tensorflow as tf

        ds = tf.data.Dataset.list_files("photos/*").map(decode)
        batches = len(ds.batch(32))
        photos = ds.reduce(tf.constant(0), lambda count, photo: 1 + count)  #! PIPE508 advice
        photos += ds.reduce(initial_state=0, reduce_func=lambda n, _: n + 1)  #! PIPE508 advice
        """,
    ),
}
SILENT: Table = {
    "reductions that do not count": """
        import tensorflow as tf

        ds = tf.data.Dataset.list_files("photos/*").map(size_of)
        print(ds.reduce(0, lambda n, size: n + size), ds.reduce(1, lambda n, _: n + 1), ds.reduce(0, lambda n, _: n + 2))
        print(ds.reduce(0.5, lambda n, _: n + 1), ds.reduce(0, lambda n, m: m + 1), ds.reduce(0, step))
    """,
    "reductions of what has no known number": """
        import tensorflow as tf

        lines = tf.data.TextLineDataset("names").batch(32)
        print(lines.reduce(0, lambda n, _: n + 1), tf.data.Dataset.from_generator(make, tf.int64).reduce(0, lambda n, _: n + 1))
        print(tf.data.Dataset.list_files("photos/*").filter(is_large).reduce(0, lambda n, _: n + 1).numpy())
    """,
    "a reduction in a graph, where a dataset has no length": """
        import tensorflow as tf

        @tf.function
        def photos():
            return tf.data.Dataset.list_files("photos/*").map(decode).reduce(0, lambda n, _: n + 1)

        photos()
    """,
    "enumerate gives an iterator, which has no length": """
        import tensorflow as tf

        train = tf.data.Dataset.range(100_000).map(lambda x: x + 1)
        numbered = enumerate(train)
        print(len(list(numbered)), len(list(enumerate(train))))
    """,
    "a filter": """
        import tensorflow as tf
        kept = len(list(tf.data.Dataset.list_files("photos/*").filter(is_large)))
    """,
    "without an end": """
        import tensorflow as tf
        steps = len(list(tf.data.Dataset.list_files("photos/*").repeat()))
    """,
    "datasets that have no length yet": Case(
        """
        import tensorflow as tf
        steps = len(list(tf.data.Dataset.list_files("photos/*").batch(32)))
        """,
        target=(2, 2),
    ),
    "a handful in memory": """
        import tensorflow as tf
        print(len(list(tf.data.Dataset.range(10).batch(3))))
    """,
    "a sum of what they hold": """
        import tensorflow as tf
        ds = tf.data.Dataset.list_files("photos/*").map(size_of)
        print(sum(size for size in ds), sum(0 for _ in ds))
    """,
    "no dataset": """
        import tensorflow as tf
        print(len(list(files)), sum(1 for _ in files))
    """,
    "a test of what comes out": """
        import tensorflow as tf

        def test_all_are_read():
            assert len(list(tf.data.Dataset.list_files("photos/*").map(decode))) == 12
    """,
}
