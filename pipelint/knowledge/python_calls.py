"""What calls of Python and its libraries do. Tested for the names of what is installed.

Behind a py_function this decides how the function may run; in other traced code it happens once, at tracing.
"""

from __future__ import annotations

import sys
from pathlib import PurePath
from typing import Literal

from pipelint.knowledge import names

PythonEffect = Literal["read", "decode", "unknown"]
"""What a call does that decides how its function may run, in the words of the model's effects."""

Fact = Literal[
    "augments", "decodes", "files", "harmless", "no datasets", "own data", "plays", "rival", "shows", "values", "waits",
    "layers",
]  # fmt: skip
"""What is known of a package:

- augments: its objects are called to change examples at random, and compute outside of the interpreter lock;
- decodes: its functions decode or compute outside of the interpreter lock;
- files: its functions called load, open or the like read files;
- harmless: its functions neither read, decode nor wait, as far as this table says nothing else;
- no datasets: its results are no datasets of tf.data;
- own data: neither is what is annotated with one of its types;
- plays: its objects are environments of reinforcement learning;
- rival: its datasets have methods of the same names as those of tf.data;
- shows: its functions print, plot, or prepare that;
- values: its functions need the values of tensors;
- waits: its functions wait for a network;
- layers: its classes called Layer, Model and the like are no Keras ones.
"""

PACKAGES: dict[str, tuple[Fact, ...]] = {
    "IPython": ("shows",),
    "PIL": ("decodes", "no datasets", "shows", "values"),
    "SimpleITK": ("decodes",),
    "albumentations": ("augments", "decodes", "no datasets"),
    "apache_beam": ("no datasets", "rival"),
    "boto3": ("waits",),
    "builtins": ("harmless", "layers", "shows"),
    "collections": ("harmless", "no datasets"),
    "concurrent": ("no datasets",),
    "copy": ("harmless",),
    "cupy": ("no datasets",),
    "cv2": ("decodes", "no datasets", "shows", "values"),
    "dask": ("no datasets", "own data", "rival"),
    "datasets": ("no datasets", "own data", "rival"),
    "django": ("layers",),
    "flax": ("layers",),
    "functools": ("harmless",),
    "grain": ("rival",),
    "gym": ("no datasets", "plays"),
    "gymnasium": ("no datasets", "plays"),
    "h5py": ("files", "no datasets"),
    "httpx": ("waits",),
    "imageio": ("decodes",),
    "imgaug": ("augments", "decodes", "no datasets"),
    "itertools": ("harmless", "no datasets"),
    "jax": ("layers", "no datasets", "own data"),
    "joblib": ("no datasets",),
    "json": ("no datasets",),
    "librosa": ("decodes", "no datasets"),
    "logging": ("harmless",),
    "math": ("harmless",),
    "matplotlib": ("decodes", "no datasets", "shows"),
    "multiprocessing": ("no datasets",),
    "mxnet": ("layers",),
    "nibabel": ("decodes",),
    "nltk": ("no datasets",),
    "numpy": ("files", "harmless", "no datasets", "own data", "shows", "values"),
    "operator": ("harmless",),
    "os": ("harmless",),
    "paddle": ("layers",),
    "pandas": ("files", "no datasets", "own data"),
    "pathlib": ("harmless",),
    "polars": ("no datasets", "own data"),
    "pydantic": ("layers",),
    "pydicom": ("decodes",),
    "pydub": ("decodes",),
    "pyspark": ("no datasets", "own data", "rival"),
    "random": ("harmless", "no datasets"),
    "rasterio": ("decodes",),
    "ray": ("no datasets", "rival"),
    "re": ("harmless", "no datasets"),
    "requests": ("waits",),
    "scipy": ("files", "no datasets"),
    "seaborn": ("shows",),
    "skimage": ("decodes",),
    "sklearn": ("layers", "no datasets"),
    "sonnet": ("layers",),
    "soundfile": ("decodes",),
    "string": ("harmless",),
    "tfx": ("rival",),
    "tifffile": ("decodes",),
    "time": ("harmless",),
    "tokenizers": ("no datasets",),
    "torch": ("layers", "no datasets", "own data"),
    "torchdata": ("rival",),
    "transformers": ("no datasets",),
    "typing": ("harmless",),
    "urllib": ("waits",),
    "webdataset": ("rival",),
    "xarray": ("no datasets",),
}


def _those(fact: Fact) -> frozenset[str]:
    return frozenset(name for name, facts in PACKAGES.items() if fact in facts)


NO_DATASETS = _those("no datasets")
OWN_DATA = _those("own data")
RIVALS = _those("rival")
NEEDS_VALUES = _those("values")
OTHER_LAYERS = _those("layers")
ENVIRONMENTS = _those("plays")
AUGMENTING = _those("augments")
PARTS_OF_A_MOVE = (4, 5)
"""What `env.step(action)` gives: observation, reward, done, info; since gym 0.26 also whether it was truncated."""
OWN_ENVIRONMENTS = frozenset(
    {
        "Acrobot", "BipedalWalker", "Blackjack", "CartPole", "CliffWalking", "FrozenLake", "LunarLander",
        "LunarLanderContinuous", "MountainCar", "MountainCarContinuous", "Pendulum", "Taxi",
    }
)  # fmt: skip
"""Environments that come with gym, by what `make` takes, without the version: a move in one draws nothing."""
RUN_BY_START = frozenset({"threading.Thread", "multiprocessing.Process"})
"""Classes whose method `start` calls the `run` of their subclasses."""
PLOTTING = frozenset({"matplotlib", "seaborn"})
"""Packages that draw figures for people to look at."""
FIGURES = frozenset({"matplotlib.pyplot.savefig", "matplotlib.pyplot.show"})
"""Functions that draw a figure as a whole, on the screen or in a file: tenths of a second each."""
PICTURE_PACKAGES = frozenset({"PIL", "cv2", "imageio", "keras", "matplotlib", "skimage"})
"""Packages whose functions of these last names show or save a picture."""
PICTURES = frozenset({"imsave", "imshow", "imwrite", "save", "save_img", "savefig", "show"})
SHOWING = tuple(sorted(_those("shows")))
_DECODING = _those("decodes")
HARMLESS = _those("harmless")
_READING = _those("files")
RUNS_NO_MODEL = HARMLESS | _DECODING | _READING | {*SHOWING, *sys.stdlib_module_names, "tensorflow_datasets", "tqdm"}
"""Packages that prepare, write and show data, and train or run nothing."""
OWN_METHODS = frozenset(
    {
        *dir(str), *dir(PurePath), *dir(list), *dir(dict),
        "astype", "close", "numpy", "reshape", "tolist", "write", "writelines",
    }
)  # fmt: skip
"""Methods of strings, paths, containers, arrays and files, whatever variable they are called on."""
HANDS_ON_ARRAYS = frozenset(
    {
        "array", "asarray", "astype", "bool_", "copy", "expand_dims", "float32", "float64", "int32", "int64", "item",
        "reshape", "squeeze", "tolist", "uint8",
    }
)  # fmt: skip
"""Functions of numpy that pass on what is there, rather than compute with it for as long as its size asks."""
TEXT_METHODS = frozenset(
    {
        "capitalize", "endswith", "lower", "lstrip", "partition", "removeprefix", "removesuffix", "replace",
        "rpartition", "rsplit", "rstrip", "split", "splitlines", "startswith", "strip", "upper", "zfill",
    }
)  # fmt: skip
"""Methods that strings and bytes have, and hardly anything that reads, waits or computes (tokenisers have `encode`)."""

WAITING_CALLS = ("time.sleep", *(f"{package}." for package in sorted(_those("waits"))))
"""How names begin of what waits rather than computes."""
PACING_CALLS = frozenset({"builtins.input", "time.sleep", "cv2.waitKey", "cv2.waitKeyEx"})
"""What waits for time to pass or for a user, so that a loop around it turns at that pace."""
ENDS_PROGRAM = frozenset({"builtins.exit", "builtins.quit", "os._exit", "sys.exit"})
"""What ends the program, so that code behind it never runs."""
_DECODES = ("keras.utils.load_img", "keras.preprocessing.image.")
_READS = frozenset(
    {
        "open", "load", "imread", "read", "read_csv", "load_img", "read_file", "imread_v2", "loadtxt", "genfromtxt",
        "read_image", "wavread", "get", "urlopen",
    }
)  # fmt: skip


def python_effect(name: str) -> PythonEffect | None:
    """What a call in a Python function does that decides how the function may run, None where it does nothing such."""
    package = names.root(name)
    if name.startswith(WAITING_CALLS):
        return "read"
    if package in _DECODING or name.startswith(_DECODES):
        return "decode"
    if name == "builtins.open" or (package in _READING and names.last(name) in _READS):
        return "read"
    return None if package in HARMLESS or package == "tensorflow" else "unknown"


IN_THE_GRAPH = (
    # how names begin (as `names.display` writes them), what TensorFlow has in their place, and whether that does all of
    # it; the first that fits counts
    (
        ("PIL.Image.open", "cv2.imread", "cv2.imdecode", "imageio.", "skimage.io.", "matplotlib."),
        "tf.io.read_file and tf.io.decode_image do this in the graph for JPEG, PNG, GIF and BMP",
        True,
    ),
    (
        ("keras.utils.load_img", "keras.preprocessing.image.load_img"),
        "tf.io.decode_image and tf.image.resize do this in the graph",
        True,
    ),
    (
        ("PIL.resize", "PIL.Image.resize", "cv2.resize", "skimage.transform.resize"),
        "tf.image.resize does this in the graph",
        True,
    ),
    (("cv2.flip", "cv2.cvtColor", "PIL.convert", "PIL.crop"), "tf.image does this in the graph", True),
    (
        ("PIL.", "cv2.", "skimage.", "albumentations.", "imgaug.", "keras.preprocessing.image."),
        "tf.image does most of this in the graph",
        False,
    ),
    (
        ("np.load", "np.fromfile", "np.memmap"),
        "write the arrays to TFRecord files once, and parse them with tf.io.parse_example",
        False,
    ),
    (("np.loadtxt", "np.genfromtxt", "pandas.read_csv"), "tf.io.decode_csv does this in the graph", True),
    (("soundfile.", "scipy.io.wavfile"), "for WAV files tf.audio.decode_wav does this in the graph", True),
    (("librosa.",), "tf.signal (stft, linear_to_mel_weight_matrix) does this in the graph", False),
)
NOT_IN_THE_GRAPH = (
    "pydicom", "nibabel", "h5py", "SimpleITK", "tifffile", "rasterio", "pydub", "pickle", "scipy.",
    "cv2.VideoCapture", "decord", "imageio.get_reader", "imageio.mimread", "moviepy", "av.", "librosa.load",
)  # fmt: skip
"""How names begin that TensorFlow has nothing for; librosa brings what it loads to another rate."""

NEEDS_NO_VALUES = frozenset(
    {
        "shape", "ndim", "size", "isscalar", "iinfo", "finfo", "dtype", "issubdtype", "result_type", "promote_types",
        "can_cast",
    }
)  # fmt: skip
"""Functions of numpy that read only what is known of a tensor while tracing."""

PYTHON_RANDOM = ("numpy.random.", "random.")
"""How names begin of what draws random numbers."""
NO_DRAWS = frozenset(
    {
        "seed", "RandomState", "default_rng", "Generator", "get_state", "set_state", "SeedSequence", "PCG64", "MT19937",
        "Philox", "getstate", "setstate", "Random", "SystemRandom", "BitGenerator",
    }
)  # fmt: skip
"""What these modules have besides: seeds and generators."""
GENERATORS = {
    "numpy.random.RandomState": "numpy.random.RandomState",
    "numpy.random.default_rng": "numpy.random.Generator",
    "numpy.random.Generator": "numpy.random.Generator",
    "random.Random": "random.Random",
}
"""Calls that make objects whose methods draw, and the classes of these."""

CLOCKS = (
    "time.time", "time.perf_counter", "time.monotonic", "time.process_time", "time.time_ns", "time.perf_counter_ns",
    "datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today", "datetime.date.today",
)  # fmt: skip
CORE_COUNTS = frozenset({"os.cpu_count", "multiprocessing.cpu_count", "psutil.cpu_count"})

LOOKS = frozenset(
    {
        "print", "pprint", "pformat", "dumps", "display", "len", "imshow", "show", "str", "repr", "format", "type",
        "isinstance",
    }
)  # fmt: skip
"""Functions, by their last names, that show a value or something of it, or make a text of it."""

TELLS = frozenset({"print", "pprint", "display", "write", "log", "info", "debug", "warning", "echo"})
"""Functions, by their last names, that tell a user something."""

RUNS_OVER = frozenset({"builtins.enumerate", "builtins.zip", "builtins.iter", "tensorflow_datasets.as_numpy"})
"""What passes on the elements that it is given."""
PROGRESS_BARS = frozenset({"tqdm", "trange", "tqdm_notebook", "track", "progress_bar", "prange", "master_bar"})
"""What does the same and draws a bar, by last names."""
CONTAINERS = frozenset({"builtins.list", "builtins.tuple", "builtins.sorted", "builtins.set", "builtins.reversed"})
"""What takes all elements at once."""

GLOBS = frozenset({"tensorflow.io.gfile.glob", "glob.glob", "glob.iglob"})
LISTINGS = frozenset({"os.listdir", "tensorflow.io.gfile.listdir"})
PATH_JOINS = frozenset({"os.path.join", "tensorflow.io.gfile.join"})
PATH_TEXTS = PATH_JOINS | {"os.path.basename", "os.path.dirname", "os.path.split", "os.path.splitext"}
"""What makes a path of others, and asks no file system."""
LIST_COPIES = frozenset({"builtins.sorted", "builtins.list"})
"""What gives the same paths again."""
