"""The words for what was tuned, which all formats share."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.display.figures import figure, percent
from pipelint.dynamic.tuning import Gain, Sameness, ServiceRun, TriedRewrite, Tuning
from pipelint.model.grades import Safety
from pipelint.report.profile import outlook
from pipelint.source.paths import shown_place


def place(rewrite: TriedRewrite) -> str:
    """`train.py:31`."""
    return shown_place(rewrite.place)


def times(ratio: float) -> str:
    """`1.24x`, `16x`."""
    return f"{ratio:.2f}x" if ratio < 10 else f"{figure(ratio)}x"


def gain(found: Gain | None) -> str:
    """`1.6x (1.5 to 1.7x)`."""
    return f"{times(found.ratio)} ({times(found.low)} to {times(found.high)})" if found is not None else ""


def verified(rewrite: TriedRewrite) -> str:
    """How it is known that the data is the same."""
    if rewrite.verdict is None:
        return "not compared"
    sameness, reason = rewrite.verdict.sameness, rewrite.verdict.reason
    words = {
        Sameness.IDENTICAL: "verified: identical data",
        Sameness.SAME_ELEMENTS: "verified: the same elements",
        Sameness.NOT_COMPARABLE: "",
        Sameness.CHANGED: "changes the data",
    }[sameness]
    told = ", ".join(filter(None, [words, reason]))
    return f"{told}; unsafe" if rewrite.safety is Safety.UNSAFE else told


def summary(tuning: Tuning) -> Iterator[str]:
    """Before, after and the limit, and why the search ended; a line each."""
    if tuning.error:
        yield tuning.error
        return
    about = f"{tuning.target} · TensorFlow {tuning.tensorflow} · {tuning.cores} cores: "
    if tuning.total is None or tuning.before is None or tuning.after is None:
        rate = f", {figure(tuning.before)} batches/s" if tuning.before else ""
        yield f"{about}nothing made the input faster{rate}"
    else:
        rates = f"{figure(tuning.before)} batches/s before, {figure(tuning.after)} after"
        yield f"{about}{rates}, {gain(tuning.total)}"
    if tuning.limit and tuning.after:
        share = percent(min(1.0, tuning.after / tuning.limit))
        yield f"{share} of what this machine gives ({figure(tuning.limit)} batches/s)"
    yield from remarks(tuning)


def remarks(tuning: Tuning) -> Iterator[str]:
    """Why the search ended, what was seen on the way, and what else could be done; a line each."""
    if tuning.ended:
        yield f"ended: {tuning.ended}"
    yield from tuning.notes
    if tuning.service is None and tuning.pipelines and (more := outlook.scaling(tuning.pipelines[-1])):
        yield more
    if tuning.service is not None:
        yield from service(tuning.service)


_PROMISES = {
    "DYNAMIC": "promises each example once while no worker dies, and at most once where one does",
    "OFF": "promises to lose nothing: every worker gives all examples, so that an epoch has them several times",
}


def service(run: ServiceRun) -> Iterator[str]:
    """What workers of a tf.data service gave, and what one that was killed took along in each mode."""
    if run.rates:
        rates = ", ".join(f"{number}: {figure(rate)}" for number, rate in enumerate(run.rates, 1))
        yield f"a tf.data service on this machine, sharding {run.sharding}, batches/s by workers: {rates}"
    for killed in run.killed:
        lost = f"{killed.lost} of {killed.examples} examples were missing" if killed.lost else "no example was missing"
        again = f"{killed.repeated} came again" if killed.repeated else "none came twice"
        kept = "" if killed.sharding == run.sharding else " (not the mode of the patch)"
        yield (
            f"with a worker killed in the middle of an epoch, sharding {killed.sharding}{kept}: {lost}, {again}; "
            f"it {_PROMISES[killed.sharding]}"
        )
    if run.note:
        yield f"service: {run.note}"
