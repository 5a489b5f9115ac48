"""Input that is odd but valid is quiet; input that is broken is one clear line, and the other files go on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from pipelint.cli.command_line import command_line

HEAD = "import tensorflow as tf\nds = tf.data.Dataset.range(3000)\n"
GOOD = "import tensorflow as tf\nmodel.fit(tf.data.TFRecordDataset(files).shuffle(9).batch(32))\n"


def check(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(command_line, ["check", "--output-format", "concise", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture(autouse=True)
def in_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "source",
    [
        "",
        HEAD + "x = 1\n" * 50_000,
        HEAD + "x = " + "(" * 199 + "1" + ")" * 199 + "\n",
        HEAD + "ds = ds.map(f, num_parallel_calls=tf.data.AUTOTUNE)\n" * 2_000,
        HEAD + "if x:\n    y = 1\n" * 5_000,
    ],
    ids=["empty", "50,000 lines", "200 nested parentheses", "a chain of 2,000 statements", "5,000 branches"],
)
def test_odd_but_valid_is_quiet(source: str) -> None:
    Path("odd.py").write_text(source)
    status, _, stderr = check()
    assert (status, stderr) == (0, "")


BROKEN: dict[str, bytes] = {
    "a syntax error": b"def f(:\n    pass\n",
    "Python 2": b"print 'hello'\n",
    "bytes that are no text": b"x = '\xff\xfe'\n",
    "a NUL byte": b"x = 1\0\n",
    "5,000 nested parentheses": b"x = " + b"(" * 5_000 + b"1" + b")" * 5_000 + b"\n",
    "5,000 chained calls": b"x = ds" + b".map(f)" * 5_000 + b"\n",
    "10,000 operators": b"x = " + b"+".join([b"1"] * 10_000) + b"\n",
}


@pytest.mark.parametrize("what", BROKEN)
def test_broken_source_is_one_line_and_the_others_go_on(what: str) -> None:
    Path("broken.py").write_bytes(HEAD.encode() + BROKEN[what])
    Path("good.py").write_text(GOOD)
    Path("requirements.txt").write_text("tensorflow==2.8\n")
    status, _, stderr = check("--fix")
    assert status == 2
    assert len(stderr.splitlines()) == 1
    assert stderr.startswith("pipelint: broken.py")
    assert ".prefetch(" in Path("good.py").read_text()
    assert Path("broken.py").read_bytes() == HEAD.encode() + BROKEN[what]


@pytest.mark.parametrize("arguments", [(), ("--fix", "broken.py", "broken.ipynb")], ids=["found", "named"])
@pytest.mark.parametrize("what", BROKEN)
def test_without_a_word_of_tensorflow_it_is_not_our_business(what: str, arguments: tuple[str, ...]) -> None:
    Path("broken.py").write_bytes(BROKEN[what] + b"# noqa: PIPE201\n")
    Path("broken.ipynb").write_bytes(b'{"cells": [' + BROKEN[what])
    assert check(*arguments) == (0, "All clean: 2 files checked.\n", "")


def test_a_broken_notebook() -> None:
    Path("broken.ipynb").write_text('{"cells": ["keras",')
    status, _, stderr = check()
    assert status == 2
    assert stderr.startswith("pipelint: broken.ipynb:1: ")


def test_a_broken_link() -> None:
    Path("link.py").symlink_to("nowhere.py")
    status, _, stderr = check()
    assert (status, stderr) == (2, "pipelint: link.py: is a broken symbolic link\n")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_may_not_be_read() -> None:
    Path("closed.py").touch(mode=0o000)
    status, _, stderr = check()
    assert status == 2
    assert stderr.startswith("pipelint: closed.py: ")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_in_a_directory_that_may_not_be_entered() -> None:
    Path("closed").mkdir()
    Path("closed/train.py").touch()
    Path("closed").chmod(0o000)
    try:
        status, _, stderr = check("closed/train.py")
    finally:
        Path("closed").chmod(0o700)
    assert status == 2
    assert stderr.startswith("pipelint: closed/train.py: ")


def test_a_path_that_is_not_there() -> None:
    status, _, stderr = check("nowhere.py")
    assert status == 2
    assert stderr.startswith("pipelint: nowhere.py: ")
