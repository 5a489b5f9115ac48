"""Workers for a PyDataset, written where its class or its objects take them."""

from __future__ import annotations

import textwrap
from dataclasses import replace

import pytest

from pipelint.dynamic.predict.rate_model import RateModel
from pipelint.dynamic.tune.python_workers import worker_candidates
from pipelint.rewrite.rewriter import Rewriter
from pipelint.rewrite.syntax import Unfit
from pipelint.source.edits import apply
from pipelint.static.analyse import analyse
from tests.profiles import FIT, pipeline, stage

PROGRAM = """
    import keras

    class Rows(keras.utils.PyDataset):
        {init}
        def __getitem__(self, index):
            return load(index)

    model.fit({rows}, epochs=3)
"""


def _tuned(init: str, rows: str = "Rows()", *, takes_workers: bool = False) -> dict[str, str]:
    """What the first candidate of each title that the source can take makes of it, by title."""
    text = textwrap.dedent(PROGRAM).format(init=init.replace("\n", "\n    "), rows=rows)
    program = analyse(text, target=(2, 21))
    consumer = replace(FIT, takes_workers=takes_workers)
    live = pipeline(stage("PyDataset", 4, function="Rows", share=1.0), consumer=consumer).pipeline
    found: dict[str, str] = {}
    for candidate in worker_candidates(RateModel(live, 2), program, program.feeds[0]):
        try:
            edits = Rewriter(text, program).edits(candidate.repair)
        except Unfit:
            continue
        found.setdefault(candidate.title, apply(text, edits))
    return found


def test_threads_and_processes_are_told_to_the_base() -> None:
    found = _tuned("def __init__(self):\n        super().__init__()\n")
    threads, processes = found
    assert threads == "4 threads make the batches of Rows"
    assert "super().__init__(workers=4)" in found[threads]
    assert "super().__init__(workers=4, use_multiprocessing=True)" in found[processes]


@pytest.mark.parametrize("init", ["", "def __init__(self, **options):\n        super().__init__(**options)\n"])
def test_else_to_the_class_where_an_object_is_made(init: str) -> None:
    found = _tuned(init)
    assert "model.fit(Rows(workers=4), epochs=3)" in found["4 threads make the batches of Rows"]


def test_to_fit_in_keras_2() -> None:
    found = _tuned("", takes_workers=True)
    assert "model.fit(Rows(), epochs=3, workers=4)" in found["4 threads make the batches of Rows"]


def test_nothing_where_somebody_has_said_how_many() -> None:
    assert _tuned("", "Rows(workers=2)") == {}
