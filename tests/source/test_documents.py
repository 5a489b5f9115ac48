"""Python files in and out: encodings, newlines, positions and writing."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelint.model.edit import Edit
from pipelint.model.locations import Region
from pipelint.source.document import Document
from pipelint.source.errors import FileError
from pipelint.source.files import load
from pipelint.source.lines import Lines, Position
from pipelint.source.unit import Unit, single

SCRIPT = Path("train.py")
_KERAS = {b"\xff\xfe": "# keras\n".encode("utf-16-le")}
"""What makes bytes our business, in the encoding that they begin with where that is not ASCII's."""


def script(data: bytes) -> Document:
    return load(SCRIPT, data)


def insert(document: Document, before: str, text: str) -> bytes:
    at = document.units[0].text.index(before)
    return document.with_edits({0: [Edit(Region(at, at), text)]})


class TestEncodings:
    def test_utf8_is_the_default(self) -> None:
        assert script("s = 'é'\n".encode()).units[0].text == "s = 'é'\n"

    def test_a_byte_order_mark_is_no_text_and_is_kept(self) -> None:
        document = script(b"\xef\xbb\xbfx = 1\n")
        assert document.units[0].text == "x = 1\n"
        assert insert(document, "1", "2") == b"\xef\xbb\xbfx = 21\n"

    def test_the_coding_comment_decides_and_is_written_back(self) -> None:
        data = "# -*- coding: latin-1 -*-\ns = 'é'\n".encode("latin-1")
        document = script(data)
        assert document.units[0].text.endswith("s = 'é'\n")
        assert insert(document, "s", "t = ") == data.replace(b"s = '", b"t = s = '")

    def test_a_coding_comment_counts_on_the_second_line(self) -> None:
        assert "é" in script(b"#!/usr/bin/python\r# coding: cp1252\r'\xe9'\r").units[0].text

    def test_a_fix_that_the_encoding_cannot_express_is_refused(self) -> None:
        document = script(b"# coding: ascii\nx = 1\n")
        with pytest.raises(FileError, match="ascii"):
            insert(document, "x", "é = ")

    def test_text_with_two_spellings_is_read_but_never_rewritten(self) -> None:
        document = script(b"# coding: utf-7\nx = '+AGE-'\n")
        assert document.with_edits({}) == document.data
        with pytest.raises(FileError, match="more than one spelling"):
            insert(document, "x", "y = ")

    @pytest.mark.parametrize(
        ("data", "line", "words"),
        [
            (b"x = 1\ny = '\xff'\n", 2, "0xff is not valid utf-8"),
            (b"x = 1\r\ny\0 = 1\n", 2, "NUL"),
            (b"# coding: klingon\n", 1, "unknown encoding"),
            (b"# coding: rot13\nk = 1", 1, "rot13"),
            ("\ufeffx = 1".encode("utf-16-le"), 1, "UTF-16"),
            (b"\xef\xbb\xbf# coding: latin-1\n", 1, "encoding problem"),
            (b"\x89PNG\r\n\x1a\n\0\0", 1, "0x89"),
        ],
    )
    def test_bytes_that_are_no_text_are_one_clear_line(self, data: bytes, line: int, words: str) -> None:
        with pytest.raises(FileError, match=words) as caught:
            script(data + _KERAS.get(data[:2], b"# keras\n"))
        assert (caught.value.line, caught.value.path) == (line, SCRIPT)
        assert "\n" not in caught.value.message

    @pytest.mark.parametrize(
        "data", [b"y = '\xff'\n", b"y\0 = 1\n", "\ufeffx = 1".encode("utf-16-le"), b"# coding: x\n"]
    )
    def test_without_a_word_of_tensorflow_they_are_not_our_business(self, data: bytes) -> None:
        assert [unit.text for unit in script(data).units] == [""]

    def test_an_unreadable_file_is_one_clear_line(self, tmp_path: Path) -> None:
        with pytest.raises(FileError, match="cannot be read: Is a directory"):
            load(tmp_path)


class TestBytes:
    @given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
    def test_every_byte_outside_the_edits_is_kept(self, text: str) -> None:
        data = b"#\n" + text.encode()
        document = script(data)
        assert document.with_edits({}) == data
        at = len(document.units[0].text)
        assert document.with_edits({0: [Edit(Region(at, at), "pass")]}) == data + b"pass"

    @pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
    def test_added_lines_end_as_the_file_does(self, newline: str) -> None:
        data = f"import os{newline}x = 1{newline}".encode()
        added = insert(script(data), "x", "import tensorflow as tf\n")
        assert added == f"import os{newline}import tensorflow as tf{newline}x = 1{newline}".encode()

    def test_a_moved_piece_keeps_its_own_newlines(self) -> None:
        assert insert(script(b"a\r\nb\r\n"), "b", "(\r\n)\n") == b"a\r\n(\r\n)\r\nb\r\n"


class TestPositions:
    def test_places_count_from_one_in_code_points(self) -> None:
        unit = single("a = 1\r\nb = 'é😀'; c\r\n")
        assert unit.place(0) == Position(1, 1)
        assert unit.place(unit.text.index("c")) == Position(2, 11)

    def test_only_the_compilers_newlines_end_a_line(self) -> None:
        unit = single("a = '\x0c\x0b\x1c\u2028\x85'\rb\nc")
        assert [unit.place(unit.text.index(name)).line for name in "abc"] == [1, 2, 3]

    def test_the_line_around_an_offset_has_no_newline(self) -> None:
        lines = Lines("a\r\nbc\r\n\rd")
        numbers = [lines.number(at) for at in (0, 4, 7, 8)]
        assert [lines.text[lines.start(number) : lines.end(number)] for number in numbers] == ["a", "bc", "", "d"]

    def test_places_sort_by_cell_first(self) -> None:
        assert min(Position(1, 1, 2), Position(9, 9, 1), Position(9, 2, 1)) == Position(9, 2, 1)

    @given(st.lists(st.sampled_from(["é", "x", "😀", " ", "ß"]), max_size=6).map("".join), st.sampled_from("\n\r"))
    def test_offsets_are_those_of_ast(self, text: str, newline: str) -> None:
        source = f"'''{text}{newline}{text}'''; name{newline}f('{text}', name)"
        names = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name) and node.id == "name"]
        unit = single(source)
        assert len(names) == 2
        for node in names:
            at = unit.lines.offset(node.lineno, node.col_offset)
            assert source[at : at + 4] == "name"

    @given(st.text("ab\r\n\x0c", max_size=12))
    def test_lines_and_offsets_agree(self, text: str) -> None:
        lines = Lines(text)
        for offset in range(len(text) + 1):
            line = lines.number(offset)
            assert lines.start(line) <= offset
            assert line == len(lines) or offset < lines.start(line + 1)
        assert "".join(text[lines.start(n) : lines.end(n)] for n in range(1, len(lines) + 1)) == text.replace(
            "\r", ""
        ).replace("\n", "")


def test_a_script_is_one_unit_and_one_part() -> None:
    document = script(b"x = 1\n")
    assert [unit.text for unit in document.units] == ["x = 1\n"]
    assert document.parts == ((None, "x = 1\n"),)
    assert document.errors == ()


def test_an_empty_file_is_an_empty_program() -> None:
    document = script(b"")
    assert document.units[0].text == ""
    assert document.units[0].place(0) == Position(1, 1)
    assert isinstance(document.units[0], Unit)
