"""Fixes in every style of source: what is written before, what after, and where there is no edit at all."""

from __future__ import annotations

import ast
import io
import tokenize
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelint.check import Mode, Task, check_file
from pipelint.config import Settings
from pipelint.fixing import Fixes
from pipelint.project import Overrides, Project
from pipelint.registry import load_registry
from pipelint.source.edits import apply
from pipelint.static import analyse

REGISTRY = load_registry()
TF = "import tensorflow as tf\n"


def fixed(code: str, source: str, target: tuple[int, int] = (2, 16)) -> str:
    """The source after all fixes of one rule, checked to parse and to stay as it is when fixed again."""
    project = Project(Settings(root=Path()), REGISTRY, Overrides(select=(code,), target_tensorflow=target))
    texts = [source]
    for _ in range(2):
        outcome = check_file(project, Path("train.py"), Task(Mode.FIX, Fixes.ALL), texts[-1].encode())
        assert outcome.problems == ()
        texts.append(outcome.change.after.decode() if outcome.change else texts[-1])
    ast.parse(texts[1])
    assert texts[2] == texts[1]
    return texts[1]


def found(code: str, source: str) -> int:
    project = Project(Settings(root=Path()), REGISTRY, Overrides(select=(code,), target_tensorflow=(2, 16)))
    return len(check_file(project, Path("train.py"), Task(Mode.REPORT, Fixes.ALL), source.encode()).diagnostics)


ARGUMENTS = {
    "one line": ("ds.map(f)", "ds.map(f, num_parallel_calls=tf.data.AUTOTUNE)"),
    "a trailing comma": ("ds.map(f,)", "ds.map(f, num_parallel_calls=tf.data.AUTOTUNE,)"),
    "lines": ("ds.map(\n    f\n)", "ds.map(\n    f,\n    num_parallel_calls=tf.data.AUTOTUNE\n)"),
    "lines, a trailing comma": ("ds.map(\n    f,\n)", "ds.map(\n    f,\n    num_parallel_calls=tf.data.AUTOTUNE,\n)"),
    "a comment behind the argument": (
        "ds.map(\n    f,  # decodes\n)",
        "ds.map(\n    f,  # decodes\n    num_parallel_calls=tf.data.AUTOTUNE,\n)",
    ),
    "a comment and no comma": (
        "ds.map(\n    f  # decodes\n)",
        "ds.map(\n    f,  # decodes\n    num_parallel_calls=tf.data.AUTOTUNE\n)",
    ),
    "a comment behind the parenthesis": (
        "ds.map(  # decodes\n    f)",
        "ds.map(  # decodes\n    f,\n    num_parallel_calls=tf.data.AUTOTUNE)",
    ),
    "a hanging lambda": (
        "ds.map(lambda x:\n           (x, x))",
        "ds.map(lambda x:\n           (x, x), num_parallel_calls=tf.data.AUTOTUNE)",
    ),
    "spaces around the equals sign": (
        "ds.map(map_func = f)",
        "ds.map(map_func = f, num_parallel_calls = tf.data.AUTOTUNE)",
    ),
    "a parenthesised argument": ("ds.map((f))", "ds.map((f), num_parallel_calls=tf.data.AUTOTUNE)"),
    "the default written out": (
        "ds.map(f, num_parallel_calls=None)",
        "ds.map(f, num_parallel_calls=tf.data.AUTOTUNE)",
    ),
    "tabs": ("ds.map(\n\tf,\n)", "ds.map(\n\tf,\n\tnum_parallel_calls=tf.data.AUTOTUNE,\n)"),
    "a string with a comment sign": (
        'ds.map(lambda x: x + "#, )")',
        'ds.map(lambda x: x + "#, )", num_parallel_calls=tf.data.AUTOTUNE)',
    ),
    "text beyond ASCII before it": (
        'ds.filter(lambda x: x != "žluťoučký 🐎").map(f)',
        'ds.filter(lambda x: x != "žluťoučký 🐎").map(f, num_parallel_calls=tf.data.AUTOTUNE)',
    ),
    "arguments out of sight": ("ds.map(f, **options)", "ds.map(f, **options)"),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(("before", "after"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_an_argument_is_added_in_the_style_of_the_call(before: str, after: str, newline: str) -> None:
    frame = TF + "ds = tf.data.TFRecordDataset(files)\nmodel.fit({}.batch(32).prefetch(tf.data.AUTOTUNE))\n"
    assert fixed("PIPE201", frame.format(before).replace("\n", newline)) == frame.format(after).replace("\n", newline)


SPELLINGS = {
    "the module's variable": (
        "import tensorflow as tf\nAUTO = tf.data.AUTOTUNE\n",
        "AUTO",
    ),
    "an old variable is as good": (
        "import tensorflow as tf\nAUTOTUNE = tf.data.experimental.AUTOTUNE\n",
        "AUTOTUNE",
    ),
    "an imported constant": (
        "import tensorflow as tf\nfrom tensorflow.data import AUTOTUNE as A\n",
        "A",
    ),
    "another alias": ("import tensorflow as flow\ntf = flow\n", "flow.data.AUTOTUNE"),
    "no alias": ("import tensorflow\ntf = tensorflow\n", "tensorflow.data.AUTOTUNE"),
    "the module data": ("from tensorflow import data as tfd\nimport tensorflow as tf\ntf = 3\n", "tfd.AUTOTUNE"),
    "a variable that changes": (
        "import tensorflow as tf\nAUTO = tf.data.AUTOTUNE\nAUTO = 4\n",
        "tf.data.AUTOTUNE",
    ),
    "a variable of one branch": (
        "import tensorflow as tf\nif fast:\n    AUTO = tf.data.AUTOTUNE\n",
        "tf.data.AUTOTUNE",
    ),
    "a variable of a class": (
        "import tensorflow as tf\nclass Config:\n    AUTO = tf.data.AUTOTUNE\n",
        "tf.data.AUTOTUNE",
    ),
    "a variable of a function": (
        "import tensorflow as tf\ndef f():\n    AUTO = tf.data.AUTOTUNE\n",
        "tf.data.AUTOTUNE",
    ),
    "an attribute of something else": (
        "import tensorflow as tf\nimport settings\nAUTO = settings.AUTOTUNE\n",
        "tf.data.AUTOTUNE",
    ),
    "an import that may fail": (
        "try:\n    import tensorflow as tf\nexcept ImportError:\n    tf = None\n",
        "tf.data.AUTOTUNE",
    ),
    "imported in every cell": ("import tensorflow as tf\nimport tensorflow as tf\n", "tf.data.AUTOTUNE"),
}


@pytest.mark.parametrize(("head", "name"), SPELLINGS.values(), ids=SPELLINGS)
def test_a_name_is_spelled_as_the_file_does(head: str, name: str) -> None:
    source = head + "from tensorflow.data import TFRecordDataset as R\nmodel.fit(R(files).batch(32))\n"
    assert fixed("PIPE101", source) == source.replace(".batch(32)", f".batch(32).prefetch({name})")


class TestImports:
    def test_an_import_is_added_behind_the_others(self) -> None:
        source = (
            '"""Trains."""\n\nfrom __future__ import annotations\nimport os  # for paths\n\n'
            "from tensorflow.data import Dataset\n\nmodel.fit(Dataset.range(100).batch(32))\n"
        )
        after = source.replace("import Dataset\n", "import Dataset\nimport tensorflow as tf\n")
        assert fixed("PIPE101", source) == after.replace(".batch(32)", ".batch(32).prefetch(tf.data.AUTOTUNE)")

    def test_its_line_is_the_next_even_behind_a_comment(self) -> None:
        source = "from tensorflow.data import Dataset  # noqa\r\n\r\nmodel.fit(Dataset.range(100).batch(32))\r\n"
        assert fixed("PIPE101", source) == (
            "from tensorflow.data import Dataset  # noqa\r\nimport tensorflow as tf\r\n\r\n"
            "model.fit(Dataset.range(100).batch(32).prefetch(tf.data.AUTOTUNE))\r\n"
        )

    def test_it_goes_to_the_top_where_only_a_function_imports(self) -> None:
        source = (
            "#!/usr/bin/env python\n# Trains.\n\n@main\ndef train(model):\n"
            "    from tensorflow.data import Dataset\n    model.fit(Dataset.range(100).batch(32))\n"
        )
        after = source.replace("@main", "import tensorflow as tf\n@main")
        assert fixed("PIPE101", source) == after.replace(".batch(32)", ".batch(32).prefetch(tf.data.AUTOTUNE)")

    def test_a_taken_alias_is_not_taken_again(self) -> None:
        source = "from tensorflow.data import Dataset\ntf = 3\nmodel.fit(Dataset.range(100).batch(32))\n"
        after = source.replace("import Dataset\n", "import Dataset\nimport tensorflow\n")
        assert fixed("PIPE101", source) == after.replace(".batch(32)", ".batch(32).prefetch(tensorflow.data.AUTOTUNE)")

    def test_a_function_uses_its_own_import(self) -> None:
        source = "def train(model):\n    import tensorflow as tf\n    model.fit(tf.data.Dataset.range(100).batch(32))\n"
        assert fixed("PIPE101", source) == source.replace(".batch(32)", ".batch(32).prefetch(tf.data.AUTOTUNE)")

    def test_a_shadowed_alias_does_not_serve(self) -> None:
        source = (
            "import tensorflow as tf\nfrom tensorflow.data import Dataset\n\n"
            "def train(model, tf):\n    model.fit(Dataset.range(100).batch(32))\n"
        )
        after = source.replace("import Dataset\n", "import Dataset\nimport tensorflow\n")
        assert fixed("PIPE101", source) == after.replace(".batch(32)", ".batch(32).prefetch(tensorflow.data.AUTOTUNE)")

    def test_a_variable_bound_below_a_function_serves_only_where_no_other_does(self) -> None:
        source = (
            "import tensorflow as tf\n\ndef train(model):\n    model.fit(tf.data.Dataset.range(100).batch(32))\n\n"
            "AUTO = tf.data.AUTOTUNE\ntrain(m)\n"
        )
        assert fixed("PIPE101", source) == source.replace(".batch(32)", ".batch(32).prefetch(tf.data.AUTOTUNE)")

    def test_a_variable_bound_below_does_not_serve_at_the_top(self) -> None:
        source = TF + "model.fit(tf.data.Dataset.range(100).batch(32))\nAUTO = tf.data.AUTOTUNE\n"
        assert fixed("PIPE101", source) == source.replace(".batch(32)", ".batch(32).prefetch(tf.data.AUTOTUNE)")

    def test_an_old_target_gets_the_old_name(self) -> None:
        source = TF + "model.fit(tf.data.Dataset.range(100).batch(32))\n"
        after = source.replace(".batch(32)", ".batch(32).prefetch(tf.data.experimental.AUTOTUNE)")
        assert fixed("PIPE101", source, target=(2, 3)) == after


APPENDED = {
    "a chain of lines": (
        "ds = (\n    tf.data.Dataset.range(9)\n    .batch(32)\n)\nmodel.fit(ds)\n",
        "ds = (\n    tf.data.Dataset.range(9)\n    .batch(32)\n    .prefetch(tf.data.AUTOTUNE)\n)\nmodel.fit(ds)\n",
    ),
    "a chain of lines with comments": (
        "ds = (\n    tf.data.Dataset.range(9)  # one\n    # many\n    .batch(32)  # of 32\n)\nmodel.fit(ds)\n",
        (
            "ds = (\n    tf.data.Dataset.range(9)  # one\n    # many\n    .batch(32)  # of 32\n"
            "    .prefetch(tf.data.AUTOTUNE)\n)\nmodel.fit(ds)\n"
        ),
    ),
    "backslashes": (
        "ds = tf.data.Dataset.range(9) \\\n    .batch(32)  # 32\nmodel.fit(ds)\n",
        "ds = tf.data.Dataset.range(9) \\\n    .batch(32) \\\n    .prefetch(tf.data.AUTOTUNE)  # 32\nmodel.fit(ds)\n",
    ),
    "dots at the ends of lines": (
        "ds = (tf.data.Dataset.range(9).\n      batch(32))\nmodel.fit(ds)\n",
        "ds = (tf.data.Dataset.range(9).\n      batch(32).\n      prefetch(tf.data.AUTOTUNE))\nmodel.fit(ds)\n",
    ),
    "a variable that is assigned again": (
        "ds = tf.data.Dataset.range(9)\nds = ds.batch(32)\nmodel.fit(ds)\n",
        "ds = tf.data.Dataset.range(9)\nds = ds.batch(32).prefetch(tf.data.AUTOTUNE)\nmodel.fit(ds)\n",
    ),
    "two ways to build it: where it is consumed": (
        "ds = tf.data.Dataset.range(9)\nif small:\n    ds = ds.batch(32)\nelse:\n    ds = ds.batch(64)\nm.fit(x=ds)\n",
        (
            "ds = tf.data.Dataset.range(9)\nif small:\n    ds = ds.batch(32)\nelse:\n    ds = ds.batch(64)\n"
            "m.fit(x=ds.prefetch(tf.data.AUTOTUNE))\n"
        ),
    ),
    "a loader, whose attributes would be lost": (
        "ds = tf.keras.utils.image_dataset_from_directory('x')\nn = ds.class_names\nds2 = ds.map(f)\nmodel.fit(ds2)\n",
        (
            "ds = tf.keras.utils.image_dataset_from_directory('x')\nn = ds.class_names\n"
            "ds2 = ds.map(f).prefetch(tf.data.AUTOTUNE)\nmodel.fit(ds2)\n"
        ),
    ),
    "a stage given to apply": (
        "ds = tf.data.Dataset.range(9).apply(tf.data.experimental.dense_to_ragged_batch(32))\nmodel.fit(ds)\n",
        (
            "ds = tf.data.Dataset.range(9).apply(tf.data.experimental.dense_to_ragged_batch(32))"
            ".prefetch(tf.data.AUTOTUNE)\nmodel.fit(ds)\n"
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
        "model.fit(R(f).shuffle(9).cache().batch(2))\n",
        "model.fit(R(f).cache().shuffle(9).batch(2))\n",
    ),
    "within a chain of lines, comments in tow": (
        "PIPE302",
        "ds = (\n    R(f)  # read\n    .shuffle(9)  # mix\n    .cache()  # k\n    .batch(2)  # two\n)\nmodel.fit(ds)\n",
        "ds = (\n    R(f)  # read\n    .cache()  # k\n    .shuffle(9)  # mix\n    .batch(2)  # two\n)\nmodel.fit(ds)\n",
    ),
    "the last link before a bracket": (
        "PIPE302",
        "ds = (R(f)\n      .shuffle(9)  # mix\n      .cache())\nmodel.fit(ds.batch(2))\n",
        "ds = (R(f)\n      .cache()\n      .shuffle(9)  # mix\n      )\nmodel.fit(ds.batch(2))\n",
    ),
    "two links on a line": (
        "PIPE302",
        "ds = (\n    R(f)  # read\n    .shuffle(9).cache()\n    .batch(2)\n)\nmodel.fit(ds)\n",
        "ds = (\n    R(f)  # read\n    .cache()\n    .shuffle(9)\n    .batch(2)\n)\nmodel.fit(ds)\n",
    ),
    "backslashes": (
        "PIPE302",
        "ds = R(f) \\\n    .shuffle(9) \\\n    .cache() \\\n    .batch(2)\nmodel.fit(ds)\n",
        "ds = R(f) \\\n    .cache() \\\n    .shuffle(9) \\\n    .batch(2)\nmodel.fit(ds)\n",
    ),
    "dots at the ends of lines": (
        "PIPE302",
        "ds = (R(f).\n      shuffle(9).\n      cache().\n      batch(2))\nmodel.fit(ds)\n",
        "ds = (R(f).\n      cache().\n      shuffle(9).\n      batch(2))\nmodel.fit(ds)\n",
    ),
    "brackets around a part": (
        "PIPE302",
        "ds = ((R(f)\n       .shuffle(9)).filter(g)).cache()\nmodel.fit(ds.batch(2))\n",
        "ds = ((R(f)\n       .cache()\n       .shuffle(9)).filter(g))\nmodel.fit(ds.batch(2))\n",
    ),
    "a statement, up": (
        "PIPE302",
        "ds = R(f)\nds = ds.shuffle(9)\nds = ds.filter(g)\nds = ds.cache()  # keep\nmodel.fit(ds.batch(2))\n",
        "ds = R(f)\nds = ds.cache()  # keep\nds = ds.shuffle(9)\nds = ds.filter(g)\nmodel.fit(ds.batch(2))\n",
    ),
    "a statement, down, at the end of the text": (
        "PIPE102",
        "def make(f):\n    ds = R(f)\n    ds = ds.prefetch(8)\n    ds = ds.batch(2)\n    return ds",
        "def make(f):\n    ds = R(f)\n    ds = ds.batch(2)\n    ds = ds.prefetch(tf.data.AUTOTUNE)\n    return ds",
    ),
    "into another statement": (
        "PIPE302",
        "a = R(f).shuffle(9)\nb = a.cache()\nmodel.fit(b.batch(2))\n",
        "a = R(f).cache().shuffle(9)\nb = a\nmodel.fit(b.batch(2))\n",
    ),
    "out of a statement that is left with nothing": (
        "PIPE302",
        "ds = R(f).shuffle(9)\nds = ds.cache()  # keep\nmodel.fit(ds.batch(2))\n",
        "ds = R(f).cache().shuffle(9)\n# keep\nmodel.fit(ds.batch(2))\n",
    ),
    "a return": (
        "PIPE302",
        "def make(ds: tf.data.Dataset):\n    ds = ds.shuffle(9).batch(2)\n    return ds.cache()\n",
        "def make(ds: tf.data.Dataset):\n    ds = ds.cache().shuffle(9).batch(2)\n    return ds\n",
    ),
    "lines of arguments": (
        "PIPE401",
        "ds = R(f).batch(2).shuffle(\n    9,  # nine\n)\nmodel.fit(ds)\n",
        "ds = R(f).shuffle(\n    9,  # nine\n).batch(2)\nmodel.fit(ds)\n",
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
        "ds = R(f).shuffle(9)\ntrain = ds.cache()\nmodel.fit(train.batch(2))\nmodel.fit(ds.batch(4))\n",
    ),
    "only one branch has it": (
        "PIPE302",
        "ds = R(f).shuffle(9)\nif keep:\n    ds = ds.cache()\nmodel.fit(ds.batch(2))\n",
    ),
    "its argument is not there yet": (
        "PIPE302",
        "ds = R(f).shuffle(9)\npath = place()\nds = ds.cache(path)\nmodel.fit(ds.batch(2))\n",
    ),
    "another function has it": (
        "PIPE302",
        "def keep(ds):\n    return ds.cache()\n\nmodel.fit(keep(R(f).shuffle(9)).batch(2))\n",
    ),
    "two statements on a line": (
        "PIPE302",
        "ds = R(f).shuffle(9)\nds = ds.cache(); print(1)\nmodel.fit(ds.batch(2))\n",
    ),
    "a comment between a dot and a name": (
        "PIPE302",
        "ds = (R(f).shuffle(9).  # keep\n      cache())\nmodel.fit(ds.batch(2))\n",
    ),
    "a split keeps its parts": (
        "PIPE302",
        "ds = R(f).shuffle(9).take(500).cache()\nmodel.fit(ds.batch(2))\n",
    ),
}


@pytest.mark.parametrize(("code", "source"), UNMOVED.values(), ids=UNMOVED)
def test_a_stage_stays_where_moving_it_would_change_more(code: str, source: str) -> None:
    source = TF + "R = tf.data.TFRecordDataset\n" + source
    assert found(code, source) == 1
    assert fixed(code, source) == source


ASSIGNED = {
    "brackets": ("ds = R(f)\n(ds.batch(2)\n .repeat())\n", "ds = R(f)\nds = (ds.batch(2)\n .repeat())\n"),
    "no variable": ("R(f).batch(2)\n", "R(f).batch(2)\n"),
    "an outer variable": ("ds = R(f)\ndef g():\n    ds.batch(2)\n", "ds = R(f)\ndef g():\n    ds.batch(2)\n"),
    "a parameter": (
        "def g(ds: tf.data.Dataset):\n    ds.batch(2)\n    return ds\n",
        "def g(ds: tf.data.Dataset):\n    ds = ds.batch(2)\n    return ds\n",
    ),
    "a global one": (
        "ds = R(f)\ndef g():\n    global ds\n    ds.batch(2)\n",
        "ds = R(f)\ndef g():\n    global ds\n    ds = ds.batch(2)\n",
    ),
    "one line of several statements": ("ds = R(f); ds.batch(2)\n", "ds = R(f); ds = ds.batch(2)\n"),
}


@pytest.mark.parametrize(("before", "after"), ASSIGNED.values(), ids=ASSIGNED)
def test_a_dropped_result_is_assigned(before: str, after: str) -> None:
    head = TF + "R = tf.data.TFRecordDataset\n"
    assert found("PIPE110", head + before) == 1
    assert fixed("PIPE110", head + before) == head + after


REPLACED = {
    "an argument behind a variable": (
        "PIPE202",
        "N = 8\nmodel.fit(R(f).map(tf.io.parse_tensor, num_parallel_calls=N).batch(2))\n",
        "N = 8\nmodel.fit(R(f).map(tf.io.parse_tensor, num_parallel_calls=tf.data.AUTOTUNE).batch(2))\n",
    ),
    "an argument in a dict": (
        "PIPE202",
        "K = {'num_parallel_calls': 8}\nmodel.fit(R(f).map(g, **K).batch(2))\n",
        "K = {'num_parallel_calls': 8}\nmodel.fit(R(f).map(g, **K).batch(2))\n",
    ),
    "a name with another root": (
        "PIPE903",
        "from tensorflow.data import experimental as e\nA = e.AUTOTUNE\n",
        "from tensorflow.data import experimental as e\nA = tf.data.AUTOTUNE\n",
    ),
    "a name over lines": (
        "PIPE903",
        "A = (tf.data\n     .experimental.AUTOTUNE)\n",
        "A = (tf.data.AUTOTUNE)\n",
    ),
    "an import among others": (
        "PIPE903",
        "from tensorflow.data.experimental import AUTOTUNE, CsvDataset\n",
        "from tensorflow.data import AUTOTUNE\nfrom tensorflow.data.experimental import CsvDataset\n",
    ),
    "the last import of a list of lines": (
        "PIPE903",
        "from tensorflow.data.experimental import (\n    CsvDataset,\n    AUTOTUNE,\n)\n",
        "from tensorflow.data import AUTOTUNE\nfrom tensorflow.data.experimental import (\n    CsvDataset,\n)\n",
    ),
    "apply, over lines": (
        "PIPE903",
        "ds = (\n    R(f)\n    .apply(tf.data.experimental.shuffle_and_repeat(9))\n    .batch(2)\n)\n",
        "ds = (\n    R(f)\n    .shuffle(9)\n    .repeat()\n    .batch(2)\n)\n",
    ),
    "apply, sloppy": (
        "PIPE903",
        "ds = R(f).apply(tf.data.experimental.parallel_interleave(R, cycle_length=4, sloppy=True))\n",
        "ds = R(f).interleave(R, cycle_length=4, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)\n",
    ),
    "apply, with arguments that have no place": (
        "PIPE903",
        "ds = R(f).apply(tf.data.experimental.map_and_batch(g, 8, num_parallel_batches=2))\n",
        "ds = R(f).apply(tf.data.experimental.map_and_batch(g, 8, num_parallel_batches=2))\n",
    ),
    "apply, with a comment": (
        "PIPE903",
        "ds = R(f).apply(\n    tf.data.experimental.unbatch()  # flat\n)\n",
        "ds = R(f).apply(\n    tf.data.experimental.unbatch()  # flat\n)\n",
    ),
    "a transformation in a variable": (
        "PIPE903",
        "flat = tf.data.experimental.unbatch()\nds = R(f).apply(flat)\n",
        "flat = tf.data.experimental.unbatch()\nds = R(f).apply(flat)\n",
    ),
}


@pytest.mark.parametrize(("code", "before", "after"), REPLACED.values(), ids=REPLACED)
def test_an_expression_is_replaced(code: str, before: str, after: str) -> None:
    head = TF + "R = tf.data.TFRecordDataset\n"
    assert found(code, head + before) == 1
    assert fixed(code, head + before) == head + after


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
    source = TF + f"model.fit((\n  tf.data.TFRecordDataset(f){chain}{end}))\n"
    ast.parse(source)
    after = fixed("PIPE302", source)
    expected = TF + "model.fit(tf.data.TFRecordDataset(f).cache().shuffle(9).filter(g).batch(2))\n"
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(expected))
    assert comments(after) == comments(source)


WITHOUT_ARGUMENT = {
    "the only one": ("m.compile(run_eagerly=True)", "m.compile()"),
    "the first": ("m.compile(run_eagerly=True, loss=f)", "m.compile(loss=f)"),
    "in the middle": ("m.compile('adam', run_eagerly=True, loss=f)", "m.compile('adam', loss=f)"),
    "the last": ("m.compile(loss=f, run_eagerly=True)", "m.compile(loss=f)"),
    "the last, with a comma behind it": ("m.compile(loss=f, run_eagerly=True,)", "m.compile(loss=f)"),
    "a line of its own": (
        "m.compile(\n    loss=f,\n    run_eagerly=True,\n    metrics=g,\n)",
        "m.compile(\n    loss=f,\n    metrics=g,\n)",
    ),
    "the last line": ("m.compile(\n    loss=f,\n    run_eagerly=True,\n)", "m.compile(\n    loss=f,\n)"),
    "the last line, no comma": ("m.compile(\n    loss=f,\n    run_eagerly=True\n)", "m.compile(\n    loss=f\n)"),
    "a hanging line": (
        "m.compile(loss=f,\n          run_eagerly=True,\n          metrics=g)",
        "m.compile(loss=f,\n          metrics=g)",
    ),
    "with a comment of its own": (
        "m.compile(\n    loss=f,  # why\n    run_eagerly=True,  # slow\n)",
        "m.compile(\n    loss=f,  # why\n    run_eagerly=True,  # slow\n)",
    ),
}


@pytest.mark.parametrize(("before", "after"), WITHOUT_ARGUMENT.values(), ids=WITHOUT_ARGUMENT)
def test_an_argument_is_removed(before: str, after: str) -> None:
    head = "import keras\nm = keras.Sequential()\n"
    program = analyse(head + before + "\n", target=(2, 16))
    (operation,) = [operation for operation in program.operations if operation.name.endswith(".compile")]
    edits = program.editor.remove_argument(operation, "run_eagerly")
    assert apply(head + before + "\n", list(edits)) == head + after + "\n"


WITHOUT_STATEMENT = {
    "a line": ("a = 1\ntf.debugging.enable_check_numerics()\nb = 2\n", "a = 1\nb = 2\n"),
    "the last line": ("a = 1\ntf.debugging.enable_check_numerics()", "a = 1\n"),
    "a comment stays": ("tf.debugging.enable_check_numerics()  # why\nb = 2\n", "# why\nb = 2\n"),
    "all of a block": ("if x:\n    tf.debugging.enable_check_numerics()\n", "if x:\n    pass\n"),
    "one of a line": ("a = 1; tf.debugging.enable_check_numerics()\n", "a = 1; tf.debugging.enable_check_numerics()\n"),
    "over lines": ("if x:\n\ttf.debugging.enable_check_numerics(\n\t)\n\tb = 2\n", "if x:\n\tb = 2\n"),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(("before", "after"), WITHOUT_STATEMENT.values(), ids=WITHOUT_STATEMENT)
def test_a_statement_is_removed(before: str, after: str, newline: str) -> None:
    source = (TF + before).replace("\n", newline)
    program = analyse(source, target=(2, 16))
    (operation,) = [operation for operation in program.operations if operation.name.endswith("enable_check_numerics")]
    edits = program.editor.remove_statement(operation)
    assert apply(source, list(edits)) == (TF + after).replace("\n", newline)


def test_a_decorator_goes_above_the_others() -> None:
    source = TF + "class T:\n    @other\n    def step(self):\n        pass\n"
    edits = analyse(source, target=(2, 16)).editor.decorate("step", "tensorflow.function")
    assert apply(source, list(edits)) == source.replace("    @other\n", "    @tf.function\n    @other\n")


def test_a_name_that_two_functions_have_is_not_decorated() -> None:
    source = TF + "def step():\n    pass\n\ndef step():\n    pass\n"
    assert analyse(source, target=(2, 16)).editor.decorate("step", "tensorflow.function") == ()
