"""`pipelint server` on notebooks: the cells are one program, and each has its own diagnostics and edits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import pipelint
from tests.server.editor import Editor, Text

pytest.importorskip("pygls", reason="the server speaks through pygls")

DIGITS = Path(__file__).parents[2] / "fixtures" / "slow" / "digits.ipynb"


def cells_of(path: Path) -> list[tuple[str, str]]:
    """The cells of a notebook, each with its language."""
    document: dict[str, Any] = json.loads(path.read_text("utf-8"))
    languages = {"code": "python", "markdown": "markdown"}
    return [(languages[cell["cell_type"]], "".join(cell["source"])) for cell in document["cells"]]


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """An editor that is open on an empty directory."""
    with Editor(tmp_path_factory.mktemp("notebooks")) as started:
        yield started


@pytest.fixture
def digits(editor: Editor) -> Iterator[list[Text]]:
    """The cells of a slow notebook, open."""
    path = editor.root / DIGITS.name
    path.write_bytes(DIGITS.read_bytes())
    texts = editor.open_notebook(path, cells_of(path))
    yield texts
    if path.as_uri() in editor.notebooks:
        editor.close_notebook(path.as_uri())


def test_each_cell_has_the_findings_of_the_command(editor: Editor, digits: list[Text]) -> None:
    expected = sorted((f.span.start.cell, f.code, f.span.start.line) for f in pipelint.check(DIGITS))
    found = [(number, code, line) for number, text in enumerate(digits, 1) for code, line in editor.found(text)]
    assert expected
    assert sorted(found) == expected


def test_a_change_of_one_cell_counts_for_all(editor: Editor, digits: list[Text]) -> None:
    for text in digits:
        editor.diagnostics(text)
    code = next(text for text in digits if "import tensorflow" in text.content)
    editor.change(code, "import numpy as np\n")
    editor.wait(lambda: not any(editor.published[text.uri].diagnostics for text in digits))


def test_what_fix_all_makes_of_the_cells_is_what_the_command_writes(editor: Editor, digits: list[Text]) -> None:
    path = editor.root / DIGITS.name
    first = digits[0]
    (action,) = editor.actions(first, only=["source.unsafeFixAll"])
    after = editor.applied(action.edit)
    contents = [after.get(text.uri, text.content) for text in digits]
    pipelint.check(path, fix=True, unsafe_fixes=True)
    assert contents == [content for _, content in cells_of(path)]
    assert contents != [content for _, content in cells_of(DIGITS)]


def test_a_line_of_a_cell_is_ignored(editor: Editor, digits: list[Text]) -> None:
    text, code, line = next((text, code, line) for text in digits for code, line in editor.found(text))
    ignore = next(a for a in editor.actions(text, only=["quickfix"]) if a.title == f"Ignore {code} on this line")
    after = editor.applied(ignore.edit)
    assert list(after) == [text.uri]
    assert after[text.uri].splitlines()[line - 1].endswith(f"# noqa: {code}")


def test_hovering_works_in_cells(editor: Editor, digits: list[Text]) -> None:
    text = next(text for text in digits if editor.diagnostics(text))
    found = editor.diagnostics(text)[0]
    assert editor.hover(text, found.range.start.line, found.range.start.character).startswith(f"#### {found.code} ")


def test_cells_in_other_languages_are_left_alone(editor: Editor) -> None:
    path = editor.root / "other.ipynb"
    cells = [
        ("python", "import tensorflow as tf"),
        ("r", "x <- tf$data"),
        ("python", "tf.keras.optimizers.Adam(lr=0.1)"),
    ]
    first, other, last = editor.open_notebook(path, cells)
    assert editor.found(first) == editor.found(other) == []
    assert [code for code, _ in editor.found(last)] == ["PIPE904"]
    editor.close_notebook(path.as_uri())


def test_a_cell_that_is_removed_counts_no_longer(editor: Editor, digits: list[Text]) -> None:
    found = {text.uri for text in digits if editor.diagnostics(text)}
    imports = next(text for text in digits if "import tensorflow" in text.content)
    told = len(editor.publications)
    editor.remove_cell(imports)
    editor.wait(lambda: not any(editor.published[uri].diagnostics for uri in found))
    assert imports.uri in [said.uri for said in editor.publications[told:]]


def test_nothing_is_left_of_a_closed_notebook(editor: Editor, digits: list[Text]) -> None:
    text = next(text for text in digits if editor.diagnostics(text))
    editor.close_notebook((editor.root / DIGITS.name).as_uri())
    editor.wait(lambda: not editor.published[text.uri].diagnostics)


def test_the_json_of_a_notebook_is_edited_as_it_stands(editor: Editor) -> None:
    path = editor.root / "as_text.ipynb"
    path.write_bytes(DIGITS.read_bytes())
    text = editor.open(path)
    lines = sorted(f.span.file_start.line for f in pipelint.check(path))
    assert [line for _, line in editor.found(text)] == lines
    (action,) = editor.actions(text, only=["source.unsafeFixAll"])
    pipelint.check(path, fix=True, unsafe_fixes=True)
    assert editor.applied(action.edit) == {text.uri: path.read_text("utf-8")}
    editor.close(text)
