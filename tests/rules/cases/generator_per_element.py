"""PIPE501 generator-per-element: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "one generator for several datasets, told once": """
        import tensorflow as tf

        def rows(table):
            for row in table:
                yield row + 1

        train = tf.data.Dataset.from_generator(rows, args=[ours], output_signature=spec)  #! PIPE501 warning
        test = tf.data.Dataset.from_generator(rows, args=[theirs], output_signature=spec)
        model.fit(train.batch(16), validation_data=test.batch(16))
    """,
    "made by another function, to read files or what is in memory": """
        import numpy as np
        import tensorflow as tf

        def reading(paths):
            def rows():
                for path in paths:
                    yield np.load(path)
            return rows

        def counting(table):
            def rows():
                for row in table:
                    yield row + 1
            return rows

        files = tf.data.Dataset.from_generator(reading(paths), output_signature=spec)
        table = tf.data.Dataset.from_generator(counting(values), output_signature=spec)  #! PIPE501 warning
        model.fit(files.batch(16))
        model.fit(table.batch(16))
    """,
    "rows of what is in memory": """
        import random
        import numpy as np
        import tensorflow as tf

        table = np.load("table.npy")

        def rows():
            order = list(range(len(table)))
            random.shuffle(order)
            for index in order:
                yield table[index].astype("float32"), labels[index].tolist()

        model.fit(tf.data.Dataset.from_generator(rows, (tf.float32, tf.int32)).batch(32))  #! PIPE501 warning
    """,
    "lines of a file, taken apart in Python": """
        import json
        import statistics
        import tensorflow as tf

        def summary(values):
            return statistics.mean(values), max(values)

        def sessions(path):
            with open(path) as file:
                for line in file:
                    yield summary(json.loads(line)["values"])

        model.fit(tf.data.Dataset.from_generator(lambda: sessions("a"), (tf.float32, tf.float32)).batch(32))  #! PIPE501 warning
    """,
    "each element is read and decoded": """
        import cv2
        import tensorflow as tf

        class Frames:
            def __call__(self):
                for path in paths:
                    yield cv2.imread(path)

        model.fit(tf.data.Dataset.from_generator(Frames(), tf.uint8).batch(32))  #! PIPE501 advice
    """,
    "with arguments that are given beforehand": """
        import functools
        import tensorflow as tf

        def pairs(rows, labels):
            for row, label in zip(rows, labels):
                yield row, label

        train_pairs = functools.partial(pairs, rows=train_rows, labels=train_labels)
        ds = tf.data.Dataset.from_generator(train_pairs, output_types=("int32", "int32"))  #! PIPE501 warning
        model.fit(ds.shuffle(1000).batch(32))
    """,
    "numpy computes an array of any size for each element, or a number": """
        import numpy as np
        import tensorflow as tf

        def noise():
            for _ in range(1000):
                yield np.random.normal(0.0, 1.0, size=shape).astype(np.float32)

        def dice():
            while True:
                yield np.int32(np.random.randint(1, 7))

        images = tf.data.Dataset.from_generator(noise, output_signature=spec)  #! PIPE501 advice
        throws = tf.data.Dataset.from_generator(dice, output_types=tf.int32)  #! PIPE501 warning
        model.fit(images.batch(32))
        model.fit(throws.batch(32), steps_per_epoch=100)
    """,
    "sequences of any length": """
        import cv2
        import tensorflow as tf

        def sentences():
            for path in scans:
                yield cv2.imread(path).reshape(-1)

        ds = tf.data.Dataset.from_generator(sentences, output_signature=tf.TensorSpec((None,), tf.int32))  #! PIPE501 advice
        model.fit(ds.map(mask).shuffle(1000).padded_batch(32))
    """,
    "handed out in batches": """
        import cv2
        import tensorflow as tf

        def rows(path):
            for name in names_in(path):
                yield cv2.imread(name)

        def make(path):
            return tf.data.Dataset.from_generator(lambda: rows(path), tf.float32).batch(32)  #! PIPE501 advice
    """,
    "batched by the caller": """
        import cv2
        import tensorflow as tf

        def rows(path):
            for name in names_in(path):
                yield cv2.imread(name)

        def make(path):
            return tf.data.Dataset.from_generator(lambda: rows(path), tf.float32)  #! PIPE501 advice

        model.fit(make("a").repeat().batch(32), steps_per_epoch=10)
    """,
    "in a pair with other data": """
        import tensorflow as tf

        def load_images():
            for path in paths:
                yield tf.io.decode_jpeg(tf.io.read_file(path))

        images = tf.data.Dataset.from_generator(load_images, tf.float32)  #! PIPE501 advice
        ds = tf.data.Dataset.zip((images, tf.data.Dataset.from_tensor_slices(labels)))
        model.fit(ds.batch(32))
    """,
}

SILENT: Table = {
    "a generator that is out of sight": """
        import tensorflow as tf
        from elsewhere import sentences

        ds = tf.data.Dataset.from_generator(sentences, output_signature=tf.TensorSpec((None,), tf.int32))
        model.fit(ds.map(mask).shuffle(1000).padded_batch(32))
    """,
    "sequences in memory that are padded, which no slices hold": """
        import tensorflow as tf

        sequences = [row.values for _, row in table.groupby("user")]
        ds = tf.data.Dataset.from_generator(lambda: sequences, output_types=tf.int32)
        model.fit(ds.shuffle(100).padded_batch(25, padded_shapes=[None]), epochs=9)
    """,
    "calls of which it is not known whether a map could make them": """
        import tensorflow as tf

        def pictures():
            for path in paths:
                yield decode(path)

        model.fit(tf.data.Dataset.from_generator(pictures, tf.uint8).batch(32))
    """,
    "files are listed once, and what a library does with each is no work of TensorFlow's": """
        import cv2
        import films
        import tensorflow as tf

        def frames():
            for path in tf.io.gfile.glob("films/*.avi"):
                for frame in films.frames_of(path):
                    yield cv2.cvtColor(frame, cv2.COLOR_BGR2RGB)

        model.fit(tf.data.Dataset.from_generator(frames, output_signature=spec).batch(16))
    """,
    "kept after the first epoch": """
        import tensorflow as tf

        def rows():
            for row in table:
                yield row

        model.fit(tf.data.Dataset.from_generator(rows, tf.float32).cache().batch(32), epochs=10)
    """,
    "examples that a library makes out of draws, without an end": """
        import random
        import networkx as nx
        import tensorflow as tf

        def graphs():
            while True:
                graph = nx.gnp_random_graph(random.randint(5, 20), 0.3)
                yield nx.to_numpy_array(graph), nx.average_clustering(graph)

        model.fit(tf.data.Dataset.from_generator(graphs, (tf.float32, tf.float32)).batch(32), steps_per_epoch=100)
    """,
    "draws that stand for data which is not there": """
        import tensorflow as tf

        def made_up():
            while True:
                yield tf.random.uniform([224, 224, 3]), tf.random.uniform([1], maxval=999, dtype=tf.int32)

        model.fit(tf.data.Dataset.from_generator(made_up, (tf.float32, tf.int32)).batch(32).prefetch(1))
    """,
    "names of files that a later map reads, in the graph and in Python": """
        import numpy as np
        import tensorflow as tf

        def names():
            for name in listed:
                yield name

        def read(name):
            return tf.io.decode_jpeg(tf.io.read_file(name))

        def load(name):
            return tf.numpy_function(np.load, [name], tf.float32)

        images = tf.data.Dataset.from_generator(names, tf.string).map(read).batch(32)
        arrays = tf.data.Dataset.from_generator(names, tf.string).map(load).batch(32)
        model.fit(images)
        model.fit(arrays)
    """,
    "handed out one by one": """
        import tensorflow as tf

        def make():
            return tf.data.Dataset.from_generator(rows, tf.float32)
    """,
    "a look at a few": """
        import tensorflow as tf

        for batch in tf.data.Dataset.from_generator(rows, tf.float32).batch(4).take(2):
            inspect(batch)
    """,
    "each element holds many examples": """
        import tensorflow as tf

        files = tf.data.Dataset.from_generator(tables, tf.float32)
        model.fit(files.flat_map(tf.data.Dataset.from_tensor_slices).batch(32))
    """,
    "batches of another size": """
        import tensorflow as tf

        model.fit(tf.data.Dataset.from_generator(batches, tf.float32).rebatch(64))
    """,
    "one element is the batch": """
        import tensorflow as tf

        model.fit(tf.data.Dataset.from_generator(volumes, tf.float32).batch(1))
    """,
    "only evaluated beside the training": """
        import tensorflow as tf

        def held_out():
            for row in rows:
                yield row, row.sum()

        valid = tf.data.Dataset.from_generator(held_out, output_signature=spec).batch(32)
        model.fit(train, epochs=10, validation_data=valid)
    """,
}
