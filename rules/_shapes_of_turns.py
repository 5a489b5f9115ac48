"""Calls whose input has another shape in each turn of a loop, so that a graph would be made for each."""

from __future__ import annotations

import re

from pipelint.rule import Call, LoopOver, Program, Region

_FILLED = ("numpy.ones", "numpy.random.", "numpy.zeros", "tensorflow.ones", "tensorflow.random.", "tensorflow.zeros")
"""What makes an array or a tensor of the shape that it is given."""


def grows(_: Program, call: Call) -> bool:
    """Whether its input grows with each turn: a graph would be made for each length."""
    return call.on_growing


def differs_in_shape(program: Program, call: Call) -> bool:
    """Whether each turn fills an array whose shape has the number that the loop counts with."""
    loop = call.loops[-1]
    if loop.over is not LoopOver.RANGE or not loop.targets:
        return False
    counted = re.compile(rf"\b({'|'.join(map(re.escape, loop.targets))})\b")
    made = (other for other in program.calls if other.symbol.startswith(_FILLED) and loop in other.loops)
    shapes = (argument for other in made for argument in (*other.positional, other.argument("shape")) if argument)
    return any(counted.search(program.written(shape.region)) for shape in shapes if isinstance(shape.region, Region))
