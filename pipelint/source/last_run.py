"""The TensorFlow that a notebook is run with, as far as it tells: what it installs, and what its last run left."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipelint.knowledge.versions import (
    FIRST_KERAS_ON_TENSORFLOW,
    LAST_OF_TENSORFLOW_1,
    NEWEST_FOR_PYTHON,
    NEWEST_WITH_OWN_KERAS,
)
from pipelint.model.tensorflow_version import Version
from pipelint.source.constraints import TENSORFLOW, upper_bound
from pipelint.source.notebook import Notebook

_INSTALLS = re.compile(
    r"^[ \t]*(?:[!%][ \t]*)?(?:\S{1,80}[ \t]+-m[ \t]+)?(?:pip3?|conda|mamba)[ \t]+install[ \t](?P<what>.*)$",
    re.MULTILINE,
)
_PINNED = re.compile(rf"(?<![\w.-]){TENSORFLOW}[ \t]?(?P<constraint>[<>=~][^\s'\";#]*)", re.IGNORECASE)
_CHOOSES_1 = re.compile(r"^[ \t]*%tensorflow_version[ \t]+1", re.MULTILINE)

_ASKED = re.compile(r"(?<![\w.])([\w.]+)\.__version__")
_IMPORTED = re.compile(r"^[ \t]*import[ \t]+tensorflow[ \t]+as[ \t]+(\w+)", re.MULTILINE)
_IMPORTS_TENSORFLOW = re.compile(r"^[ \t]*(?:import|from)[ \t]+tensorflow\b", re.MULTILINE)
_IMPORTS_KERAS = re.compile(r"^[ \t]*(?:import|from)[ \t]+keras\b", re.MULTILINE)
_NAMES_KERAS = re.compile(r"^[ \t]*import[ \t]+keras[ \t]*$", re.MULTILINE)
_NUMBER = r"(?<![\w.])(?P<major>[12])\.(?P<minor>\d{1,2})\.\d"
_SHOWN = re.compile(_NUMBER)
_SHOWN_BY_NAME = re.compile(rf"\b(?:tensorflow|tf)\b(?!\.keras)[^\d\n]{{0,30}}{_NUMBER}", re.IGNORECASE)
_BACKEND = "Using TensorFlow backend."
"""What the package `keras` wrote to the error stream when it was imported, as long as it had code of its own."""
_IMAGE = re.compile(r"deeplearning-platform-release/tf[\w-]*\.(?P<major>\d)-(?P<minor>\d{1,2}):")
"""The images of Google's notebooks, which are named for their TensorFlow."""
_PYTHON = re.compile(r"(?P<major>\d)\.(?P<minor>\d{1,2})(?!\d)")


def run_with(notebook: Notebook) -> Version | None:
    """The newest TensorFlow that a notebook can be said to have been run with; None where nothing tells.

    A version before 2 also stands for a Keras that does not train as TensorFlow 2 does.
    """
    installed = min(_installed(notebook), default=None)
    if installed is not None or _runs_on_newest(notebook):
        return installed
    return last_shown(notebook) or _from_image(notebook) or _from_python(notebook)


def tells_release(notebook: Notebook) -> bool:
    """Whether a notebook installs a TensorFlow, shows one in its outputs, or was run in an image that has its name."""
    told = (*_installed(notebook), last_shown(notebook), _from_image(notebook))
    return any(version is not None for version in told)


def last_shown(notebook: Notebook) -> Version | None:
    """The newest TensorFlow that the outputs of a notebook show, also where it is opened with a newer one today."""
    # What was run last is newer than what was left from earlier.
    return max(_shown(notebook), default=None)


def _runs_on_newest(notebook: Notebook) -> bool:
    """Whether it is opened in Colab, which has the newest TensorFlow whatever it was last run with.

    Assignments of Coursera are made from such notebooks, and run in the image of their course.
    """
    return "colab" in notebook.metadata and "coursera" not in notebook.metadata


def _installed(notebook: Notebook) -> Iterator[Version]:
    for cell in notebook.cells:
        if "install" in cell.source:
            for line in _INSTALLS.finditer(cell.source):
                bounds = (upper_bound(pinned["constraint"]) for pinned in _PINNED.finditer(line["what"]))
                yield from (bound for bound in bounds if bound is not None)
        if _CHOOSES_1.search(cell.source):
            yield LAST_OF_TENSORFLOW_1


def _shown(notebook: Notebook) -> Iterator[Version]:
    """The versions that cells have printed which ask for them, or which import a Keras that tells of itself."""
    sources = "\n".join(cell.source for cell in notebook.cells)
    tensorflow = {"tensorflow", *_IMPORTED.findall(sources)}
    keras = {"keras"} if _NAMES_KERAS.search(sources) else set()
    # Where a notebook has both, what it trains with is one or the other.
    of_old_keras = NEWEST_WITH_OWN_KERAS if _IMPORTS_TENSORFLOW.search(sources) else LAST_OF_TENSORFLOW_1
    is_announced = _BACKEND in notebook.json
    for cell in notebook.cells:
        asked = set(_ASKED.findall(cell.source))
        announces = is_announced and _IMPORTS_KERAS.search(cell.source) is not None
        for printed in notebook.printed(cell) if announces or asked & (tensorflow | keras) else ():
            if printed.by == "stderr":
                if announces and _BACKEND in printed.text.splitlines():
                    yield of_old_keras
            elif asked & tensorflow:
                pattern = _SHOWN if len(asked) == 1 else _SHOWN_BY_NAME
                yield from map(_version, pattern.finditer(printed.text))
            elif asked and asked == keras:
                versions = map(_version, _SHOWN.finditer(printed.text))
                yield from (of_old_keras for version in versions if version < FIRST_KERAS_ON_TENSORFLOW)


def _from_image(notebook: Notebook) -> Version | None:
    match notebook.metadata:
        case {"environment": {"uri": str(image)}} if found := _IMAGE.search(image):
            return _version(found)
    return None


def _from_python(notebook: Notebook) -> Version | None:
    match notebook.metadata:
        case {"language_info": {"version": str(python)}} if found := _PYTHON.match(python):
            return NEWEST_FOR_PYTHON.get(_version(found))
    return None


def _version(found: re.Match[str]) -> Version:
    return int(found["major"]), int(found["minor"])
