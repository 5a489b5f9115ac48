"""Pipelines whose elements never end, and calls of Keras that take them to the last."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pipelint.rule import ENDS_EARLY, Argument, Call, Consumer, Literal, Location, Program, Stage, once_a_program

_MAY_END = ENDS_EARLY | {"apply"}
"""Stages that end though their input does not, or may do so out of sight."""
_STEPS = {"fit": "steps_per_epoch", "evaluate": "steps", "predict": "steps"}
"""The parameters that say when an epoch is over, by the methods of a model that take a dataset."""
_CALLBACKS = "keras.callbacks."
_AT_EACH_STEP = ("on_batch_begin", "on_batch_end", "on_train_batch_begin", "on_train_batch_end")
"""Methods of callbacks by which an epoch can be ended at any step."""


@dataclass(frozen=True)
class Epoch:
    """What goes through a dataset from its first element to its last, unless it is told how many steps to take."""

    call: Call
    steps: str
    """The parameter that says how many steps."""
    validation: Argument | None = None
    """The data, where it is not what the call itself is about."""

    @property
    def place(self) -> Location:
        """Where it is written."""
        return self.validation.region if self.validation is not None else self.call.name

    @property
    def what(self) -> str:
        """What there would be no end of, in words."""
        if self.validation is not None:
            return "its validation"
        return "its first epoch" if self.call.last_name == "fit" else "it"

    @property
    def may_be_counted(self) -> bool:
        """Whether the call says how many steps, or may do so out of sight."""
        steps = self.call.argument(self.steps)
        return self.call.hides_arguments or (steps is not None and steps.value != Literal(None))


def endless_repeat(end: Stage) -> Stage | None:
    """The `repeat` by which the elements that come out of a stage never end; None where there is none."""
    for stage in (end, *end.straight_up()):
        if stage.op in _MAY_END:
            return None
        if repeats_for_ever(stage):
            return stage
    return None


def repeats_for_ever(stage: Stage) -> bool:
    """Whether it is a `repeat` without a count."""
    count = stage.argument("count")
    counts = count is not None and count.value not in (Literal(None), Literal(-1))
    return stage.op == "repeat" and not stage.hides_arguments and not counts


def epochs_of(program: Program, user: Consumer) -> Iterator[Epoch]:
    """The epochs for which a consumer takes a dataset: one each time that its call is followed."""
    for call in program.calls_at.get(user.region, ()):
        if call.last_name in _STEPS:
            yield Epoch(call, _STEPS[call.last_name])
    for call in program.calls:
        data = call.argument("validation_data") if call.last_name == "fit" else None
        if data is not None and data.region == user.region:
            yield Epoch(call, "validation_steps", data)


@once_a_program
def may_stop_at_a_step(program: Program) -> bool:
    """Whether a callback of the program looks at each step, and so can stop the training there."""
    callbacks = (
        cls for cls in program.classes if any(base.name.startswith(_CALLBACKS) for base in cls.library_bases())
    )
    return any(method in cls.methods for cls in callbacks for method in _AT_EACH_STEP)
