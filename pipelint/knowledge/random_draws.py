"""What TensorFlow has in the place of random draws of numpy and Python. Tested by comparing what each row draws."""

from __future__ import annotations

from typing import NamedTuple

UNIFORM = "tensorflow.random.uniform"
NORMAL = "tensorflow.random.normal"


class Draw(NamedTuple):
    """A draw of numpy or Python, and the one of TensorFlow that has the same distribution, as float32 or int32."""

    tensorflow: str
    parameters: tuple[str, ...] = ()
    """In their order; each may be left out."""
    shape: str = ""
    """The parameter that is the shape, "*" where all arguments together are it; else one number is drawn."""
    integers: bool = False


_RANGE = ("low", "high", "size")
_BELL = ("loc", "scale", "size")

DRAWS: dict[str, Draw] = {
    "numpy.random.normal": Draw(NORMAL, _BELL, "size"),
    "numpy.random.rand": Draw(UNIFORM, shape="*"),
    "numpy.random.randint": Draw(UNIFORM, _RANGE, "size", integers=True),
    "numpy.random.randn": Draw(NORMAL, shape="*"),
    "numpy.random.random": Draw(UNIFORM, ("size",), "size"),
    "numpy.random.random_sample": Draw(UNIFORM, ("size",), "size"),
    "numpy.random.standard_normal": Draw(NORMAL, ("size",), "size"),
    "numpy.random.uniform": Draw(UNIFORM, _RANGE, "size"),
    "random.gauss": Draw(NORMAL, ("mu", "sigma")),
    "random.normalvariate": Draw(NORMAL, ("mu", "sigma")),
    "random.random": Draw(UNIFORM),
    "random.uniform": Draw(UNIFORM, ("a", "b")),
}
"""By their canonical names. What ends its range elsewhere (`random.randint`) or picks from a list has no row."""
