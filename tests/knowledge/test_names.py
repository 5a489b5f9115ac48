"""Names of tables against what is installed: each resolves, or its row says why not."""

from __future__ import annotations

import pytest

from pipelint.knowledge import deprecated, effects, keras, python_calls, rewrites, tensors
from pipelint.knowledge.names import CANONICAL, canonical, display
from tests.knowledge.installed import np, resolve, tf


@pytest.mark.parametrize(("spelled", "meant", "only_in"), CANONICAL, ids=[row[0] for row in CANONICAL])
def test_a_spelling_is_there_unless_its_row_says_where(spelled: str, meant: str, only_in: str) -> None:
    assert resolve(meant) is not None
    assert (resolve(spelled) is None) == bool(only_in)
    assert canonical(spelled) == canonical(meant)


def test_names_are_canonical_at_every_depth() -> None:
    assert canonical("tensorflow.compat.v2.keras.models.Model.fit") == "keras.Model.fit"
    assert canonical("tensorflow_core") == "tensorflow"
    assert canonical("tensorflowjs.data") == "tensorflowjs.data"


def test_names_are_shown_as_users_write_them() -> None:
    assert display("tensorflow.data.Dataset") == "tf.data.Dataset"
    assert display("builtins.print") == "print"
    assert display("datetime.datetime.now") == "datetime.now"
    assert display("numpyro.sample") == "numpyro.sample"


@pytest.mark.parametrize(
    "name",
    [
        *sorted(effects.PY_FUNCTIONS - {"tensorflow.py_func"}),
        *(f"keras.layers.{name}" for name in sorted(keras.CONTAINER_LAYERS)),
        *(f"keras.optimizers.Optimizer.{name}" for name in sorted(keras.APPLIES_GRADIENTS)),
        *sorted(keras.MODEL_MAKERS | keras.PYDATASETS),
        *(f"{module}.{name}" for module, brought in keras.STAR_MODULES.items() for name in sorted(brought)),
        *(f"keras.layers.{name}" for name in sorted(keras.STAR_LAYERS)),
        *sorted(python_calls.RUNS_OVER - {"tensorflow_datasets.as_numpy"}),
        *sorted(python_calls.CONTAINERS | python_calls.GLOBS | python_calls.LISTINGS | python_calls.PATH_JOINS),
        *sorted(python_calls.CORE_COUNTS - {"psutil.cpu_count"}),
        *python_calls.CLOCKS,
        *python_calls.GENERATORS,
        *(renamed.new for renamed in deprecated.RENAMED.values()),
        *deprecated.RENAMED,
        "tensorflow.config.run_functions_eagerly",
    ],
)
def test_a_name_resolves(name: str) -> None:
    assert resolve(name) is not None


@pytest.mark.parametrize("rewrite", rewrites.REWRITES, ids=[rewrite.option for rewrite in rewrites.REWRITES])
def test_a_rewrite_has_an_option(rewrite: rewrites.Rewrite) -> None:
    for option in {*rewrite.turned_off_by} - {rewrites.AUTOTUNE_OPTIONS[1]}:
        owner, _, last = option.rpartition(".")
        assert hasattr(getattr(tf.data.Options(), owner), last)


def test_deprecated_functions_have_methods_instead() -> None:
    for name, instead in deprecated.METHODS_INSTEAD.items():
        assert hasattr(tf.data.experimental, name)
        parts = [part.partition("(")[0] for part in instead.methods.split(").") if "tf" not in part]
        assert all(hasattr(tf.data.Dataset, part) for part in [*parts, *filter(None, [instead.same])])


def test_attributes_that_are_known_while_tracing() -> None:
    seen: set[str] = set()

    def look(x: object) -> object:
        seen.update(name for name in tensors.STATIC_ATTRIBUTES if hasattr(x, name))
        return x

    tf.function(look, autograph=False)(tf.ones([2]))
    assert seen == tensors.STATIC_ATTRIBUTES - {"rank", "_keras_mask"}


PLACES = [
    (owner, name) for table in (tensors.STATIC_FUNCTIONS, tensors.SIZED_BY) for owner in table for name in table[owner]
]


@pytest.mark.parametrize(("owner", "name"), PLACES)
def test_a_function_is_where_its_row_says(owner: str, name: str) -> None:
    elsewhere = owner.endswith("Keras 2") or owner.startswith("keras_cv")
    assert (resolve(f"{owner}.{name}") is None) == elsewhere


def test_functions_that_change_axes_are_there() -> None:
    assert {*tensors.FOLDS, *tensors.FOLDS_AN_AXIS} <= set(dir(tf))
    assert {*dir(tf), *dir(np), *dir(tf.keras.utils)} >= tensors.CONVERSIONS


def test_a_model_has_the_methods_that_consume() -> None:
    model = resolve("keras.Model")
    gone = {name for name in keras.MODEL_METHODS if not hasattr(model, name)}
    assert gone == {"fit_generator", "evaluate_generator", "predict_generator"}
    assert all(hasattr(model, name) for name in keras.TRACED_METHODS)
    assert all(hasattr(model, name) for name in keras.TRACED_WITH_MODEL)
    assert not any(hasattr(model, name) for name in keras.ONLY_OF_TORCH)
    # What has the graph is set when a model is made.
    assert all(hasattr(resolve("keras.Sequential")(), name) for names in keras.STEP_DRIVERS.values() for name in names)


@pytest.mark.parametrize("package", sorted(python_calls.PACKAGES))
def test_no_package_is_both_harmless_and_more(package: str) -> None:
    facts = set(python_calls.PACKAGES[package])
    assert not {"harmless", "decodes"} <= facts
    assert not {"harmless", "waits"} <= facts
    assert "no datasets" in facts or "own data" not in facts
