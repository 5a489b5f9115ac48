"""The TensorFlow of the container images that a project describes: what code is run with there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from pipelint.knowledge.nvidia_images import FIRST_IMAGES
from pipelint.model.tensorflow_version import Version
from pipelint.source.constraints import TENSORFLOW, upper_bound
from pipelint.source.regular_files import read_settings_text

DIRECTORIES = ("docker", ".devcontainer")
"""Where the description of an image stands by convention, if not beside what runs in it."""
_BASE = re.compile(r"^[ \t]*FROM[ \t]+(?:--\S+[ \t]+)?(?P<image>\S+)", re.MULTILINE | re.IGNORECASE)
_ARGUMENT = re.compile(r"^[ \t]*ARG[ \t]+(?P<name>\w+)=[\"']?(?P<value>[^\s\"']+)", re.MULTILINE | re.IGNORECASE)
_USE = re.compile(r"\$\{?(?P<name>\w+)\}?")
_OF_TENSORFLOW = re.compile(r"(?<![\w.-])tensorflow/tensorflow:(?P<major>\d{1,2})\.(?P<minor>\d{1,2})(?!\d)")
_OF_NVIDIA = re.compile(
    r"(?<![\w.-])nvcr\.io/nvidia/(?:[\w-]{1,40}/)?(?:[a-z]{1,40}-)?tensorflow(?:-[a-z]{1,40})?"
    r":(?P<year>\d\d)\.(?P<month>\d\d)(?!\d|-tf1)"
)
_COMMENT = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
_PINNED = re.compile(rf"(?<![\w./-]){TENSORFLOW}(?P<constraint>==[^\s'\"\\;&|]*)", re.IGNORECASE)

_INSTALLS_PROJECT = re.compile(
    r"\bpip3?[ \t]+install[ \t](?:[^\n]*[ \t])?(?:-r|--requirement|-e|\.)(?:[ \t]|$)|\bpoetry[ \t]+install\b",
    re.MULTILINE,
)


def describes_image(name: str) -> bool:
    """Whether a file of this name describes an image."""
    return name.startswith("Dockerfile") or name.endswith(".Dockerfile")


def tensorflow_in_images(directory: Path, *, is_required: bool = False) -> Iterator[Version]:
    """The versions of TensorFlow that the images described in a directory, or for it, are made with.

    Where a version is required, an image that installs what the project requires has that, whatever it begins with.
    Raises FileError for a description that is no file, or too large.
    """
    for place in (directory, *(directory / name for name in DIRECTORIES)):
        for path in sorted(place.iterdir()) if place.is_dir() else ():
            if describes_image(path.name):
                text = _COMMENT.sub("", read_settings_text(path) or "")
                if not (is_required and _INSTALLS_PROJECT.search(text)):
                    yield from _versions(text)


def tensorflow_of_named_images(text: str) -> Iterator[Version]:
    """The TensorFlow of each image that a text names, if it is named for that or for the month of its release."""
    for image in _OF_TENSORFLOW.finditer(text):
        yield int(image["major"]), int(image["minor"])
    for image in _OF_NVIDIA.finditer(text):
        released = int(image["year"]), int(image["month"])
        yield from [version for first, version in FIRST_IMAGES if first <= released][-1:]


def _versions(text: str) -> Iterator[Version]:
    arguments = {argument["name"]: argument["value"] for argument in _ARGUMENT.finditer(text)}
    images = (_USE.sub(lambda use: arguments.get(use["name"], ""), base["image"]) for base in _BASE.finditer(text))
    for image in images:
        yield from tensorflow_of_named_images(image)
    bounds = (upper_bound(pinned["constraint"]) for pinned in _PINNED.finditer(text))
    yield from (bound for bound in bounds if bound is not None)
