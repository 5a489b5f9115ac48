"""PIPE401 shuffle-after-batch: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "a buffer of as many as there are examples": Case(
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files)
        number = ds.cardinality().numpy()
        ds = ds.batch(32).shuffle(number)  #! PIPE401 warning, unsafe fix
        model.fit(ds.prefetch(1), epochs=9)
        """,
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files)
        number = ds.cardinality().numpy()
        ds = ds.shuffle(number).batch(32)
        model.fit(ds.prefetch(1), epochs=9)
        """,
    ),
    "a buffer that is a product": Case(
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset("one.tfrecord").map(parse, num_parallel_calls=8)
        ds = ds.batch(size).shuffle(size * 2)  #! PIPE401 warning, unsafe fix
        model.fit(ds.prefetch(1))
        """,
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset("one.tfrecord").map(parse, num_parallel_calls=8)
        ds = ds.shuffle(size * 2).batch(size)
        model.fit(ds.prefetch(1))
        """,
    ),
    "a buffer that is enough for examples stays as it is": Case(
        """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(100).shuffle(25_000)  #! PIPE401 warning, unsafe fix
        model.fit(ds, epochs=10)
        """,
        """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(25_000).batch(100)
        model.fit(ds, epochs=10)
        """,
    ),
    "in one chain": Case(
        """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32).shuffle(1000).prefetch(tf.data.AUTOTUNE)  #! PIPE401 warning, unsafe fix
        model.fit(ds, epochs=10)
        """,
        """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000 * 32).batch(32).prefetch(tf.data.AUTOTUNE)
        model.fit(ds, epochs=10)
        """,
    ),
    "line by line": Case(
        """
        import tensorflow as tf

        train = tf.data.TFRecordDataset(files)
        train = train.padded_batch(32, drop_remainder=True)
        train = train.shuffle(  #! PIPE401 warning, unsafe fix
            buffer_size=1000,  # examples
        )
        model.fit(train.prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
        """
        import tensorflow as tf

        train = tf.data.TFRecordDataset(files)
        train = train.shuffle(
            buffer_size=1000 * 32,  # examples
        )
        train = train.padded_batch(32, drop_remainder=True)
        model.fit(train.prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
    ),
    "names of a configuration": Case(
        """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(x).batch(config.BATCH).shuffle(BUFFER)  #! PIPE401 warning, unsafe fix
        model.fit(ds, epochs=10)
        """,
        """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(x).shuffle(BUFFER).batch(config.BATCH)
        model.fit(ds, epochs=10)
        """,
    ),
    "a buffer that holds everything": Case(
        """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(x).batch(32).shuffle(len(x))  #! PIPE401 warning, unsafe fix
        model.fit(ds, epochs=10)
        """,
        """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(x).shuffle(len(x)).batch(32)
        model.fit(ds, epochs=10)
        """,
    ),
    "arrays that a function draws once and trains on in many epochs": """
        import numpy as np
        import tensorflow as tf

        @tf.function
        def step(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x) - y))
            weights = model.trainable_variables
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))

        def train(x, y):
            order = np.random.permutation(len(x))
            ds = tf.data.Dataset.from_tensor_slices((x[order], y[order]))
            ds = ds.batch(32).shuffle(len(x))  #! PIPE401 warning, unsafe fix
            for epoch in range(10):
                for rows, labels in ds.prefetch(1):
                    step(rows, labels)
    """,
    "arrays that nobody draws, once in each call": """
        import tensorflow as tf

        @tf.function
        def step(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x) - y))
            weights = model.trainable_variables
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))

        def train(x, y):
            ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32).shuffle(len(x)).prefetch(1)  #! PIPE401 warning, unsafe fix
            for rows, labels in ds:
                step(rows, labels)

        for epoch in range(10):
            train(x, y)
    """,
    "arrays that a function draws, and another one goes through in each epoch": """
        import numpy as np
        import tensorflow as tf

        @tf.function
        def step(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x) - y))
            weights = model.trainable_variables
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))

        def make(x, y):
            order = np.random.permutation(len(x))
            ds = tf.data.Dataset.from_tensor_slices((x[order], y[order]))
            return ds.batch(32).shuffle(len(x)).prefetch(1)  #! PIPE401 warning, unsafe fix

        def train(ds):
            for rows, labels in ds:
                step(rows, labels)

        ds = make(x, y)
        for epoch in range(10):
            train(ds)
    """,
    "behind a cache: moving it up would freeze the order": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).batch(32).cache().shuffle(100)  #! PIPE401 advice
        model.fit(ds.prefetch(tf.data.AUTOTUNE), epochs=10)
    """,
    "records of files that are read in turn": """
        import tensorflow as tf

        names = tf.data.Dataset.list_files("train-*.tfrecord", shuffle=False)
        ds = names.interleave(tf.data.TFRecordDataset, cycle_length=4).map(parse).batch(32)
        model.fit(ds.shuffle(100), epochs=5)  #! PIPE401 warning, unsafe fix
    """,
    "a builder that the module itself only tries out": """
        import tensorflow as tf

        def load(names):
            ds = tf.data.TFRecordDataset(names).batch(32)
            return ds.shuffle(100)  #! PIPE401 advice, unsafe fix

        def main():
            for batch in load(["a", "b"]).take(3):
                print(batch)

        if __name__ == "__main__":
            main()
    """,
    "tried out and evaluated by different builders": """
        import tensorflow as tf

        def read(names, shuffled):
            ds = tf.data.TFRecordDataset(names).batch(32)
            if shuffled:
                ds = ds.shuffle(100)  #! PIPE401 advice
            return ds

        def for_training(names):
            return read(names, True)

        def for_evaluation(names):
            return read(names, False)

        if __name__ == "__main__":
            for batch in for_training(["a"]):
                print(batch)
                break
    """,
}

SILENT: Table = {
    "arrays that a function draws in each call, for a single pass": """
        import tensorflow as tf

        @tf.function
        def step(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x) - y))
            weights = model.trainable_variables
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))

        class Learner:
            def draw(self):
                rows = self.memory.sample(self.memory.size())
                return rows["state"], rows["value"]

            def learn(self, passes=1):
                ds = tf.data.Dataset.from_tensor_slices(self.draw())
                ds = ds.batch(self.size).shuffle(1000).repeat(passes).prefetch(1)
                for rows, labels in ds:
                    step(rows, labels)

            def run(self):
                while self.plays():
                    self.learn(passes=1)
    """,
    "a buffer of one batch moves none": """
        import tensorflow as tf

        model.fit(tf.data.TFRecordDataset(files).batch(32).shuffle(1), epochs=5)
    """,
    "shuffled before too": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(1000).batch(32).shuffle(10).prefetch(tf.data.AUTOTUNE)
        model.fit(ds, epochs=10)
    """,
    "a source that gives batches": """
        import tensorflow as tf

        ds = tf.keras.utils.image_dataset_from_directory("images").shuffle(10)
        model.fit(ds.prefetch(tf.data.AUTOTUNE), epochs=10)
    """,
    "sequences that are batched later": """
        import tensorflow as tf

        chars = tf.data.Dataset.from_tensor_slices(ids).batch(101, drop_remainder=True).map(split)
        model.fit(chars.shuffle(10_000).batch(64).prefetch(tf.data.AUTOTUNE), epochs=10)
    """,
    "files in another order each time": """
        import tensorflow as tf

        ds = tf.data.Dataset.list_files("train-*.tfrecord").interleave(tf.data.TFRecordDataset).map(parse)
        model.fit(ds.batch(32).shuffle(100), epochs=5)
    """,
    "each file is shuffled as it is read": """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(names)
        ds = ds.interleave(lambda name: tf.data.TFRecordDataset(name).shuffle(500), cycle_length=4)
        model.fit(ds.map(parse).batch(32).shuffle(100), epochs=5)
    """,
    "what is read in turn is out of sight": """
        import tensorflow as tf
        from readers import read

        ds = tf.data.Dataset.list_files("*.bin", shuffle=False).interleave(read, cycle_length=4)
        model.fit(ds.batch(32).shuffle(100), epochs=5)
    """,
    "windows that are batched": """
        import tensorflow as tf

        ds = tf.data.Dataset.range(1000).window(10, shift=1).flat_map(lambda window: window.batch(10))
        model.fit(ds.batch(32).shuffle(100), epochs=5)
    """,
    "a program that only looks at what it builds": """
        import tensorflow as tf

        def load(names):
            return tf.data.TFRecordDataset(names).batch(32).shuffle(100)

        for batch in load(["a", "b"]).take(3):
            print(batch)
    """,
    "a look inside a function that nobody can import": """
        import tensorflow as tf

        def main():
            def load(names):
                return tf.data.TFRecordDataset(names).batch(32).shuffle(100)
            for batch in load(["a", "b"]).take(3):
                print(batch)

        if __name__ == "__main__":
            main()
    """,
}
