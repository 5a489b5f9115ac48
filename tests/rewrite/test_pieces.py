"""What libcst is given of a file: single statements that are not too deep; and every byte outside of an edit stays."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelint.model.edit import Edit
from pipelint.model.locations import Region
from pipelint.model.repair import Decorate, MoveAfter, ReplaceText
from pipelint.rewrite.concrete import DEEPEST
from pipelint.rewrite.differences import smallest_edits
from pipelint.rewrite.rewriter import Rewriter
from pipelint.source.edits import apply
from pipelint.static.analyse import analyse
from tests.rewrite.fixing import TF, edits_of, fixed, found

TUNED = ", num_parallel_calls=tf.data.AUTOTUNE"
FILLING = "".join(f"value_{number} = {number}\n" for number in range(25))
"""So many lines that the file has a line length of its own."""
HEAD = TF + "ds = tf.data.TFRecordDataset(files)\n"


class TestDepth:
    """libcst recurses once for each link and operator: what is too deep for it has no fix, and never ends the process."""

    def test_a_long_chain_is_changed(self) -> None:
        chain = ".filter(g)" * 60
        source = TF + f"model.fit(tf.data.TFRecordDataset(f){chain}.batch(2))\n"
        assert fixed("PIPE101", source) == source.replace(".batch(2)", ".batch(2).prefetch(tf.data.AUTOTUNE)")

    def test_a_chain_beyond_the_limit_is_left_alone(self) -> None:
        chain = ".filter(g)" * (DEEPEST // 2)
        source = TF + f"model.fit(tf.data.TFRecordDataset(f){chain}.batch(2))\n"
        assert found("PIPE101", source) == 1
        assert fixed("PIPE101", source) == source

    def test_an_argument_beyond_the_limit_is_left_alone(self) -> None:
        source = HEAD + f"model.fit(ds.map(lambda x: f({'x + ' * DEEPEST}x)).batch(2).prefetch(tf.data.AUTOTUNE))\n"
        assert found("PIPE201", source) == 1
        assert fixed("PIPE201", source) == source

    def test_what_is_deep_elsewhere_does_not_matter(self) -> None:
        source = HEAD + f"n = {'1 + ' * DEEPEST}1\nmodel.fit(ds.map(f).batch(2).prefetch(tf.data.AUTOTUNE))\n"
        assert fixed("PIPE201", source) == source.replace("map(f", f"map(f{TUNED}")


NESTED = {
    "a block": "if x:\n    with y:\n        {}\n",
    "tabs": "if x:\n\tfor y in z:\n\t\t{}\n",
    "a line of several statements": "a = 1; {}; b = 2\n",
    "a block on its line": "if x: {}\n",
    "an else": "if x:\n    pass\nelif y:\n    {}\n",
    "a try": "try:\n    {}\nexcept E:\n    raise\n",
    "a case": "match x:\n    case 1:\n        {}\n",
    "a loop with nothing behind it": "for i in y:\n    {}",
    "an asynchronous function": "async def f():\n    await g()\n    {}\n",
    "behind other letters": "s = 'žluťoučký 🐎'; {}  # kůň\n",
    "in a comprehension": "[0 for _ in range(3) if {}]\n",
    "in a subscript": "x[{}]\n",
    "in a conditional expression": "({} if x else\n y)\n",
    "a form feed": "\x0cif x:\n    {}\n",
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("frame", NESTED.values(), ids=NESTED)
def test_a_call_is_changed_wherever_it_stands(frame: str, newline: str) -> None:
    call = "model.fit(ds.map(\n f,  # ž\n).batch(2).prefetch(tf.data.AUTOTUNE))"
    after = call.replace("ž\n", "ž\n num_parallel_calls=tf.data.AUTOTUNE,\n")
    source, expected = (HEAD + frame.format(text) for text in (call, after))
    assert fixed("PIPE201", source.replace("\n", newline)) == expected.replace("\n", newline)


@pytest.mark.parametrize("literal", ["f'{0}'", "f'''\n{0}\n'''", "f'ž {0}'", "f'{{{{}}}} {0}'", "f'{{x:{0}}}'"])
def test_a_call_in_an_f_string_is_changed_well_or_not_at_all(literal: str) -> None:
    call = "ds.map(f).batch(2).prefetch(tf.data.AUTOTUNE)"
    source = HEAD + "model.fit(" + literal.replace("{0}", "{model.fit(" + call + ")}") + ")\n"
    ast.parse(source)
    assert fixed("PIPE201", source) in (source, source.replace("map(f", f"map(f{TUNED}"))


DECORATED = {
    "a function": ("def step():\n    pass\n", "@tf.function\ndef step():\n    pass\n"),
    "one on a line": ("def step(): return 1\n", "@tf.function\ndef step(): return 1\n"),
    "a method below comments": (
        "class T:\n    # Trains.\n    @a\n    # really\n    @b  # c\n    async def step(self,\n  x=1):  # d\n        # e\n        pass\n",
        "class T:\n    # Trains.\n    @tf.function\n    @a\n    # really\n    @b  # c\n    async def step(self,\n  x=1):  # d\n        # e\n        pass\n",
    ),
    "one with a decorated function in it": (
        "if x:\n\tdef step():\n\t\t@a\n\t\tdef inner(): pass\n",
        "if x:\n\t@tf.function\n\tdef step():\n\t\t@a\n\t\tdef inner(): pass\n",
    ),
    "a deep one": (f"def step():\n    return {'-' * 150}1\n", f"@tf.function\ndef step():\n    return {'-' * 150}1\n"),
    "one that returns what it calls": ("def step(model):\n    model(1)\n    return model\n", None),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(("before", "after"), DECORATED.values(), ids=DECORATED)
def test_a_function_is_decorated(before: str, after: str | None, newline: str) -> None:
    source, expected = ((TF + text).replace("\n", newline) for text in (before, after or before))
    program = analyse(source, target=(2, 16))
    (step,) = [function for function in program.functions if function.name == "step"]
    edits = edits_of(source, program, Decorate(step, "tensorflow.function"))
    assert apply(source, edits) == expected


IMPORTED = {
    "with its comment": (
        "from tensorflow.data.experimental import (AUTOTUNE,  # c\n    CsvDataset, SqlDataset)\n",
        (
            "from tensorflow.data import AUTOTUNE  # c\n"
            "from tensorflow.data.experimental import (CsvDataset, SqlDataset)\n"
        ),
    ),
    "the last, with comments": (
        "from tensorflow.data.experimental import (\n    CsvDataset,  # b\n    AUTOTUNE,  # c\n)  # d\n",
        (
            "from tensorflow.data import AUTOTUNE  # c\n"
            "from tensorflow.data.experimental import (\n    CsvDataset,  # b\n)  # d\n"
        ),
    ),
    "under another name, in a block": (
        "if x:\n    from tensorflow.data.experimental import AUTOTUNE as A, CsvDataset\n",
        (
            "if x:\n    from tensorflow.data import AUTOTUNE as A\n"
            "    from tensorflow.data.experimental import CsvDataset\n"
        ),
    ),
    "alone, over lines": (
        "from tensorflow.data.experimental \\\n    import (AUTOTUNE)\n",
        "from tensorflow.data \\\n    import (AUTOTUNE)\n",
    ),
    "below a comment that may be about more": (
        "from tensorflow.data.experimental import (\n    AUTOTUNE,\n    # Both are old.\n    CsvDataset,\n)\n",
        "from tensorflow.data.experimental import (\n    AUTOTUNE,\n    # Both are old.\n    CsvDataset,\n)\n",
    ),
    "twice, with a wordy comment": (
        (
            "from tensorflow.data.experimental import (  # of\n"
            f"    AUTOTUNE as FIRST,  # {'one of ' * 20}\n    AUTOTUNE,  # of\n)\n"
        ),
        (
            f"from tensorflow.data import AUTOTUNE as FIRST  # {'one of ' * 20}\n"
            "from tensorflow.data import (  # of\n    AUTOTUNE,  # of\n)\n"
        ),
    ),
    "beside names that make a long line": (
        (
            "from tensorflow.data.experimental import (AUTOTUNE,  # c\n"
            "    assert_cardinality, make_csv_dataset, rejection_resample)\n" + FILLING
        ),
        (
            "from tensorflow.data import AUTOTUNE  # c\nfrom tensorflow.data.experimental import "
            "(assert_cardinality, make_csv_dataset, rejection_resample)\n" + FILLING
        ),
    ),
    "on a line with others": (
        "a = 1; from tensorflow.data.experimental import AUTOTUNE, CsvDataset\n",
        "a = 1; from tensorflow.data.experimental import AUTOTUNE, CsvDataset\n",
    ),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(("before", "after"), IMPORTED.values(), ids=IMPORTED)
def test_a_name_is_imported_from_another_module(before: str, after: str, newline: str) -> None:
    source, expected = ((TF + text).replace("\n", newline) for text in (before, after))
    assert fixed("PIPE903", source) == expected


def test_edits_are_as_small_as_the_change_and_apart_where_it_is() -> None:
    source = TF + "model.fit(tf.data.TFRecordDataset(f).shuffle(9).filter(g).map(h).cache().batch(2))\n"
    program = analyse(source, target=(2, 16))
    stages = {stage.op: stage for stage in program.datasets[0].variants[0].stages}
    edits = edits_of(source, program, MoveAfter(stages["cache"], stages["shuffle"].inputs))
    assert [(source[edit.region.start : edit.region.end], edit.text) for edit in edits] == [
        ("", ".cache()"),
        (".cache()", ""),
    ]


WORDS = st.lists(
    st.sampled_from(["ds", ".map(f)", ".batch(2)", " ", "\r\n", "\n", "\r", "# ž", "_", "1", "🐎"]), max_size=12
)


@given(WORDS, WORDS, st.integers(0, 9))
def test_the_smallest_edits_give_the_new_text(old: list[str], new: list[str], start: int) -> None:
    text = "x" * start + "".join(old)
    assert apply(text, smallest_edits(start, "".join(old), "".join(new))) == "x" * start + "".join(new)


SPACE = st.sampled_from(["", " ", "  # c\n", "\n  ", "\n\n\t# ž\n "])
ARGUMENTS = st.lists(
    st.sampled_from(["f", "lambda x: (x,\n1)", "name = '#'", "deterministic=\nTrue"]), min_size=1, max_size=3
)


@settings(max_examples=150, deadline=None)
@given(ARGUMENTS, st.lists(SPACE, min_size=8, max_size=8), st.booleans(), st.sampled_from(["\n", "\r\n"]))
def test_an_argument_is_added_in_any_layout(arguments: list[str], spaces: list[str], comma: bool, newline: str) -> None:
    """The call gets the argument and keeps the others, and every line around it stays."""
    arguments = ["f", *dict.fromkeys(argument for argument in arguments if "=" in argument)]
    gaps = iter(spaces)
    inside = ",".join(f"{next(gaps)}{argument}{next(gaps)}" for argument in arguments) + ("," if comma else "")
    line = "model.fit(ds.map({}).batch(2).prefetch(tf.data.AUTOTUNE))  # behind\n# end\n"
    source = (HEAD + line.format(inside + spaces[-1])).replace("\n", newline)
    after = fixed("PIPE201", source)
    expected = HEAD + line.format(",".join(arguments) + TUNED)
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(expected))
    assert after.count("# c") == source.count("# c")
    assert after.count("# ž") == source.count("# ž")
    assert after.endswith(f"# behind{newline}# end{newline}")


def test_a_program_is_not_needed_to_change_text() -> None:
    edit = Edit(Region(4, 8), "1")
    assert Rewriter("x = pass", None).edits(ReplaceText((edit,))) == (edit,)


def test_libcst_is_imported_only_for_an_edit() -> None:
    program = "import sys, pipelint.rewrite.rewriter; sys.exit('libcst' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
