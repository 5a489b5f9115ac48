"""What PIPE408 finds beyond its own examples, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "one dataset that is validated with and evaluated, which is one fault": """
        import tensorflow as tf

        def build(files):
            return tf.data.TFRecordDataset(files).map(parse).map(tf.image.random_flip_left_right).batch(32)

        held_out = build("b")
        model.fit(build("a"), validation_data=held_out, epochs=9)  #! PIPE408 warning
        print(model.evaluate(held_out))
    """,
    "a flip that depends on a draw": """
        import tensorflow as tf

        def load(image, mask):
            if tf.random.uniform(()) > 0.5:
                image, mask = tf.image.flip_left_right(image), tf.image.flip_left_right(mask)
            return image, mask

        val = tf.data.Dataset.from_tensor_slices((images, masks)).map(load).batch(8)  #! PIPE408 warning
        model.fit(train, validation_data=val, epochs=5)
    """,
    "layers in a model, called as in training": """
        import keras
        import tensorflow as tf

        augment = keras.Sequential([keras.layers.RandomFlip(), keras.layers.RandomRotation(0.1)])
        test = tf.data.TFRecordDataset(files).map(parse).batch(32).map(lambda x, y: (augment(x, training=True), y))  #! PIPE408 warning
        print(model.evaluate(test))
    """,
    "a builder of both is told to augment both: said where it is evaluated": """
        import tensorflow as tf

        def build(files, training=True):
            ds = tf.data.TFRecordDataset(files).map(parse)
            if training:
                ds = ds.map(lambda image: tf.image.random_hue(image, 0.1))
            return ds.batch(32)

        train = build(train_files)
        val = build(val_files)
        model.fit(train, validation_data=val, epochs=5)  #! PIPE408 warning
    """,
    "a loop that evaluates": """
        import tensorflow as tf

        val = tf.data.TFRecordDataset(files).map(parse).map(tf.image.random_flip_up_down).batch(32)  #! PIPE408 warning
        for batch in val:
            model.test_on_batch(batch)
    """,
    "an iterator that a loop takes batches from to measure the model with, between training steps": """
        import tensorflow as tf

        def load(record):
            return tf.image.random_hue(parse(record), 0.1)

        model = tf.keras.applications.ResNet50()
        measured = tf.keras.metrics.Mean()
        train = iter(tf.data.TFRecordDataset(train_files).map(load).repeat().batch(12))
        held_out = iter(tf.data.TFRecordDataset(test_files).map(load).repeat().batch(12))  #! PIPE408 warning
        while True:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(next(train)))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
            if optimizer.iterations % 100 == 0:
                for _ in range(10):
                    measured.update_state(tf.reduce_mean(model(next(held_out))))
    """,
    "operations that are given a seed": """
        import tensorflow as tf

        def augment(image, seed):
            return tf.image.stateless_random_brightness(image, 0.2, seed)

        val = tf.data.Dataset.zip((images, seeds)).map(augment).batch(32)  #! PIPE408 warning
        model.evaluate(val)
    """,
}

SILENT: Table = {
    "one of several objects builds it, and their kind decides": """
        import tensorflow as tf

        class Reader:
            def __init__(self, files, part="train"):
                self.files, self.part = files, part

            @property
            def augments(self):
                return self.part == "train"

            def load(self, record):
                image = parse(record)
                return tf.image.random_flip_left_right(image) if self.augments else image

            def batches(self):
                return tf.data.TFRecordDataset(self.files).map(self.load).batch(32)

        def readers(options):
            train = val = None
            if options.trains:
                train = Reader(options.train_files)
            if options.validates:
                val = Reader(options.val_files, "val")
            return [train, val]

        def validate(options, model):
            _, val = [reader.batches() if reader else None for reader in readers(options)]
            model.evaluate(val)
    """,
    "a loop that measures, in which code out of sight may train": """
        import tensorflow as tf

        model = tf.keras.applications.ResNet50()
        measured = tf.keras.metrics.Mean()
        for batch in tf.data.TFRecordDataset(files).map(parse).map(tf.image.random_flip_up_down).batch(32):
            trainer.advance(batch)
            measured.update_state(tf.reduce_mean(model(batch)))
    """,
    "training data": """
        import tensorflow as tf

        train = tf.data.TFRecordDataset(files).map(parse).map(tf.image.random_flip_up_down).batch(32)
        model.fit(train, epochs=5)
        model.evaluate(train)
    """,
    "training data, evaluated without the repetition": """
        import tensorflow as tf

        train = tf.data.TFRecordDataset(files).map(parse).map(tf.image.random_flip_up_down).batch(32)
        model.fit(train.repeat(), steps_per_epoch=100, epochs=5)
        model.evaluate(train)
    """,
    "a layer that is told not to": """
        import keras
        import tensorflow as tf

        flip = keras.layers.RandomFlip()
        val = tf.data.TFRecordDataset(files).map(parse).batch(32).map(lambda x, y: (flip(x, training=False), y))
        model.evaluate(val)
    """,
    "a default keeps evaluation as it is": """
        import tensorflow as tf

        def load(record, training=False):
            image = parse(record)
            if training:
                image = tf.image.random_flip_left_right(image)
            return image

        train = tf.data.TFRecordDataset(train_files).map(lambda record: load(record, True)).batch(32)
        val = tf.data.TFRecordDataset(val_files).map(load).batch(32)
        model.fit(train, validation_data=val)
    """,
    "a flag of an object that nothing in sight decides": """
        import tensorflow as tf

        class Reader:
            def __init__(self, settings):
                self.augmented = settings.augmented

            def load(self, record):
                image = parse(record)
                if self.augmented:
                    image = tf.image.random_flip_left_right(image)
                return image

            def dataset(self, files):
                return tf.data.TFRecordDataset(files).map(self.load).batch(32)

        model.evaluate(Reader(settings).dataset(files))
    """,
    "a random crop brings examples to one size": """
        import tensorflow as tf

        val = tf.data.TFRecordDataset(files).map(parse).map(lambda x: tf.image.random_crop(x, (64, 64, 3))).batch(32)
        model.evaluate(val)
    """,
    "noise is the task": """
        import tensorflow as tf

        def noisy(image):
            return image + tf.random.normal(tf.shape(image)), image

        model.evaluate(tf.data.TFRecordDataset(files).map(parse).map(noisy).batch(32))
    """,
    "two views of each example, to be compared": """
        import tensorflow as tf

        def view(image):
            return tf.image.random_flip_left_right(tf.image.random_brightness(image, 0.3))

        val = tf.data.TFRecordDataset(files).map(parse).map(lambda image: (view(image), view(image))).batch(32)
        model.evaluate(val)
    """,
    "a cache keeps what was drawn first": """
        import tensorflow as tf

        val = tf.data.TFRecordDataset(files).map(parse).map(tf.image.random_flip_up_down).batch(32).cache()
        model.fit(train, validation_data=val, epochs=5)
    """,
    "a fixed flip": """
        import tensorflow as tf

        model.evaluate(tf.data.TFRecordDataset(files).map(parse).map(tf.image.flip_left_right).batch(32))
    """,
    "predictions, which may be averaged": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).map(parse).map(tf.image.random_flip_left_right).batch(32)
        first, second = model.predict(ds), model.predict(ds)
    """,
}
