"""Trains on features that are looked up in a table, one row after the other."""

import numpy as np
import tensorflow as tf

ROWS, FIELDS, ENTRIES, WIDTH = 40_000, 24, 5_000, 8
BATCH_SIZE, EPOCHS = 128, 4

rng = np.random.default_rng(1)
TABLE = tf.constant(rng.normal(size=(ENTRIES, WIDTH)).astype("float32"))


def look_up(fields, label):
    return tf.gather(TABLE, fields), tf.cast(label, tf.float32)


def make_dataset() -> tf.data.Dataset:
    fields = rng.integers(0, ENTRIES, (ROWS, FIELDS))
    labels = rng.integers(0, 2, ROWS)
    dataset = tf.data.Dataset.from_tensor_slices((fields, labels))
    dataset = dataset.shuffle(ROWS)
    dataset = dataset.map(look_up)
    return dataset.batch(BATCH_SIZE)


def main() -> None:
    model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])
    model.compile("sgd", tf.keras.losses.BinaryCrossentropy(from_logits=True))
    model.fit(make_dataset(), epochs=EPOCHS, verbose=2)


if __name__ == "__main__":
    main()
