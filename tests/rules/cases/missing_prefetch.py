"""PIPE101 missing-prefetch: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "a figure now and then, and one beside each step of a training": Case(
        """
        import matplotlib.pyplot as plt
        import tensorflow as tf

        for number, batch in enumerate(tf.data.TFRecordDataset("test").batch(32)):  #! PIPE101 advice, safe fix
            scores = model.predict(batch)
            if number % 100 == 0:
                plt.plot(scores)
                plt.show()
        for batch in tf.data.TFRecordDataset("train").batch(32):  #! PIPE101 advice, safe fix
            losses.append(model.train_on_batch(batch))
            plt.plot(losses)
            plt.savefig("losses.png")
        """,
        target=(2, 8),
    ),
    "a comment that only speaks of a prefetch, or switches that of another dataset off": Case(
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).batch(32)  #! PIPE101 advice, safe fix
        # prefetch is still missing here: other = other.prefetch(1)
        # other = other.prefetch(1)
        model.fit(ds)
        """,
        target=(2, 8),
    ),
    "batches of sequences of about one length": Case(
        """
        import tensorflow as tf

        def sentences(lines):
            ds = tf.data.TextLineDataset(lines).map(tf.strings.unicode_decode, num_parallel_calls=8)
            return ds.bucket_by_sequence_length(tf.size, [20, 40], [64, 32, 16])  #! PIPE101 advice, safe fix
    """,
        target=(2, 8),
    ),
    "two of one dataset in a line, which are mended one after the other": Case(
        """
        import tensorflow as tf

        ds = tf.keras.utils.image_dataset_from_directory("a")
        ds = ds.map(lambda x, y: (x / 255, y), num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.cache()  #! PIPE101 advice, safe fix
        model.fit(ds.unbatch().batch(32), validation_data=ds)
        """,
        """
        import tensorflow as tf

        ds = tf.keras.utils.image_dataset_from_directory("a")
        ds = ds.map(lambda x, y: (x / 255, y), num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.cache()
        model.fit(ds.unbatch().batch(32).prefetch(tf.data.AUTOTUNE), validation_data=ds.prefetch(tf.data.AUTOTUNE))
        """,
        target=(2, 8),
    ),
    "fit on a batched dataset": Case(
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(1000).batch(64)  #! PIPE101 advice, safe fix
        model.fit(ds, epochs=3)
        """,
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(1000).batch(64).prefetch(tf.data.AUTOTUNE)
        model.fit(ds, epochs=3)
        """,
        target=(2, 8),
    ),
    "iterated inside a tf.function, where TensorFlow inserts nothing": Case(
        """
        import tensorflow as tf

        @tf.function
        def train_epoch(ds):
            for batch in ds:
                step(batch)

        train_epoch(tf.data.Dataset.range(1000).batch(32))  #! PIPE101 warning, safe fix
        """,
        """
        import tensorflow as tf

        @tf.function
        def train_epoch(ds):
            for batch in ds:
                step(batch)

        train_epoch(tf.data.Dataset.range(1000).batch(32).prefetch(tf.data.AUTOTUNE))
        """,
    ),
    "what each epoch evaluates": Case(
        """
        import tensorflow as tf

        test = tf.data.TFRecordDataset("test").map(parse).padded_batch(64)  #! PIPE101 advice, safe fix
        model.fit(arrays, labels, validation_data=test)
        for turn in range(9):
            model.fit(arrays, labels)
            model.evaluate(tf.data.TFRecordDataset("other").batch(64))  #! PIPE101 advice, safe fix
        """,
        target=(2, 8),
    ),
    "a source out of sight, which may read or have all in memory": Case(
        """
        import tensorflow as tf
        from others import records

        model.fit(records("train").batch(64).repeat(), steps_per_epoch=10)  #! PIPE101 advice, safe fix
        """,
        target=(2, 8),
    ),
    "large rows of an array that a model goes through again and again": """
        import numpy as np
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(np.zeros((10_000, 224, 224, 3), np.float32)).batch(64)  #! PIPE101 advice, safe fix
        for turn in range(10):
            for batch in ds:
                tf.keras.applications.ResNet50()(batch)
    """,
    "a strategy, whose model a loop of the program runs": Case(
        """
        import tensorflow as tf

        strategy = tf.distribute.MirroredStrategy()
        with strategy.scope():
            model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        for batch in tf.data.TFRecordDataset("train").map(parse).padded_batch(64):  #! PIPE101 advice, safe fix
            strategy.run(step, args=(batch,))
        """,
        target=(2, 8),
    ),
    "a function that others may import": Case(
        """
        import tensorflow as tf

        def batches(files):
            return tf.data.TFRecordDataset(files).batch(32)  #! PIPE101 advice, safe fix

        def lines(files):
            return tf.data.TextLineDataset(files)
        """,
        target=(2, 8),
    ),
    "steps that are yet to be written": Case(
        """
        import tensorflow as tf

        for i, batch in enumerate(tf.data.TFRecordDataset("train").map(parse).padded_batch(64)):  #! PIPE101 advice, safe fix
            if i > 100:
                break
            pass
        """,
        target=(2, 8),
    ),
    "an older target, and a loop over what Python makes": Case(
        """
        import tensorflow as tf

        for batch in tf.data.Dataset.from_generator(replay.sample, tf.float32).batch(64):  #! PIPE101 advice, unsafe fix
            replay.add(train(batch))
        model.fit(tf.data.Dataset.from_generator(replay.sample, tf.float32).batch(64))  #! PIPE101 advice, safe fix
        """,
        target=(2, 8),
    ),
    "a stage that only some runs have: added where the dataset is returned": Case(
        """
        import tensorflow as tf

        def make(files, training):
            ds = tf.data.TFRecordDataset(files)
            ds = ds.batch(32)
            if training:
                ds = ds.repeat()  #! PIPE101 advice, safe fix
            return ds
        """,
        """
        import tensorflow as tf

        def make(files, training):
            ds = tf.data.TFRecordDataset(files)
            ds = ds.batch(32)
            if training:
                ds = ds.repeat()
            return ds.prefetch(tf.data.AUTOTUNE)
        """,
        target=(2, 8),
    ),
    "one dataset, written out for each consumer": Case(
        """
        import tensorflow as tf

        train = tf.data.TFRecordDataset("train").batch(64)  #! PIPE101 advice, safe fix
        test = tf.data.TFRecordDataset("test").batch(64)
        model.fit(train)
        model.fit(train.repeat(), steps_per_epoch=10)
        model.fit(test.filter(is_whole))  #! PIPE101 advice
        model.predict(test.filter(is_whole))
        model.evaluate(test.filter(is_long))
        """,
        target=(2, 8),
    ),
    "parts of one dataset, each with elements of its own": Case(
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset("all").map(parse)
        model.fit(ds.take(800).batch(64))  #! PIPE101 advice, safe fix
        model.fit(ds.skip(800).batch(64))  #! PIPE101 advice, safe fix
        """,
        target=(2, 8),
    ),
    "an older target makes a stateless map parallel, which works ahead": Case(
        """
        import tensorflow as tf

        model.fit(tf.data.TFRecordDataset("a").map(tf.io.parse_tensor).batch(64))
        model.fit(tf.data.TFRecordDataset("b").map(lookup).padded_batch(64))  #! PIPE101 advice, safe fix
        model.fit(tf.data.TFRecordDataset("c").map(tf.io.parse_tensor).batch(64).filter(full))  #! PIPE101 advice, safe fix
        """,
        target=(2, 8),
    ),
    "an older target fuses a map with the batch behind it, which works ahead even where one call runs at a time": Case(
        """
        import tensorflow as tf

        def noisy(x):
            return tf.io.decode_jpeg(x) + tf.random.uniform(())

        lines = tf.data.TextLineDataset
        fused, unfused = tf.data.Options(), tf.data.Options()
        unfused.experimental_optimization.map_and_batch_fusion = False
        model.fit(lines("a").map(noisy).batch(64))
        model.fit(lines("b").map(unseen).batch(64).repeat(3).with_options(fused))
        model.fit(lines("c").map(noisy).batch(64).with_options(unfused))  #! PIPE101 advice, safe fix
        model.fit(lines("d").map(noisy).repeat(3).batch(64))  #! PIPE101 advice, safe fix
        """,
        target=(2, 8),
    ),
    "an older target, and elements of which only some are in memory": Case(
        """
        import tensorflow as tf

        def scaled(x, y):
            return tf.cast(x, tf.float32) / 255, y

        def noisy(x, y):
            return x + tf.random.normal((4,)), y

        slices = tf.data.Dataset.from_tensor_slices
        model.fit(slices((x, y)).shuffle(1000).batch(64))
        model.fit(slices((x, y)).map(scaled).batch(64).repeat().shuffle(9))
        model.fit(tf.data.Dataset.range(100000).batch(64))
        model.fit(slices((x, y)).map(noisy).shuffle(9).batch(64))  #! PIPE101 advice, safe fix
        model.fit(slices((x, y)).map(unseen).shuffle(9).batch(64))  #! PIPE101 advice, safe fix
        model.fit(tf.data.Dataset.from_generator(lines, tf.string).batch(64))  #! PIPE101 advice, safe fix
        model.fit(slices((x, y)).map(lambda x, y: (tf.numpy_function(read, [x], tf.float32), y)).shuffle(9).batch(64))  #! PIPE101 advice, safe fix
        """,
        target=(2, 8),
    ),
    "batches that a cache keeps in memory from the second pass on": Case(
        """
        import tensorflow as tf

        lines = tf.data.TextLineDataset
        model.fit(lines("0").shuffle(9000).batch(4096).cache(), epochs=5)
        model.fit(lines("1").cache().shuffle(9000).batch(64).repeat(), steps_per_epoch=9, epochs=5)
        model.fit(lines("2").batch(64).cache(), epochs=epochs)
        model.fit(lines("3").batch(64).cache())  #! PIPE101 advice, safe fix
        model.fit(lines("4").batch(64).cache(), epochs=1)  #! PIPE101 advice, safe fix
        model.fit(lines("5").batch(64).cache("/tmp/kept"), epochs=5)  #! PIPE101 advice, safe fix
        model.fit(lines("6").cache().map(noisy).shuffle(9).batch(64), epochs=5)  #! PIPE101 advice, safe fix
        model.fit(lines("7").repeat().batch(64).cache(), epochs=5, steps_per_epoch=9)  #! PIPE101 advice, safe fix

        def train(ds):
            for batch in ds:
                model.train_on_batch(batch)

        again, once = lines("8").batch(64), lines("9").batch(32)
        for epoch in range(5):
            train(again.cache())
        for batch in once.cache():  #! PIPE101 advice, safe fix
            model.train_on_batch(batch)
        """,
        target=(2, 8),
    ),
    "a parallel map right before batch, which an older target fuses with it": Case(
        """
        import tensorflow as tf

        listed = tf.data.Dataset.list_files
        model.fit(listed("10/*").map(read, num_parallel_calls=4).batch(16))
        model.fit(listed("11/*").map(read, num_parallel_calls=4).padded_batch(16))  #! PIPE101 advice, safe fix
        model.fit(listed("12/*").map(read, num_parallel_calls=4).shuffle(99).batch(16))  #! PIPE101 advice, safe fix

        unfused = tf.data.Options()
        unfused.experimental_optimization.map_and_batch_fusion = False
        model.fit(listed("13/*").map(read, num_parallel_calls=4).batch(16).with_options(unfused))  #! PIPE101 advice, safe fix

        @tf.function
        def train(ds):
            for batch in ds:
                step(batch)

        train(listed("14/*").map(read, num_parallel_calls=4).batch(16))  #! PIPE101 warning, safe fix
        """,
        target=(2, 4),
    ),
    "the header of a loop that numbers the elements: the stage goes to where they are made": Case(
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset("train").shuffle(9999)
        ds = ds.batch(64)
        for epoch in range(9):
            for number, batch in ds.enumerate():  #! PIPE101 advice, safe fix
                model.train_on_batch(batch)
        """,
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset("train").shuffle(9999)
        ds = ds.batch(64).prefetch(tf.data.AUTOTUNE)
        for epoch in range(9):
            for number, batch in ds.enumerate():
                model.train_on_batch(batch)
        """,
        target=(2, 8),
    ),
    "a condition further down that goes on with it, and one that only takes a part": Case(
        """
        import tensorflow as tf

        def load(keep=False, short=False):
            ds = tf.data.TFRecordDataset("train").batch(64)  #! PIPE101 advice, safe fix
            other = tf.data.TFRecordDataset("other").batch(64)  #! PIPE101 advice, safe fix
            if keep:
                ds = ds.cache()
            if short:
                other = other.take(5)
            return ds, other

        first, second = load()
        model.fit(first)
        model.fit(second)
        """,
        """
        import tensorflow as tf

        def load(keep=False, short=False):
            ds = tf.data.TFRecordDataset("train").batch(64)
            other = tf.data.TFRecordDataset("other").batch(64).prefetch(tf.data.AUTOTUNE)
            if keep:
                ds = ds.cache()
            if short:
                other = other.take(5)
            return ds, other

        first, second = load()
        model.fit(first.prefetch(tf.data.AUTOTUNE))
        model.fit(second)
        """,
        target=(2, 8),
    ),
    "a loop that hands the elements to code out of sight": Case(
        """
        import tensorflow as tf

        def batches(files):
            for batch in tf.data.TFRecordDataset(files).batch(32):  #! PIPE101 advice, safe fix
                yield batch

        learn_from(batches("old"))
        for batch in tf.data.TFRecordDataset("train").batch(32):  #! PIPE101 advice, safe fix
            learn(batch)

        def show(ds, most):
            for number, batch in enumerate(ds):
                if number >= most:
                    break
                draw(batch)

        show(tf.data.TFRecordDataset("test").batch(32), 500)  #! PIPE101 advice, safe fix
        """,
        target=(2, 8),
    ),
    "a step of variables that is printed now and then": Case(
        """
        import tensorflow as tf

        weights = tf.Variable(tf.zeros([784, 10]))
        ds = tf.data.experimental.CsvDataset("digits.csv", kinds).batch(128)  #! PIPE101 advice, safe fix
        for step, (x, y) in enumerate(ds):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(x @ weights - y))
            weights.assign_sub(0.1 * tape.gradient(loss, weights))
            if step % 100 == 0:
                print(step, float(loss))
        """,
        target=(2, 8),
    ),
    "a handful of files, each with many records": Case(
        """
        import tensorflow as tf

        names = tf.data.Dataset.from_tensor_slices(["a.tfrecord", "b.tfrecord"])
        ds = names.interleave(tf.data.TFRecordDataset).batch(32)  #! PIPE101 advice, safe fix
        model.fit(ds, epochs=10)
        """,
        target=(2, 8),
    ),
    "two columns, one of them of large rows": """
        import numpy as np
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices({"before": np.zeros([5000, 128, 128, 3]), "after": np.ones([5000, 8])}).batch(32)  #! PIPE101 advice, safe fix
        model.fit(ds, epochs=10)
    """,
    "a few numbers again and again": Case(
        """
        import tensorflow as tf

        ds = tf.data.Dataset.range(10).repeat().map(draw).padded_batch(32)  #! PIPE101 advice, safe fix
        model.fit(ds, steps_per_epoch=100)
        """,
        target=(2, 8),
    ),
    "an attribute that several methods use gets it once, where it is made": Case(
        """
        import tensorflow as tf

        class Trainer:
            def __init__(self, files):
                self.held_out = tf.data.TFRecordDataset(files).shuffle(1000).batch(32)  #! PIPE101 advice, safe fix

            def train(self, model, train):
                model.fit(train, validation_data=self.held_out)

            def test(self, model):
                model.evaluate(self.held_out)

            def show(self):
                for batch in self.held_out.take(2):
                    print(batch)
        """,
        """
        import tensorflow as tf

        class Trainer:
            def __init__(self, files):
                self.held_out = tf.data.TFRecordDataset(files).shuffle(1000).batch(32).prefetch(tf.data.AUTOTUNE)

            def train(self, model, train):
                model.fit(train, validation_data=self.held_out)

            def test(self, model):
                model.evaluate(self.held_out)

            def show(self):
                for batch in self.held_out.take(2):
                    print(batch)
        """,
        target=(2, 8),
    ),
    "so does a variable that methods are given, if another only looks at a few of its elements": Case(
        """
        import tensorflow as tf

        class Trainer:
            def train(self, train, validation):
                self.model.fit(train, validation_data=validation)

            def test(self, test, count=3):
                self.model.evaluate(test)
                for batch in test.take(count):
                    self.show(batch)

        held_out = tf.data.TFRecordDataset(files).batch(32)  #! PIPE101 advice, safe fix
        Trainer().train(ready, held_out)
        Trainer().test(held_out)
        """,
        """
        import tensorflow as tf

        class Trainer:
            def train(self, train, validation):
                self.model.fit(train, validation_data=validation)

            def test(self, test, count=3):
                self.model.evaluate(test)
                for batch in test.take(count):
                    self.show(batch)

        held_out = tf.data.TFRecordDataset(files).batch(32).prefetch(tf.data.AUTOTUNE)
        Trainer().train(ready, held_out)
        Trainer().test(held_out)
        """,
        target=(2, 8),
    ),
}

SILENT: Table = {
    "one evaluation, by a method or a loop, of what TensorFlow does not make ready": Case(
        """
        import tensorflow as tf

        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.fit(arrays, labels)
        test = tf.data.TFRecordDataset("test").map(parse).padded_batch(64)
        model.evaluate(test)
        for batch in tf.data.TFRecordDataset("more").map(parse).padded_batch(64):
            results.append(model(batch))
        """,
        target=(2, 8),
    ),
    "single examples that a cache in a file keeps": Case(
        """
        import tensorflow as tf

        ds = tf.data.Dataset.from_generator(molecules, tf.float32).map(features).cache("kept")
        for epoch in range(99):
            for example in ds.skip(200):
                step(example)
        """,
        target=(2, 8),
    ),
    "arrays that train, where TensorFlow inserts none": Case(
        """
        import tensorflow as tf

        model.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(64))
        """,
        target=(2, 8),
    ),
    "a data set of some hundred rows": Case(
        """
        import tensorflow as tf
        import tensorflow_datasets as tfds

        flowers = tfds.load("iris", split="train", as_supervised=True)
        model.fit(flowers.shuffle(150).map(scale).batch(8), epochs=20)
        """,
        target=(2, 4),
    ),
    "batches from a cache in memory inside a tf.function": """
        import tensorflow as tf

        kept = tf.data.TextLineDataset("ratings").map(split).batch(4096).cache()

        @tf.function
        def train_epoch():
            for batch in kept:
                step(batch)

        for epoch in range(5):
            train_epoch()
        """,
    "taken through an iterator by a tf.function, where TensorFlow inserts one": Case(
        """
        import tensorflow as tf

        batches = iter(tf.data.TFRecordDataset("train").map(lookup).batch(32))

        @tf.function
        def train_steps(iterator):
            for _ in tf.range(100):
                step(next(iterator))

        for epoch in range(9):
            train_steps(batches)
        """,
    ),
    "evaluation of arrays of which nobody knows how large they are": Case(
        """
        import tensorflow as tf

        model.evaluate(tf.data.Dataset.from_tensor_slices((x, y)).batch(64))
        """,
    ),
    "rows of a table and small pictures out of memory, where TensorFlow inserts a prefetch": """
        import pandas as pd
        import tensorflow as tf

        table = pd.read_csv("sales.csv")
        rows = tf.data.Dataset.from_tensor_slices((dict(table), table.pop("sold"))).shuffle(5000).batch(32)
        model.fit(rows, epochs=10)
    """,
    "batches of Keras that are only scaled": """
        import keras
        import tensorflow as tf

        faces = keras.utils.image_dataset_from_directory("faces", batch_size=128)
        model.fit(faces.map(lambda pictures, labels: (tf.cast(pictures, "float32") / 255.0, labels)), epochs=10)
    """,
    "parts that a builder returns and its callers drop": """
        import tensorflow as tf

        def parts(files):
            ds = tf.data.TFRecordDataset(files)
            train = ds.take(9000).padded_batch(32).prefetch(tf.data.AUTOTUNE)
            return train, ds.skip(9000).padded_batch(32), ds.padded_batch(1)

        train, _, single = parts("records")
        model.fit(train)
    """,
    "each batch ends in a figure": """
        import matplotlib.pyplot as plt
        import tensorflow as tf

        def compare(network, noisy, clean):
            restored = network(noisy, training=False)
            for index, picture in enumerate((noisy[0], restored[0], clean[0])):
                plt.subplot(1, 3, index + 1)
                plt.imshow(picture)
            plt.show()

        network = tf.keras.models.load_model("denoiser.keras")
        for noisy, clean in tf.data.Dataset.list_files("*.png").shuffle(400).batch(1):
            compare(network, noisy, clean)
        """,
    "a map that is fused with batch works ahead of an evaluation beside the training": """
        import tensorflow as tf

        held_out = tf.data.TFRecordDataset("test").map(tf.io.parse_tensor).batch(64)
        model.fit(arrays, labels, validation_data=held_out)
        """,
    "the author switched it off": """
        import tensorflow as tf

        def batches(files, size):
            ds = tf.data.TFRecordDataset(files).shuffle(1000)
            ds = ds.batch(size)

            # The machine of the laboratory has little memory.
            # ds = ds.prefetch(tf.data.AUTOTUNE)
            return ds

        model.fit(batches(["a", "b"], 32))
        """,
    "so few rows, drawn or counted, that a pass over them is over at once": """
        import numpy as np
        import tensorflow as tf

        def scaled(x):
            return tf.cast(x, tf.float32) / 255

        rows = 100
        rng = np.random.default_rng(1)
        model.fit(tf.data.Dataset.from_tensor_slices(np.random.rand(rows, 8)).map(scaled).batch(10), epochs=20)
        model.fit(tf.data.Dataset.from_tensor_slices(np.random.randint(0, 9, rows)).batch(10), epochs=20)
        model.fit(tf.data.Dataset.from_tensor_slices(rng.normal(0, 1, (rows, 8)) * 2).repeat().batch(10), epochs=20)
        model.fit(tf.data.Dataset.range(10).map(scaled).batch(2))
        model.fit(tf.data.Dataset.from_tensors(tf.zeros([32, 8])).repeat(500))
    """,
    "few rows, where TensorFlow inserts none": Case(
        """
        import numpy as np
        import tensorflow as tf

        model.fit(tf.data.Dataset.from_tensor_slices(np.zeros([500, 8])).batch(10), epochs=20)
        """,
        target=(2, 8),
    ),
    "arrays that evaluate beside the training, where TensorFlow inserts none": Case(
        """
        import tensorflow as tf

        model.fit(arrays, labels)
        model.evaluate(tf.data.Dataset.from_tensor_slices((x, y)).batch(64))
        """,
        target=(2, 8),
    ),
    "an evaluation beside the training whose last map works ahead": Case(
        """
        import tensorflow as tf

        def scaled(record):
            return tf.io.parse_tensor(record, tf.float32) / 255

        model.fit(arrays, labels)
        model.evaluate(tf.data.TFRecordDataset("test").map(scaled).batch(64))
        """,
        target=(2, 8),
    ),
    "arrays that a model goes through once, where TensorFlow inserts one": """
        import tensorflow as tf

        for noise in tf.data.Dataset.from_tensor_slices(drawn).batch(64):
            pictures = tf.keras.applications.ResNet50()(noise)
    """,
    "arrays for nobody in sight, where TensorFlow inserts one": """
        import tensorflow as tf

        def batches(x, y):
            return tf.data.Dataset.from_tensor_slices((x, y)).cache().batch(64)
    """,
    "Keras distributes the dataset, and a strategy prefetches what it distributes": Case(
        """
        import tensorflow as tf

        strategy = tf.distribute.MirroredStrategy()
        train = tf.data.TFRecordDataset("train").map(parse).batch(64)
        with strategy.scope():
            model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
            model.compile("sgd", "mse")
        model.fit(train, validation_data=tf.data.TFRecordDataset("test").map(parse).batch(64))
        """,
        target=(2, 8),
    ),
    "a stage of old that works ahead in threads of its own": Case(
        """
        import tensorflow as tf

        model.fit(tf.data.TFRecordDataset("train").apply(tf.data.experimental.map_and_batch(parse, 64)))
        """,
        target=(2, 0),
    ),
    "a loop that draws a few elements, and counts beyond a sum": """
        import matplotlib.pyplot as plt
        import tensorflow as tf

        most = 8
        for i, batch in enumerate(tf.data.TFRecordDataset("test").map(parse).batch(4)):
            plt.imshow(draw(batch))
            if i > (most + 1):
                break
    """,
    "a function that the program never gets to": """
        import tensorflow as tf

        def old_batches(files):
            return tf.data.TFRecordDataset(files).batch(32)

        def batches(files):
            return tf.data.TFRecordDataset(files).batch(32).prefetch(tf.data.AUTOTUNE)

        def main():
            model.fit(batches("train"))

        main()
    """,
    "a handful of rows, where TensorFlow inserts one": """
        import tensorflow as tf

        model.fit(tf.data.Dataset.from_tensor_slices([[1.0], [2.0], [3.0]]).batch(2))
    """,
    "arrays that evaluate beside the training, where TensorFlow inserts one": """
        import tensorflow as tf

        def scaled(x, y):
            return tf.cast(x, tf.float32) / 255, y

        train = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(64).prefetch(tf.data.AUTOTUNE)
        valid = tf.data.Dataset.from_tensor_slices((x_valid, y_valid)).map(scaled).batch(64)
        test = tf.data.Dataset.from_tensor_slices((x_test, y_test)).batch(64)
        model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
        model.fit(train, validation_data=valid)
        for images, labels in test:
            right = tf.equal(tf.argmax(model(images), axis=1), labels)
            print(tf.reduce_mean(tf.cast(right, tf.float32)).numpy())
        model.evaluate(tf.data.TFRecordDataset("test").map(parse).batch(64).cache())
    """,
    "a generator that Keras asks ahead of its steps": """
        import tensorflow as tf

        def batches(files):
            for lines in tf.data.TextLineDataset(files).batch(32):
                yield lines.numpy(), lines.numpy()

        model.fit(batches(files), steps_per_epoch=100)
    """,
    "metrics of what is computed already": """
        import tensorflow as tf

        accuracy = tf.keras.metrics.Accuracy()
        for labels, guesses in tf.data.Dataset.from_tensor_slices((y, outputs)).batch(1000):
            accuracy.update_state(labels, guesses)
    """,
    "main is given away, and calls what prefetches": """
        import tensorflow as tf
        from absl import app

        def batches(files):
            return tf.data.TFRecordDataset(files).batch(32)

        def main(argv):
            model.fit(batches(argv).prefetch(tf.data.AUTOTUNE))

        app.run(main)
    """,
    "loops that pass the elements by": """
        import tensorflow as tf

        for _ in tf.data.TFRecordDataset("train").batch(32).cache("kept"):
            pass
        for _ in tf.data.TFRecordDataset("test").batch(32).cache("kept"):
            continue
    """,
    "loops that convert, write or count": """
        import json
        import cv2
        import tensorflow as tf

        def load(path):
            return tf.io.decode_png(tf.io.read_file(path))

        boxes = []
        for number, picture in enumerate(tf.data.Dataset.list_files("*.png").map(load)):
            cv2.imwrite(f"{number}.jpg", cv2.cvtColor(picture.numpy(), cv2.COLOR_BGR2RGB))
            boxes.append(picture.shape)
            with open(f"{number}.json", "w") as file:
                file.write(json.dumps(boxes))

        with tf.io.TFRecordWriter("all") as writer:
            for batch in tf.data.Dataset.list_files("*.png").map(load).batch(16):
                writer.write(tf.io.serialize_tensor(batch).numpy())
    """,
    "a function that shows the first few": """
        import tensorflow as tf

        def show(ds, most=4):
            for number, batch in enumerate(ds):
                if number >= most:
                    break
                draw(batch)

        show(tf.data.TFRecordDataset("train").batch(32))
        show(tf.data.TFRecordDataset("test").batch(32), most=9)
    """,
    "only picks parts of ready-made batches": """
        import tensorflow_datasets as tfds

        ds = tfds.load("mnist", split="train", batch_size=32)
        model.fit(ds.map(lambda d: (d["image"], d["label"])))
    """,
    "the last stage runs in parallel": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).batch(32).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        model.fit(ds)
    """,
    "a look at the first batches": """
        import tensorflow as tf

        for batch in tf.data.TFRecordDataset(files).batch(32).take(2):
            show(batch)
    """,
    "the last stage of a chain given to fit runs in parallel": """
        import tensorflow as tf

        model.fit(tf.data.TFRecordDataset(files).batch(32).map(parse, num_parallel_calls=tf.data.AUTOTUNE))
    """,
    "a prefetch that is dropped": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).map(parse).batch(32)
        ds.prefetch(2)
        model.fit(ds, epochs=10)
    """,
}
