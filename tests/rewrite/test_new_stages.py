"""Repairs that `pipelint tune` asks for: new stages in a pipeline, a shuffle behind a new cache, options set."""

from __future__ import annotations

import ast

import pytest

from pipelint.model.pipeline import Dataset, Stage
from pipelint.model.program import Program
from pipelint.model.repair import (
    AddArguments,
    CodeRepair,
    Distribute,
    InsertAfter,
    MoveAfter,
    NewCall,
    SetArgument,
    SetOption,
    SliceItems,
    Together,
)
from pipelint.model.values import AUTOTUNE, Literal
from pipelint.rewrite.rewriter import Rewriter
from pipelint.rewrite.syntax import Unfit
from pipelint.source.edits import apply
from pipelint.static.analyse import analyse
from tests.rewrite.fixing import TF

CACHE = (NewCall("cache"),)
POOL = "threading.private_threadpool_size"


class Source:
    """A program whose first dataset is repaired."""

    def __init__(self, body: str) -> None:
        self.text = TF + body
        self.program: Program = analyse(self.text, target=(2, 21))

    @property
    def dataset(self) -> Dataset:
        return self.program.datasets[0]

    def stage(self, op: str) -> Stage:
        return next(stage for stage in self.dataset.variants[0].every_stage if stage.op == op)

    def repaired(self, repair: CodeRepair) -> str:
        after = apply(self.text, Rewriter(self.text, self.program).edits(repair))
        ast.parse(after)
        return after.removeprefix(TF)


CHAIN = "ds = tf.data.Dataset.list_files('*').map(f).batch(32)\nmodel.fit(ds, epochs=9)\n"
LINES = (
    "def make(paths):\n    ds = tf.data.Dataset.from_tensor_slices(paths)\n    ds = ds.shuffle(100)\n"
    "    ds = ds.map(f)\n    return ds.batch(32)\n\nmodel.fit(make(paths), epochs=9)\n"
)


def test_a_cache_behind_a_stage() -> None:
    source = Source(CHAIN)
    assert source.repaired(InsertAfter(source.stage("map"), CACHE)) == CHAIN.replace(".map(f)", ".map(f).cache()")
    source = Source(LINES)
    assert source.repaired(InsertAfter(source.stage("map"), CACHE)) == LINES.replace(".map(f)", ".map(f).cache()")


def test_a_cache_with_a_shuffle_in_place_of_that_of_the_listing() -> None:
    source = Source(CHAIN)
    again = NewCall("shuffle", (("", Literal(300)),))
    ordered = SetArgument(source.stage("list_files"), "shuffle", Literal(False))
    repair = Together((ordered, InsertAfter(source.stage("map"), (*CACHE, again))))
    expected = CHAIN.replace("'*'", "'*', shuffle=False").replace(".map(f)", ".map(f).cache().shuffle(300)")
    assert source.repaired(repair) == expected


@pytest.mark.parametrize("brackets", [False, True], ids=["statements", "a chain of lines"])
def test_a_shuffle_goes_behind_a_new_cache(brackets: bool) -> None:
    if brackets:
        before = (
            "ds = (\n    tf.data.Dataset.from_tensor_slices(paths)\n    .shuffle(100)  # all\n    .map(f)\n    .batch(32)\n)\n"
            "model.fit(ds, epochs=9)\n"
        )
        after = before.replace(
            "    .shuffle(100)  # all\n    .map(f)\n", "    .map(f)\n    .cache()\n    .shuffle(100)  # all\n"
        )
    else:
        before = LINES
        after = LINES.replace(
            "    ds = ds.shuffle(100)\n    ds = ds.map(f)\n", "    ds = ds.map(f)\n    ds = ds.cache().shuffle(100)\n"
        )
    source = Source(before)
    repair = MoveAfter(source.stage("shuffle"), (source.stage("map"),), (), CACHE)
    assert source.repaired(repair) == after


def test_options_of_their_own_for_a_dataset_that_has_none() -> None:
    source = Source(LINES)
    assert source.repaired(SetOption(source.dataset, POOL, Literal(16))) == LINES.replace(
        "    return ds.batch(32)\n",
        f"    options = tf.data.Options()\n    options.{POOL} = 16\n    return ds.batch(32).with_options(options)\n",
    )


def test_a_name_that_is_taken_is_not_taken_again() -> None:
    text = "options = parse()\n" + CHAIN
    source = Source(text)
    after = source.repaired(SetOption(source.dataset, POOL, Literal(16)))
    assert f"dataset_options.{POOL} = 16\n" in after
    assert ".with_options(dataset_options)" in after


def test_an_option_that_is_set_gets_another_value_and_a_new_one_a_line() -> None:
    text = (
        "options = tf.data.Options()\noptions.autotune.enabled = False\n"
        "ds = tf.data.Dataset.list_files('*').map(f).batch(32).with_options(options)\nmodel.fit(ds, epochs=9)\n"
    )
    source = Source(text)
    on = source.repaired(SetOption(source.dataset, "autotune.enabled", Literal(True)))
    assert on == text.replace("False", "True")
    pool = source.repaired(SetOption(source.dataset, POOL, Literal(16)))
    assert pool == text.replace("ds = tf", f"options.{POOL} = 16\nds = tf")


def test_a_service_makes_the_elements_up_to_the_prefetch() -> None:
    text = "ds = tf.data.Dataset.list_files('*').map(f).batch(32).prefetch(1)\nmodel.fit(ds, epochs=9)\n"
    source = Source(text)
    after = source.repaired(Distribute(source.stage("batch"), "DYNAMIC", "grpc://localhost:5050"))
    service = "tf.data.experimental.service"
    call = f'.apply({service}.distribute({service}.ShardingPolicy.DYNAMIC, "grpc://localhost:5050"))'
    assert after == text.replace(".batch(32)", f".batch(32){call}")


def test_a_stage_and_an_option_together() -> None:
    source = Source(LINES)
    calls = SetArgument(source.stage("map"), "num_parallel_calls", AUTOTUNE)
    after = source.repaired(Together((calls, SetOption(source.dataset, POOL, Literal(16)))))
    assert "ds.map(f, num_parallel_calls=tf.data.AUTOTUNE)\n" in after
    assert after.endswith("    return ds.batch(32).with_options(options)\n\nmodel.fit(make(paths), epochs=9)\n")


def test_options_have_no_place_where_a_dataset_is_built_in_two_ways() -> None:
    text = "ds = tf.data.Dataset.list_files('*')\nif small:\n    ds = ds.batch(32)\nelse:\n    ds = ds.batch(64)\nm.fit(x=ds)\n"
    source = Source(text)
    with pytest.raises(Unfit, match="several ways"):
        source.repaired(SetOption(source.dataset, POOL, Literal(16)))


@pytest.mark.parametrize(
    ("generator", "given", "slices"),
    [
        ("def rows():\n    for row, label in zip(xs, ys):\n        yield row, label\n", "rows", "(xs, ys)"),
        ("def rows():\n    for row, label in zip(xs, ys):\n        yield label, row\n", "rows", "(ys, xs)"),
        ("def rows():\n    yield from zip(data.xs, data.ys)\n", "rows", "(data.xs, data.ys)"),
        ("def rows():\n    'All of them.'\n    for row in xs:\n        yield row\n", "rows", "xs"),
        ("", "lambda: ((row, label) for row, label in zip(xs, ys))", "(xs, ys)"),
        ("", "lambda: iter(xs)", "xs"),
        ("def rows(a, b):\n    for pair in zip(a, b):\n        yield pair\n", "lambda: rows(xs, ys)", "(xs, ys)"),
        ("def rows(xs):\n    for row in xs:\n        yield row\n", "rows, args=[table]", "table"),
    ],
)
def test_slices_of_what_a_generator_only_hands_out(generator: str, given: str, slices: str) -> None:
    body = generator + "ds = tf.data.Dataset.from_generator({}).batch(32)\nmodel.fit(ds)\n"
    source = Source(body.format(f"{given}, output_signature=spec"))
    after = body.replace("from_generator({})", f"from_tensor_slices({slices})")
    assert source.repaired(SliceItems(source.stage("from_generator"))) == after


@pytest.mark.parametrize(
    ("generator", "given"),
    [
        ("def rows():\n    for row, label in zip(xs, ys):\n        yield row / 255, label\n", "rows"),
        ("def rows():\n    for row, label in zip(xs, ys):\n        yield row, row\n", "rows"),
        ("def rows():\n    for row in xs:\n        print(row)\n        yield row\n", "rows"),
        ("def rows(xs):\n    for row in xs:\n        yield row\n", "lambda: rows(read(path))"),
        ("def rows(xs):\n    for row in xs:\n        yield row\n", "rows, args=given"),
        ("", "lambda: (row for row in xs if row.any())"),
        ("", "lambda: open(path)"),
    ],
)
def test_no_slices_where_the_generator_does_more(generator: str, given: str) -> None:
    source = Source(f"{generator}ds = tf.data.Dataset.from_generator({given}).batch(32)\nmodel.fit(ds)\n")
    with pytest.raises(Unfit, match="does more than hand out"):
        source.repaired(SliceItems(source.stage("from_generator")))


def test_arguments_that_a_call_lacks() -> None:
    body = "model.fit(ds, epochs=9)\n"
    source = Source(f"ds = tf.data.Dataset.range(9)\n{body}")
    (fit,) = [call for call in source.program.calls if call.last_name == "fit"]
    added = AddArguments(fit, (("workers", Literal(4)), ("use_multiprocessing", Literal(True))))
    assert source.repaired(added).endswith("model.fit(ds, epochs=9, workers=4, use_multiprocessing=True)\n")
    with pytest.raises(Unfit, match="may have `epochs` already"):
        source.repaired(AddArguments(fit, (("epochs", Literal(4)),)))
