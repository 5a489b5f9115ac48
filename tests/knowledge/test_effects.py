"""Each layer of the table, traced: whether TensorFlow sees state in it."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from pipelint.knowledge import effects, names
from tests.knowledge.installed import keras, resolve, stateful_operations, tf

THIRD_PARTY = {"Augmenter": "keras_cv", "GridMask": "keras_cv"}

VECTOR = tf.zeros((1, 4))
IMAGE = tf.zeros((1, 8, 8, 3))
SEQUENCE = tf.zeros((1, 8, 3))
VOLUME = tf.zeros((1, 4, 4, 4, 3))
TEXT = tf.constant(["a"])
LABELLED = {"images": tf.zeros((2, 8, 8, 3)), "labels": tf.zeros((2, 3))}

INPUTS: dict[str, Any] = {
    **dict.fromkeys(
        ("AugMix", "AutoContrast", "CenterCrop", "Equalization", "RandAugment", "Resizing", "Solarization"), IMAGE
    ),
    **dict.fromkeys(("CutMix", "MixUp"), LABELLED),
    **dict.fromkeys(("Masking", "Permute"), SEQUENCE),
    **dict.fromkeys(
        ("Add", "Average", "Concatenate", "Dot", "Maximum", "Minimum", "Multiply", "Subtract"), (VECTOR, VECTOR)
    ),
    "CategoryEncoding": tf.constant([[1]]),
    "ContrastLimitedAdaptiveHistogramEqualization": IMAGE,
    "Hashing": TEXT,
    "HashedCrossing": (TEXT, TEXT),
    "MelSpectrogram": tf.zeros((1, 4096)),
}

ARGUMENTS: dict[str, tuple[object, ...]] = {
    **dict.fromkeys(("CenterCrop", "Resizing", "RandomCrop"), (4, 4)),
    **dict.fromkeys(("HashedCrossing", "Hashing", "CategoryEncoding", "RandomPosterization"), (4,)),
    "Activation": ("relu",),
    "Discretization": ([0.0, 1.0],),
    "Dot": (1,),
    "Normalization": (-1, 0.0, 1.0),
    "Permute": ((2, 1),),
    "RandomColorJitter": ((0, 255), 0.5),
    "RandomTranslation": (0.1, 0.1),
    "RepeatVector": (2,),
    "Rescaling": (1 / 255,),
    "Reshape": ((2, 2),),
}


def stateful(name: str, given: Any, **training: bool) -> set[str]:
    """The stateful operations of a layer, made with as few arguments as it needs."""
    make = getattr(keras.layers, name)
    needed = [item for item in inspect.signature(make).parameters.values() if item.default is item.empty]
    pooling = "Pool" in name
    layer = make(
        *ARGUMENTS.get(name, [2 if pooling else 0.5 for item in needed if item.kind is item.POSITIONAL_OR_KEYWORD])
    )

    def call(*parts: Any) -> Any:
        return layer(list(parts) if len(parts) > 1 else parts[0], **training)

    return stateful_operations(tf.data.Dataset.from_tensors(given).map(call))


@pytest.mark.parametrize("name", effects.LAYERS)
def test_a_layer_is_what_its_row_says(name: str) -> None:
    if name in THIRD_PARTY:
        pytest.skip(f"in {THIRD_PARTY[name]}")
    if name == "InputLayer":
        pytest.skip("is not called")
    given = INPUTS.get(name, {"1D": SEQUENCE, "2D": IMAGE, "3D": VOLUME}.get(name[-2:], VECTOR))
    match effects.LAYERS[name]:
        case "none":
            assert not stateful(name, given)
        case "random":
            assert stateful(name, given)
        case "random when training":
            assert stateful(name, given, training=True)
            assert not stateful(name, given)


@pytest.mark.parametrize("name", [name for name in dir(keras.layers) if name.startswith("Random")])
def test_a_layer_called_random_is(name: str) -> None:
    assert stateful(name, IMAGE, training=True)


def test_two_names_of_one_layer_have_one_effect() -> None:
    known: dict[type, set[str | None]] = {}
    for name, layer in inspect.getmembers(keras.layers, inspect.isclass):
        known.setdefault(layer, set()).add(effects.LAYERS.get(name))
    assert [layer for layer, found in known.items() if len(found) > 1] == []


@pytest.mark.parametrize("prefix", [*effects.STATEFUL_FUNCTIONS, *effects.STATEFUL_OBJECTS, *effects.RANDOM_MODULES])
def test_a_prefix_begins_some_name(prefix: str) -> None:
    owner, last = prefix.rpartition(".")[0], names.last(prefix)
    assert any(name.startswith(last) for name in dir(resolve(owner)))


def test_functions_that_decode_or_read_are_stateless() -> None:
    found = {name for name in dir(tf.io) if name.startswith(effects.DECODERS)}
    assert {"decode_jpeg", "decode_raw", "decode_csv", "parse_tensor"} <= found
    assert set(dir(tf.io)) >= effects.READERS
