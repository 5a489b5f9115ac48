"""Questions about something large that are asked again and again: the thing itself keeps their answers."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol, TypeVar


class Asked(Protocol):
    """What keeps answers about itself."""

    _answers: dict[object, Any]


_Asked = TypeVar("_Asked", bound=Asked)
_Answer = TypeVar("_Answer")


def answered_once(ask: Callable[[_Asked], _Answer]) -> Callable[[_Asked], _Answer]:
    """A question that is answered once for each that it is asked of."""

    @wraps(ask)
    def answer(asked: _Asked) -> _Answer:
        answers = asked._answers
        if ask not in answers:
            answers[ask] = ask(asked)
        known: _Answer = answers[ask]
        return known

    return answer
