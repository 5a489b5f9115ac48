"""The TensorFlow that the command line asks for."""

from __future__ import annotations

from pipelint.project.settings import parse_target
from pipelint.source.errors import UserError


def target(text: str | None) -> tuple[int, int] | None:
    """The version that `--target-tensorflow` names; raises UserError."""
    try:
        return None if text is None else parse_target(text)
    except ValueError as error:
        raise UserError(f"--target-tensorflow: {error}") from error
