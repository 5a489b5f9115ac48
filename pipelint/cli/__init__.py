"""The command line: one module a command; options in, exit status out."""

from pipelint.cli.program import main

__all__ = ["main"]
