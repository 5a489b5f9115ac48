"""Fixes keep to the line length of the file, with lines broken as formatters break them."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

import pytest

from pipelint.project.projects import Overrides
from tests import linting
from tests.rewrite.fixing import OLD, TF, fixed

LONG = "numbers = [" + ", ".join("9" * 6 for _ in range(9)) + "]\n"
"""A line of 84 columns, which only a limit of 88 explains."""
FILLING = "".join(f"value_{number} = {number}\n" for number in range(25))

BROKEN = {
    "the arguments of the only call": (
        "PIPE201",
        "ds = source.map(lambda left, right: mixed(left, right))\n",
        "ds = source.map(\n    lambda left, right: mixed(left, right), num_parallel_calls=tf.data.AUTOTUNE\n)\n",
    ),
    "each argument on a line of its own": (
        "PIPE201",
        "ds = source.map(lambda left, right: weighted(left, right, left * right, right))\n",
        (
            "ds = source.map(\n    lambda left, right: weighted(left, right, left * right, right),\n"
            "    num_parallel_calls=tf.data.AUTOTUNE,\n)\n"
        ),
    ),
    "a chain in brackets": (
        "PIPE101",
        "ds = source.shuffle(buffer_size=1024).repeat(number_of_epochs).batch(32)\n",
        (
            "ds = (\n    source.shuffle(buffer_size=1024)\n    .repeat(number_of_epochs)\n    .batch(32)\n"
            "    .prefetch(tf.data.AUTOTUNE)\n)\n"
        ),
    ),
    "a chain in brackets that fits in a line": (
        "PIPE101",
        "training_dataset = source.shuffle(buffer_size=1024).batch(32, True)\n",
        ("training_dataset = (\n    source.shuffle(buffer_size=1024).batch(32, True).prefetch(tf.data.AUTOTUNE)\n)\n"),
    ),
    "the last brackets of a short chain": (
        "PIPE101",
        "training_dataset_of_one_kind = source.batch(32, drop_remainder=True)\n",
        ("training_dataset_of_one_kind = source.batch(32, drop_remainder=True).prefetch(\n    tf.data.AUTOTUNE\n)\n"),
    ),
    "a link of a chain of lines": (
        "PIPE201",
        "ds = (\n    source\n    .map(lambda left, right: mixed(left, right, 0.5))\n    .batch(2)\n)\n",
        (
            "ds = (\n    source\n    .map(\n        lambda left, right: mixed(left, right, 0.5), "
            "num_parallel_calls=tf.data.AUTOTUNE\n    )\n    .batch(2)\n)\n"
        ),
    ),
    "a comment behind it": (
        "PIPE101",
        "training_dataset_of_one_kind = source.batch(32, drop_remainder=True)  # of 32\n",
        "training_dataset_of_one_kind = source.batch(32, drop_remainder=True).prefetch(\n    tf.data.AUTOTUNE\n)  # of 32\n",
    ),
    "brackets that stay open behind it": (
        "PIPE201",
        "ds = source.map(a_function_of_a_name_that_is_long).shuffle(\n    1000, seed=42\n)\n",
        (
            "ds = source.map(\n    a_function_of_a_name_that_is_long, num_parallel_calls=tf.data.AUTOTUNE\n"
            ").shuffle(1000, seed=42)\n"
        ),
    ),
    "several values": (
        "PIPE201",
        "one, other = source.map(a_function_of_two), source.map(another_function)\n",
        (
            "one, other = (\n    source.map(a_function_of_two, num_parallel_calls=tf.data.AUTOTUNE),\n"
            "    source.map(another_function, num_parallel_calls=tf.data.AUTOTUNE),\n)\n"
        ),
    ),
}


def framed(statement: str, head: str = FILLING + LONG) -> str:
    """A program in which all that a statement assigns is used."""
    used = "".join(f"model.fit({name})\n" for name in statement.partition(" =")[0].split(", "))
    return f"{TF}{head}source = tf.data.TFRecordDataset(files)\n{statement}{used}"


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(("code", "before", "after"), BROKEN.values(), ids=BROKEN)
def test_a_line_that_becomes_too_long_is_broken(code: str, before: str, after: str, newline: str) -> None:
    source, expected = (framed(text).replace("\n", newline) for text in (before, after))
    assert fixed(code, source) == expected


def test_what_is_broken_is_as_the_formatter_has_it() -> None:
    texts = [after for name, (_, _, after) in BROKEN.items() if name != "a link of a chain of lines"]
    source = TF + "".join(texts)
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "-"]
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=True)
    assert done.stdout.replace("\n\n", "\n") == source


OLD_NAME, NEW_NAME = "tf.data.experimental.AUTOTUNE", "tf.data.AUTOTUNE"
CALL = "prepared_examples = source.map(\n    decode_one_example, num_parallel_calls={}\n)\n"
JOINED = {
    "a call": (CALL, "prepared_examples = source.map(decode_one_example, num_parallel_calls={})\n"),
    "a call and what is called on it": (
        CALL.replace("prepared_examples", "prepared").replace("\n)\n", "\n).batch(3)\n"),
        "prepared = source.map(decode_one_example, num_parallel_calls={}).batch(3)\n",
    ),
    "a call in another one, which has a comma at its end": (
        "prepared = joined(\n    source.map(\n        of_two, deterministic=False, num_parallel_calls={}\n    ),\n)\n",
        "prepared = joined(\n    source.map(of_two, deterministic=False, num_parallel_calls={}),\n)\n",
    ),
    "a call and the one that it is in": (
        "ds = of(\n    source.map(\n        decode_one_example_of_two, num_parallel_calls={}\n    )\n)\n",
        "ds = of(source.map(decode_one_example_of_two, num_parallel_calls={}))\n",
    ),
    "a loop": (
        "for one in source.map(\n    decode_one_example_of_one, num_parallel_calls={}\n):\n    train(one)\n",
        "for one in source.map(decode_one_example_of_one, num_parallel_calls={}):\n    train(one)\n",
    ),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(("before", "after"), JOINED.values(), ids=JOINED)
def test_brackets_are_closed_again_whose_contents_fit_now(before: str, after: str, newline: str) -> None:
    head = TF + FILLING + LONG
    source, expected = (
        (head + text).replace("\n", newline) for text in (before.format(OLD_NAME), after.format(NEW_NAME))
    )
    assert fixed("PIPE903", source, (2, 16)) == expected


def test_what_is_joined_is_as_the_formatter_has_it() -> None:
    befores, afters = ("".join(texts) for texts in zip(*JOINED.values(), strict=True))
    for source in (TF + befores.format(*[OLD_NAME] * len(JOINED)), TF + afters.format(*[NEW_NAME] * len(JOINED))):
        command = [sys.executable, "-m", "ruff", "format", "--isolated", "-"]
        done = subprocess.run(command, input=source, capture_output=True, text=True, check=True)
        assert done.stdout.replace("\n\n", "\n") == source


@pytest.mark.parametrize(
    "before",
    [
        CALL.replace("{}\n", "{},\n"),
        CALL.replace("{}\n", "{}  # all of them\n"),
        CALL.replace("\n)\n", "\n)  # all of them\n"),
        CALL.replace("prepared_examples", "prepared_examples_of_all_kinds"),
        CALL.replace("prepared_examples", "ds"),
        CALL.replace("\n    ", "\n        "),
    ],
    ids=["a comma at the end", "a comment", "a comment behind", "too long still", "never too long", "another style"],
)
def test_other_brackets_stay_open(before: str) -> None:
    head = TF + FILLING + LONG
    assert fixed("PIPE903", head + before.format(OLD_NAME), (2, 16)) == head + before.format(NEW_NAME)


LEFT = {
    "arguments below an opening bracket": TF
    + FILLING
    + LONG
    + (
        "source = tf.data.TFRecordDataset(files)\nmodel.fit(source.shuffle(10000).filter(some_of_them).batch(size),\n"
        "          epochs=2)\n"
    ),
    "the end of an argument above": TF
    + FILLING
    + LONG
    + (
        "ds = tf.data.Dataset.from_tensor_slices(\n      (features, labels)).shuffle(10).repeat(times).batch(64)\n"
        "model.fit(ds.filter(a_function_of_a_long_name).filter(b))\n"
    ),
    "a file that tells no limit": framed(BROKEN["a chain in brackets"][1], head=""),
    "a file with still longer lines": framed(
        BROKEN["a chain in brackets"][1], head=FILLING + f"more = {'1 + ' * 40}1\n"
    ),
    "a line with a text that was too long before": framed(f"ds = source{'.filter(some)' * 9}.batch(2, name='pairs')\n"),
}


@pytest.mark.parametrize("source", LEFT.values(), ids=LEFT)
def test_where_there_is_no_limit_to_keep_nothing_is_broken(source: str) -> None:
    after = fixed("PIPE101", source)
    assert after.count("\n") == source.count("\n")
    assert ".prefetch(tf.data.AUTOTUNE)" in after


def test_fixes_that_are_too_long_only_together_are_broken() -> None:
    source = framed("ds = source.map(decode).padded_batch(32, drop_remainder=True)\n")
    after = linting.fixed(source, Overrides(select=("PIPE101", "PIPE201"), target_tensorflow=OLD))
    assert after == framed(
        "ds = (\n    source.map(decode, num_parallel_calls=tf.data.AUTOTUNE)\n"
        "    .padded_batch(32, drop_remainder=True)\n    .prefetch(tf.data.AUTOTUNE)\n)\n"
    )


def test_the_longest_line_is_the_limit_of_a_file_that_keeps_no_common_one() -> None:
    head = FILLING + f"more = {'1 + ' * 32}1\n"
    chain = "source.map(lambda left, right: (scaled(left, 0.50), right), {}).shuffle(buffer_size=1024).batch(size)"
    source = framed(f"ds = {chain.replace(', {}', '')}\n", head=head)
    after = linting.fixed(source, Overrides(select=("PIPE101", "PIPE201"), target_tensorflow=OLD))
    lines = chain.format("num_parallel_calls=tf.data.AUTOTUNE").replace(").", ")\n    .")
    assert after == framed(f"ds = (\n    {lines}\n    .prefetch(tf.data.AUTOTUNE)\n)\n", head=head)


def test_a_fix_is_shown_as_it_is_applied_alone() -> None:
    source = framed(BROKEN["a chain in brackets"][1])
    (found,) = linting.check(source, Overrides(select=("PIPE101",), target_tensorflow=(2, 8))).diagnostics
    assert found.fix is not None
    places = [edit.span.start for edit in found.fix.edits]
    assert len(places) > 2, "brackets, and a line for each call"
    assert all(one < other for one, other in pairwise(places))


def test_the_arguments_of_a_line_that_has_them_all() -> None:
    head = FILLING + LONG + "def train(ds: tf.data.Dataset):\n    ds = ds.batch(2) if flag else ds.batch(4)\n"
    call = "    model.fit(\n        {}\n    )\n"
    source = TF + head + call.format("ds, epochs=number_of_epochs, steps_per_epoch=number_of_steps, verbose=2")
    lines = "ds.prefetch(tf.data.AUTOTUNE), epochs=number_of_epochs, steps_per_epoch=number_of_steps, verbose=2,"
    assert fixed("PIPE101", source) == TF + head + call.format(lines.replace(", ", ",\n        "))


def test_a_loop_over_a_chain() -> None:
    head = TF + FILLING + LONG + "source = tf.data.TFRecordDataset(some_files)\n"
    loop = "for x in {}:\n    train(x)\n"
    source = head + loop.format("source.shuffle(1000).filter(is_wanted).batch(of_them)")
    after = "(\n    source.shuffle(1000).filter(is_wanted).batch(of_them).prefetch(tf.data.AUTOTUNE)\n)"
    assert fixed("PIPE101", source) == head + loop.format(after)


def test_a_file_of_few_lines_keeps_the_widest_limit_in_use() -> None:
    chain = "source.map(lambda left, right: (scaled(left, 0.50), right), {}).shuffle(buffer_size=1024).batch(size)"
    source = framed(f"ds = {chain.replace(', {}', '')}\n", head="")
    after = linting.fixed(source, Overrides(select=("PIPE101", "PIPE201"), target_tensorflow=OLD))
    lines = chain.format("num_parallel_calls=tf.data.AUTOTUNE").replace(").", ")\n    .")
    assert after == framed(f"ds = (\n    {lines}\n    .prefetch(tf.data.AUTOTUNE)\n)\n", head="")
