"""What a generator does for each element, as far as the calls in its body tell."""

from __future__ import annotations

from pipelint.rule import Call, Function, Method, Program

_LIGHT = ("builtins.", "itertools.", "math.", "numpy.", "pandas.", "random.")
"""Python, arrays and tables in memory."""
_READS = ("builtins.open", "numpy.fromfile", "numpy.genfromtxt", "numpy.load", "numpy.memmap", "pandas.read_")
_OWN_METHODS = frozenset({*dir(str), *dir(list), *dir(dict), "astype", "reshape", "tolist"})
"""Methods of strings, containers and arrays, whatever variable they are called on."""


def only_hands_out(program: Program, generator: Function | None) -> bool:
    """Whether the generator's body is in sight and only takes elements out of what is in memory."""
    if generator is None:
        return False
    return all(_is_light(call) for call in program.calls if call.function is generator)


def _is_light(call: Call) -> bool:
    if isinstance(call.callee, Method) and call.callee.owner is None:
        return call.callee.name in _OWN_METHODS
    return call.symbol.startswith(_LIGHT) and not call.symbol.startswith(_READS)
