"""What PIPE507 finds beyond its own examples, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "a step in a graph, the batch from an attribute": """
        import tensorflow as tf

        class Trainer:
            def __init__(self, files):
                self.ds = tf.data.TFRecordDataset(files).shuffle(1000).batch(64)

            @tf.function
            def step(self, images):
                with tf.GradientTape() as tape:
                    loss = self.loss(images)
                gradients = tape.gradient(loss, self.variables)
                self.optimizer.apply_gradients(zip(gradients, self.variables))

            def train(self, steps):
                for _ in range(steps):
                    self.step(next(iter(self.ds)))  #! PIPE507 error

        Trainer(files).train(10_000)
    """,
    "the method of the iterator": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(1000).batch(64)
        for step in range(10_000):
            batch = iter(ds).get_next()  #! PIPE507 error
            model.train_on_batch(batch)
    """,
    "a loop over one element, of a shuffled dataset": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(1000).batch(64)
        for step in range(10_000):
            for batch in ds.take(1):  #! PIPE507 error
                model.train_on_batch(batch)
    """,
    "data for a test beside each step": """
        import tensorflow as tf

        train = tf.data.TFRecordDataset(files).shuffle(1000).batch(64).prefetch(2)
        test = tf.data.TFRecordDataset(test_files).shuffle(1000).batch(64)
        for batch in train:
            model.train_on_batch(batch)
            print(model.test_on_batch(next(iter(test))))  #! PIPE507 error
    """,
    "a step that only its name tells": """
        import tensorflow as tf
        from training import train_step

        ds = tf.data.TFRecordDataset(files).shuffle(1000).batch(64)
        for step in range(10_000):
            train_step(next(iter(ds)))  #! PIPE507 warning
    """,
}

SILENT: Table = {
    "every so many steps": """
        import tensorflow as tf

        train = tf.data.TFRecordDataset(files).shuffle(1000).batch(64)
        test = tf.data.TFRecordDataset(test_files).shuffle(1000).batch(64)
        for step, batch in enumerate(train):
            model.train_on_batch(batch)
            if step % 100 == 0:
                print(model.test_on_batch(next(iter(test))))
    """,
    "a look by a function, whenever a variable says so": """
        import tensorflow as tf

        def show(ds):
            tf.summary.image("pictures", model(next(iter(ds))))

        train = tf.data.TFRecordDataset(files).shuffle(1000).batch(64)
        for batch in train:
            model.train_on_batch(batch)
            if tf.equal(tf.math.floormod(steps, 10), 0):
                show(train)
    """,
    "a loop over epochs of fit": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(1000).batch(64)
        for epoch in range(100):
            model.fit(ds)
            show(model, next(iter(ds)))
    """,
    "one batch, to see that a model can learn it": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).batch(64)
        for step in range(1000):
            for batch in ds.take(1):
                model.train_on_batch(batch)
    """,
    "a few turns": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(1000).batch(64)
        for step in range(3):
            model.train_on_batch(next(iter(ds)))
    """,
    "each turn has its own dataset": """
        import tensorflow as tf

        for name in names:
            ds = tf.data.TFRecordDataset(name).shuffle(1000).batch(64)
            model.train_on_batch(next(iter(ds)))
    """,
    "a loop over datasets": """
        import tensorflow as tf

        parts = [tf.data.TFRecordDataset("a").batch(64), tf.data.TFRecordDataset("b").batch(64)]
        for part in parts:
            model.train_on_batch(next(iter(part)))
    """,
    "nothing is trained": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(1000).batch(64)
        while True:
            send(next(iter(ds)))
    """,
    "no dataset": """
        import tensorflow as tf

        for step in range(10_000):
            model.train_on_batch(next(iter(loader)))
    """,
    "an iterator that starts again when it is at its end": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(1000).batch(64)
        batches = iter(ds)
        for step in range(10_000):
            try:
                batch = next(batches)
            except StopIteration:
                batches = iter(ds)
                batch = next(batches)
            model.train_on_batch(batch)
    """,
}
