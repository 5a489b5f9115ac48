"""Each row of parameters against the signature of what is installed."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from pipelint.knowledge import signatures, stages
from pipelint.knowledge.numpy_equivalents import EQUIVALENTS
from pipelint.knowledge.signatures import parameters_of
from tests.knowledge.installed import parameters, resolve

ROWS = {
    **{f"tensorflow.data.Dataset.{name}": row for name, row in signatures.TRANSFORMATIONS.items()},
    **{f"tensorflow.data.experimental.{name}": row for name, row in signatures.EXPERIMENTAL_TRANSFORMATIONS.items()},
    **signatures.SOURCES,
    **signatures._CALLABLES,
}

ELSEWHERE = {
    "keras.preprocessing.image.ImageDataGenerator": "keras.src.legacy.preprocessing.image.ImageDataGenerator",
    "keras.preprocessing.sequence.TimeseriesGenerator": "keras.src.legacy.preprocessing.sequence.TimeseriesGenerator",
}
"""What Keras 3 still has, though it says so nowhere."""

GONE = {
    "keras.Model.fit_generator": "removed in Keras 3",
    "keras.Model.evaluate_generator": "removed in Keras 3",
    "keras.Model.predict_generator": "removed in Keras 3",
    "tensorflow_datasets.load": "a package of its own",
    "tensorflow.data.Dataset.assert_cardinality": "only in tf.data.experimental",
    "tensorflow.data.Dataset.prefetch_to_device": "only in tf.data.experimental",
    "tensorflow.data.Dataset.copy_to_device": "only in tf.data.experimental",
}

UNNAMED = {
    "tensorflow.data.Dataset.range": "takes *args",
    "keras.Sequential": "made by __new__, which takes *args",
}


def found(name: str) -> Any:
    for shown, real in ELSEWHERE.items():
        if name.startswith(shown):
            return resolve(name.replace(shown, real))
    return resolve(name)


@pytest.mark.parametrize("name", ROWS)
def test_parameters_are_those_of_the_signature(name: str) -> None:
    if name in GONE or name in UNNAMED:
        pytest.skip((GONE | UNNAMED)[name])
    target = found(name)
    assert target is not None
    # A method of a class is looked up on the class, and the first parameter is the object.
    unbound = inspect.isfunction(target) and isinstance(found(name.rpartition(".")[0]), type)
    actual = parameters(target.__init__ if inspect.isclass(target) else target)
    actual = actual[1:] if (unbound and not is_static(name)) or inspect.isclass(target) else actual
    assert list(ROWS[name]) == actual[: len(ROWS[name])]
    assert parameters_of(name) == ROWS[name]


def is_static(name: str) -> bool:
    owner, _, last = name.rpartition(".")
    return isinstance(inspect.getattr_static(found(owner), last), staticmethod)


@pytest.mark.parametrize("name", GONE)
def test_what_is_called_gone_is_not_there(name: str) -> None:
    assert found(name) is None


def test_every_stage_has_parameters() -> None:
    known = signatures.TRANSFORMATIONS.keys() | signatures.EXPERIMENTAL_TRANSFORMATIONS.keys()
    assert stages.TRANSFORMATIONS.keys() == known
    assert stages.SOURCES.keys() <= {name.rpartition(".")[2] for name in signatures.SOURCES}


def test_every_function_of_a_stage_is_a_parameter() -> None:
    for op, parameter in stages.FUNCTION_PARAMETER.items():
        rows = (signatures.TRANSFORMATIONS.get(op), signatures.EXPERIMENTAL_TRANSFORMATIONS.get(op))
        assert all(row[0] == parameter for row in rows if row is not None)


def test_numpy_functions_with_an_equivalent_have_parameters() -> None:
    assert [name for name in EQUIVALENTS if parameters_of(f"numpy.{name}") is None] == ["einsum"]


def test_names_of_compat_v1_have_the_same_parameters() -> None:
    assert parameters_of("tensorflow.compat.v1.data.Dataset.map") == signatures.TRANSFORMATIONS["map"]


def test_nothing_is_known_of_other_names() -> None:
    assert parameters_of("tensorflow.data.Dataset.nothing") is None
    assert parameters_of("train") is None
