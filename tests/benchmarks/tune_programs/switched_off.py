"""Trains on sound that is decoded and cropped at random, with tf.data's own optimisations switched off."""

import tempfile
from pathlib import Path

import numpy as np
import tensorflow as tf

CLIPS, SAMPLES, CROP, CLASSES = 400, 48_000, 16_000, 3
BATCH_SIZE, EPOCHS = 16, 6


def write_clips(folder: Path) -> list[str]:
    rng = np.random.default_rng(1)
    paths = []
    for number in range(CLIPS):
        tone = np.sin(np.arange(SAMPLES) / (5 + 5 * (number % CLASSES)))[:, None]
        audio = (0.5 * tone + 0.1 * rng.normal(size=(SAMPLES, 1))).astype("float32")
        path = folder / f"{number:04d}.wav"
        path.write_bytes(tf.audio.encode_wav(audio, 16_000).numpy())
        paths.append(str(path))
    return paths


def decode(path, label):
    audio, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1)
    spectrum = tf.abs(tf.signal.stft(tf.squeeze(audio, -1), 512, 256))
    return tf.math.log(spectrum + 1e-3), label


def crop(spectrum, label):
    return tf.image.random_crop(spectrum, (60, 257)), label


def make_dataset(paths: list[str]) -> tf.data.Dataset:
    options = tf.data.Options()
    options.autotune.enabled = False
    options.experimental_optimization.apply_default_optimizations = False
    labels = [number % CLASSES for number in range(len(paths))]
    dataset = tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(len(paths))
    dataset = dataset.map(decode)
    dataset = dataset.map(crop)
    dataset = dataset.batch(BATCH_SIZE)
    return dataset.with_options(options)


def main() -> None:
    model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(CLASSES)])
    model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    with tempfile.TemporaryDirectory() as folder:
        model.fit(make_dataset(write_clips(Path(folder))), epochs=EPOCHS, verbose=2)


if __name__ == "__main__":
    main()
