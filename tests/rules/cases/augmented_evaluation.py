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
    "a loop whose step only compares predictions": """
        import tensorflow as tf
        from losses import loss_of

        def make(files):
            def load(record):
                image, label = parse(record)
                return tf.image.random_flip_left_right(image), label

            return tf.data.TFRecordDataset(files).map(load).batch(32)

        def train(model, optimizer):
            train_ds, val_ds = make("a"), make("b")

            @tf.function
            def train_step(batch):
                image, label = batch
                with tf.GradientTape() as tape:
                    loss = loss_of(label, model(image, training=True))
                weights = model.trainable_variables
                optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))

            @tf.function
            def eval_step(batch):
                image, label = batch
                return loss_of(label, model(image, training=False))

            for epoch in range(10):
                for batch in train_ds:
                    train_step(batch)
                losses = []
                for batch in val_ds:  #! PIPE408 warning
                    losses.append(eval_step(batch))
                print(epoch, sum(losses))
    """,
    "a loop whose step is given the model": """
        import tensorflow as tf

        loss_of = tf.keras.losses.SparseCategoricalCrossentropy()
        mean = tf.keras.metrics.Mean()

        def load(record):
            image, label = parse(record)
            return tf.image.random_flip_left_right(image), label

        @tf.function
        def step(model, image, label):
            mean(loss_of(label, model(image, training=False)))

        def evaluate(model, files):
            for image, label in tf.data.TFRecordDataset(files).map(load).batch(32).prefetch(1):  #! PIPE408 warning
                step(model, image, label)
            return mean.result()
    """,
    "a loop in which each replica compares what classes it predicts": """
        import tensorflow as tf

        strategy = tf.distribute.MirroredStrategy()
        model = tf.keras.applications.ResNet50()
        right = tf.keras.metrics.Mean()

        def load(record):
            image, label = parse(record)
            return tf.image.random_hue(image, 0.1), label

        def step(image, label):
            classes = tf.argmax(model(image, training=False), axis=-1)
            right.update_state(tf.equal(classes, label))

        @tf.function
        def on_replicas(image, label):
            strategy.run(step, args=(image, label))

        for image, label in tf.data.TFRecordDataset("b").map(load).batch(32):  #! PIPE408 warning
            on_replicas(image, label)
        print(right.result())
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
    "loops that gather predictions, to average them, and that draw them": """
        import tensorflow as tf

        model = tf.keras.applications.ResNet50()

        @tf.function
        def predict(image):
            return tf.nn.softmax(model(image, training=False))

        def load(record):
            image, label = parse(record)
            return tf.image.random_hue(image, 0.1), label

        views = []
        for _ in range(8):
            found = []
            for image, label in tf.data.TFRecordDataset("b").map(load).batch(32).prefetch(1):
                found.append(predict(image))
            views.append(tf.concat(found, axis=0))
        print(tf.reduce_mean(views, axis=0))

        for image, label in tf.data.TFRecordDataset("b").map(load).batch(32).prefetch(1):
            draw(image, label, predict(image))
    """,
    "a loop that compares predictions before code out of sight trains": """
        import tensorflow as tf

        model = tf.keras.applications.ResNet50()
        loss_of = tf.keras.losses.MeanSquaredError()

        def load(record):
            image, label = parse(record)
            return tf.image.random_hue(image, 0.1), label

        for image, label in tf.data.TFRecordDataset("a").map(load).batch(32):
            print(loss_of(label, model(image, training=False)))
            trainer.advance(image, label)
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
