"""The table of effects beside what its generator finds on the installed TensorFlow and Keras."""

from __future__ import annotations

import subprocess
import sys
import warnings

import pytest

from pipelint.knowledge import effect_table, effects
from tests.knowledge.installed import keras, resolve, stateful_operations, tf

whole_table = pytest.importorskip("pipelint.knowledge.generate.whole_table")

ONE_OF = 160
"""A trace of each symbol takes minutes; one of so many takes seconds."""

NAMED = {
    "tensorflow.compat.v1.distributions.Normal.sample": "random",
    "tensorflow.lookup.StaticHashTable.__getitem__": "state",
    "tensorflow.lookup.StaticHashTable.lookup": "state",
    "keras.backend.dropout": "random",
    "tensorflow.raw_ops.TruncatedNormal": "random",
    "tensorflow.experimental.numpy.random.randn": "random",
    "tensorflow.random.Generator.normal": "random",
    "tensorflow.Variable.assign_add": "state",
    "tensorflow.queue.FIFOQueue.dequeue": "state",
    "tensorflow.nn.dropout": "random",
    "tensorflow.print": "state",
    "tensorflow.py_function": "python",
    "tensorflow.io.read_file": "read",
    "tensorflow.io.decode_png": "decode",
    "tensorflow.image.random_jpeg_quality": "decode random",
    "tensorflow.image.resize": "",
    "tensorflow.image.stateless_random_crop": "",
    "tensorflow.debugging.assert_equal": "",
    "tensorflow.map_fn": "",
    "keras.initializers.GlorotUniform.__call__": "",
    "keras.initializers.RandomNormal.__call__": "",
    "keras.layers.Identity.__call__": "",
    "keras.layers.Rescaling.__call__": "",
    "keras.layers.RandomFlip.__call__": "random",
    "keras.layers.Dense.__call__": "state",
    "keras.layers.StringLookup.__call__": "state",
}
"""What was once mistaken, and what safe fixes hang on."""

DECIDED_BY_ARGUMENTS: dict[str, dict[tuple[str, bool | int], str]] = {
    "keras.layers.Dropout.__call__": {("training", True): "random"},
    "keras.layers.RandomFlip.__call__": {("training", False): ""},
    "keras.random.uniform": {("seed", 1): ""},
}


def told(found: effect_table.Effects) -> str:
    return " ".join(sorted(found))


@pytest.mark.parametrize(("name", "expected"), NAMED.items(), ids=NAMED)
def test_what_is_named_is_right_in_the_table_and_when_traced(name: str, expected: str) -> None:
    shipped = effects.entry_of(name)
    assert shipped is not None
    assert told(shipped.effects) == expected
    traced = whole_table.entry_of(name)
    assert traced is not None
    assert told(traced.effects) == expected


@pytest.mark.parametrize("name", DECIDED_BY_ARGUMENTS)
def test_an_argument_decides(name: str) -> None:
    shipped = effects.entry_of(name)
    assert shipped is not None
    decided = {(item.parameter, item.value): told(item.effects) for item in shipped.conditions}
    assert DECIDED_BY_ARGUMENTS[name].items() <= decided.items()


SAMPLE = [name for name in effect_table.names() if not name.startswith("tensorflow.raw_ops.")][::ONE_OF]


@pytest.mark.parametrize("name", SAMPLE)
def test_a_sample_of_the_table_is_as_traced(name: str) -> None:
    traced = whole_table.entry_of(name)
    if traced is None and whole_table.versions() != effect_table.versions():
        warnings.warn(f"{name} is gone: the table is of {effect_table.versions()}", stacklevel=1)
        pytest.skip("the table is of another version")
    assert traced == effect_table.entry_of(name)


def test_every_operation_of_the_registry_is_as_it_says() -> None:
    for name, entry in whole_table.raw_operations().items():
        assert effect_table.entry_of(name) in (entry, None)


def test_an_operation_that_calls_functions_is_not_known() -> None:
    assert effects.entry_of("tensorflow.raw_ops.PartitionedCall") is None


NOT_TRACED = {
    # functions that need what no recipe gives, by where they are
    "audio": "",
    "bitwise": "",
    "image": "generate_bounding_box_proposals",
    "io": "decode_proto encode_proto match_filenames_once write_graph",
    "linalg": "",
    "math": "",
    "ragged": "",
    "signal": "",
    "sparse": "mask sampled_addmm",
    "strings": "",
}


@pytest.mark.parametrize("module", NOT_TRACED)
def test_what_maps_are_made_of_is_in_the_table(module: str) -> None:
    names = [name for name in dir(resolve(f"tensorflow.{module}")) if name.islower() and not name.startswith("_")]
    functions = {name for name in names if callable(resolve(f"tensorflow.{module}.{name}"))}
    unknown = {name for name in functions if effects.entry_of(f"tensorflow.{module}.{name}") is None}
    assert unknown <= set(NOT_TRACED[module].split())


@pytest.mark.parametrize(
    "name", ["tensorflow_addons.image.rotate", "keras.layers.Layer.__call__", "tensorflow.saved_model.load"]
)
def test_what_cannot_be_traced_is_not_known(name: str) -> None:
    assert effects.entry_of(name) is None


def test_a_name_of_tensorflow_1_is_found() -> None:
    for name, expected in (("tensorflow.random_uniform", "random"), ("tensorflow.read_file", "read")):
        entry = effects.entry_of(name)
        assert entry is not None
        assert told(entry.effects) == expected


def test_methods_of_whatever_the_engine_takes_for_a_tensor_are_known() -> None:
    for method in ("to_tensor", "get_shape", "set_shape", "with_shape", "stack"):
        entry = effects.entry_of(f"tensorflow.Tensor.{method}")
        assert (entry is not None) == (method != "with_shape")


def test_the_verdict_is_that_of_a_mapped_function() -> None:
    """A map of a layer that the table calls stateless has no stateful operation."""
    images = tf.data.Dataset.from_tensors(tf.zeros((2, 8, 8, 3)))
    for name in (
        "CenterCrop",
        "Identity",
        "MaxPooling2D",
        "RandomContrast",
        "Rescaling",
        "Resizing",
        "BatchNormalization",
    ):
        layer = getattr(keras.layers, name)
        made = (
            layer(4, 4)
            if name in ("CenterCrop", "Resizing")
            else layer(0.5)
            if name in ("RandomContrast", "Rescaling")
            else layer()
        )
        entry = effects.entry_of(f"keras.layers.{name}.__call__")
        assert entry is not None
        assert bool(stateful_operations(images.map(made))) == bool(entry.effects)


def test_a_check_without_a_mapped_function_does_not_read_the_table() -> None:
    program = (
        "import sys; from pipelint.static.analyse import analyse; from pipelint.knowledge import effect_table\n"
        "analyse('import tensorflow as tf\\nmodel.fit(tf.data.Dataset.range(3).batch(2))', target=(2, 21))\n"
        "assert not effect_table._lines.cache_info().currsize\n"
        "assert not any('generate' in name for name in sys.modules), 'the generator'\n"
        "assert 'tensorflow' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
