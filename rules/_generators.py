"""What a generator does for each element, as far as the calls in its body tell."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from pipelint.rule import IN_THE_GRAPH, OWN_METHODS, Call, Function, Method, Program, display

_LIBRARIES = frozenset({*sys.stdlib_module_names, "builtins", "numpy", "pandas"})
"""What runs as Python, or on arrays and tables in memory."""
_WAITS = ("http.", "numpy.load", "numpy.memmap", "socket.", "ssl.", "subprocess.", "time.sleep", "urllib.")
"""What takes longer than to hand over an element."""
_HANDS_ON = frozenset(
    {
        "array", "asarray", "astype", "bool_", "copy", "expand_dims", "float32", "float64", "int32", "int64", "item",
        "reshape", "squeeze", "tolist", "uint8",
    }
)  # fmt: skip
"""Functions of numpy that pass on what is there, rather than compute with it for as long as its size asks."""
_SCALARS = 2
"""With so many arguments at most, and no `size`, functions of numpy.random draw a single number."""
_COMPUTES = ("tensorflow.audio.", "tensorflow.image.", "tensorflow.io.", "tensorflow.signal.", "tensorflow.strings.")
"""What TensorFlow computes with elements, rather than make tensors of them."""


def runs_plain_python(program: Program, generator: Function | None) -> bool:
    """Whether all that the generator does is in sight, and is Python code on what is in memory or in plain files."""
    return generator is not None and all(map(_is_plain, _reached(program, generator)))


def computes_arrays(program: Program, generator: Function | None) -> bool:
    """Whether numpy computes for each element, which may take longer than to hand it over."""
    return generator is not None and any(
        call.library == "numpy" and call.loops and call.last_name not in _HANDS_ON and not _draws_one(call)
        for call in _reached(program, generator)
    )


def _draws_one(call: Call) -> bool:
    return call.symbol.startswith("numpy.random.") and len(call.positional) <= _SCALARS and "size" not in call.keywords


def fits_no_map(program: Program, generator: Function | None) -> bool:
    """Whether the generator is in sight and calls nothing that TensorFlow could compute in a map instead."""
    instead = tuple(prefix for prefixes, _ in IN_THE_GRAPH for prefix in prefixes)
    return generator is not None and not any(
        call.symbol.startswith(_COMPUTES) or display(call.symbol).startswith(instead)
        for call in _reached(program, generator)
    )


def _reached(program: Program, generator: Function) -> Iterator[Call]:
    """The calls of the generator and of the functions that it calls, without those of such functions."""
    pending = [generator]
    for function in pending:
        for call in program.calls:
            if call.function is function:
                if not isinstance(call.callee, Function):
                    yield call
                elif call.callee not in pending:
                    pending.append(call.callee)


def _is_plain(call: Call) -> bool:
    if isinstance(call.callee, Method) and call.callee.owner is None:
        return call.callee.name in OWN_METHODS
    return call.symbol.partition(".")[0] in _LIBRARIES and not call.symbol.startswith(_WAITS)
