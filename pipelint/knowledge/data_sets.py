"""What reads or fetches a data set, so that there is more of it than a program writes out. Tested by the names."""

from __future__ import annotations

import re

DATA_SETS = frozenset(
    {f"numpy.{name}" for name in ("fromfile", "genfromtxt", "load", "loadtxt", "memmap")}
    | {f"pandas.read_{form}" for form in ("csv", "excel", "hdf", "json", "parquet", "pickle", "table")}
    | {f"keras.datasets.{name}.load_data" for name in ("boston_housing", "california_housing", "cifar10", "cifar100")}
    | {f"keras.datasets.{name}.load_data" for name in ("fashion_mnist", "imdb", "mnist", "reuters")}
    | {f"keras.utils.{name}" for name in ("get_file", "load_img")}
    | {f"keras.utils.{kind}_dataset_from_directory" for kind in ("audio", "image", "text")}
    | {f"keras.preprocessing.image.{name}" for name in ("load_img", "DirectoryIterator")}
    | {f"keras.preprocessing.image.ImageDataGenerator.flow_from_{kind}" for kind in ("dataframe", "directory")}
    | {"tensorflow.io.read_file", "tensorflow.io.gfile.GFile", "tensorflow.io.gfile.glob", "glob.glob", "glob.iglob"}
    | {"tensorflow_datasets.load", "tensorflow_datasets.builder", "datasets.load_dataset", "datasets.load_from_disk"}
    | {"PIL.Image.open", "cv2.imread", "imageio.imread", "skimage.io.imread", "matplotlib.pyplot.imread"}
    | {"librosa.load", "soundfile.read", "scipy.io.loadmat", "scipy.io.wavfile.read", "h5py.File"}
    | {"csv.reader", "csv.DictReader", "pickle.load", "joblib.load"}
)


def reads_data_set(name: str) -> bool:
    """Whether a call of this symbol reads data from files, or fetches a data set of thousands of examples.

    Those that scikit-learn fetches are large, unlike those that it has with it (`load_iris`).
    """
    return name in DATA_SETS or name.startswith("sklearn.datasets.fetch_")


_LARGE_FETCHED = frozenset(
    f"sklearn.datasets.fetch_{name}"
    for name in (
        "20newsgroups",
        "20newsgroups_vectorized",
        "california_housing",
        "covtype",
        "kddcup99",
        "lfw_pairs",
        "lfw_people",
        "rcv1",
    )
)
"""Data sets that scikit-learn fetches with more than a thousand examples; `fetch_openml` may fetch any."""


def has_thousands(name: str) -> bool:
    """Whether a call of this symbol gives a data set of which it is known that it has thousands of examples."""
    return name in _LARGE_FETCHED or (name in SIZES and min(SIZES[name][0]) >= 1000)


def has_hundreds(name: str, data_set: object = None) -> bool:
    """Whether a call of this symbol gives a data set of which it is known that it has less than a thousand examples.

    TensorFlow Datasets is asked for one by its name, maybe with a configuration and a version behind it.
    """
    if name in _BY_NAME:
        return isinstance(data_set, str) and _plain(data_set) in _SMALL_IN_TFDS
    return name in _SMALL_TABLES or (name in SIZES and max(SIZES[name][0]) < 1000)


_SMALL_TABLES = frozenset(
    f"sklearn.datasets.load_{name}" for name in ("breast_cancer", "diabetes", "iris", "linnerud", "wine")
)
"""The tables of some hundred rows that scikit-learn has with it."""
_BY_NAME = frozenset({"tensorflow_datasets.load", "tensorflow_datasets.builder"})
_SMALL_IN_TFDS = frozenset({"iris", "penguins"})
"""The tables of some hundred rows that TensorFlow Datasets has."""
_SIZES_IN_TFDS: dict[str, dict[str, int]] = {
    **{name: {"train": 60_000, "test": 10_000} for name in ("mnist", "fashion_mnist", "kmnist")},
    **{name: {"train": 50_000, "test": 10_000} for name in ("cifar10", "cifar100")},
    "beans": {"train": 1_034, "validation": 133, "test": 128},
    "cats_vs_dogs": {"train": 23_262},
    "horses_or_humans": {"train": 1_027, "test": 256},
    "imdb_reviews": {"train": 25_000, "test": 25_000, "unsupervised": 50_000},
    "iris": {"train": 150},
    "oxford_flowers102": {"train": 1_020, "validation": 1_020, "test": 6_149},
    "rock_paper_scissors": {"train": 2_520, "test": 372},
    "tf_flowers": {"train": 3_670},
}
"""How many examples the data sets have that lessons load most often, by the catalogue of TensorFlow Datasets."""


_PART_OF_SPLIT = re.compile(r"(?P<name>\w+)(?:\[(?P<start>-?\d+%?)?:(?P<stop>-?\d+%?)?\])?")
"""`train`, `train[:80%]`, `test[100:200]`: as TensorFlow Datasets reads what it is asked for, added up by `+`."""


NAMED_PARTS = {f"tensorflow_datasets.Split.{name.upper()}": name for name in ("train", "test", "validation")}
"""The names of TensorFlow Datasets for what it is mostly asked for."""


def loaded_examples(data_set: object, split: object) -> int | None:
    """How many examples TensorFlow Datasets loads by these names; None where that is not known."""
    sizes = _SIZES_IN_TFDS.get(_plain(data_set), {}) if isinstance(data_set, str) else {}
    if not sizes or not isinstance(split, str):
        return None
    parts = [_examples_of_part(part.strip(), sizes) for part in split.split("+")]
    known = [part for part in parts if part is not None]
    return sum(known) if len(known) == len(parts) else None


def _examples_of_part(part: str, sizes: dict[str, int]) -> int | None:
    found = _PART_OF_SPLIT.fullmatch(part)
    if found is None or found["name"] not in sizes:
        return None
    whole = sizes[found["name"]]
    start, stop = (_bound(found[end], whole) for end in ("start", "stop"))
    return len(range(whole)[start:stop])


def _bound(written: str | None, whole: int) -> int | None:
    """Where a part of so many examples begins or ends, in whole examples."""
    if written is None:
        return None
    return round(int(written[:-1]) * whole / 100) if written.endswith("%") else int(written)


def _plain(data_set: str) -> str:
    """The name of a data set without a configuration or a version behind it."""
    return re.split("[/:]", data_set)[0]


MADE_UP = {
    f"sklearn.datasets.make_{name}": 100
    for name in ("blobs", "circles", "classification", "gaussian_quantiles", "moons", "regression", "s_curve")
}
"""Functions of scikit-learn that make up rows and what belongs to each, with how many they make unless told."""
SPLITS = "sklearn.model_selection.train_test_split"
SHARE_OF_TESTS = 0.25
"""The part of the rows that `train_test_split` keeps for tests unless told."""

SIZES: dict[str, tuple[tuple[int, int], tuple[int, ...], tuple[int, ...]]] = {
    f"keras.datasets.{name}.load_data": size
    for name, size in {
        "mnist": ((60_000, 10_000), (28, 28), ()),
        "fashion_mnist": ((60_000, 10_000), (28, 28), ()),
        "cifar10": ((50_000, 10_000), (32, 32, 3), (1,)),
        "cifar100": ((50_000, 10_000), (32, 32, 3), (1,)),
        "imdb": ((25_000, 25_000), (), ()),
        "reuters": ((8_982, 2_246), (), ()),
        "boston_housing": ((404, 102), (13,), ()),
    }.items()
}
"""How many examples there are to train with and to test with, and the shapes of one and of its label: these files are
fetched by their checksums, so that nobody has others. Tested by what Keras says of them."""
DTYPES: dict[str, str] = {
    f"keras.datasets.{name}.load_data": "uint8" for name in ("mnist", "fashion_mnist", "cifar10", "cifar100")
}
"""The dtype of the examples of those that are pictures."""
LEAVES_OUT = ("maxlen", "test_split")
"""The arguments that give another number of examples."""

_TABLES = frozenset(
    {f"pandas.read_{form}" for form in ("csv", "excel", "parquet", "table")}
    | {"numpy.genfromtxt", "numpy.loadtxt", "csv.reader", "csv.DictReader"}
)
_SINGLE_FILES = frozenset(
    {"PIL.Image.open", "cv2.imread", "imageio.imread", "skimage.io.imread", "matplotlib.pyplot.imread"}
    | {
        "librosa.load",
        "soundfile.read",
        "scipy.io.wavfile.read",
        "tensorflow.io.read_file",
        "tensorflow.io.gfile.GFile",
    }
    | {f"keras.{module}.load_img" for module in ("utils", "preprocessing.image")}
    | {f"keras.utils.{kind}_dataset_from_directory" for kind in ("audio", "image")}
    | {f"keras.preprocessing.image.ImageDataGenerator.flow_from_{kind}" for kind in ("dataframe", "directory")}
)
_SAVES = frozenset(
    {f"numpy.{name}" for name in ("save", "savetxt", "savez", "savez_compressed")}
    | {"cv2.imwrite", "imageio.imwrite", "skimage.io.imsave", "matplotlib.pyplot.imsave", "matplotlib.pyplot.savefig"}
    | {"soundfile.write", "scipy.io.wavfile.write", "tensorflow.io.write_file"}
    | {"joblib.dump", "json.dump", "pickle.dump"}
    | {f"keras.{module}.save_img" for module in ("utils", "preprocessing.image")}
)


def comes_with_keras(name: str) -> bool:
    """Whether a call of this symbol fetches one of the data sets of Keras, all of small pictures, texts or rows."""
    return name.startswith("keras.datasets.") and name in DATA_SETS


def reads_table(name: str) -> bool:
    """Whether a call of this symbol reads the rows of a table: numbers and words, and names of files."""
    return name in _TABLES or name.startswith("sklearn.datasets.fetch_")


def reads_single_files(name: str) -> bool:
    """Whether a call of this symbol reads an image, sound or the like, each out of a file of its own."""
    return name in _SINGLE_FILES


def writes_single_files(name: str) -> bool:
    """Whether a call of this symbol writes a file of its own, each time for milliseconds."""
    return name in _SAVES
