"""What `pipelint profile` can be given, and what it says of what it cannot."""

from __future__ import annotations

from collections import namedtuple
from pathlib import Path
from typing import Any

import pytest

from pipelint.dynamic.process.target import Target, datasets_in, look_up, parse, result_of
from pipelint.dynamic.process.worker import unsupported
from pipelint.source.errors import UserError
from tests.workspace import Workspace


@pytest.fixture
def project(workspace: Workspace) -> Workspace:
    workspace.write("train.py", "")
    workspace.write("src/data.py", "")
    return workspace


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("train.py", Target("train.py", script=Path("train.py"))),
        ("train.py:make", Target("train.py:make", script=Path("train.py"), attribute="make")),
        (
            "src/data.py:Data.train",
            Target("src/data.py:Data.train", script=Path("src/data.py"), attribute="Data.train"),
        ),
        ("project.data:make", Target("project.data:make", module="project.data", attribute="make")),
    ],
)
def test_scripts_and_modules_with_and_without_a_name(project: Workspace, text: str, expected: Target) -> None:
    assert parse(text) == expected


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["trian.py"], "trian.py: no such file; did you mean train.py?"),
        (["src"], "src: a module needs the name of a dataset or function; give src:function, or the path of a script"),
        (["train"], "train: a module needs the name of a dataset or function; give train.py"),
        (["src/"], "src/ is a directory; give a script, as in src/train.py"),
        (["a.ipynb"], "a.ipynb: no such file"),
        (["train.py:make(64)"], "train.py:make(64): 'make(64)' is not a name; for an expression use --call 'make(64)'"),
        (["train.py:make", "--call", "make()"], "give either a name after the colon or --call, not both"),
        (["train.py", "--call", "make("], "--call 'make(' is not a Python expression: '(' was never closed"),
        (
            ["no such thing"],
            "no such thing: neither a Python file nor a module; give train.py, or package.module:function",
        ),
        (["train.py", "--max-input-bound", "lots"], "'lots' is not a share; give 10% or 0.1"),
        (["train.py", "--max-input-bound", "120%"], "'120%' is not a share; give 10% or 0.1"),
        (["train.py", "--step-time", "50"], "'50' is not a time; give 50ms, 0.05s or 300us"),
        (["train.py", "--graph", "a.png"], "--graph: a.png must end in .svg or .dot"),
        (["train.py", "--output-file", "no/a.html"], "--output-file: cannot write no/a.html: no is not a directory"),
        (["train.py", "--compare", "old.json"], "--compare: cannot read old.json: No such file or directory"),
    ],
)
def test_a_mistake_is_one_line_before_anything_runs(
    project: Workspace, monkeypatch: pytest.MonkeyPatch, arguments: list[str], complaint: str
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    outcome = project.run("profile", *arguments)
    assert outcome.status == 2
    [line] = outcome.errors
    assert complaint in line


def test_a_missing_tensorflow_is_told_before_anything_runs(project: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    outcome = project.run("profile", "train.py")
    assert (outcome.status, outcome.errors) == (
        2,
        ["pipelint: profile needs TensorFlow, which is not installed; run `pip install 'pipelint[dynamic]'`"],
    )


@pytest.mark.parametrize(
    ("version", "ok"), [("2.17.1", False), ("1.15.0", False), ("2.18.0", True), ("2.21.0-rc1", True)]
)
def test_tensorflow_must_tell_what_its_engine_does(version: str, ok: bool) -> None:
    told = unsupported(version)
    needed = f"TensorFlow 2.18 or newer is needed, and this is {version}"
    assert told is None if ok else told is not None and needed in told


NAMES: dict[str, Any] = {"train_ds": 1, "make": lambda size: size, "Data": type("Data", (), {"train": 2})}


class TestLookingUp:
    def target(self, attribute: str | None = None, call: str | None = None) -> Target:
        return Target("train.py", script=Path("train.py"), attribute=attribute, call=call)

    def test_names_attributes_and_expressions(self) -> None:
        assert look_up(self.target("train_ds"), NAMES) == 1
        assert look_up(self.target("Data.train"), NAMES) == 2
        assert look_up(self.target(call="make(size=3)"), NAMES) == 3

    @pytest.mark.parametrize(
        ("attribute", "complaint"),
        [
            ("trian_ds", "train.py has no 'trian_ds'; did you mean train_ds?"),
            ("Data.trains", "train.py has no 'trains'; did you mean train?"),
            ("zzz", "train.py has no 'zzz'"),
        ],
    )
    def test_a_name_that_is_not_there(self, attribute: str, complaint: str) -> None:
        with pytest.raises(UserError) as told:
            look_up(self.target(attribute), NAMES)
        assert str(told.value) == complaint

    def test_a_function_that_needs_arguments_is_to_be_called(self) -> None:
        with pytest.raises(
            UserError, match=r"needs the argument size; call it with --call 'make\(size=...\)' on train.py"
        ):
            result_of(self.target("make"), NAMES["make"])

    def test_a_function_whose_arguments_have_defaults_is_called(self) -> None:
        assert result_of(self.target("make"), lambda size=5, *rest, **more: size) == 5


def test_datasets_are_found_in_what_a_function_returns() -> None:
    Split = namedtuple("Split", "train val")
    value = {"train": 1, "rest": [2, "text", (3, None)], "named": Split(4, 5)}
    found = list(datasets_in(value, lambda item: isinstance(item, int)))
    assert found == [("train", 1), ("rest", 2), ("rest", 3), ("train", 4), ("val", 5)]
