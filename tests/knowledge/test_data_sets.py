"""What is said to read data sets is there, and what does not is told from it."""

from __future__ import annotations

import inspect

import pytest

from pipelint.knowledge import data_sets
from pipelint.knowledge.data_sets import has_hundreds, has_thousands, loaded_examples, reads_data_set
from tests.knowledge.installed import resolve

INSTALLED = ("csv.", "glob.", "keras.", "numpy.", "pickle.", "tensorflow.")
ONLY_KERAS_2 = {
    "keras.preprocessing.image.DirectoryIterator",
    "keras.preprocessing.image.ImageDataGenerator.flow_from_dataframe",
    "keras.preprocessing.image.ImageDataGenerator.flow_from_directory",
}
NO_SIZE_TOLD = {"keras.datasets.boston_housing.load_data"}
LEAVES_ALL = {"index_from", "kwargs", "label_mode", "num_words", "oov_char", "path", "seed", "skip_top", "start_char"}


@pytest.mark.parametrize("name", sorted(name for name in data_sets.DATA_SETS if name.startswith(INSTALLED)))
def test_it_is_there(name: str) -> None:
    assert (resolve(name) is not None) or name in ONLY_KERAS_2


@pytest.mark.parametrize("name", ["numpy.load", "keras.datasets.mnist.load_data", "sklearn.datasets.fetch_openml"])
def test_it_reads_a_data_set(name: str) -> None:
    assert reads_data_set(name)


@pytest.mark.parametrize("name", ["", "numpy.zeros", "sklearn.datasets.load_iris", "mine.load", "builtins.open"])
def test_it_reads_none(name: str) -> None:
    assert not reads_data_set(name)


@pytest.mark.parametrize("name", ["keras.datasets.mnist.load_data", "sklearn.datasets.fetch_california_housing"])
def test_it_has_thousands_of_examples(name: str) -> None:
    assert has_thousands(name)


@pytest.mark.parametrize(
    "name", ["keras.datasets.boston_housing.load_data", "sklearn.datasets.fetch_openml", "numpy.load"]
)
def test_it_may_have_fewer(name: str) -> None:
    assert not has_thousands(name)


@pytest.mark.parametrize(
    ("name", "table", "single", "keras"),
    [
        ("pandas.read_csv", True, False, False),
        ("sklearn.datasets.fetch_openml", True, False, False),
        ("cv2.imread", False, True, False),
        ("keras.datasets.mnist.load_data", False, False, True),
        ("numpy.load", False, False, False),
    ],
)
def test_what_tells_how_large_an_example_is(name: str, table: bool, single: bool, keras: bool) -> None:
    assert reads_data_set(name)
    told = (data_sets.reads_table(name), data_sets.reads_single_files(name), data_sets.comes_with_keras(name))
    assert told == (table, single, keras)


def test_what_saves_is_told_from_what_reads() -> None:
    assert data_sets.writes_single_files("numpy.save")
    assert not data_sets.writes_single_files("numpy.load")


@pytest.mark.parametrize("name", data_sets.SIZES)
def test_a_data_set_is_as_large_as_keras_says(name: str) -> None:
    said = resolve(name).__doc__
    (train, test), example, label = data_sets.SIZES[name]
    shapes = [str((rows, *shape)) for rows in (train, test) for shape in (example, label)]
    counted = any(f"{number:,}" in said for number in (train, train + test))
    assert all(shape in said for shape in shapes) or counted or name in NO_SIZE_TOLD


@pytest.mark.parametrize("name", data_sets.DTYPES)
def test_pictures_are_of_the_dtype_that_keras_says(name: str) -> None:
    assert f"**`x_train`**: `{data_sets.DTYPES[name]}` NumPy array" in resolve(name).__doc__


@pytest.mark.parametrize("name", data_sets.SIZES)
def test_a_data_set_takes_what_leaves_examples_out(name: str) -> None:
    taken = set(inspect.signature(resolve(name)).parameters)
    assert taken <= {*data_sets.LEAVES_OUT, *LEAVES_ALL}


@pytest.mark.parametrize("name", ["breast_cancer", "diabetes", "iris", "linnerud", "wine"])
def test_a_table_of_scikit_learn_has_hundreds_of_rows(name: str) -> None:
    assert has_hundreds(f"sklearn.datasets.load_{name}")


def test_a_small_data_set_of_keras_has_hundreds_of_examples() -> None:
    assert has_hundreds("keras.datasets.boston_housing.load_data")
    assert not has_hundreds("keras.datasets.reuters.load_data")
    assert not has_hundreds("sklearn.datasets.load_digits")


def test_of_tensorflow_datasets_the_name_tells() -> None:
    load = "tensorflow_datasets.load"
    assert has_hundreds(load, "iris")
    assert has_hundreds(load, "penguins/processed:1.0.0")
    assert not has_hundreds(load, "mnist")
    assert not has_hundreds(load)


@pytest.mark.parametrize(
    ("split", "examples"),
    [
        ("train", 150),
        ("train[:90%]", 135),
        ("train[90%:]", 15),
        ("train[10:20]", 10),
        ("train[:-50]", 100),
        ("train[:50%]+train[:50]", 125),
        ("test", None),
        ("train[:half]", None),
    ],
)
def test_parts_of_splits_of_tensorflow_datasets_are_counted(split: str, examples: int | None) -> None:
    assert loaded_examples("iris", split) == examples
