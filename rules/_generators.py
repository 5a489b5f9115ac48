"""What a generator does for each element, as far as the calls in its body tell."""

from __future__ import annotations

import sys

from pipelint.rule import OWN_METHODS, Call, Function, Method, Program

_LIBRARIES = frozenset({*sys.stdlib_module_names, "builtins", "numpy", "pandas"})
"""What runs as Python, or on arrays and tables in memory."""
_WAITS = ("http.", "numpy.load", "numpy.memmap", "socket.", "ssl.", "subprocess.", "time.sleep", "urllib.")
"""What takes longer than to hand over an element."""


def runs_plain_python(program: Program, generator: Function | None) -> bool:
    """Whether all that the generator does is in sight, and is Python code on what is in memory or in plain files."""
    if generator is None:
        return False
    pending = [generator]
    for function in pending:
        for call in program.calls:
            if call.function is function:
                if isinstance(call.callee, Function):
                    pending += [call.callee] if call.callee not in pending else []
                elif not _is_plain(call):
                    return False
    return True


def _is_plain(call: Call) -> bool:
    if isinstance(call.callee, Method) and call.callee.owner is None:
        return call.callee.name in OWN_METHODS
    return call.symbol.partition(".")[0] in _LIBRARIES and not call.symbol.startswith(_WAITS)
