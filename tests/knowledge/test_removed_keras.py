"""What Keras 3 gave up, as the installed Keras and TensorFlow have it."""

from __future__ import annotations

import importlib
import inspect
from functools import reduce
from typing import Any

import keras
import pytest

from pipelint.knowledge import removed_keras
from tests.knowledge.installed import tf


@pytest.fixture(scope="module")
def model() -> Any:
    return tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])


@pytest.mark.parametrize("name", removed_keras.REMOVED_METHODS["keras.Model"])
def test_models_have_the_method_no_more(model: Any, name: str) -> None:
    assert not hasattr(model, name)


@pytest.mark.parametrize("name", removed_keras.REMOVED_METHODS["keras.optimizers"])
def test_optimizers_have_the_method_no_more(name: str) -> None:
    assert not hasattr(tf.keras.optimizers.Adam(), name)
    assert not hasattr(keras.optimizers.Adam(), name)


@pytest.mark.parametrize(("old", "new"), removed_keras.RENAMED_OF_METRICS.items())
def test_metrics_have_the_method_under_its_new_name(old: str, new: str) -> None:
    metric = tf.keras.metrics.Mean()
    assert not hasattr(metric, old)
    assert hasattr(metric, new)


def test_optimizers_warn_of_an_argument_that_they_ignore() -> None:
    with pytest.warns(UserWarning, match="no longer supported and will be ignored"):
        optimizer = tf.keras.optimizers.SGD(0.1, **{removed_keras.IGNORED_BY_OPTIMIZERS: 0.5})
    weight = tf.Variable(1.0)
    for _ in range(5):
        optimizer.apply_gradients([(tf.constant(0.0), weight)])
    assert float(optimizer.learning_rate) == pytest.approx(0.1)


@pytest.mark.parametrize(("kind", "rate"), removed_keras.DEFAULT_RATES.items())
def test_the_rate_of_an_optimizer_that_is_told_none(kind: str, rate: float) -> None:
    assert inspect.signature(getattr(tf.keras.optimizers, kind)).parameters["learning_rate"].default == rate


@pytest.mark.parametrize("kind", ["SGD", "Adam", "RMSprop", "Adadelta", "Nadam"])
def test_the_first_step_needs_a_number(kind: str) -> None:
    made = getattr(tf.keras.optimizers, kind)
    if removed_keras.NEVER_NONE in inspect.signature(made).parameters:
        with pytest.raises(ValueError, match="None"):
            made(**{removed_keras.NEVER_NONE: None}).apply_gradients([(tf.constant(1.0), tf.Variable(1.0))])


@pytest.mark.parametrize("name", removed_keras.GONE_NAMES)
def test_packages_of_keras_2_are_gone(name: str) -> None:
    for start in (tf.keras, keras):
        with pytest.raises(AttributeError):
            reduce(getattr, name.split(".")[1:], start)
    assert tf.keras.optimizers.schedules.CosineDecay
    assert tf.keras.layers.BatchNormalization(synchronized=True)


@pytest.mark.parametrize(("old", "new"), removed_keras.RENAMED_METHODS.items())
def test_strategies_have_the_method_under_its_new_name(old: str, new: str) -> None:
    assert not hasattr(tf.distribute.Strategy, old)
    assert hasattr(tf.distribute.Strategy, new)


@pytest.mark.parametrize("name", sorted(removed_keras.TAKES_NO_WORKERS))
def test_workers_are_for_a_pydataset_alone(model: Any, name: str) -> None:
    given = set(removed_keras.WORKER_ARGUMENTS)
    assert given.isdisjoint(inspect.signature(getattr(model, name)).parameters)
    assert given <= set(inspect.signature(tf.keras.utils.PyDataset.__init__).parameters)


@pytest.mark.parametrize(("old", "new"), removed_keras.LEARNING_RATE.items())
def test_optimizers_take_no_other_name_of_the_learning_rate(old: str, new: str) -> None:
    tf.keras.optimizers.Adam(**{new: 0.1})
    with pytest.raises(ValueError, match="not recognized"):
        tf.keras.optimizers.Adam(**{old: 0.1})


@pytest.mark.parametrize(("old", "new"), [(old, new) for old, (new, _) in removed_keras.FUNCTION_ARGUMENTS.items()])
def test_arguments_of_functions_are_deprecated_and_have_another_name(old: str, new: str) -> None:
    parameters = inspect.signature(tf.function).parameters
    assert {old, new} <= parameters.keys()
    assert f"{old} is deprecated, use {new} instead" in (tf.function.__doc__ or "")


@pytest.mark.parametrize("name", sorted(removed_keras.ITERATOR_METHODS))
def test_datasets_have_no_iterators_for_sessions(name: str) -> None:
    assert not hasattr(tf.data.Dataset, name)
    assert hasattr(iter(tf.data.Dataset.range(1)), "get_next")


@pytest.mark.parametrize("name", removed_keras.GONE_MODULES)
def test_modules_of_keras_2_are_gone(name: str) -> None:
    for module in (name, f"tensorflow.{name}"):
        with pytest.raises(ImportError):
            importlib.import_module(module)


@pytest.mark.parametrize("name", removed_keras.GONE_FROM_KERAS)
def test_what_tf_keras_keeps_is_gone_from_keras(name: str) -> None:
    path = name.split(".")[1:]
    assert reduce(getattr, path, tf.keras)
    with pytest.raises(AttributeError):
        reduce(getattr, path, keras)


def test_a_dataset_is_not_split_for_validation(model: Any) -> None:
    model.compile("sgd", "mse")
    ds = tf.data.Dataset.from_tensor_slices((tf.zeros((4, 2)), tf.zeros((4, 1)))).batch(2)
    with pytest.raises(ValueError, match="validation_split"):
        model.fit(ds, validation_split=0.5, verbose=0)


def test_the_generator_of_pictures_is_left_for_tf_keras() -> None:
    made = tf.keras.preprocessing.image.ImageDataGenerator()
    assert all(hasattr(made, name) for name in removed_keras.GENERATES_FROM_FILES)
    assert "workers" not in inspect.signature(made.flow_from_directory).parameters
