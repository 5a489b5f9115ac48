"""What an editor asks for: findings without their fixes, and then what can be done about some of them."""

from __future__ import annotations

from pathlib import Path

from pipelint.lint.examination import Examination, Patience, examine
from pipelint.lint.known_findings import KnownFindings
from pipelint.lint.task import Fixes
from pipelint.project.projects import Overrides, Projects
from tests.workspace import Workspace, tf

SOURCE = tf("tf.size(1)", "tf.rank(1)", "tf.shape(1)")


def examined(source: str, patience: Patience | None = None) -> Examination:
    path = Path("train.py").absolute()
    project = Projects(Overrides(), tell=print).of_file(path).with_files({path: source.encode()})
    return examine(project, path, source.encode(), KnownFindings(), patience)


def test_findings_have_no_fixes_until_these_are_asked_for(slow: Workspace) -> None:
    found = examined(SOURCE)
    assert [(known.code, known.fix) for known in found.diagnostics] == [
        ("TEST101", None),
        ("TEST102", None),
        ("TEST201", None),
    ]
    fixed = found.with_fixes([1, 2])
    assert {index: known.fix.title if known.fix else None for index, (known, _) in fixed.items()} == {
        1: "write tf.ndim",
        2: None,
    }


def test_one_finding_is_silenced_or_all_are_fixed(slow: Workspace) -> None:
    found = examined(SOURCE)
    silenced, fixed = found.silenced(1), found.fixed(Fixes.SAFE)
    assert silenced is not None
    assert silenced.after.decode() == SOURCE.replace("tf.rank(1)", "tf.rank(1)  # noqa: TEST102")
    assert fixed is not None
    assert fixed.after.decode() == SOURCE.replace("tf.size", "tf.shape_n")
    assert examined(tf("tf.abs(1)")).fixed(Fixes.ALL) is None


def test_what_cannot_be_read_is_a_problem(slow: Workspace) -> None:
    found = examined(tf("\0"))
    assert [problem.message for problem in found.problems] == ["is not Python source: it contains a NUL byte"]
    assert (found.diagnostics, found.with_fixes([0]), found.silenced(0)) == ((), {}, None)


def test_nothing_is_followed_for_those_who_wait_no_longer(slow: Workspace) -> None:
    patience = Patience()
    assert len(examined(SOURCE, patience).diagnostics) == 3
    patience.over = True
    given_up = examined(SOURCE, patience)
    assert given_up.diagnostics == []
    assert given_up.found is not None
    assert all(program is not None and program.given_up for program in given_up.found.programs)
    assert len(examined(SOURCE).diagnostics) == 3
