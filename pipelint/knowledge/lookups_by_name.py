"""Calls that find functions, classes and modules by names that are not written in the program."""

from __future__ import annotations

IN_OWN_NAMES = frozenset({"dir", "eval", "exec", "globals", "locals", "vars"})
"""Builtins that give what the names of the calling module stand for, by texts that nobody knows."""

ANYWHERE = frozenset(
    {"__import__", "import_module", "run_module", "run_path", "spec_from_file_location", "iter_modules"}
    | {"walk_packages", "getmembers", "attrgetter", "methodcaller", "__subclasses__", "__init_subclass__"}
    | {"instantiate", "get_class", "get_method", "locate", "Fire", "CLI", "LightningCLI", "add_commands"}
)
"""Functions and attributes by which a program, or its command line or settings (Hydra, Fire, jsonargparse), comes to
what no text in it names."""

KEEP_NO_SUBCLASSES = frozenset(
    {"abc", "collections", "enum", "keras", "object", "tensorflow", "threading", "torch", "typing"}
)
"""Where bases come from that keep no register of their subclasses; others may, as `tfds.core.GeneratorBasedBuilder`."""

ONLY_SET_UP = frozenset({"absl", "argparse", "logging", "os", "pathlib", "sys", "warnings"})
"""Libraries that a module calls on being imported, and does no work by it: options, loggers, paths."""

ENDS_THE_PROGRAM = frozenset({("exit",), ("quit",), ("sys", "exit"), ("os", "_exit")})
"""Calls after which nothing of a program runs."""

ADDS_NOTHING = frozenset({"staticmethod", "classmethod", "property", "tensorflow.function", "functools.wraps"})
"""Decorators that leave a function under its own name alone; any other may put it into a register."""
