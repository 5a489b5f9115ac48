"""PIPE602 by running it: before the fix every element gets one draw, and after it each gets its own."""

from __future__ import annotations

import runpy
import textwrap
from pathlib import Path
from typing import Any

import pytest

from tests.cases import case_of
from tests.knowledge.installed import tf
from tests.linting import REGISTRY
from tests.rules.cases.python_random_in_traced import FOUND

EXAMPLE = REGISTRY.find("PIPE602").type.examples[0]


def run(source: str, folder: Path) -> dict[str, Any]:
    """Run a program from a file, where AutoGraph can read its functions."""
    path = folder / "train.py"
    path.write_text(textwrap.dedent(source), "utf-8")
    return runpy.run_path(str(path))


def different(dataset: Any) -> int:
    """How many different elements there are in many epochs of a dataset whose elements are all alike."""
    return len({float(tf.reduce_sum(element)) for _ in range(8) for element in dataset})


def test_every_element_gets_the_one_draw(tmp_path: Path) -> None:
    assert different(run(EXAMPLE.before, tmp_path)["ds"]) == 1


def test_after_the_fix_each_gets_its_own(tmp_path: Path) -> None:
    assert different(run(EXAMPLE.after or "", tmp_path)["ds"]) > 20


STEP = """
import keras
import tensorflow as tf

class Trainer(keras.Model):
    def train_step(self, data):
        loss = tf.reduce_mean(data)
        if tf.random.uniform([]) > 0.5:
            loss = loss * 2.0
        return {"loss": loss}

model = Trainer()
model.compile("adam")
model.fit(tf.data.Dataset.from_tensors(tf.ones((2, 2))), shuffle=False, verbose=0)
"""


def test_a_branch_of_a_step_cannot_depend_on_a_tensor(tmp_path: Path) -> None:
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
        run(STEP, tmp_path)


@pytest.mark.parametrize("title", [title for title, entry in FOUND.items() if case_of(entry).after])
def test_what_the_fixes_make_runs(title: str, tmp_path: Path) -> None:
    case = case_of(FOUND[title])
    assert case.after is not None
    names = run(case.after, tmp_path)
    if "ds" in names:
        assert different(names["ds"]) > 1
    else:
        first, second = (names["step"](tf.zeros((2, 3))) for _ in range(2))
        assert float(first) != float(second)
