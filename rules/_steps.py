"""Training steps in Python loops: gradients are computed under a tape and applied."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pipelint.rule import (
    ENVIRONMENT_METHODS,
    OUTPUT_CALLS,
    PYTHON_RANDOM,
    TRAINING_CALL,
    Loop,
    Operation,
    Program,
    Region,
)

_TAPE = "tensorflow.GradientTape"


@dataclass(frozen=True)
class Step:
    """A step that runs untraced in a loop."""

    tape: Operation
    apply: Operation
    function: str | None
    """The function that is the step; None where it is written out in the loop."""

    @property
    def loop(self) -> Loop:
        """The loop that runs the step."""
        return self.apply.loops[-1]

    @property
    def place(self) -> Region:
        """Where the step stands in its loop, or the tape in its function."""
        return self.tape.region if self.function or _holds(self.loop, self.tape.region) else self.apply.callee


def eager_steps(program: Program) -> Iterator[Step]:
    """The steps that nothing traces and that could be traced: one for each function, or loop that holds one."""
    tapes = [operation for operation in program.operations if operation.name == _TAPE]
    traced = {operation.region for operation in tapes if operation.traced is not None}
    applied = [operation for operation in program.operations if _applies(operation)]
    found: set[object] = set()
    for tape in tapes:
        apply = _apply_of(tape, applied)
        if apply is None or tape.region in traced:
            continue
        if _has_python(program, tape) or _may_be_called_by_keras(program, tape):
            continue
        function = _function_of_step(program, tape, apply)
        if {tape.function, apply.function, function} & program.wrapped:
            continue
        step = Step(tape, apply, function)
        key = step.loop if function is None else program.definitions.get(function, tape.region)
        if key not in found:
            found.add(key)
            yield step


def _apply_of(tape: Operation, applied: list[Operation]) -> Operation | None:
    """Where the gradients of this tape are applied: in its own function, else anywhere in the same turn of the loop."""
    same_loop = [apply for apply in applied if apply.loops and tape.loops and apply.loops[-1] is tape.loops[-1]]
    return next((apply for apply in same_loop if apply.function == tape.function), same_loop[0] if same_loop else None)


def step_loops(program: Program) -> set[Loop]:
    """The loops whose own body runs a step: calls a traced function, or one that computes gradients.

    A loop that plays in an environment is none: what it does next depends on what the model says.
    """
    stepping = {function.name for function in program.traced if function.kind == "function"}
    stepping = {name for name in stepping if not _gives_outputs(name)}
    stepping |= {op.function for op in program.operations if op.function and op.name == _TAPE}
    playing = {loop for op in program.operations if _plays(op) for loop in op.loops}
    return {
        operation.loops[-1]
        for operation in program.operations
        if operation.loops
        and operation.traced is None
        and (operation.name == _TAPE or operation.name.removeprefix("user.") in stepping)
    } - playing


def is_training_call(program: Program, operation: Operation) -> bool:
    """Whether a call takes a training step: by its name, by applying gradients, or as the model under a tape."""
    owner, _, last = operation.name.rpartition(".")
    if TRAINING_CALL in last.lower():
        return True
    if owner == "user":
        return any(last == other.function and other.name.endswith(".apply_gradients") for other in program.operations)
    return operation.under_tape and last in ("__call__", "?")


def _gives_outputs(name: str) -> bool:
    """Whether a function is called for what it computes, which somebody must read, rather than for its loss."""
    return any(word in name.lower() for word in OUTPUT_CALLS)


def _applies(operation: Operation) -> bool:
    return operation.name.endswith((".apply_gradients", ".apply")) and not operation.name.startswith("pandas.")


def _plays(operation: Operation) -> bool:
    owner, _, last = operation.name.rpartition(".")
    return last in ENVIRONMENT_METHODS and not owner.startswith(("keras", "tensorflow", "Dataset", "user"))


def _function_of_step(program: Program, tape: Operation, apply: Operation) -> str | None:
    inner = apply.loops[-1]
    outside = [loop for loop in apply.loops if not _holds(loop, apply.region)]
    if _holds(inner, apply.region) or _holds(inner, tape.region):
        # A short loop of its own inside a step (the critic of a GAN) leaves the function the step.
        caller = outside[-1] if outside else None
        if inner.over != "range" or caller is None or caller.epochs or apply.function != tape.function:
            return None
    if not outside or apply.function == tape.function:
        return apply.function if outside else None
    called = {operation.name for operation in program.operations if operation.function == tape.function}
    return tape.function if f"user.{apply.function}" in called else apply.function


def _holds(loop: Loop, region: Region) -> bool:
    return loop.region.start <= region.start and region.end <= loop.region.end


def _has_python(program: Program, tape: Operation) -> bool:
    """Whether Python does part of the work under the tape, so that nothing can be traced as it is."""
    return any(
        operation.under_tape
        and operation.function == tape.function
        and operation.loops[: len(tape.loops)] == tape.loops
        and (_plays(operation) or _computes_in_python(operation))
        for operation in program.operations
    )


def _computes_in_python(operation: Operation) -> bool:
    if operation.name.startswith(PYTHON_RANDOM):
        return True
    return operation.name.startswith(("numpy.", "cv2.")) and operation.on_tensor


def _may_be_called_by_keras(program: Program, tape: Operation) -> bool:
    """Whether a method that nobody in sight calls may well be reached from a `train_step` that Keras traces."""
    overrides = any(function.kind == "step" for function in program.traced)
    return overrides and tape.function is not None and all(_holds(loop, tape.region) for loop in tape.loops)
