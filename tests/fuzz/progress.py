"""What a long run tells meanwhile."""

from __future__ import annotations

import sys
from typing import TextIO


def say(line: str, stream: TextIO | None = None) -> None:
    """A line that can be read at once, also through a pipe."""
    out = stream or sys.stdout
    out.write(f"{line}\n")
    out.flush()
