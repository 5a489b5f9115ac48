"""The command line: one module a command; options in, exit status out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

from pipelint.version import __version__


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the program `pipelint`, with the arguments of the process where none are given."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    # Asked by scripts and editors, and answered before click is loaded, which takes longer than all else.
    if given in (["--version"], ["-V"]):
        sys.stdout.write(f"pipelint {__version__}\n")
        sys.exit(0)
    from pipelint.cli.command_line import command_line

    sys.exit(command_line(given, prog_name="pipelint"))
