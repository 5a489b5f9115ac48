"""Which names only TensorFlow 1 has, compared with the namespace that TensorFlow keeps of it."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.knowledge import tensorflow_1
from tests.knowledge.installed import resolve

MODULES = (
    "", "config", "data", "debugging", "distribute", "feature_column", "graph_util", "image", "io", "linalg", "lookup",
    "math", "nn", "random", "saved_model", "sparse", "strings", "summary", "train",
)  # fmt: skip
"""Where to look. `losses`, `metrics`, `initializers` and `keras` are Keras, which has names of its own there."""
IN_EARLIER_2 = {"tensorflow.estimator", "tensorflow.mixed_precision"}
"""Later versions of TensorFlow 2 removed these."""


def only_in_1() -> Iterator[str]:
    """All that `tf.compat.v1` has and `tf` has not."""
    for module in MODULES:
        name = f".{module}" if module else ""
        old, new = resolve(f"tensorflow.compat.v1{name}"), resolve(f"tensorflow{name}")
        yield from (
            f"tensorflow{name}.{part}" for part in dir(old) if not part.startswith("_") and not hasattr(new, part)
        )


def test_the_table_holds_all_that_only_tensorflow_1_has() -> None:
    assert sorted(tensorflow_1.ONLY_IN_1) == sorted(set(only_in_1()) - IN_EARLIER_2)


def test_what_only_tensorflow_2_has_is_missing_in_1() -> None:
    # New names come into `tf.compat.v1` too, as this one did with 2.4.
    for name in tensorflow_1.ONLY_IN_2 - {"tensorflow.data.AUTOTUNE"}:
        assert resolve(name) is not None
        assert resolve(name.replace("tensorflow", "tensorflow.compat.v1")) is None


def test_graphs_are_built_by_names_that_are_there() -> None:
    for name in tensorflow_1.GRAPH_MODE | tensorflow_1.GRAPHS | tensorflow_1.SESSIONS:
        assert resolve(name) is not None
    for name in tensorflow_1.GONE_WITH_1:
        assert resolve(name) is None


def test_datasets_of_tensorflow_2_have_other_attributes() -> None:
    for name in tensorflow_1.DATASET_ATTRIBUTES:
        assert resolve(f"tensorflow.compat.v1.data.Dataset.{name}") is not None
        assert resolve(f"tensorflow.data.Dataset.{name}") is None
