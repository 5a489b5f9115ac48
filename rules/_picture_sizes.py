"""How large the pictures are that a pipeline makes, by what its own functions do to them, one after the other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pipelint.rule import Argument, Call, Program, Region, Stage, Symbol

_CHANNELS = 3
_AXES = 3
_BYTES = {"uint8": 1, "float16": 2, "bfloat16": 2, "float32": 4, "float64": 8}
_SIZES = ("size", "shape", "crop_size")
"""Parameters that say how large a picture comes out: its sides, with or without the channels."""
_RESIZES = frozenset({"resize", "resize_with_pad", "crop_and_resize"})
"""Functions that make floats of bytes, too, unless they only take the nearest pixel."""
_SIZED = _RESIZES | {
    "random_crop", "stateless_random_crop", "resize_with_crop_or_pad", "crop_to_bounding_box", "pad_to_bounding_box",
}  # fmt: skip
_SHAPED = frozenset({"tensorflow.ensure_shape", "tensorflow.reshape", "tensorflow.Tensor.set_shape"})
_CUTS = ("tensorflow.image.central_crop", "tensorflow.image.extract_", "keras.layers.Resizing.", "keras.layers.RandomCrop.",
         "keras.layers.CenterCrop.", "keras_cv.layers.")  # fmt: skip
"""How names begin of what gives pictures of a size that nobody has looked up here."""
_NEAREST = ("nearest", Symbol("tensorflow.image.ResizeMethod.NEAREST_NEIGHBOR"))


@dataclass(frozen=True)
class _Picture:
    sides: tuple[int, int] | None = None
    channels: int = _CHANNELS
    item: int = 1

    @property
    def bytes(self) -> int | None:
        return self.sides[0] * self.sides[1] * self.channels * self.item if self.sides is not None else None


def bytes_of_picture(program: Program, stages: Iterable[Stage]) -> int | None:
    """The size of the pictures that come out of the last of these stages; None where nothing tells it for sure."""
    ways = {_Picture()}
    for stage in stages:
        # A function that is mapped by a helper was followed once for each caller of that.
        traces = [tuple(trace.calls) for trace in program.mapped_traces(stage)]
        ways = {_after(program, calls, way) for way in ways for calls in traces} or ways
    sizes = {way.bytes for way in ways}
    return sizes.pop() if len(sizes) == 1 else None


def _after(program: Program, calls: tuple[Call, ...], picture: _Picture) -> _Picture:
    """What becomes of a picture by these calls."""
    pictures = {
        _first(program, call) for call in calls if _sides(call) is not None or call.last_name.startswith("decode_")
    }
    for call in calls:
        if call.symbol.startswith(_CUTS):
            picture = replace(picture, sides=None)
        elif call.library == "tensorflow" and call.last_name.startswith("decode_"):
            channels = call.argument("channels")
            picture = replace(picture, channels=(channels and channels.integer) or _CHANNELS, item=1)
        elif call.symbol in ("tensorflow.image.rgb_to_grayscale", "tensorflow.image.grayscale_to_rgb"):
            picture = replace(picture, channels=1 if call.last_name == "rgb_to_grayscale" else _CHANNELS)
        elif call.symbol == "tensorflow.image.per_image_standardization":
            picture = replace(picture, item=_BYTES["float32"])
        elif call.symbol in ("tensorflow.cast", "tensorflow.image.convert_image_dtype"):
            # Labels are cast as well.
            of_picture = call.last_name != "cast" or _first(program, call) in pictures
            picture = replace(picture, item=_item(call.argument("dtype")) or picture.item) if of_picture else picture
        elif call.symbol in _SHAPED or _is_sized(call):
            picture = _brought_to_size(call, picture)
    return picture


def _is_sized(call: Call) -> bool:
    return call.last_name in _SIZED and call.symbol.startswith("tensorflow.image.")


def _brought_to_size(call: Call, picture: _Picture) -> _Picture:
    if call.last_name in _RESIZES and not _takes_nearest(call):
        picture = replace(picture, item=max(picture.item, _BYTES["float32"]))
    match (_sides(call) or ())[-_AXES:]:
        case (height, width, channels):
            return replace(picture, sides=(height, width), channels=channels)
        case _ if call.symbol in _SHAPED:
            # Labels and rows of numbers have a shape as well.
            return picture
        case (height, width):
            return replace(picture, sides=(height, width))
        case _:
            return replace(picture, sides=None)


def _sides(call: Call) -> tuple[int, ...] | None:
    """The lengths of axes that a call gives to its result, where they are all written."""
    if call.symbol in _SHAPED:
        given: Argument | None = call.argument("shape") or next(iter(call.positional[:1]), None)
    elif not _is_sized(call):
        return None
    elif height := call.argument("target_height"):
        width = call.argument("target_width")
        return (height.integer, width.integer) if height.integer and width and width.integer else None
    else:
        given = next(filter(None, map(call.argument, _SIZES)), None)
    lengths = given.constant if given is not None else None
    return (
        tuple(lengths)
        if isinstance(lengths, tuple) and all(isinstance(one, int) and one > 0 for one in lengths)
        else None
    )


def _takes_nearest(call: Call) -> bool:
    method = call.argument("method")
    return method is not None and (method.constant in _NEAREST or method.value in _NEAREST)


def _item(dtype: Argument | None) -> int | None:
    """The bytes of a number of this type, by its name in any library or as a text."""
    match dtype.value if dtype is not None else None:
        case Symbol(name=name):
            return _BYTES.get(name.rpartition(".")[2])
        case _:
            return _BYTES.get(str(dtype.constant)) if dtype is not None else None


def _first(program: Program, call: Call) -> str:
    """The first argument as written, by which a variable is known."""
    region = call.positional[0].region if call.positional else None
    return program.written(region) if isinstance(region, Region) else ""
