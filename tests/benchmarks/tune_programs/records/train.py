"""Trains with a loop of its own on records that another module reads."""

import tempfile
from pathlib import Path

import tensorflow as tf
from data import CLASSES, training_batches, write_records

EPOCHS = 6

model = tf.keras.Sequential(
    [tf.keras.layers.AveragePooling2D(8), tf.keras.layers.Flatten(), tf.keras.layers.Dense(CLASSES)]
)
optimizer = tf.keras.optimizers.SGD()
loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        loss = loss_of(labels, model(images, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = write_records(Path(folder))
        batches = training_batches(files)
        for epoch in range(EPOCHS):
            for images, labels in batches:
                loss = train_step(images, labels)
            print(f"epoch {epoch + 1}: loss {loss:.3f}")


if __name__ == "__main__":
    main()
