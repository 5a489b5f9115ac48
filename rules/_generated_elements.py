"""What a generator does for each element, as far as the calls in its body tell."""

from __future__ import annotations

import sys

from pipelint.rule import HANDS_ON_ARRAYS, IN_THE_GRAPH, OWN_METHODS, Call, Function, Method, Program, Stage, display

from ._replaceable_python import reached

LIBRARIES = frozenset({*sys.stdlib_module_names, "builtins", "numpy", "pandas"})
"""What runs as Python, or on arrays and tables in memory."""
_WAITS = ("http.", "numpy.load", "numpy.memmap", "socket.", "ssl.", "subprocess.", "time.sleep", "urllib.")
"""What takes longer than to hand over an element."""
_SCALARS = 2
"""With so many arguments at most, and no `size`, functions of numpy.random draw a single number."""
_COMPUTES = ("tensorflow.audio.", "tensorflow.image.", "tensorflow.io.", "tensorflow.signal.", "tensorflow.strings.")
"""What TensorFlow computes with elements, rather than make tensors of them."""
_NO_COMPUTING = ("tensorflow.io.gfile.",)
_LIGHT = frozenset({"cv2.cvtColor", "cv2.flip"})
"""What costs no more than to hand the element over."""


def handed_on(source: Stage) -> tuple[str, ...]:
    """The variables whose items are the elements, or their parts, as they are."""
    function = source.function
    if function is None:
        return ()
    return (function.hands_out,) if function.hands_out else function.slices


def runs_plain_python(program: Program, generator: Function | None) -> bool:
    """Whether all that the generator does is in sight, and is Python code on what is in memory or in plain files."""
    return generator is not None and all(map(_is_plain, reached(program, generator)))


def computes_arrays(program: Program, generator: Function | None) -> bool:
    """Whether numpy computes for each element, which may take longer than to hand it over."""
    return generator is not None and any(
        call.library == "numpy" and call.loops and call.last_name not in HANDS_ON_ARRAYS and not _draws_one(call)
        for call in reached(program, generator)
    )


def _draws_one(call: Call) -> bool:
    return call.symbol.startswith("numpy.random.") and len(call.positional) <= _SCALARS and "size" not in call.keywords


def fits_a_map(program: Program, generator: Function | None) -> str:
    """What the generator calls that TensorFlow computes in a map instead, and with what; empty where nothing is seen."""
    calls = [call for call in reached(program, generator) if call.symbol] if generator is not None else []
    # What stands before the loop that yields is done once for all elements.
    for call in (one for one in calls if one.loops or one.function is not generator):
        name = display(call.symbol)
        if call.symbol.startswith(_COMPUTES) and not call.symbol.startswith(_NO_COMPUTING):
            return f"`{name}` runs on all cores in a map with num_parallel_calls"
        for prefixes, instead, whole in IN_THE_GRAPH:
            if whole and name.startswith(prefixes) and name not in _LIGHT:
                return f"for `{name}`, {instead}, on all cores in a map with num_parallel_calls"
    return ""


def _is_plain(call: Call) -> bool:
    if isinstance(call.callee, Method) and call.callee.owner is None:
        return call.callee.name in OWN_METHODS
    return call.symbol.partition(".")[0] in LIBRARIES and not call.symbol.startswith(_WAITS)
