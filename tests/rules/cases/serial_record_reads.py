"""PIPE204 serial-record-reads: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "each host takes its part of the records, in an order that all must agree on": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(["a", "b"]).shard(hosts, host)  #! PIPE204 advice
        model.fit(ds.map(parse).batch(32).prefetch(1))
    """,
    "a list of files, or one that is put into a list": """
        import tensorflow as tf

        def by_type(files):
            if type(files) is str:
                files = [files]
            ds = tf.data.TFRecordDataset(files)  #! PIPE204 advice, unsafe fix
            return ds.map(parse).shuffle(1000).batch(32)

        def by_instance(files):
            if not isinstance(files, (list, tuple)):
                files = [files]
            ds = tf.data.TFRecordDataset(files)  #! PIPE204 advice, unsafe fix
            return ds.map(parse).shuffle(1000).batch(32)
    """,
    "a list of files": Case(
        """
        import glob, os
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(["a.tfrecord", "b.tfrecord"])  #! PIPE204 advice, unsafe fix
        model.fit(ds.map(parse).batch(32))
        """,
        """
        import glob, os
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(["a.tfrecord", "b.tfrecord"], num_parallel_reads=tf.data.AUTOTUNE)
        model.fit(ds.map(parse).batch(32))
        """,
    ),
    "a comprehension": Case(
        """
        import glob, os
        import tensorflow as tf

        files = [f'{folder}/{i}.tfrecord' for i in range(8)]
        ds = tf.data.TFRecordDataset(files)  #! PIPE204 advice, unsafe fix
        model.fit(ds.map(parse).batch(32))
        """,
        """
        import glob, os
        import tensorflow as tf

        files = [f'{folder}/{i}.tfrecord' for i in range(8)]
        ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
        model.fit(ds.map(parse).batch(32))
        """,
    ),
    "most of what a glob finds": Case(
        """
        import glob, os
        import tensorflow as tf

        files = sorted(glob.glob(os.path.join(folder, "*.tfrecord")))
        train, held_out = files[:-4], files[-4:]
        ds = tf.data.TFRecordDataset(train, num_parallel_reads=None)  #! PIPE204 advice, unsafe fix
        model.fit(ds.map(parse).batch(32))
        """,
        """
        import glob, os
        import tensorflow as tf

        files = sorted(glob.glob(os.path.join(folder, "*.tfrecord")))
        train, held_out = files[:-4], files[-4:]
        ds = tf.data.TFRecordDataset(train, num_parallel_reads=tf.data.AUTOTUNE)
        model.fit(ds.map(parse).batch(32))
        """,
    ),
    "a dataset of files": Case(
        """
        import glob, os
        import tensorflow as tf

        files = tf.data.Dataset.list_files("*.tfrecord").shuffle(8)
        ds = tf.data.TFRecordDataset(files)  #! PIPE204 advice, unsafe fix
        model.fit(ds.map(parse).batch(32))
        """,
        """
        import glob, os
        import tensorflow as tf

        files = tf.data.Dataset.list_files("*.tfrecord").shuffle(8)
        ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
        model.fit(ds.map(parse).batch(32))
        """,
    ),
    "several files by way of a function": Case(
        """
        import glob, os
        import tensorflow as tf

        def read(files):
            return tf.data.TFRecordDataset(files)  #! PIPE204 advice, unsafe fix

        ds = read(glob.glob("a/*") + glob.glob("b/*"))
        model.fit(ds.map(parse).batch(32))
        """,
        """
        import glob, os
        import tensorflow as tf

        def read(files):
            return tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)

        ds = read(glob.glob("a/*") + glob.glob("b/*"))
        model.fit(ds.map(parse).batch(32))
        """,
    ),
    "flat_map over paths, with more behind the reader": """
        import glob, os
        import tensorflow as tf

        paths = tf.data.Dataset.from_tensor_slices(files)
        ds = paths.flat_map(lambda path: tf.data.TFRecordDataset(path, "GZIP").skip(1))  #! PIPE204 advice
        model.fit(ds.map(parse).batch(32))
    """,
    "the same reader feeds predictions, whose order counts": """
        import tensorflow as tf

        def load(files):
            return tf.data.TFRecordDataset(files).map(parse).batch(32)  #! PIPE204 advice

        model.fit(load(["a", "b"]))
        scores = model.predict(load(["c", "d"]))
    """,
    "a directory": """
        import os
        import tensorflow as tf

        def load(path):
            if not os.path.isfile(path):
                return tf.data.Dataset.list_files(path + "/*").flat_map(tf.data.TFRecordDataset).batch(32)  #! PIPE204 advice

        model.fit(load(where))
    """,
}

SILENT: Table = {
    "one file in this branch": """
        import glob
        import tensorflow as tf

        files = glob.glob("train-*")
        if len(files) > 1:
            ds = tf.data.TFRecordDataset(files, num_parallel_reads=4)
        else:
            ds = tf.data.TFRecordDataset(files)
        model.fit(ds.map(parse).batch(32))
    """,
    "a test tells that it is one file": """
        import os
        import tensorflow as tf

        def load(pattern):
            if os.path.isfile(pattern):
                files = tf.data.Dataset.list_files(pattern)
                ds = files.flat_map(tf.data.TFRecordDataset)
            else:
                files = tf.data.Dataset.list_files(pattern + "/*.tfrecord")
                ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
            return ds.map(parse).batch(32)

        model.fit(load(where))
    """,
    "no directory": """
        import tensorflow as tf

        def load(path):
            if tf.io.gfile.isdir(path):
                return None
            return tf.data.Dataset.list_files(path).flat_map(tf.data.TFRecordDataset).map(parse).batch(32)

        model.fit(load(where))
    """,
    "the list holds one": """
        import tensorflow as tf

        files = tf.io.gfile.glob("train-*.tfrecord")
        if len(files) == 1:
            model.fit(tf.data.TFRecordDataset(files).map(parse).batch(32))
    """,
    "no list": """
        import tensorflow as tf

        def load(files):
            if isinstance(files, (list, tuple)):
                ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
            else:
                ds = tf.data.Dataset.list_files(files).flat_map(tf.data.TFRecordDataset)
            return ds.map(parse).batch(32)

        model.fit(load(where))
    """,
    "a string": """
        import tensorflow as tf

        def load(files):
            if isinstance(files, str):
                paths = tf.data.Dataset.from_tensor_slices(tf.expand_dims(files, 0))
                return paths.flat_map(tf.data.TFRecordDataset).batch(32)

        model.fit(load(where))
    """,
    "a plain name in a directory": """
        import os
        import tensorflow as tf

        for files in (
            tf.data.Dataset.list_files(os.path.join(folder, "train.tfrecord")),
            tf.data.Dataset.list_files(f"{folder}/train.tfrecord"),
            tf.data.Dataset.list_files(folder + "/train.tfrecord"),
        ):
            model.fit(files.flat_map(tf.data.TFRecordDataset).map(parse).batch(32))
    """,
    "a parameter that is one path at each call": """
        import tensorflow as tf

        def load(files):
            return tf.data.TFRecordDataset(files).map(parse).batch(32)

        model.fit(load("train.tfrecord"), validation_data=load(["test.tfrecord"]))
    """,
    "a glob that matches one file": """
        import glob, os
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(glob.glob("a.tfrecord"))
        model.fit(ds.map(parse).batch(32))
    """,
    "the first of many files": """
        import glob, os
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(glob.glob("*.tfrecord")[0])
        model.fit(ds.map(parse).batch(32))
    """,
    "a slice of one": """
        import glob, os
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(glob.glob("*.tfrecord")[:1])
        model.fit(ds.map(parse).batch(32))
    """,
    "a path that is put together": """
        import glob, os
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(os.path.join(folder, "a"))
        model.fit(ds.map(parse).batch(32))
    """,
    "one path in a list": """
        import glob, os
        import tensorflow as tf

        ds = tf.data.TFRecordDataset([os.path.join(folder, name)])
        model.fit(ds.map(parse).batch(32))
    """,
    "one file here, several there, as a parameter": """
        import glob, os
        import tensorflow as tf

        def read(files, readers):
            return tf.data.TFRecordDataset(files, num_parallel_reads=readers)
        ds = read(['a', 'b'], n)
        model.fit(ds.map(parse).batch(32))
    """,
    "options out of sight": """
        import glob, os
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(['a', 'b'], **options)
        model.fit(ds.map(parse).batch(32))
    """,
    "kept by a cache": """
        import glob, os
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(['a', 'b']).cache()
        model.fit(ds.map(parse).batch(32))
    """,
    "flat_map over the path of one file": """
        import glob, os
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices([path]).flat_map(tf.data.TFRecordDataset)
        model.fit(ds.map(parse).batch(32))
    """,
    "flat_map in a function that is read in parallel": """
        import glob, os
        import tensorflow as tf

        files = tf.data.Dataset.list_files("*.tfrecord")
        ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        model.fit(ds.map(parse).batch(32))
    """,
    "the order of predictions counts": """
        import tensorflow as tf

        model.predict(tf.data.TFRecordDataset(["a", "b"]).map(parse).batch(32))
    """,
    "a loop that converts records": """
        import tensorflow as tf

        for record in tf.data.TFRecordDataset(["a", "b"]):
            writer.write(convert(record.numpy()))
    """,
    "handed out in order, as it may be wanted": """
        import tensorflow as tf

        def batches(pattern):
            files = tf.data.Dataset.list_files(pattern, shuffle=False)
            return files.flat_map(tf.data.TFRecordDataset).map(parse).batch(32)
    """,
}
