"""Fixes that add a stage of a pipeline or move one, and where there is no edit at all."""

from __future__ import annotations

import ast
import io
import tokenize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rewrite.fixing import TF, fixed, found

APPENDED = {
    "a chain of lines": (
        "ds = (\n    tf.data.Dataset.list_files('*')\n    .batch(32)\n)\nmodel.fit(ds, epochs=9)\n",
        "ds = (\n    tf.data.Dataset.list_files('*')\n    .batch(32)\n    .prefetch(tf.data.AUTOTUNE)\n)\nmodel.fit(ds, epochs=9)\n",
    ),
    "a chain of lines with comments": (
        "ds = (\n    tf.data.Dataset.list_files('*')  # one\n    # many\n    .batch(32)  # of 32\n)\nmodel.fit(ds, epochs=9)\n",
        (
            "ds = (\n    tf.data.Dataset.list_files('*')  # one\n    # many\n    .batch(32)  # of 32\n"
            "    .prefetch(tf.data.AUTOTUNE)\n)\nmodel.fit(ds, epochs=9)\n"
        ),
    ),
    "a chain of lines in a call": (
        "model.fit(\n    tf.data.Dataset.list_files('*')\n    .batch(32)  # of 32\n)\n",
        "model.fit(\n    tf.data.Dataset.list_files('*')\n    .batch(32)  # of 32\n    .prefetch(tf.data.AUTOTUNE)\n)\n",
    ),
    "backslashes": (
        "ds = tf.data.Dataset.list_files('*') \\\n    .batch(32)  # 32\nmodel.fit(ds, epochs=9)\n",
        "ds = tf.data.Dataset.list_files('*') \\\n    .batch(32) \\\n    .prefetch(tf.data.AUTOTUNE)  # 32\nmodel.fit(ds, epochs=9)\n",
    ),
    "dots at the ends of lines": (
        "ds = (tf.data.Dataset.list_files('*').\n      batch(32))\nmodel.fit(ds, epochs=9)\n",
        "ds = (tf.data.Dataset.list_files('*').\n      batch(32).\n      prefetch(tf.data.AUTOTUNE))\nmodel.fit(ds, epochs=9)\n",
    ),
    "a variable that is assigned again": (
        "ds = tf.data.Dataset.list_files('*')\nds = ds.batch(32)\nmodel.fit(ds, epochs=9)\n",
        "ds = tf.data.Dataset.list_files('*')\nds = ds.batch(32).prefetch(tf.data.AUTOTUNE)\nmodel.fit(ds, epochs=9)\n",
    ),
    "two ways to build it: where it is consumed": (
        "ds = tf.data.Dataset.list_files('*')\nif small:\n    ds = ds.batch(32)\nelse:\n    ds = ds.batch(64)\nm.fit(x=ds)\n",
        (
            "ds = tf.data.Dataset.list_files('*')\nif small:\n    ds = ds.batch(32)\nelse:\n    ds = ds.batch(64)\n"
            "m.fit(x=ds.prefetch(tf.data.AUTOTUNE))\n"
        ),
    ),
    "a loader, whose attributes would be lost": (
        "ds = tf.keras.utils.image_dataset_from_directory('x')\nn = ds.class_names\nds2 = ds.filter(f)\nmodel.fit(ds2, epochs=9)\n",
        (
            "ds = tf.keras.utils.image_dataset_from_directory('x')\nn = ds.class_names\n"
            "ds2 = ds.filter(f).prefetch(tf.data.AUTOTUNE)\nmodel.fit(ds2, epochs=9)\n"
        ),
    ),
    "a stage given to apply": (
        "ds = tf.data.Dataset.list_files('*').apply(tf.data.experimental.dense_to_ragged_batch(32))\nmodel.fit(ds, epochs=9)\n",
        (
            "ds = tf.data.Dataset.list_files('*').apply(tf.data.experimental.dense_to_ragged_batch(32))"
            ".prefetch(tf.data.AUTOTUNE)\nmodel.fit(ds, epochs=9)\n"
        ),
    ),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(("before", "after"), APPENDED.values(), ids=APPENDED)
def test_a_stage_is_added_at_the_end(before: str, after: str, newline: str) -> None:
    assert fixed("PIPE101", (TF + before).replace("\n", newline)) == (TF + after).replace("\n", newline)


MOVED = {
    "within a line": (
        "PIPE302",
        "model.fit(R(f).shuffle(9).cache().batch(2), epochs=9)\n",
        "model.fit(R(f).cache().shuffle(9).batch(2), epochs=9)\n",
    ),
    "within a chain of lines, comments in tow": (
        "PIPE302",
        "ds = (\n    R(f)  # read\n    .shuffle(9)  # mix\n    .cache()  # k\n    .batch(2)  # two\n)\nmodel.fit(ds, epochs=9)\n",
        "ds = (\n    R(f)  # read\n    .cache()  # k\n    .shuffle(9)  # mix\n    .batch(2)  # two\n)\nmodel.fit(ds, epochs=9)\n",
    ),
    "the last link before a bracket": (
        "PIPE302",
        "ds = (R(f)\n      .shuffle(9)  # mix\n      .cache())\nmodel.fit(ds.batch(2), epochs=9)\n",
        "ds = (R(f)\n      .cache()\n      .shuffle(9)  # mix\n      )\nmodel.fit(ds.batch(2), epochs=9)\n",
    ),
    "two links on a line": (
        "PIPE302",
        "ds = (\n    R(f)  # read\n    .shuffle(9).cache()\n    .batch(2)\n)\nmodel.fit(ds, epochs=9)\n",
        "ds = (\n    R(f)  # read\n    .cache()\n    .shuffle(9)\n    .batch(2)\n)\nmodel.fit(ds, epochs=9)\n",
    ),
    "backslashes": (
        "PIPE302",
        "ds = R(f) \\\n    .shuffle(9) \\\n    .cache() \\\n    .batch(2)\nmodel.fit(ds, epochs=9)\n",
        "ds = R(f) \\\n    .cache() \\\n    .shuffle(9) \\\n    .batch(2)\nmodel.fit(ds, epochs=9)\n",
    ),
    "dots at the ends of lines": (
        "PIPE302",
        "ds = (R(f).\n      shuffle(9).\n      cache().\n      batch(2))\nmodel.fit(ds, epochs=9)\n",
        "ds = (R(f).\n      cache().\n      shuffle(9).\n      batch(2))\nmodel.fit(ds, epochs=9)\n",
    ),
    "brackets around a part": (
        "PIPE302",
        "ds = ((R(f)\n       .shuffle(9)).filter(g)).cache()\nmodel.fit(ds.batch(2), epochs=9)\n",
        "ds = ((R(f)\n       .cache()\n       .shuffle(9)).filter(g))\nmodel.fit(ds.batch(2), epochs=9)\n",
    ),
    "a statement, up": (
        "PIPE302",
        "ds = R(f)\nds = ds.shuffle(9)\nds = ds.filter(g)\nds = ds.cache()  # keep\nmodel.fit(ds.batch(2), epochs=9)\n",
        "ds = R(f)\nds = ds.cache()  # keep\nds = ds.shuffle(9)\nds = ds.filter(g)\nmodel.fit(ds.batch(2), epochs=9)\n",
    ),
    "a statement, down, at the end of the text": (
        "PIPE102",
        "def make(f):\n    ds = R(f)\n    ds = ds.prefetch(8)\n    ds = ds.batch(2)\n    return ds",
        "def make(f):\n    ds = R(f)\n    ds = ds.batch(2)\n    ds = ds.prefetch(tf.data.AUTOTUNE)\n    return ds",
    ),
    "into another statement": (
        "PIPE302",
        "a = R(f).shuffle(9)\nb = a.cache()\nmodel.fit(b.batch(2), epochs=9)\n",
        "a = R(f).cache().shuffle(9)\nb = a\nmodel.fit(b.batch(2), epochs=9)\n",
    ),
    "out of a statement that is left with nothing": (
        "PIPE302",
        "ds = R(f).shuffle(9)\nds = ds.cache()  # keep\nmodel.fit(ds.batch(2), epochs=9)\n",
        "ds = R(f).cache().shuffle(9)\n# keep\nmodel.fit(ds.batch(2), epochs=9)\n",
    ),
    "a return": (
        "PIPE302",
        "def make(ds: tf.data.Dataset):\n    ds = ds.shuffle(9).batch(2)\n    return ds.cache()\n",
        "def make(ds: tf.data.Dataset):\n    ds = ds.cache().shuffle(9).batch(2)\n    return ds\n",
    ),
    "down a chain of lines": (
        "PIPE102",
        "ds = (\n    R(f)\n    # soon\n    .prefetch(8)  # early\n    .batch(2)  # two\n)\nmodel.fit(ds, epochs=9)\n",
        (
            "ds = (\n    R(f)\n    .batch(2)  # two\n    # soon\n    .prefetch(tf.data.AUTOTUNE)  # early\n)\n"
            "model.fit(ds, epochs=9)\n"
        ),
    ),
    "down, before a bracket": (
        "PIPE102",
        "ds = (R(f)\n      .prefetch(8)  # early\n      .batch(2))\nmodel.fit(ds, epochs=9)\n",
        "ds = (R(f)\n      .batch(2)\n      .prefetch(tf.data.AUTOTUNE)  # early\n      )\nmodel.fit(ds, epochs=9)\n",
    ),
    "out of brackets into others": (
        "PIPE302",
        "ds = (R(f)\n  .shuffle(9)).cache()\nmodel.fit(ds.batch(2), epochs=9)\n",
        "ds = (R(f)\n  .cache()\n  .shuffle(9))\nmodel.fit(ds.batch(2), epochs=9)\n",
    ),
    "within brackets around a part": (
        "PIPE302",
        "ds = (R(f).shuffle(9).cache()).batch(2)\nmodel.fit(ds, epochs=9)\n",
        "ds = (R(f).cache().shuffle(9)).batch(2)\nmodel.fit(ds, epochs=9)\n",
    ),
    "comments above and behind": (
        "PIPE302",
        (
            "ds = (\n    R(f)\n    # mix\n    .shuffle(9)\n    .filter(g)  # some\n    # keep\n    .cache()  # all\n"
            "    .batch(2)\n)\nmodel.fit(ds, epochs=9)\n"
        ),
        (
            "ds = (\n    R(f)\n    # keep\n    .cache()  # all\n    # mix\n    .shuffle(9)\n    .filter(g)  # some\n"
            "    .batch(2)\n)\nmodel.fit(ds, epochs=9)\n"
        ),
    ),
    "a comment above the last link": (
        "PIPE302",
        "ds = (\n    R(f)\n    .shuffle(9)\n    # keep\n    .cache())\nmodel.fit(ds.batch(2), epochs=9)\n",
        "ds = (\n    R(f)\n    # keep\n    .cache()\n    .shuffle(9))\nmodel.fit(ds.batch(2), epochs=9)\n",
    ),
    "a statement in brackets, with the comment above it": (
        "PIPE302",
        "ds = R(f)\n# Mixes.\nds = ds.shuffle(9)\n# Keeps.\nds = (ds.cache(\n))  # k\nmodel.fit(ds.batch(2), epochs=9)\n",
        "ds = R(f)\n# Keeps.\nds = (ds.cache(\n))  # k\n# Mixes.\nds = ds.shuffle(9)\nmodel.fit(ds.batch(2), epochs=9)\n",
    ),
    "a statement without the comment above it and the next": (
        "PIPE102",
        "ds = R(f)\n# Early and in twos.\nds = ds.prefetch(8)\nds = ds.batch(2)\nmodel.fit(ds, epochs=9)\n",
        "ds = R(f)\n# Early and in twos.\nds = ds.batch(2)\nds = ds.prefetch(tf.data.AUTOTUNE)\nmodel.fit(ds, epochs=9)\n",
    ),
    "a statement below another with a comment of its own": (
        "PIPE102",
        "ds = R(f)\n# Ahead.\n# By eight.\nds = ds.prefetch(8)\n\n# Twos.\nds = ds.batch(2)\nmodel.fit(ds, epochs=9)\n",
        (
            "ds = R(f)\n\n# Twos.\nds = ds.batch(2)\n# Ahead.\n# By eight.\nds = ds.prefetch(tf.data.AUTOTUNE)\n"
            "model.fit(ds, epochs=9)\n"
        ),
    ),
    "into another statement, without its line breaks": (
        "PIPE302",
        "a = R(f).shuffle(9)\nb = a.cache(\n    filename\n)\nmodel.fit(b.batch(2), epochs=9)\n",
        "a = R(f).cache(filename).shuffle(9)\nb = a\nmodel.fit(b.batch(2), epochs=9)\n",
    ),
    "out of a line of two statements": (
        "PIPE302",
        "ds = R(f).shuffle(9)\nds = ds.cache(); print(1)\nmodel.fit(ds.batch(2), epochs=9)\n",
        "ds = R(f).cache().shuffle(9)\nprint(1)\nmodel.fit(ds.batch(2), epochs=9)\n",
    ),
    "up to the first link of lines": (
        "PIPE302",
        "ds = (\n    R(f).shuffle(9)\n    .cache()\n    .batch(2)\n)\nmodel.fit(ds, epochs=9)\n",
        "ds = (\n    R(f).cache()\n    .shuffle(9)\n    .batch(2)\n)\nmodel.fit(ds, epochs=9)\n",
    ),
    "lines of arguments": (
        "PIPE401",
        "ds = R(f).batch(2).shuffle(\n    9,  # nine\n)\nmodel.fit(ds, epochs=9)\n",
        "ds = R(f).shuffle(\n    9 * 2,  # nine\n).batch(2)\nmodel.fit(ds, epochs=9)\n",
    ),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(("code", "before", "after"), MOVED.values(), ids=MOVED)
def test_a_stage_is_moved(code: str, before: str, after: str, newline: str) -> None:
    head = TF + "R = tf.data.TFRecordDataset\n"
    assert fixed(code, (head + before).replace("\n", newline)) == (head + after).replace("\n", newline)


UNMOVED = {
    "another pipeline shares the stage": (
        "PIPE302",
        "ds = R(f).shuffle(9)\ntrain = ds.cache()\nmodel.fit(train.batch(2), epochs=9)\nmodel.fit(ds.batch(4), epochs=9)\n",
    ),
    "only one branch has it": (
        "PIPE302",
        "ds = R(f).shuffle(9)\nif keep:\n    ds = ds.cache()\nmodel.fit(ds.batch(2), epochs=9)\n",
    ),
    "its argument is not there yet": (
        "PIPE302",
        "ds = R(f).shuffle(9)\npath = place()\nds = ds.cache(path)\nmodel.fit(ds.batch(2), epochs=9)\n",
    ),
    "another function has it": (
        "PIPE302",
        "def keep(ds):\n    return ds.cache()\n\nmodel.fit(keep(R(f).shuffle(9)).batch(2), epochs=9)\n",
    ),
    "a comment between a dot and a name": (
        "PIPE302",
        "ds = (R(f).shuffle(9).  # keep\n      cache())\nmodel.fit(ds.batch(2), epochs=9)\n",
    ),
    "a split keeps its parts": (
        "PIPE302",
        "ds = R(f).shuffle(9).take(500).cache()\nmodel.fit(ds.batch(2), epochs=9)\n",
    ),
}


@pytest.mark.parametrize(("code", "source"), UNMOVED.values(), ids=UNMOVED)
def test_a_stage_stays_where_moving_it_would_change_more(code: str, source: str) -> None:
    source = TF + "R = tf.data.TFRecordDataset\n" + source
    assert found(code, source) == 1
    assert fixed(code, source) == source


LINKS = ("shuffle(9)", "filter(g)", "cache()", "batch(2)")
BREAKS = st.sampled_from(["", "\n    ", "  # one\n    ", "\n    # two\n    ", "  # three\n\n\t# four\n  "])
BEHIND = st.sampled_from(["", "\n    "])


def comments(source: str) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    lines = " ".join(token.string for token in tokens if token.type == tokenize.COMMENT)
    return sorted(part.strip() for part in lines.split("#"))


@settings(max_examples=150, deadline=None)
@given(before=st.lists(BREAKS, min_size=4, max_size=4), behind=st.lists(BEHIND, min_size=4, max_size=4), end=BREAKS)
def test_a_stage_is_moved_in_any_layout_and_no_comment_is_lost(before: list[str], behind: list[str], end: str) -> None:
    """Whatever white space and comments stand around the dots, the calls change places and nothing else does."""
    chain = "".join(f"{gap}.{after}{link}" for gap, after, link in zip(before, behind, LINKS, strict=True))
    source = TF + f"model.fit((\n  tf.data.TFRecordDataset(f){chain}{end}), epochs=9)\n"
    ast.parse(source)
    after = fixed("PIPE302", source)
    expected = TF + "model.fit(tf.data.TFRecordDataset(f).cache().shuffle(9).filter(g).batch(2), epochs=9)\n"
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(expected))
    assert comments(after) == comments(source)


@settings(max_examples=150, deadline=None)
@given(
    before=st.lists(BREAKS, min_size=4, max_size=4),
    closing=st.lists(st.sampled_from([None, None, "", "  # five\n  "]), min_size=4, max_size=4),
    newline=st.sampled_from(["\n", "\r\n"]),
)
def test_a_stage_is_moved_across_brackets(before: list[str], closing: list[str | None], newline: str) -> None:
    """Brackets around parts of the chain stay in pairs; where a comment has no place, there is no fix."""
    chain = "tf.data.TFRecordDataset(f)"
    for gap, close, link in zip(before, closing, LINKS, strict=True):
        chain = f"{chain}{gap}.{link}"
        chain = chain if close is None else f"({chain}{close})"
    source = (TF + f"model.fit((\n  {chain}), epochs=9)\n").replace("\n", newline)
    after = fixed("PIPE302", source)
    expected = TF + "model.fit(tf.data.TFRecordDataset(f).cache().shuffle(9).filter(g).batch(2), epochs=9)\n"
    assert after == source or ast.dump(ast.parse(after)) == ast.dump(ast.parse(expected))
    assert comments(after) == comments(source)
    assert after.count(newline) == after.count("\n")
