"""What went wrong in the user's program, in one line that names their place."""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path

from pipelint.dynamic.capture.places import Origin, origin
from pipelint.model.locations import Place
from pipelint.source.paths import shown_path, shown_place

_FRAME = re.compile(r'File "([^"\n]+)", line (\d+)')
_PYTHON = re.compile(r"\w+(?:\.\w+)*: .*(?=\nTraceback \(most recent call last\):)", re.DOTALL)
"""What TensorFlow says of an error in a Python function that a graph calls."""
_NOISE = re.compile(
    r"Graph execution error:\s+Detected at node .*\n<stack traces unavailable>\n"
    r"|Error in user-defined function passed to \S+ transformation with iterator: \S+:? "
    r"|\{\{\w+ [^}]*\}\}|\[\[.*?\]\]|\[Op:[^\]]*\]"
)
_CONVERTED = "in user code:"
"""How AutoGraph begins what went wrong in a function that it converted; the frames and the error itself follow."""
_RAISED = re.compile(r"^\s*\w+(?:\.\w+)*: ", re.MULTILINE)
_BY_KERAS = re.compile(
    r"(?:Exception encountered when calling .*|Could not automatically infer .*Error encountered:)"
    r"\n\s*(?:\x1b\[1m)?(?P<cause>.*?)(?:\x1b\[0m)?(?:\n|$)"
)
"""How Keras begins what went wrong in a layer."""
_LONGEST = 300
_LOOKED_AT = 20_000
"""How much of a message is searched for what TensorFlow adds to it; what is told of it is shorter by far."""

print_tracebacks = False
"""Whether each error that is told in a line is shown in full besides."""


def shown(place: Place | None) -> str | None:
    """`train.py:31`, as findings name a place."""
    return shown_place(place) if place else None


def place_of(error: BaseException) -> str | None:
    """The deepest place in the user's files that an error went through."""
    frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        frames.append((error.filename, error.lineno))
    frames += [(path, int(line)) for path, line in _FRAME.findall(str(error))]
    return _first_of_user(reversed(frames))


def users_place() -> str | None:
    """The innermost place in the user's files that is running."""
    return _first_of_user((frame.f_code.co_filename, line) for frame, line in traceback.walk_stack(sys._getframe(1)))


def _first_of_user(frames: Iterable[tuple[str, int | None]]) -> str | None:
    """The first of these places that is in the user's files."""
    return next((f"{shown_path(Path(path))}:{line}" for path, line in frames if origin(path) is Origin.USER), None)


def line_of(error: BaseException, otherwise: str) -> str:
    """The error in one line: at the user's place, or at the other one where it never went through their files."""
    if print_tracebacks:
        traceback.print_exception(error)
    return f"{place_of(error) or otherwise}: {summary(error)}"


def summary(error: BaseException) -> str:
    """The kind and the message, without the marks and frames that TensorFlow adds."""
    message = error.msg if isinstance(error, SyntaxError) else _NOISE.sub("", str(error)[:_LOOKED_AT]).strip()
    raised_in_python = _PYTHON.match(message)
    told = raised_in_python.group() if raised_in_python else f"{type(error).__name__}: {message}"
    told = _behind_frames(told)
    # One says it of the other: a layer was called to find out its shape.
    while (found := _BY_KERAS.search(told)) is not None:
        told = f"{told[: found.start()]}{found['cause']}\n{told[found.end() :]}"
    told = told.splitlines()[0].rstrip(": ")
    return told if len(told) <= _LONGEST else f"{told[:_LONGEST]}..."


def _behind_frames(told: str) -> str:
    """What AutoGraph has behind the frames of the user's function: the error itself."""
    if _CONVERTED not in told:
        return told
    frames = list(_FRAME.finditer(told))
    begin = told.find("\n", frames[-1].end()) + 1 if frames else told.find(_CONVERTED) + len(_CONVERTED)
    raised = _RAISED.search(told, begin)
    return told[raised.start() :].strip() if raised else told
