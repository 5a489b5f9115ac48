"""How large the inputs of a program are, as far as sizes are written: few large ones fill a device."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import SIZE_PARAMETERS, SIZED, Argument, Call, Class, Program, once_a_program

_OF_VOLUMES = ("keras.layers.Conv3D", "keras.layers.MaxPooling3D")


def handles_volumes(program: Program) -> bool:
    """Whether there are 3-D convolutions, or inputs of four axes."""
    named = {reference.name for reference in program.references} | {call.symbol for call in program.calls}
    if any(name.startswith(_OF_VOLUMES) for name in named):
        return True
    return any(_is_volume(call, parameter, shape) for call in program.calls for parameter, shape in _shapes(call))


def _is_volume(call: Call, parameter: str, shape: tuple[object, ...]) -> bool:
    counts_batch = parameter.startswith("batch") or call.last_name == "build"
    return _is_of_input(call, parameter) and len(shape) == (5 if counts_batch else 4)


@once_a_program
def largest_side(program: Program) -> int:
    """The longest side of an image in pixels, 0 where none is written."""
    sides = [_side(call, parameter, shape) for call in program.calls for parameter, shape in _shapes(call)]
    return max(sides, default=0)


@once_a_program
def known_side(program: Program) -> int:
    """The same, but 0 too where some sizes are written and others, which may be larger, are not."""
    shapes = [(call, parameter, shape) for call in program.calls for parameter, shape in _shapes(call)]
    inputs = [(call, parameter, shape) for call, parameter, shape in shapes if _is_of_input(call, parameter)]
    if any(len(shape) > 1 and None in shape for _, _, shape in inputs):
        return 0
    of_inputs = any(_side(*given) for given in inputs)
    return largest_side(program) if of_inputs or all(map(_tells_size, program.calls)) else 0


def _tells_size(call: Call) -> bool:
    """Whether a function that brings images to a size is given one that is written; of others there is nothing to tell."""
    if not call.symbol.startswith("tensorflow.image.") or call.last_name not in SIZED:
        return True
    size = call.argument("size") or next(iter(call.positional[1:]), None)
    return size is None or size.constant is not None


@once_a_program
def has_flat_inputs(program: Program) -> bool:
    """Whether models are given rows of numbers and nothing else, as far as shapes of inputs are written."""
    shapes = [shape for call in program.calls for parameter, shape in _shapes(call) if _is_of_input(call, parameter)]
    return bool(shapes) and all(len(shape) == 1 and isinstance(shape[0], int) for shape in shapes)


def _side(call: Call, parameter: str, shape: tuple[object, ...]) -> int:
    numbers = sorted((number for number in shape if isinstance(number, int)), reverse=True)
    if _is_of_input(call, parameter) or call.last_name == "ensure_shape":
        # One long axis is a sequence or a vector; only pictures have two.
        return numbers[1] if len(numbers) > 1 else 0
    return numbers[0] if numbers else 0


def _is_of_input(call: Call, parameter: str) -> bool:
    return call.last_name in ("Input", "InputLayer") or parameter.endswith("input_shape")


def _shapes(call: Call) -> Iterator[tuple[str, tuple[object, ...]]]:
    own = isinstance(call.callee, Class)
    known = own or call.library in ("tensorflow", "keras", "keras_cv") or call.on_unknown_object
    for parameter, argument in _sizes(call, sized=call.last_name in SIZED and known):
        size = argument.constant
        yield parameter, size if isinstance(size, tuple) else (size,)


def _sizes(call: Call, *, sized: bool) -> Iterator[tuple[str, Argument]]:
    """The arguments that give a size; those by position count among the first two of a function about sizes."""
    for parameter in SIZE_PARAMETERS if sized else ("input_shape", "batch_input_shape"):
        if parameter in call.keywords:
            yield parameter, call.keywords[parameter]
    for argument in call.positional[:2] if sized else ():
        yield "", argument
