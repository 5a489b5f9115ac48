"""What costs inside a function: the calls with the user's lines, the dearest first, or why it is not told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipelint.dynamic.capture.inner_calls import InnerCalls
from pipelint.dynamic.measure.inside_functions import look_inside
from pipelint.dynamic.measure.serialized_graph import DatasetGraph
from pipelint.dynamic.measure.stages_of_nodes import stages_of_nodes
from pipelint.model.cost import Cost, InnerCost, Inside
from pipelint.model.pipeline import Stage
from tests.dynamic.programs import Program, Run, run, tf

__all__ = ["run"]

keras: Any = pytest.importorskip("keras", reason="layers need Keras")

PREAMBLE = """\
import time
import keras
import tensorflow as tf

def light(x):
    return tf.cast(x, tf.float32) * 1e-9

def product(x):
    return tf.linalg.matmul(x, x)  # heavy

def spin(x):
    end = time.thread_time() + 0.01
    while time.thread_time() < end:
        pass
    return x

@tf.function
def called(x):
    return tf.linalg.matmul(x, x)  # heavy in a function

@tf.function(experimental_attributes={"_noinline": True})
def called_apart(x):
    return tf.linalg.matmul(x, x)

table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer([1], [2]), -1)
resizing = keras.layers.Resizing(700, 700)
endless = tf.data.Dataset.range(1 << 60)
"""
SQUARE = "matrix = tf.fill([300, 300], light(x))"
FUNCTIONS = {
    "an operation": ("matrix = tf.linalg.matmul(matrix, matrix)  # here", "tf.linalg.matmul"),
    "a function of the user's": ("matrix = product(matrix)", "tf.linalg.matmul"),
    "one that TensorFlow calls": ("matrix = called(matrix)", "tf.linalg.matmul"),
    "one that stays a call": ("matrix = called_apart(matrix)  # here", "called_apart"),
    "a branch": ("matrix = tf.cond(x >= 0, lambda: tf.linalg.matmul(matrix, matrix), lambda: matrix)  # here", "tf.linalg.matmul"),
    "a loop": ("for _ in tf.range(2): matrix = tf.linalg.matmul(matrix, matrix)  # here", "tf.linalg.matmul"),
    "a call for each element": ("matrix = tf.map_fn(lambda y: tf.linalg.matmul(y, y), matrix[None])[0]  # here", "tf.linalg.matmul"),
    "a layer": ("matrix = resizing(matrix[..., None])  # here", "keras.layers.Resizing"),
    "Python": ("matrix = tf.numpy_function(spin, [matrix], tf.float32)  # here", "spin"),
    "beside a table": ("matrix = tf.linalg.matmul(matrix, matrix) + tf.cast(table.lookup(tf.constant(1)), tf.float32)  # here", "tf.linalg.matmul"),
    "beside random numbers": ("matrix = tf.linalg.matmul(matrix, matrix) + tf.random.normal([])  # here", "tf.linalg.matmul"),
}  # fmt: skip
PIPELINES = {
    "map": "endless.map(function).batch(2)",
    "a parallel map": "endless.map(function, num_parallel_calls=2).batch(2).prefetch(1)",
    "the second of two maps": "endless.map(lambda x: x + 1).map(function).batch(2)",
    "filter": "endless.filter(lambda x: function(x) > -1).batch(2)",
    "map in an interleave": "endless.interleave(lambda x: tf.data.Dataset.range(5).map(function), cycle_length=2).batch(2)",
}


def written(body: str, pipeline: str = PIPELINES["map"]) -> str:
    return (
        f"{PREAMBLE}\ndef function(x):\n    {SQUARE}\n    {body}\n    return tf.reduce_sum(matrix)\n\nds = {pipeline}\n"
    )


def looked_into(program: Program, op: str = "map", *, seconds: float = 1e-3) -> dict[Stage, Inside]:
    """What is inside, where the last stage of this kind is known to take nearly all of the time."""
    captured, dataset = program.captured(), program.names["ds"]
    graph = DatasetGraph.of(dataset)
    stages = captured.pipeline.every_stage
    last = [stage for stage in stages if stage.op == op][-1]
    costs = {stage: Cost(1.0, seconds if stage is last else 1e-9) for stage in stages}
    return look_inside(graph, stages_of_nodes(graph, dataset, captured), captured, costs)


def calls_in(program: Program, op: str = "map") -> tuple[InnerCost, ...]:
    [inside] = looked_into(program, op).values()
    assert inside.untold == ""
    return inside.calls


def line_of(call: InnerCost, program: Program) -> str:
    # AutoGraph takes a function for the same one that it has converted in the file of another test.
    assert call.place is not None
    return program.source.splitlines()[call.place.line - 1]


class TestWhatCosts:
    @pytest.mark.parametrize("case", FUNCTIONS)
    def test_the_call_with_most_of_the_work_comes_first_at_its_line(self, run: Run, case: str) -> None:
        body, name = FUNCTIONS[case]
        program = run(written(body))
        dearest, *others = calls_in(program)
        assert dearest.name == name
        assert dearest.python is (case == "Python")
        assert "# h" in line_of(dearest, program)
        assert sum(call.share for call in (dearest, *others)) <= 1 + 1e-9
        assert [call.share for call in others] == sorted((call.share for call in others), reverse=True)

    @pytest.mark.parametrize("case", PIPELINES)
    def test_whatever_stage_calls_the_function(self, run: Run, case: str) -> None:
        program = run(written("matrix = product(matrix)", PIPELINES[case]))
        dearest, *_ = calls_in(program, "filter" if case == "filter" else "map")
        assert "# heavy" in line_of(dearest, program)

    def test_a_tiny_function_is_mostly_the_call_of_it(self, run: Run) -> None:
        [inside] = looked_into(run(f"{PREAMBLE}\nds = endless.map(lambda x: x + 1).batch(2)")).values()
        assert inside.between > sum(call.share for call in inside.calls)


class TestWhatIsNotTold:
    def test_a_stage_that_takes_little_is_not_looked_into(self, run: Run) -> None:
        program = run(written("pass", "endless.map(function).map(light).map(light).map(light).batch(2)"))
        captured = program.captured()
        costs = {stage: Cost(1.0, 1e-3) for stage in captured.pipeline.every_stage}
        graph = DatasetGraph.of(program.names["ds"])
        assert look_inside(graph, stages_of_nodes(graph, program.names["ds"], captured), captured, costs) == {}

    def test_a_generator_has_no_graph_to_look_into(self, run: Run) -> None:
        program = run("ds = tf.data.Dataset.from_generator(lambda: range(9), tf.int64).batch(2)")
        assert looked_into(program, "from_generator") == {}

    def test_elements_that_take_long(self, run: Run) -> None:
        [inside] = looked_into(run(written("pass")), seconds=10.0).values()
        assert inside == Inside(untold="an element takes 10 s to make")

    def test_another_profiler_at_work(self, run: Run, tmp_path: Path) -> None:
        program = run(written("pass"))
        tf.profiler.experimental.start(str(tmp_path))
        try:
            [inside] = looked_into(program).values()
        finally:
            tf.profiler.experimental.stop(save=False)
        assert inside.calls == ()
        assert inside.untold
        assert "\n" not in inside.untold

    def test_a_function_that_raises(self, run: Run) -> None:
        program = run(written("tf.debugging.assert_less(x, tf.constant(1, tf.int64), 'too large')"))
        [inside] = looked_into(program).values()
        assert "too large" in inside.untold


class TestNames:
    @pytest.mark.parametrize(
        ("name", "call"),
        {
            "stack": "tf.stack",
            "ArithmeticOptimizer/ReplacePackWithTileReshape_Tile_stack": "tf.stack",
            "elsewhere/ArithmeticOptimizer/Rule_stack": None,
            "unknown": None,
        }.items(),
    )
    def test_what_tensorflow_rewrote_is_known_by_the_end_of_its_name(
        self, run: Run, name: str, call: str | None
    ) -> None:
        captured = run(written("matrix = tf.stack([matrix, matrix])")).captured()
        [wrapper] = [each for parts in captured.parts.values() for part in parts for each in part._functions()]
        found = InnerCalls([wrapper.function.graph]).running_as(name)
        assert (found.name if found is not None else None) == call
