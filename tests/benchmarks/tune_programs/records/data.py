"""Records of pictures, and the batches that a training takes."""

from pathlib import Path

import numpy as np
import tensorflow as tf

FILES, RECORDS, SIDE, CLASSES, BATCH_SIZE = 8, 60, 192, 3, 24
FEATURES = {"image": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)}


def write_records(folder: Path) -> list[str]:
    rng = np.random.default_rng(1)
    names = [str(folder / f"part-{number}.tfrecord") for number in range(FILES)]
    for name in names:
        with tf.io.TFRecordWriter(name) as writer:
            for _ in range(RECORDS):
                label = int(rng.integers(CLASSES))
                tiles = rng.integers(0, 80 + 70 * label, (SIDE // 8, SIDE // 8, 3), dtype=np.uint8)
                picture = tf.io.encode_png(tiles.repeat(8, axis=0).repeat(8, axis=1)).numpy()
                features = {
                    "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[picture])),
                    "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[label])),
                }
                writer.write(tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString())
    return names


def parse(record):
    example = tf.io.parse_single_example(record, FEATURES)
    image = tf.io.decode_png(example["image"], channels=3)
    return tf.image.resize(image, (96, 96), antialias=True), example["label"]


def jitter(image, label):
    image = tf.image.random_flip_left_right(image)
    return tf.image.random_contrast(image, 0.7, 1.3) / 255.0, label


def training_batches(files: list[str]) -> tf.data.Dataset:
    records = tf.data.TFRecordDataset(files)
    examples = records.map(parse).shuffle(200)
    return examples.map(jitter).batch(BATCH_SIZE)
