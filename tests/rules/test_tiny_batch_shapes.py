"""Which small batches are training batches, and which are not."""

from __future__ import annotations

import pytest

from tests.linting import findings, notebook

FIRES = {
    "a module constant": (
        """
        import tensorflow as tf
        BATCH = 2
        model.fit(tf.data.Dataset.from_tensor_slices(x).batch(BATCH))
        """,
        ["PIPE801:3 warning"],
    ),
    "a class attribute": (
        """
        import tensorflow as tf
        class Config:
            batch = 12
        model.fit(tf.data.Dataset.from_tensor_slices(x).padded_batch(Config.batch))
        """,
        ["PIPE801:4 advice"],
    ),
    "the value that the caller of a builder gives": (
        """
        import tensorflow as tf
        def build(x, size=64):
            return tf.data.Dataset.from_tensor_slices(x).batch(size)
        model.fit(build(x, size=6), validation_data=build(v, size=64))
        """,
        ["PIPE801:3 warning"],
    ),
    "a default that the only caller leaves alone": (
        """
        import tensorflow as tf
        def build(x, size=4):
            return tf.data.Dataset.from_tensor_slices(x).batch(size)
        model.fit(build(x))
        """,
        ["PIPE801:3 warning"],
    ),
    "handed out, as advice": (
        """
        import tensorflow as tf
        def training_set(files):
            return tf.data.TFRecordDataset(files).batch(4)
        """,
        ["PIPE801:3 advice"],
    ),
    "both branches of a zip": (
        """
        import tensorflow as tf
        a = tf.data.Dataset.from_tensor_slices(x).batch(1)
        b = tf.data.Dataset.from_tensor_slices(y).batch(1)
        model.fit(tf.data.Dataset.zip((a, b)))
        """,
        ["PIPE801:2 warning", "PIPE801:3 warning"],
    ),
    "the last of two batches": (
        """
        import tensorflow as tf
        ds = tf.data.experimental.make_csv_dataset("a.csv", batch_size=1)
        model.fit(ds.batch(6))
        """,
        ["PIPE801:3 warning"],
    ),
    "the batch behind windows": (
        """
        import tensorflow as tf
        ds = tf.data.Dataset.range(100).window(64, shift=1).flat_map(lambda w: w.batch(64))
        model.fit(ds.batch(2))
        """,
        ["PIPE801:3 warning"],
    ),
    "a loop with a tape": (
        """
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices(x).batch(2)
        for batch in ds:
            with tf.GradientTape() as tape:
                loss = model(batch)
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        """,
        ["PIPE801:2 warning"],
    ),
    "drawn by next in a loop that trains": (
        """
        import tensorflow as tf
        from training import train_step
        draws = iter(tf.data.Dataset.from_tensor_slices(x).repeat().batch(2))
        for step in range(1000):
            train_step(next(draws))
        """,
        ["PIPE801:3 warning"],
    ),
    "distributed, and trained in a loop": (
        """
        import tensorflow as tf
        strategy = tf.distribute.MirroredStrategy()
        ds = strategy.experimental_distribute_dataset(tf.data.Dataset.from_tensor_slices(x).batch(4))
        for batch in ds:
            strategy.run(train_step, args=(batch,))
            optimizer.apply_gradients(gradients)
        """,
        ["PIPE801:3 warning"],
    ),
    "a loader": (
        """
        from tensorflow import keras
        train_ds = keras.utils.image_dataset_from_directory("data", batch_size=8)
        model.fit(train_ds)
        """,
        ["PIPE801:2 advice"],
    ),
    "an image generator for fit": (
        """
        from keras.preprocessing.image import ImageDataGenerator
        flow = ImageDataGenerator().flow_from_directory("data/train", batch_size=4)
        model.fit(flow)
        """,
        ["PIPE801:2 warning"],
    ),
    "arrays, the model from a function out of sight": (
        """
        import tensorflow as tf
        from nets import build
        tf.random.set_seed(1)
        build().fit(x, y, batch_size=2)
        """,
        ["PIPE801:4 warning"],
    ),
    "slices between named bounds": (
        """
        import tensorflow as tf
        model = tf.keras.Sequential([])
        size = 4
        for i in range(100):
            start = i * size
            end = start + size
            model.train_on_batch(x[start:end], y[start:end])
        """,
        ["PIPE801:7 warning"],
    ),
    "slices by number, through variables": (
        """
        import tensorflow as tf
        model = tf.keras.Sequential([])
        for i in range(100):
            part, goal = x[i * 8:(i + 1) * 8], y[i * 8:(i + 1) * 8]
            model.train_on_batch(part, goal)
        """,
        ["PIPE801:5 advice"],
    ),
    "volumes, as advice": (
        """
        from tensorflow import keras
        model = keras.Sequential([keras.layers.Conv3D(8, 3)])
        model.fit(x, y, batch_size=2)
        """,
        ["PIPE801:3 advice"],
    ),
    "large pictures, as advice": (
        """
        from tensorflow import keras
        model = keras.Sequential([keras.Input((512, 512, 3)), keras.layers.Conv2D(8, 3)])
        model.fit(x, y, batch_size=2)
        """,
        ["PIPE801:3 advice"],
    ),
}

SILENT = {
    "validation and evaluation": """
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices(x)
        model.fit(ds.batch(64), validation_data=ds.batch(1))
        model.evaluate(ds.batch(2))
        model.predict(ds.batch(1))
        """,
    "handed out for evaluation, by the variable": """
        import tensorflow as tf
        def load(files):
            ds = tf.data.TFRecordDataset(files)
            train_ds = ds.batch(64)
            val_ds = ds.batch(1)
            return train_ds, val_ds
        """,
    "handed out for evaluation, by the function": """
        import tensorflow as tf
        def make_test_set(files):
            return tf.data.TFRecordDataset(files).batch(1)
        """,
    "handed out for evaluation, by the split": """
        import tensorflow_datasets as tfds
        def load():
            return tfds.load("mnist", split="test").batch(1)
        """,
    "a default that callers out of sight override": """
        import tensorflow as tf
        def build(files, size=1):
            return tf.data.TFRecordDataset(files).batch(size)
        """,
    "a parameter that shadows a constant": """
        import tensorflow as tf
        batch_size = 2
        def train(model, x, batch_size):
            model.fit(tf.data.Dataset.from_tensor_slices(x).batch(batch_size))
        """,
    "a default that every caller overrides": """
        import tensorflow as tf
        def build(x, size=1):
            return tf.data.Dataset.from_tensor_slices(x).batch(size)
        model.fit(build(x, 256))
        """,
    "one size of several": """
        import tensorflow as tf
        SIZES = {64: 4, 128: 2}
        model.fit(tf.data.Dataset.from_tensor_slices(x).batch(SIZES[side]))
        """,
    "taken apart by unbatch": """
        import tensorflow as tf
        model.fit(tf.data.TFRecordDataset(files).batch(2).map(parse).unbatch().batch(64))
        """,
    "inner batches of a window": """
        import tensorflow as tf
        ds = tf.data.Dataset.range(100).window(5).flat_map(lambda w: w.batch(5))
        model.fit(ds.batch(64))
        """,
    "pairs that a lambda hands to a function": """
        import tensorflow as tf
        def mix(pair):
            first, second = tf.unstack(pair)
            return first + second
        model.fit(tf.data.Dataset.from_tensor_slices(x).batch(2).map(lambda pair: mix(pair)))
        """,
    "a batch axis that is squeezed away": """
        import tensorflow as tf
        model.fit(tf.data.Dataset.from_tensor_slices(x).batch(1).map(lambda e: tf.squeeze(e, 0)))
        """,
    "batches of batches": """
        import tensorflow as tf
        model.fit(tf.data.Dataset.from_tensor_slices(x).batch(8).batch(8))
        """,
    "one large branch of a zip": """
        import tensorflow as tf
        labelled = tf.data.Dataset.from_tensor_slices(x).batch(4)
        unlabelled = tf.data.Dataset.from_tensor_slices(y).batch(256)
        model.fit(tf.data.Dataset.zip((labelled, unlabelled)))
        """,
    "a look at the first elements": """
        import tensorflow as tf
        for batch in tf.data.Dataset.from_tensor_slices(x).batch(2).take(1):
            print(batch)
        """,
    "statistics for a layer": """
        import tensorflow as tf
        layer = tf.keras.layers.Normalization()
        layer.adapt(tf.data.Dataset.from_tensor_slices(x).batch(4))
        """,
    "one example with a batch axis": """
        import tensorflow as tf
        model.predict(tf.data.Dataset.from_tensors(x).batch(1))
        """,
    "a loop that only computes": """
        import tensorflow as tf
        for batch in tf.data.Dataset.from_tensor_slices(x).batch(4):
            histogram.add(batch)
        """,
    "under a switch for debugging": """
        import tensorflow as tf
        def train(model, x, debug):
            ds = tf.data.Dataset.from_tensor_slices(x)
            if debug:
                ds = ds.batch(2)
            else:
                ds = ds.batch(64)
            model.fit(ds)
        """,
    "generators for validation": """
        from keras.preprocessing.image import ImageDataGenerator
        valid = ImageDataGenerator().flow_from_directory("data/valid", batch_size=1)
        model.fit(train, validation_data=valid)
        """,
    "a generator that writes pictures": """
        from keras.preprocessing.image import ImageDataGenerator
        for batch in ImageDataGenerator().flow(x, batch_size=1, save_to_dir="out"):
            break
        """,
    "other libraries that fit": """
        from sklearn.neural_network import MLPClassifier
        MLPClassifier().fit(x, y)
        from other import Model
        Model().fit(x, y, batch_size=2)
        """,
    "a user's own function called fit": """
        import tensorflow as tf
        def fit(x, batch_size):
            return tf.reduce_mean(x) / batch_size
        fit(x, batch_size=2)
        """,
    "slices that are predicted": """
        import tensorflow as tf
        for i in range(0, 100, 4):
            model.predict_on_batch(x[i:i + 4])
        """,
    "slices of no constant width": """
        import tensorflow as tf
        for i in range(100):
            model.train_on_batch(x[i:i + size], y[i:i + size])
        """,
}


@pytest.mark.parametrize("reason", FIRES)
def test_fires(reason: str) -> None:
    source, expected = FIRES[reason]
    assert findings(source, "PIPE801") == expected


@pytest.mark.parametrize("reason", SILENT)
def test_is_silent(reason: str) -> None:
    assert findings(SILENT[reason], "PIPE801") == []


def test_a_constant_of_a_notebook_is_read_at_the_call() -> None:
    cells = notebook(
        "import tensorflow as tf\ndef build(x, size):\n    return tf.data.Dataset.from_tensor_slices(x).batch(size)",
        "size = 5\ntrain_ds = build(x, size)\nfor batch in train_ds.take(1):\n    print(batch)",
        "size = 32\ntrain_ds = build(x, size)",
        "model.fit(train_ds)",
    )
    assert findings(cells, "PIPE801", path="train.ipynb") == []
