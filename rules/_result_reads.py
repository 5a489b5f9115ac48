"""What makes Python wait for the result of a step."""

from __future__ import annotations

from pipelint.rule import Call, Event, HostRead, Method

_SHOWN = frozenset({"set_postfix", "set_description"})
"""Methods of tqdm's bars that make a text of what they are given, whenever they are called."""
_READS = {
    "tensorflow.Tensor.numpy": "`.numpy()` waits for",
    "builtins.float": "`float()` waits for",
    "builtins.int": "`int()` waits for",
    "builtins.bool": "`bool()` waits for",
    "builtins.round": "`round()` waits for",
    "builtins.print": "`print` waits for",
    "builtins.str": "`str()` waits for",
    "builtins.str.format": "`format` waits for",
}


def reading_of(event: Event) -> str | None:
    """What reads the result of a step, None where nothing does."""
    match event:
        case HostRead(by=by):
            return f"{by.value} waits for"
        case Call(on_step_result=True) if event.library == "numpy":
            return f"`np.{event.last_name}` waits for"
        case Call(on_step_result=True) if event.library == "logging":
            return f"`logging.{event.last_name}` waits for"
        case Call(on_step_result=True, callee=Method(name=name)) if name in _SHOWN:
            return f"`{name}` waits for"
        case Call(on_step_result=True):
            return _READS.get(event.symbol)
        case _:
            return None
