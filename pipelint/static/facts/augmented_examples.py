"""Whether a mapped function changes examples at random, as training data is augmented."""

from __future__ import annotations

from pipelint.knowledge.augmentations import ALTERS, AUGMENTS, AUGMENTS_BY_SEED
from pipelint.knowledge.names import display
from pipelint.model.code import Call, Trace
from pipelint.model.definitions import Cause, Effect
from pipelint.static.abstract.machine import Machine
from pipelint.static.facts.switches import switch_of


def augmentation(machine: Machine, trace: Trace, causes: tuple[Cause, ...]) -> Cause | None:
    """The first operation of a function that augments; None too where one draws twice, for two views of an example."""
    drawn = {cause.location for cause in causes if cause.effect is Effect.RANDOM}
    found = [call for call in trace.calls if _augments(call, drawn=call.region in drawn, draws=bool(drawn))]
    # An image and its mask are flipped alike, by one draw; two draws of one kind make two views.
    drawing = [(call.symbol, call.made_at) for call in found if call.symbol in AUGMENTS]
    if not found or len(set(drawing)) < len(drawing):
        return None
    first = found[0]
    name = display(first.symbol).removesuffix("__call__").rstrip(".")
    return Cause(Effect.RANDOM, name, first.region, switch_of(machine, first))


def _augments(call: Call, *, drawn: bool, draws: bool) -> bool:
    if call.symbol in AUGMENTS:
        return drawn  # not `layer(x, training=False)`
    return call.symbol in AUGMENTS_BY_SEED or (call.symbol in ALTERS and draws)
