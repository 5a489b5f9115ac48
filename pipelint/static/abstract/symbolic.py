"""Which values are or hold tensors, and which of these have no value while TensorFlow records a graph."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.model.values import Literal, Value
from pipelint.static.abstract.traced_values import Formatted, Undecided
from pipelint.static.abstract.values import Choice, Instance, Sequence, Table, Tensor, alternatives, choice


def is_tensor(value: Value) -> bool:
    """Whether the value is a tensor or holds one."""
    match value:
        case Tensor():
            return True
        case Sequence(items=items):
            return any(is_tensor(item) for item in items)
        case Choice():
            return any(is_tensor(option) for _, option in alternatives(value))
        case Undecided(is_tensor=decided):
            return decided
        case _:
            return False


def is_variable(value: Value) -> bool:
    """Whether the value is a tf.Variable or a weight of a layer."""
    return isinstance(value, Instance) and value.symbol == "tensorflow.Variable"


def is_symbolic(value: Value) -> bool:
    """Whether the value is or holds a tensor that has no value while TensorFlow records a graph."""
    match value:
        case Tensor(eager=eager):
            return not eager
        case Sequence(items=items):
            return any(is_symbolic(item) for item in items)
        case Table(items=items):
            return any(is_symbolic(item) for _, item in items)
        case Choice():
            return _is_symbolic_choice(value)
        case Undecided(is_tensor=decided):
            return decided
        case _:
            return is_variable(value)


def _is_symbolic_choice(value: Choice) -> bool:
    """Whether every way gives a tensor or a constant; `n if n is not None else tf.shape(x)[0]` does not."""
    options = [(guards, option) for guards, option in alternatives(value) if not isinstance(option, Literal)]
    if any(not guards and is_symbolic(option) for guards, option in options):
        return True
    filled = [option for _, option in options if option not in (Sequence(()), Sequence((), "list"))]
    return bool(filled) and all(map(is_symbolic, filled))


def is_step_result(value: Value) -> bool:
    """Whether the value comes out of a training step."""
    match value:
        case Tensor(step_result=result):
            return result
        case Sequence(items=items):
            return any(is_step_result(item) for item in items)
        case Choice():
            return any(is_step_result(option) for _, option in alternatives(value))
        case _:
            return False


def is_prediction(value: Value) -> bool:
    """Whether the value comes out of a network that is told not to train."""
    return any(isinstance(option, Tensor) and option.predicted for _, option in alternatives(value))


def undecided_in(*values: Value) -> Iterator[Undecided]:
    """What the values are or hold of which only their use tells whether it is a tensor."""
    for value in values:
        match value:
            case Undecided():
                yield value
            case Sequence(items=items) | Formatted(values=items):
                yield from undecided_in(*items)
            case Table(items=items):
                yield from undecided_in(*(item for _, item in items))
            case Choice():
                yield from undecided_in(*(option for _, option in alternatives(value)))


def may_be_symbolic(value: Value) -> bool:
    """Whether the value is or holds such a tensor, or something that may be one."""
    return is_symbolic(value) or any(undecided_in(value))


def shows_tensor(value: Value) -> bool:
    """Whether the value is a text that a tensor was written into."""
    return isinstance(value, Formatted) and any(is_symbolic(part) or shows_tensor(part) for part in value.values)


def without_containers(value: Value) -> Value:
    """The value but for lists and dicts that it may be: these are true where they hold something, whatever that is."""
    return choice((guards, one) for guards, one in alternatives(value) if not isinstance(one, (Sequence, Table)))
