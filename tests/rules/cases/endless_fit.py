"""PIPE407 endless-fit: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "a line for the repeat": Case(
        """
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
        ds = ds.repeat(-1)  # as often as needed
        ds = ds.prefetch(tf.data.AUTOTUNE)
        model.fit(ds, epochs=5)  #! PIPE407 error, unsafe fix
        """,
        """
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
        ds = ds.prefetch(tf.data.AUTOTUNE)
        model.fit(ds, epochs=5)
        """,
    ),
    "evaluate and predict, whose data others take too": """
        import tensorflow as tf
        ds = tf.data.TFRecordDataset(files).repeat().batch(32)
        model.fit(ds, steps_per_epoch=100)
        model.evaluate(ds)  #! PIPE407 error
        model.predict(ds, steps=None)  #! PIPE407 error
    """,
    "the caller says that it is for training": """
        import tensorflow as tf

        def load(files, training):
            ds = tf.data.TFRecordDataset(files)
            if training:
                ds = ds.shuffle(1000).repeat()
            return ds.batch(32)

        model.fit(load(train_files, True), epochs=3, validation_data=load(files, False))  #! PIPE407 error, unsafe fix
    """,
    "Keras 2, which refuses it": Case(
        """
        import tensorflow as tf
        model.fit(tf.data.TFRecordDataset(files).repeat().batch(32))  #! PIPE407 error, unsafe fix
        """,
        target=(2, 10),
    ),
}
SILENT: Table = {
    "options may tell": """
        import tensorflow as tf
        model.fit(tf.data.TFRecordDataset(files).repeat().batch(32), **options)
    """,
    "steps that come from elsewhere": """
        import tensorflow as tf
        model.fit(tf.data.TFRecordDataset(files).repeat().batch(32), steps_per_epoch=settings.steps)
    """,
    "a callback that may stop it at any step": """
        import tensorflow as tf

        class Enough(tf.keras.callbacks.Callback):
            def on_train_batch_end(self, batch, logs=None):
                self.model.stop_training = logs["loss"] < 0.1

        model.fit(tf.data.TFRecordDataset(files).repeat().batch(32), callbacks=[Enough()])
    """,
    "nobody knows whether it repeats": """
        import tensorflow as tf

        def train(files, several):
            ds = tf.data.TFRecordDataset(files)
            if several:
                ds = ds.repeat()
            model.fit(ds.batch(32))
    """,
    "what is zipped with it ends": """
        import tensorflow as tf
        noise = tf.data.TFRecordDataset(noises).repeat()
        model.fit(tf.data.Dataset.zip((tf.data.TFRecordDataset(files), noise)).batch(32))
    """,
    "a loop that is left": """
        import tensorflow as tf
        for step, batch in enumerate(tf.data.TFRecordDataset(files).repeat().batch(32)):
            model.train_on_batch(batch)
            if step == 1000:
                break
    """,
}
