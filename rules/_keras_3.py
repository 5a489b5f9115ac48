"""Whether a program runs on Keras 3, which is newer than much of what is written for Keras."""

from __future__ import annotations

import re

from pipelint.rule import (
    IGNORES_LEARNING_RATE_SINCE,
    KERAS_2_PACKAGES,
    KERAS_3_SINCE,
    ONLY_WITH_KERAS_2,
    Call,
    Program,
    Reference,
    Version,
    once_a_program,
)

from ._modules import runs_with_tensorflow_1

KERAS_3 = "Keras 3 (TensorFlow 2.16 and later)"
_LEGACY = re.compile(rf"\b({'|'.join(map(re.escape, ONLY_WITH_KERAS_2))})\b")
_ASKS_VERSION = re.compile(r"\b(__version__|VERSION|version|hasattr|getattr|executing_eagerly)\b")


def runs_on_keras_3(program: Program, call: Call) -> bool:
    """Whether all that is known of a program lets the code of a call run on Keras 3, and on nothing older."""
    return runs_on(program, call, KERAS_3_SINCE) and not _keeps_keras_2(program) and not _needs_keras_2(program)


def only_lacks_keras_2(program: Program, reference: Reference) -> bool:
    """Whether nothing else speaks for an older TensorFlow than a name that Keras 3 alone lacks."""
    module = program.module_at(reference.region)
    if program.oldest < KERAS_3_SINCE or reference.guarded or module.tests_version:
        return False
    if module.legacy or runs_with_tensorflow_1(program, module) or _keeps_keras_2(program) or _needs_keras_2(program):
        return False
    return all(name.since >= KERAS_3_SINCE for name in module.gone)


def ignores_learning_rate(program: Program, call: Call) -> bool:
    """Whether a program shows that it runs on the TensorFlow whose optimizers only log that `lr` is no more."""
    since = IGNORES_LEARNING_RATE_SINCE
    if program.oldest >= KERAS_3_SINCE or not program.shows(since, call.region):
        return False
    return runs_on(program, call, since) and not _keeps_keras_2(program)


def runs_on(program: Program, call: Call, version: Version) -> bool:
    """Whether all that is known of a program lets the code of a call run on a TensorFlow, and on nothing older."""
    module = program.module_at(call.region)
    if (
        min(program.oldest, program.before_at(call.region) or version) < version
        or module.legacy
        or runs_with_tensorflow_1(program, module)
    ):
        return False
    return not call.for_some_versions and not any(map(_ASKS_VERSION.search, call.guards))


@once_a_program
def _needs_keras_2(program: Program) -> bool:
    """Whether it imports a package that knows no Keras 3."""
    used = (reference.name.partition(".")[0] for reference in program.references if not reference.guarded)
    return not KERAS_2_PACKAGES.keys().isdisjoint(used)


@once_a_program
def _keeps_keras_2(program: Program) -> bool:
    return any(_LEGACY.search(module.text) for module in program.modules)
