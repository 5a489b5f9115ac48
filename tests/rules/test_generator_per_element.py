"""PIPE501 generator-per-element: cases beyond the examples of the rule itself."""

from __future__ import annotations

import pytest

from pipelint.lint.task import Mode
from pipelint.model.grades import Severity
from pipelint.rule import Example
from tests.rules.promises import check_promises
from tests.rules.test_every_rule import REGISTRY, code, run

PADDED = Example(
    "sequences of any length",
    """
    import tensorflow as tf

    ds = tf.data.Dataset.from_generator(sentences, output_signature=tf.TensorSpec((None,), tf.int32))
    model.fit(ds.map(mask).shuffle(1000).padded_batch(32))
    """,
    severity=Severity.WARNING,
)
HANDED_OUT = Example(
    "handed out in batches",
    """
    import tensorflow as tf

    def make(path):
        return tf.data.Dataset.from_generator(lambda: rows(path), tf.float32).batch(32)
    """,
    severity=Severity.ADVICE,
)
CASES = (
    PADDED,
    HANDED_OUT,
    Example(
        "batched by the caller",
        """
        import tensorflow as tf

        def make(path):
            return tf.data.Dataset.from_generator(lambda: rows(path), tf.float32)

        model.fit(make("a").repeat().batch(32), steps_per_epoch=10)
        """,
        severity=Severity.WARNING,
    ),
    Example(
        "in a pair with other data",
        """
        import tensorflow as tf

        images = tf.data.Dataset.from_generator(load_images, tf.float32)
        ds = tf.data.Dataset.zip((images, tf.data.Dataset.from_tensor_slices(labels)))
        model.fit(ds.batch(32))
        """,
        severity=Severity.WARNING,
    ),
    Example(
        "handed out one by one",
        """
        import tensorflow as tf

        def make():
            return tf.data.Dataset.from_generator(rows, tf.float32)
        """,
        silent=True,
    ),
    Example(
        "a look at a few",
        """
        import tensorflow as tf

        for batch in tf.data.Dataset.from_generator(rows, tf.float32).batch(4).take(2):
            inspect(batch)
        """,
        silent=True,
    ),
    Example(
        "each element holds many examples",
        """
        import tensorflow as tf

        files = tf.data.Dataset.from_generator(tables, tf.float32)
        model.fit(files.flat_map(tf.data.Dataset.from_tensor_slices).batch(32))
        """,
        silent=True,
    ),
    Example(
        "batches of another size",
        """
        import tensorflow as tf

        model.fit(tf.data.Dataset.from_generator(batches, tf.float32).rebatch(64))
        """,
        silent=True,
    ),
    Example(
        "one element is the batch",
        """
        import tensorflow as tf

        model.fit(tf.data.Dataset.from_generator(volumes, tf.float32).batch(1))
        """,
        silent=True,
    ),
)


@pytest.mark.parametrize("example", CASES, ids=lambda example: example.title)
def test_generator_per_element(example: Example) -> None:
    check_promises("PIPE501", example)


@pytest.mark.parametrize(
    ("generator", "named"),
    [
        ("rows", "`rows`"),
        ("self.rows", "`rows`"),
        ("lambda: rows(path)", "`rows`"),
        ("functools.partial(rows, path)", "`rows`"),
        ("Rows(path)", "`Rows`"),
        ("lambda: zip(x, y)", "this generator"),
        ("lambda: (x for x in table)", "this generator"),
    ],
)
def test_the_message_names_the_generator(generator: str, named: str) -> None:
    (rule,) = [rule for rule in REGISTRY if rule.code == "PIPE501"]
    source = code(PADDED.before).replace("sentences", generator)
    (found,) = run(rule, PADDED, source, Mode.REPORT).diagnostics
    assert found.message.startswith(f"{named} makes one element at a time")
