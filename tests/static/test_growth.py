"""Programs whose values or calls multiply with each line are followed in proportion to their length."""

from __future__ import annotations

import sys
from types import FrameType

import pytest

from pipelint.lint.task import Mode
from pipelint.project.projects import Overrides
from pipelint.static.abstract.work import MOST_WORK, Work
from pipelint.static.analyse import analyse
from tests.linting import check

TIMES = 60
"""Two to this power are more steps than any machine takes."""
_EACH_STEP = {
    "exchange under a test": "if flags[{i}]:\n    a, b = b, a",
    "a list of itself twice": "a = [a, a]",
    "a tuple of itself twice": "a = (a, a, b)",
    "a dict of itself twice": 'a = {{"x": a, "y": a}}',
    "a set of itself twice": "a = {{(a, a)}}",
    "a list with itself behind it": "a = a + a",
    "a list grown by itself": "a += a",
    "items of itself twice": "a = [*a, *a]",
    "a dict with itself merged in": "a = {{**a, **b, 'k{i}': (a, a)}}",
    "appended to itself": "a = [a]\na.append(a)\na.extend(a)",
    "a comprehension of pairs": "a = [(part, part) for part in a]",
    "pairs in either order": "a, b = either(a, b)",
    "a pair in either order as one value": "a = either(a, a)",
    "either of two lists": "if flags[{i}]:\n    a = [a, 1]\nelse:\n    a = [2, a]",
    "either of two dicts": "a = {{'x': a}} if flags[{i}] else {{'x': b, 'y': a}}",
    "a text behind itself": "name = name + name",
    "a text in itself twice": 'name = f"{{name}}{{name}}"',
    "a number times itself": "size = size * size + 7",
    "a number in itself": "size = size if flags[{i}] else size + 1",
    "a lambda that calls the last twice": "function = lambda x, f=function: f(f(x))",
    "a wrapper around a wrapper": "function = twice(function)",
    "a partial of itself": "function = functools.partial(function, function)",
    "a model of itself twice": "model = tf.keras.Sequential([model, model])",
    "a model in itself": "model.add(model)",
    "a dataset zipped with itself": "data = tf.data.Dataset.zip((data, data))",
    "a dataset with itself behind it": "data = data.concatenate(data)",
    "a dataset under a test": "if flags[{i}]:\n    data = data.map(prepare)",
    "a dataset of either kind": "data = data.map(prepare) if flags[{i}] else data.filter(prepare)",
    "a dataset in its own function": "data = data.flat_map(lambda x, inner=data: inner.concatenate(inner))",
    "iterated over and over": "a = enumerate(zip(a, a))",
    "a loop in a list": "for part in a:\n    a = [a, part]",
}
_GIVEN_UP = {
    _EACH_STEP["a dataset zipped with itself"],
    _EACH_STEP["a dataset with itself behind it"],
    _EACH_STEP["a dataset in its own function"],
}
"""Here the pipeline itself has so many stages."""
_PROGRAM = """\
import functools
import tensorflow as tf

def either(x, y):
    if unknown(x):
        return (x, y)
    return (y, x)

def twice(f):
    def wrapper(x):
        return f(x) + f(x)
    return wrapper

def prepare(x):
    return x

def function(x):
    return x + 1

a, b, name, size = ["x"], ["y"], "n", 3
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
data = tf.data.Dataset.range(10)
{steps}

@tf.function
def step(x):
    print(f"{{x}}", a, b)
    return model(function(x)), a

if a or a == b:
    unknown(a, b, name, size, function)
for x in data.map(function).batch(size):
    step(a)
"""


@pytest.mark.parametrize("step", _EACH_STEP.values(), ids=_EACH_STEP)
def test_what_doubles_with_each_line(step: str) -> None:
    steps = "\n".join(step.format(i=i) for i in range(TIMES))
    for traced in (False, True):
        body = steps if not traced else "@tf.function\ndef traced(a, b, flags):\n    " + steps.replace("\n", "\n    ")
        program = analyse(_PROGRAM.format(steps=body), target=(2, 16))
        assert program.given_up == "" or step in _GIVEN_UP


def test_functions_that_call_the_last_one_twice() -> None:
    layers = "".join(f"def f{i}(x):\n    return f{i - 1}(x) + f{i - 1}(x)\n" for i in range(1, TIMES))
    source = f"import tensorflow as tf\ndef f0(x):\n    return x\n{layers}"
    assert analyse(f"{source}tf.data.Dataset.range(3).map(f{TIMES - 1})\n", target=(2, 16)).given_up == ""


def test_exchanged_values_stay_known() -> None:
    swaps = "\n".join(f"if flags[{i}]:\n    height, width = width, height" for i in range(18))
    source = f"""\
import tensorflow as tf
height, width = 2, 4
{swaps}
for batch in tf.data.TFRecordDataset("a").map(tf.io.parse_tensor).batch(height):
    unknown(batch)
"""
    found = check(source, Overrides(target_tensorflow=(2, 5)))
    assert "PIPE201" in {diagnostic.code for diagnostic in found.diagnostics}
    assert found.notes == ()


_ENDLESS = """\
import tensorflow as tf
for batch in tf.data.TFRecordDataset("a").map(tf.io.parse_tensor):  # noqa: PIPE201
    unknown(batch)
"""


@pytest.mark.parametrize("mode", [Mode.REPORT, Mode.FIX])
def test_beyond_its_budget_a_program_counts_as_unknown(mode: Mode, monkeypatch: pytest.MonkeyPatch) -> None:
    assert check(_ENDLESS, Overrides(), mode).notes == ()
    monkeypatch.setattr(Work.__init__, "__defaults__", (10,))
    found = check(_ENDLESS, Overrides(), mode)
    assert found.diagnostics == ()
    assert found.notes == (f"train.py: counts as unknown: it takes more than {MOST_WORK:,} steps to follow",)


_STAGES = {
    "a computation": "data = data.map(lambda x: x + 1)",
    "a draw": "data = data.map(lambda x: x + tf.random.uniform(()))",
    "a read": "data = data.map(tf.io.read_file)",
    "a prefetch": "data = data.prefetch(2)",
    "a flat_map": "data = data.flat_map(lambda name: tf.data.TFRecordDataset(name))",
}
_FEW, _MANY = 50, 200


@pytest.mark.parametrize("stage", _STAGES.values(), ids=_STAGES)
def test_rules_ask_about_each_stage_in_proportion_to_their_number(stage: str) -> None:
    def calls(times: int) -> int:
        steps = f"{stage}\n" * times
        source = f"import tensorflow as tf\ndata = tf.data.Dataset.list_files('*')\n{steps}model.fit(data.batch(32))\n"
        counted = 0

        def count(frame: FrameType, event: str, argument: object) -> None:
            nonlocal counted
            counted += event == "call"

        sys.setprofile(count)
        try:
            check(source, Overrides())
        finally:
            sys.setprofile(None)
        return counted

    calls(1)  # what is loaded then is not counted
    once = calls(1)
    # As often as there are stages, and not as often as there are pairs of them.
    assert calls(_MANY) - once < 1.5 * (_MANY / _FEW) * (calls(_FEW) - once)


def test_the_recursion_limit_is_left_as_it_was() -> None:
    before = sys.getrecursionlimit()
    analyse("import tensorflow as tf\nx = " + "[" * 150 + "]" * 150, target=(2, 16))
    assert sys.getrecursionlimit() == before
