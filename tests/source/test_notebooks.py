"""Notebooks: one program across cells, IPython syntax left alone, and no other byte changed."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelint.model.edit import Edit
from pipelint.model.locations import Region
from pipelint.source.document import Document
from pipelint.source.errors import FileError
from pipelint.source.files import load
from pipelint.source.lines import Position
from pipelint.source.magics import translate

NOTEBOOK = Path("train.ipynb")


def code(*lines: str, **more: Any) -> dict[str, Any]:
    source = "\n".join(lines)
    return {"cell_type": "code", "metadata": {}, "outputs": [], "source": source.splitlines(keepends=True), **more}


def markdown(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": [text]}


def notebook(*cells: dict[str, Any], **top: Any) -> Document:
    return load(NOTEBOOK, json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, **top}, indent=1).encode())


def raw(text: str) -> Document:
    return load(NOTEBOOK, text.encode())


def program(document: Document) -> str:
    return document.units[0].text


def replaced(document: Document, old: str, new: str, unit: int = 0) -> bytes:
    at = document.units[unit].text.index(old)
    return document.with_edits({unit: [Edit(Region(at, at + len(old)), new)]})


def accepts(document: Document, old: str, new: str) -> bool:
    at = program(document).index(old)
    return document.units[0].accepts([Edit(Region(at, at + len(old)), new)])


def sources(data: bytes) -> list[str]:
    return [text for _, text in load(NOTEBOOK, data).parts]


class TestTheProgram:
    def test_code_cells_are_joined(self) -> None:
        assert program(notebook(code("a = 1"), markdown("# text"), code("b = 2", "c = 3"))) == "a = 1\nb = 2\nc = 3\n"

    def test_places_name_the_cell_among_all_cells(self) -> None:
        document = notebook(code("a = 1"), markdown("# text"), code("b = 2", "  ", "c = 'é'; d"))
        unit = document.units[0]
        assert unit.place(unit.text.index("a")) == Position(1, 1, 1)
        assert unit.place(unit.text.index("d")) == Position(3, 10, 3)

    def test_the_source_may_be_one_string(self) -> None:
        assert program(notebook({**code(), "source": "a = 1\nb = 2"})) == "a = 1\nb = 2\n"

    def test_empty_and_blank_cells_are_fine(self) -> None:
        document = notebook(code(), code("   ", "\t"), code("a = 1;"), code("# only a comment"))
        assert document.errors == ()
        assert len(ast.parse(program(document)).body) == 1

    def test_top_level_await_and_return_parse(self) -> None:
        assert notebook(code("await main()", "async for x in y: pass"), code("return")).errors == ()

    def test_format_3_has_worksheets_and_inputs(self) -> None:
        cells = [
            {"cell_type": "heading", "source": ["Title"]},
            {"cell_type": "code", "language": "python", "input": ["a = 1\n", "b = 2"], "outputs": []},
            {"cell_type": "code", "language": "ruby", "input": "puts 1", "outputs": []},
        ]
        document = raw(json.dumps({"worksheets": [{"cells": cells}], "nbformat": 3, "metadata": {"name": ""}}))
        assert program(document) == "a = 1\nb = 2\n"
        assert b'"a = 1\\n", "b = 3"' in replaced(document, "2", "3")

    def test_a_cell_indented_as_a_whole_runs_as_ipython_runs_it(self) -> None:
        document = notebook(code("  def f():", "    return 1", "", "  f()"))
        assert document.errors == ()
        unit = document.units[0]
        assert unit.place(unit.text.index("return")) == Position(2, 5, 1)
        assert sources(replaced(document, "return 1", "x = 1\n  return x")) == [
            "  def f():\n    x = 1\n    return x\n\n  f()",
        ]

    @pytest.mark.parametrize(
        "metadata",
        [
            {"kernelspec": {"language": "R", "name": "ir"}},
            {"kernelspec": {"display_name": "R", "name": "ir"}},
            {"language_info": {"name": "julia"}},
        ],
    )
    def test_other_languages_are_quiet(self, metadata: dict[str, Any]) -> None:
        document = notebook(code("x <- c(1, 2)"), metadata=metadata)
        assert (program(document), document.errors) == ("", ())

    def test_a_cell_may_have_a_language_of_its_own(self) -> None:
        own = {"metadata": {"vscode": {"languageId": "shellscript"}}}
        document = notebook(code("keras ls -l", **own), code("a = 1", metadata={"vscode": {"languageId": "python"}}))
        assert (program(document), document.errors, document.left_out) == ("a = 1\n", (), ())

    @pytest.mark.parametrize(
        "metadata",
        [
            {},
            {"kernelspec": {"name": "python3", "display_name": "Python 3"}},
            {"kernelspec": {"name": "my-env"}},
            {"language_info": {"name": "python"}, "kernelspec": None},
            {"kernelspec": "odd", "language_info": 3},
        ],
    )
    def test_python_is_the_default(self, metadata: dict[str, Any]) -> None:
        assert program(notebook(code("x = 1"), metadata=metadata)) == "x = 1\n"


class TestMagics:
    @pytest.mark.parametrize(
        ("lines", "expected"),
        [
            (["%matplotlib inline"], ["pass"]),
            (["!pip install 'x", "a = 1"], ["pass", "a = 1"]),
            (["files = !ls *.jpg"], ["files = get_ipython()"]),
            (["a, b['k'] = !ls {path}"], ["a, b['k'] = get_ipython()"]),
            (["t = %timeit -o f()"], ["t = get_ipython()"]),
            (["tf.data?"], ["pass"]),
            (["?tf.data"], ["pass"]),
            (["tf.data.Dataset.map??"], ["pass"]),
            (["%%timeit?"], ["pass"]),
            (["if x:", "    %cd y", "else:", "\t!ls (", "z()"], ["if x:", "    pass", "else:", "\tpass", "z()"]),
            (["!a \\", "  b \\", "  c", "x"], ["pass", "", "", "x"]),
            (["y = !a \\", "  b", "x"], ["y = get_ipython()", "", "x"]),
            (["if x: y = !ls"], ["if x: y = get_ipython()"]),
            (["%time model.fit(ds)"], ["0;    model.fit(ds)"]),
            (["if x:", "  %time y = f(ds)  # once"], ["if x:", "  0;    y = f(ds)  # once"]),
            (["%timeit -n 1 -r1 -o next(it)"], ["0;                  next(it)"]),
            (["%lprun -f parse parse(x)"], ["0;              parse(x)"]),
            (["%time f(a, \\", "  b)", "z()"], ["0;    f(a, \\", "  b)", "z()"]),
            (["%time for x in ds: f(x)"], ["pass"]),
            (["%timeit -n 10"], ["pass"]),
            (["%prun"], ["pass"]),
        ],
    )
    def test_each_becomes_as_many_lines_of_harmless_python(self, lines: list[str], expected: list[str]) -> None:
        document = notebook(code(*lines))
        assert document.errors == ()
        assert program(document) == "\n".join(expected) + "\n"

    @pytest.mark.parametrize(
        "source",
        [
            'x = """\n%matplotlib inline\n!ls\nwhat?\n"""',
            "x = (a\n  % b)",
            "x = a \\\n  % b",
            "x = [\n!= 3]".replace("!=", "1 !="),
            "x = 'it is \\\n!not a command'",
            "x = f'{a}' # why?\ny = a != b",
            "print('a = !b')",
            "s = '%d' % 3",
            "# %matplotlib inline",
            'f"{d["a"]}"\n"""\n%x\n"""',
            "'''\\'''\n%x\n'''",
        ],
    )
    def test_what_only_looks_like_one_is_kept(self, source: str) -> None:
        translation = translate(source)
        assert translation is not None
        assert (translation.text, translation.magics) == (source, ())

    @pytest.mark.parametrize("magic", ["%%time", "%%timeit -n 1", "%%capture out", "%%prun", "%%python3", "%%tpu"])
    def test_the_body_of_a_wrapping_cell_magic_is_python(self, magic: str) -> None:
        assert program(notebook(code(magic, "a = 1", "%ls"))) == "pass\na = 1\npass\n"

    def test_a_wrapping_cell_magic_may_have_python_beside_it(self) -> None:
        assert program(notebook(code("%%timeit -n 3 x = 1", "f(x)"))) == "0;            x = 1\nf(x)\n"

    def test_cell_magics_nest(self) -> None:
        assert program(notebook(code("", "%%capture", "%%time", "a = 1"))) == "\npass\npass\na = 1\n"
        assert program(notebook(code("%%capture", "%%bash", "ls"))) == ""

    @pytest.mark.parametrize("magic", ["%%bash", "%%html", "%%javascript", "%%sh", "%%cython", "%%sql", "%%unheard_of"])
    def test_other_cell_magics_are_left_out_whole(self, magic: str) -> None:
        document = notebook(code("a = 1"), code("#@title form", magic, "x y z ("), code("b = 2"))
        assert program(document) == "a = 1\nb = 2\n"
        assert document.units[0].place(6) == Position(1, 1, 3)

    def test_a_one_line_command_needs_no_percent_sign(self) -> None:
        document = notebook(code("pip install -q tensorflow"), code("cd = 3"))
        assert document.errors == ()
        assert program(document) == "pass\ncd = 3\n"

    def test_windows_newlines_in_a_cell(self) -> None:
        assert program(notebook({**code(), "source": "!a \\\r\n b\r\nx = 1\r\n"})) == "pass\r\n\r\nx = 1\r\n\n"

    @given(st.lists(st.sampled_from(["%m", "!a \\", "x = 1", "(", ")", '"""', "'", "f?", "", "  y", "z = !q", "# c"])))
    def test_line_numbers_always_hold(self, lines: list[str]) -> None:
        source = "\n".join(lines)
        translation = translate(source)
        assert translation is not None
        assert translation.text.count("\n") == source.count("\n")


class TestErrors:
    @pytest.mark.parametrize(
        ("text", "line", "words"),
        [
            ("keras", 1, "Expecting|expecting"),
            ('{\n"cells": ["keras"\n}', 3, "Expecting"),
            ('{"cells": [{}]} keras', 1, "Extra data"),
            ('["keras"]', 1, "expecting an object"),
            ('{"keras": 1}', 1, "no cells"),
            ('{"cells": "keras"}', 1, "expecting a list"),
            ('{"cells": [\n{"cell_type": "code", "source": {"keras": 3}}]}', 2, "source of cell 1"),
            ('{"cells": [], "keras": ' + "[" * 100_000 + "}", None, "nested too deeply"),
            ('{"cells": [], 3: "keras"}', 1, "property name"),
        ],
    )
    def test_a_broken_notebook_is_one_clear_line(self, text: str, line: int | None, words: str) -> None:
        with pytest.raises(FileError, match=words) as caught:
            raw(text)
        assert caught.value.line == line
        assert caught.value.message.startswith("is not a valid notebook")

    def test_bytes_that_are_no_text(self) -> None:
        with pytest.raises(FileError, match="UTF-8") as caught:
            load(NOTEBOOK, b'{\n"cells": ["keras \xff"]}')
        assert caught.value.line == 2

    @pytest.mark.parametrize("data", [b"", b'{\n"cells": ["\xff"]}', b'{"cells": ['])
    def test_without_a_word_of_tensorflow_a_broken_notebook_is_not_our_business(self, data: bytes) -> None:
        assert load(NOTEBOOK, data).parts == ((None, ""),)


ODD = """\ufeff{
  "nbformat" : 4, "cells": [
  {"source": ["a = \\u00e9\\/\\n" ,   "b = '\\ud83d\\ude00'"],
      "cell_type":"code", "outputs": [{"x": 1e5, "y": "\\u003c"}]},
  { "cell_type" :"code","source" : "old", "source": "c\\u0020= 1\\r\\nd = \\"2\\"", "metadata":{}} ,
\t{"cell_type": "code", "source": []}
 ],
    "metadata": {"z": 1, "a": [ ]}}


"""


class TestBytes:
    def test_no_edits_change_nothing(self) -> None:
        assert load(NOTEBOOK, ODD.encode()).with_edits({}) == ODD.encode()

    def test_only_the_changed_string_of_a_list_is_touched(self) -> None:
        document = load(NOTEBOOK, ODD.replace("\\/", "").encode())
        changed = replaced(document, "b =", "bb =").decode()
        assert changed == ODD.replace("\\/", "").replace('"b =', '"bb =')

    def test_only_the_changed_characters_of_one_string_are_touched(self) -> None:
        document = load(NOTEBOOK, ODD.replace("\\/", "").encode())
        changed = replaced(document, "d = ", 'é = "').decode()
        assert changed == ODD.replace("\\/", "").replace("d = \\", '\\u00e9 = \\"\\')

    def test_letters_are_escaped_as_the_file_escapes_them(self) -> None:
        plain = replaced(notebook(code("a = 1")), "1", "'é'")
        assert "'é'" in plain.decode()
        escaped = json.dumps({"cells": [markdown("ü"), code("a = 1")]})
        assert "'\\u00e9'" in replaced(raw(escaped), "1", "'é'").decode()

    @pytest.mark.parametrize("indent", [None, 1, 4])
    def test_added_lines_are_strings_of_their_own_laid_out_alike(self, indent: int | None) -> None:
        def dumped(*lines: str) -> str:
            return json.dumps({"cells": [code(*lines)], "nbformat": 4}, indent=indent)

        changed = replaced(raw(dumped("a = 1", "b = 2", "c = 3")), "b = 2", "x = 0\nb = 2")
        assert changed.decode() == dumped("a = 1", "x = 0", "b = 2", "c = 3")
        single = replaced(raw(dumped("a = 1")), "a = 1", "x = 0\na = 1")
        assert single.decode() == dumped("x = 0", "a = 1")

    def test_removed_lines_take_their_strings_with_them(self) -> None:
        document = notebook(code("a = 1", "b = 2", "c = 3"))
        assert sources(replaced(document, "b = 2\n", "")) == ["a = 1\nc = 3"]
        assert sources(replaced(document, "c = 3\n", "")) == ["a = 1\nb = 2"]
        assert sources(replaced(document, "a = 1\nb = 2\nc = 3\n", "")) == [""]

    def test_edits_across_strings_and_cells(self) -> None:
        document = notebook(code("a = (1,", "  2)", "b = 3"), code("c = 4"))
        text = program(document)
        span = Region(text.index("1,"), text.index("2)") + 1)
        at = text.index("4")
        changed = document.with_edits({0: [Edit(span, "5"), Edit(Region(at, at + 1), "6")]})
        assert sources(changed) == ["a = (5)\nb = 3", "c = 6"]

    def test_an_empty_cell_can_be_filled(self) -> None:
        document = notebook(code("a = 1"), code())
        at = len("a = 1\n")
        assert sources(document.with_edits({0: [Edit(Region(at, at), "b = 2")]})) == ["a = 1", "b = 2"]

    def test_lines_added_at_the_very_end_join_the_last_cell(self) -> None:
        document = notebook(code("a = 1"))
        at = len(program(document))
        assert sources(document.with_edits({0: [Edit(Region(at, at), "b = 2\n")]})) == ["a = 1\nb = 2"]

    @given(
        st.lists(st.text('ab"\\\né😀\u2028', max_size=8), min_size=1, max_size=3),
        st.text('x"\\\né', max_size=4),
        st.data(),
    )
    def test_an_edit_changes_the_text_and_nothing_else(self, texts: list[str], new: str, data: st.DataObject) -> None:
        # Comments keep any text valid; every line of a cell is one.
        cells = [code(*("#" + line for line in text.split("\n"))) for text in texts]
        ascii_only = data.draw(st.booleans())
        before = json.dumps({"cells": cells}, ensure_ascii=ascii_only, indent=data.draw(st.sampled_from([None, 2])))
        document = raw(before)
        number, source = data.draw(st.sampled_from(document.parts))
        start = data.draw(st.integers(1, len(source)))
        end = data.draw(st.integers(start, len(source)))
        base = sum(len(text) + 1 for cell, text in document.parts if (cell or 0) < (number or 0))
        changed = document.with_edits({0: [Edit(Region(base + start, base + end), new)]})
        expected = dict(document.parts) | {number: source[:start] + new + source[end:]}
        after = json.loads(changed)
        assert {n: "".join(cell["source"]) for n, cell in enumerate(after["cells"], 1)} == expected
        for cell, old in zip(after["cells"], cells, strict=True):
            assert {**cell, "source": None} == {**old, "source": None}


class TestRefusedEdits:
    DOCUMENT = notebook(
        code("%%time", "a = 1", "!ls \\", "  x", "b = 2"),
        code("%cd y", "c = 3"),
    )

    @pytest.mark.parametrize("old", ["pass", "1\npass", "ass\n\n"])
    def test_a_magic_is_never_changed(self, old: str) -> None:
        assert not accepts(self.DOCUMENT, old, "x")
        with pytest.raises(ValueError, match="cannot take"):
            replaced(self.DOCUMENT, old, "x")

    def test_nothing_goes_between_the_lines_of_a_magic(self) -> None:
        at = program(self.DOCUMENT).index("\nb = 2")
        assert not self.DOCUMENT.units[0].accepts([Edit(Region(at, at), "x\n")])

    def test_no_edit_reaches_across_cells(self) -> None:
        document = notebook(code("a = 1"), code("b = 2"))
        assert not accepts(document, "1\nb", "x")
        assert not accepts(document, "1\n", "x")

    def test_lines_may_be_added_before_a_magic(self) -> None:
        at = program(self.DOCUMENT).index("pass\nc")
        changed = self.DOCUMENT.with_edits({0: [Edit(Region(at, at), "import x\n")]})
        assert sources(changed)[1] == "import x\n%cd y\nc = 3"

    def test_edits_that_meet_at_the_end_of_a_cell_go_together(self) -> None:
        document = notebook(code("a = 1", "b = 2", "c = 3"), code("d = 4"))
        deleted = [Edit(Region(6, 12), ""), Edit(Region(12, 18), "")]
        assert sources(document.with_edits({0: deleted})) == ["a = 1", "d = 4"]
        last = len(program(document))
        added = [Edit(Region(last - 1, last - 1), " + 1"), Edit(Region(last, last), "e = 5\n")]
        assert sources(document.with_edits({0: added}))[1] == "d = 4 + 1\ne = 5"

    def test_a_line_after_a_magic_can_go(self) -> None:
        document = notebook(code("!ls", "# done"), code("d = 4"))
        assert sources(replaced(document, "# done\n", "")) == ["!ls\n", "d = 4"]

    def test_overlapping_edits_are_refused(self) -> None:
        document = notebook(code("a = 1"))
        with pytest.raises(ValueError, match="overlapping"):
            document.with_edits({0: [Edit(Region(0, 3), "x"), Edit(Region(2, 5), "y")]})

    def test_windows_newlines_of_a_cell_are_kept(self) -> None:
        document = notebook({**code(), "source": "a = 1\r\nb = 2"})
        assert sources(replaced(document, "b = 2\n", "c = 3\nb = 2\n")) == ["a = 1\r\nc = 3\r\nb = 2"]

    def test_lines_added_before_a_cell_magic_go_after_it(self) -> None:
        added = [Edit(Region(0, 0), "import x\n"), Edit(Region(5, 5), "y = 1\n")]
        changed = self.DOCUMENT.with_edits({0: added})
        assert sources(changed)[0].startswith("%%time\nimport x\ny = 1\na = 1\n")
