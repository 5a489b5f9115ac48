"""What calls do in a Python function that a pipeline runs: what decides whether it may run in several threads."""

from __future__ import annotations

from pipelint.knowledge.names import root

READ, DECODE, UNKNOWN = "read", "decode", "unknown"
"""Waits for a file or for others; decodes; may do anything. The names are those of pipelint.model.function.Effect."""
_WAITS = ("time.sleep", "requests.", "urllib.", "boto3.", "httpx.")
_DECODING_PACKAGES = frozenset(
    {
        "PIL", "cv2", "librosa", "soundfile", "skimage", "imageio", "pydicom", "nibabel", "albumentations", "imgaug",
        "SimpleITK", "tifffile", "rasterio", "pydub", "matplotlib",
    }
)  # fmt: skip
_DECODING_FUNCTIONS = ("keras.utils.load_img", "keras.preprocessing.image.")
_READING_PACKAGES = frozenset({"numpy", "scipy", "pandas", "h5py"})
_READING_FUNCTIONS = frozenset(
    {
        "open", "load", "imread", "read", "read_csv", "load_img", "read_file", "imread_v2", "loadtxt", "genfromtxt",
        "read_image", "wavread", "get", "urlopen",
    }
)  # fmt: skip
_COMPUTING_PACKAGES = frozenset(
    {
        "numpy", "builtins", "math", "functools", "os", "re", "string", "itertools", "collections", "operator",
        "typing", "logging", "random", "time", "pathlib", "copy", "tensorflow", "tensorflow_addons",
    }
)  # fmt: skip
"""What these do besides the calls above is computing, and quick."""


def effect_of_call(name: str) -> str | None:
    """What a call of this canonical name does, as an effect; None where it only computes."""
    package, function = root(name), name.rpartition(".")[2]
    if name.startswith(_WAITS) or name == "builtins.open":
        return READ
    if package in _DECODING_PACKAGES or name.startswith(_DECODING_FUNCTIONS):
        return DECODE
    if package in _READING_PACKAGES and function in _READING_FUNCTIONS:
        return READ
    return None if package in _COMPUTING_PACKAGES else UNKNOWN
