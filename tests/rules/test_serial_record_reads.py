"""PIPE204 serial-record-reads: cases beyond the examples of the rule itself."""

from __future__ import annotations

import pytest

from pipelint.model.grades import Severity
from pipelint.rule import Example
from tests.rules.promises import check_promises


def fit(*lines: str) -> str:
    """A program that trains on the dataset `ds`."""
    return "\n".join(("import glob, os", "import tensorflow as tf", "", *lines, "model.fit(ds.map(parse).batch(32))"))


CASES = (
    Example(
        "a list of files",
        fit('ds = tf.data.TFRecordDataset(["a.tfrecord", "b.tfrecord"])'),
        fit('ds = tf.data.TFRecordDataset(["a.tfrecord", "b.tfrecord"], num_parallel_reads=tf.data.AUTOTUNE)'),
        severity=Severity.ADVICE,
    ),
    Example(
        "a comprehension",
        fit("files = [f'{folder}/{i}.tfrecord' for i in range(8)]", "ds = tf.data.TFRecordDataset(files)"),
        fit(
            "files = [f'{folder}/{i}.tfrecord' for i in range(8)]",
            "ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)",
        ),
    ),
    Example(
        "most of what a glob finds",
        fit(
            'files = sorted(glob.glob(os.path.join(folder, "*.tfrecord")))',
            "train, held_out = files[:-4], files[-4:]",
            "ds = tf.data.TFRecordDataset(train, num_parallel_reads=None)",
        ),
        fit(
            'files = sorted(glob.glob(os.path.join(folder, "*.tfrecord")))',
            "train, held_out = files[:-4], files[-4:]",
            "ds = tf.data.TFRecordDataset(train, num_parallel_reads=tf.data.AUTOTUNE)",
        ),
    ),
    Example(
        "a dataset of files",
        fit('files = tf.data.Dataset.list_files("*.tfrecord").shuffle(8)', "ds = tf.data.TFRecordDataset(files)"),
        fit(
            'files = tf.data.Dataset.list_files("*.tfrecord").shuffle(8)',
            "ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)",
        ),
    ),
    Example(
        "several files by way of a function",
        fit(
            "def read(files):",
            "    return tf.data.TFRecordDataset(files)",
            "",
            'ds = read(glob.glob("a/*") + glob.glob("b/*"))',
        ),
        fit(
            "def read(files):",
            "    return tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)",
            "",
            'ds = read(glob.glob("a/*") + glob.glob("b/*"))',
        ),
    ),
    Example(
        "flat_map over paths, with more behind the reader",
        fit(
            "paths = tf.data.Dataset.from_tensor_slices(files)",
            'ds = paths.flat_map(lambda path: tf.data.TFRecordDataset(path, "GZIP").skip(1))',
        ),
        severity=Severity.ADVICE,
    ),
    Example("a glob that matches one file", fit('ds = tf.data.TFRecordDataset(glob.glob("a.tfrecord"))'), silent=True),
    Example("the first of many files", fit('ds = tf.data.TFRecordDataset(glob.glob("*.tfrecord")[0])'), silent=True),
    Example("a slice of one", fit('ds = tf.data.TFRecordDataset(glob.glob("*.tfrecord")[:1])'), silent=True),
    Example("a path that is put together", fit('ds = tf.data.TFRecordDataset(os.path.join(folder, "a"))'), silent=True),
    Example("one path in a list", fit("ds = tf.data.TFRecordDataset([os.path.join(folder, name)])"), silent=True),
    Example(
        "one file here, several there, as a parameter",
        fit(
            "def read(files, readers):",
            "    return tf.data.TFRecordDataset(files, num_parallel_reads=readers)",
            "ds = read(['a', 'b'], n)",
        ),
        silent=True,
    ),
    Example("options out of sight", fit("ds = tf.data.TFRecordDataset(['a', 'b'], **options)"), silent=True),
    Example("kept by a cache", fit("ds = tf.data.TFRecordDataset(['a', 'b']).cache()"), silent=True),
    Example(
        "flat_map over the path of one file",
        fit("ds = tf.data.Dataset.from_tensor_slices([path]).flat_map(tf.data.TFRecordDataset)"),
        silent=True,
    ),
    Example(
        "flat_map in a function that is read in parallel",
        fit(
            'files = tf.data.Dataset.list_files("*.tfrecord")',
            "ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)",
        ),
        silent=True,
    ),
    Example(
        "the order of predictions counts",
        """
        import tensorflow as tf

        model.predict(tf.data.TFRecordDataset(["a", "b"]).map(parse).batch(32))
        """,
        silent=True,
    ),
    Example(
        "a loop that converts records",
        """
        import tensorflow as tf

        for record in tf.data.TFRecordDataset(["a", "b"]):
            writer.write(convert(record.numpy()))
        """,
        silent=True,
    ),
)


@pytest.mark.parametrize("example", CASES, ids=lambda example: example.title)
def test_serial_record_reads(example: Example) -> None:
    check_promises("PIPE204", example)
