"""Every pattern over the user's text takes time in proportion to it, whatever it is made of."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import pytest

from pipelint.project.load_rules import load_registry
from pipelint.project.requirements import required_by_project
from pipelint.project.toml_lines import line_of
from pipelint.source.constraints import lower_bound
from pipelint.source.files import load
from pipelint.source.last_run import run_with
from pipelint.source.notebook import Notebook
from pipelint.source.suppressions import Suppressions
from pipelint.source.unit import single
from pipelint.static.parse import CannotParse, parse

LENGTH = 100_000
PIECES = (
    "#", "# ", "\n", "\r\n", "\r", " ", "\t", " \n", "a", "a ", "a\n", "a=", "a = ", "a,", "a, ", "a: ", "a.", "a/", "x:", "=", "-",
    "'", '"', "'a\n", '"""', "\\", "\\\n", "a\\\n", "#\\\n", "'\\\n", '\\"""', "(", "(\n", "[", "[[", "](", "]", "{", "`", "*",
    "%", "%%", "%time ", "%%time\n", "%timeit -n ", "!", "!a\n", "a!", "a?", "pip ", "cd\n", "-n 5 ", "=    ", "- x\n", "-  ",
    "#noqa", "# noqa ", "# noqa: A1 ", "A1 ", "A1,", "# pipelint: ignore", "# pipelint: ignore[", "PIPE201 ", "tensorflow.",
    "keras as ", "tensorflow as a\n", "print ", "print\n", "except a, ", "if ", "1.", "9", ">", ">= ", "|", " | ", "é", "\x0c",
)  # fmt: skip
"""What a hostile text repeats: each of these begins, continues or ends what some pattern looks for."""
MINUTES = 5
"""Far more than a linear pattern needs on the slowest machine; one that tries in every way needs years."""


@pytest.fixture(autouse=True)
def _comes_to_an_end() -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"a pattern was not done with {LENGTH:,} characters after {MINUTES} minutes")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(MINUTES * 60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def _texts(before: str = "", after: str = "") -> Iterator[str]:
    for piece in PIECES:
        yield before + piece * (LENGTH // len(piece)) + after


def _read_notebook(source: str) -> None:
    cells = [{"cell_type": "code", "source": text} for text in ("import tensorflow as tf", source)]
    load(Path("train.ipynb"), json.dumps({"cells": cells}).encode())


@pytest.mark.parametrize(
    ("before", "after"),
    [("", "\nx = = 1"), ("", " tf x = = 1"), ("%timeit ", "x")],
)
def test_cells_of_notebooks(before: str, after: str) -> None:
    for text in _texts(before, after):
        _read_notebook(text)


def test_what_notebooks_install_and_show() -> None:
    for text in (*_texts("!pip install "), *_texts("!pip install tensorflow"), *_texts("", ".__version__")):
        outputs = [{"name": "stdout", "text": text}]
        cells = [{"cell_type": "code", "source": f"{text}\ntensorflow.__version__", "outputs": outputs}]
        run_with(Notebook(json.dumps({"cells": cells}).encode()))


def test_comments() -> None:
    registry = load_registry(())
    for text in (*_texts("x = 1  # noqa: "), *_texts("x = 1  # pipelint: ignore[")):
        registry.named_by(text)
        list(Suppressions(single(text)).unused(registry.known, registry.known))


def test_what_does_not_parse() -> None:
    for text in _texts("print 'x'\n", "\nx = = 1"):
        with pytest.raises(CannotParse):
            parse(text)


def test_versions() -> None:
    for text in (*_texts(), *_texts(">=2.4,", "x"), *_texts(">=2.4 ", " <3")):
        lower_bound(text)


@pytest.mark.parametrize("name", ["requirements.txt", "environment.yml", "setup.cfg"])
def test_requirements(name: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    for text in (*_texts("tensorflow", "\ntensorflow>=2.4"), *_texts("- ", "\n- tensorflow >=2.4")):
        (tmp_path / name).write_text(text, "utf-8", newline="")
        required_by_project(tmp_path)


def test_keys_of_configurations() -> None:
    for text in (*_texts("", "\nignore = 1"), *_texts("[", "]\nignore = 1"), *_texts("# ", "\nignore = 1")):
        line_of(text, ("ignore",))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = 1\nignore = 2\n", 2),
        ('a = """\nignore = 1\n"""\nignore = 2\n', 4),
        ('# it\'s """ here\nignore = 2\n', 2),
        ("a = '#'\nb = \"'''\"\nignore = 2\n", 3),
    ],
)
def test_keys_are_told_from_what_strings_hold(text: str, line: int) -> None:
    assert line_of(text, ("ignore",)) == line


@pytest.mark.parametrize(
    ("constraint", "bound"),
    [
        (">=  2.4 ,\t<3", (2, 4)),
        ("  >=2.4   <3", (2, 4)),
        (">=2." + "4" * 5000, (2, 0)),
        (">=" + "2" * 5000, None),
        ("~= v2.9", (2, 9)),
    ],
)
def test_bounds(constraint: str, bound: tuple[int, int] | None) -> None:
    assert lower_bound(constraint) == bound


READS: list[tuple[Callable[[str], str], int]] = [
    (lambda mark: f"# {mark}\n" * 24 + "%%time\nx = 1", 25),
    (lambda mark: "\r\n" * 24 + "%%time\r\nx = 1", 25),
]


@pytest.mark.parametrize(("text", "headers"), READS)
def test_a_cell_magic_is_seen_behind_rulers_and_empty_lines(text: Callable[[str], str], headers: int) -> None:
    cells = [{"cell_type": "code", "source": text("#" * 24)}]
    document = load(Path("train.ipynb"), json.dumps({"cells": cells}).encode())
    assert document.units[0].segments[0].headers == headers
    assert document.units[0].segments[0].timed
