"""`--add-noqa`: every comment silences what it was written for, and where none can be written one line says so."""

from __future__ import annotations

import json

import pytest

from tests.workspace import IMPORT, Workspace, tf

COMMENTED = {
    "in a string of several lines": (
        'x = tf.size("""\n1""", tf.size("""\n2"""))',
        'x = tf.size("""\n1""", tf.size("""\n2"""))  # noqa: TEST101',
    ),
    "in front of a continued line": ("x = tf.size(1) \\\n    + 1", "x = tf.size(1) \\\n    + 1  # noqa: TEST101"),
    "between continued lines": (
        "x = 1 \\\n    + tf.size(1) \\\n    + 2",
        "x = 1 \\\n    + tf.size(1) \\\n    + 2  # noqa: TEST101",
    ),
    "in an f-string of several lines": ('x = f"""{\ntf.size(1)}\n"""', 'x = f"""{\ntf.size(1)}\n"""  # noqa: TEST101'),
    "beside a form feed": ("\x0cx = tf.size(1)\x0c", "\x0cx = tf.size(1)  # noqa: TEST101"),
    "in a decorator": ("@tf.size\n@f(\n    tf.size)\ndef g(): pass", None),
    "behind codes of others": ("tf.size(1)  # noqa: E501 too long", "tf.size(1)  # noqa: E501, TEST101 too long"),
    "behind several comments": (
        "tf.size(1)  # noqa:E1,F2 # why # type: ignore",
        "tf.size(1)  # noqa:E1,F2, TEST101 # why # type: ignore",
    ),
    "behind a comment of ours": (
        "tf.size(1)  # pipelint: ignore[no-rank]",
        "tf.size(1)  # pipelint: ignore[no-rank]  # noqa: TEST101",
    ),
    "behind a word that is no code": ("tf.size(1)  # noqa-like", None),
    "behind a string that looks like a comment": (
        "tf.size('# noqa: TEST101')",
        "tf.size('# noqa: TEST101')  # noqa: TEST101",
    ),
    "on a line with others": (
        "tf.size(1); tf.rank(1)  ;  tf.size(2)",
        "tf.size(1); tf.rank(1)  ;  tf.size(2)  # noqa: TEST101, TEST102",
    ),
    "in a header": ("while tf.size(1): pass", "while tf.size(1): pass  # noqa: TEST101"),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize(("before", "after"), COMMENTED.values(), ids=COMMENTED)
def test_what_is_silenced_is_silent(slow: Workspace, before: str, after: str | None, newline: str) -> None:
    slow.write("train.py", f"{IMPORT}\n{before}".replace("\n", newline))
    outcome = slow.check("--add-noqa")
    assert (outcome.status, outcome.errors) == (0, [])
    if after is not None:
        assert slow.read("train.py") == f"{IMPORT}\n{after}".replace("\n", newline)
    assert slow.check().stdout == "All clean: 1 file checked.\n"
    once = slow.read("train.py")
    assert slow.check("--add-noqa").stdout == "Silenced 0 findings in 0 files.\n"
    assert slow.read("train.py") == once


CELLS = {
    "timed": ("%time tf.size(1)", "%time tf.size(1)  # noqa: TEST101"),
    "timed, over lines": ("%timeit -n1 \\\n  tf.size(1)", "%timeit -n1 \\\n  tf.size(1)  # noqa: TEST101"),
    "below a magic": ("%%time\n!ls\ntf.size(1)", "%%time\n!ls\ntf.size(1)  # noqa: TEST101"),
    "indented": ("    x = tf.size(1)\n    x", "    x = tf.size(1)  # noqa: TEST101\n    x"),
    "quiet": ("tf.size(1);", "tf.size(1);  # noqa: TEST101"),
    "indented and timed": ("if 1:\n    %time tf.size(1)", "if 1:\n    %time tf.size(1)  # noqa: TEST101"),
}


@pytest.mark.parametrize(("before", "after"), CELLS.values(), ids=CELLS)
def test_cells_of_notebooks(slow: Workspace, before: str, after: str) -> None:
    path = slow.notebook("train.ipynb", IMPORT, before)
    outcome = slow.check("--add-noqa")
    assert (outcome.status, outcome.errors) == (0, [])
    assert "".join(json.loads(path.read_bytes())["cells"][2]["source"]) == after
    assert slow.check().status == 0


ENCODINGS = {
    "two spellings of a letter": b"# coding: cp932\n"
    + tf("x = '\0'", "tf.size(1)").encode().replace(b"\0", b"\x87\x9c"),
    "a mark that changes nothing": b"# coding: iso2022_jp\n"
    + tf("x = '\0'", "tf.size(1)").encode().replace(b"\0", b"\x1b$B\x1b(B"),
    "two spellings of everything": b"# coding: utf-7\n" + tf("x = '+AGE-'", "tf.size(1)").encode(),
}


@pytest.mark.parametrize("option", ["--add-noqa", "--fix"])
@pytest.mark.parametrize("source", ENCODINGS.values(), ids=ENCODINGS)
def test_a_file_that_cannot_be_written_back_is_one_line(slow: Workspace, source: bytes, option: str) -> None:
    path = slow.write("odd.py", source)
    slow.write("a.py", tf("tf.size(1)"))
    slow.write("z.py", tf("tf.size(1)"))
    outcome = slow.check(option)
    assert outcome.status == 2
    (line,) = outcome.errors
    assert line.startswith("pipelint: odd.py: cannot be changed: its ")
    assert path.read_bytes() == source
    assert slow.read("a.py") == slow.read("z.py") != tf("tf.size(1)")


def test_what_no_comment_can_silence_is_one_line(slow: Workspace) -> None:
    path = slow.notebook(
        "n.ipynb", IMPORT, "%time tf.size(1)  # noqa: E501\ntf.size(2)", "%time tf.rank(1)  # noqa: E1"
    )
    slow.write("train.py", tf("tf.size(1)"))
    outcome = slow.check("--add-noqa")
    assert outcome.status == 2
    assert outcome.errors == ["pipelint: n.ipynb:cell 3:1: no comment can stand here that silences TEST101, and 1 more"]
    assert outcome.stdout == "Silenced 2 findings in 2 files.\n"
    assert "".join(json.loads(path.read_bytes())["cells"][2]["source"]) == (
        "%time tf.size(1)  # noqa: E501\ntf.size(2)  # noqa: TEST101"
    )


def test_a_fault_in_one_file_costs_no_other(slow: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    from pipelint.lint import treat_findings

    change = treat_findings.change_between

    def fail(before: object, after: object) -> object:
        if before.path.name == "b.py":  # type: ignore[attr-defined]
            raise RuntimeError("no")
        return change(before, after)  # type: ignore[arg-type]

    monkeypatch.setattr(treat_findings, "change_between", fail)
    for name in ("a.py", "b.py", "c.py"):
        slow.write(name, tf("tf.size(1)"))
    outcome = slow.check("--fix")
    assert outcome.status == 2
    assert len(outcome.errors) == 1
    assert outcome.stderr.startswith("pipelint: b.py: internal error in ")
    assert outcome.stdout.startswith("Fixed 2 findings.")
