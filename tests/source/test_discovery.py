"""Which files are checked, and which are tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pipelint.source.discovery import discover, is_test_file, project_root
from pipelint.source.errors import FileError


def tree(root: Path, *files: str) -> None:
    for file in files:
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")


def ignore(directory: Path, *patterns: str) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    (directory / ".gitignore").write_text("\n".join(patterns))


def found(root: Path, *paths: str, exclude: tuple[str, ...] = (), force_exclude: bool = False) -> list[str]:
    items = discover([root / path for path in paths or (".",)], root, exclude, force_exclude)
    return [item.relative_to(root).as_posix() for item in items if isinstance(item, Path)]


def problems(root: Path, *paths: str) -> list[tuple[str, str]]:
    items = list(discover([root / path for path in paths], root))
    return [(str(item.path), item.message) for item in items if isinstance(item, FileError)]


class TestWalking:
    def test_directories_hold_scripts_and_notebooks(self, tmp_path: Path) -> None:
        tree(tmp_path, "b.py", "a/n.ipynb", "a/stub.pyi", "a/notes.txt", "a/.hidden/c.py", "a/py")
        assert found(tmp_path) == ["a/.hidden/c.py", "a/n.ipynb", "b.py"]

    def test_each_file_comes_once_and_in_order(self, tmp_path: Path) -> None:
        tree(tmp_path, "a/x.py", "b.py")
        assert found(tmp_path, "b.py", "a", ".", "a/x.py", "a/../b.py") == ["a/../b.py", "a/x.py"]

    @pytest.mark.parametrize(
        "directory",
        [
            ".git",
            ".venv",
            "venv",
            "__pycache__",
            ".ipynb_checkpoints",
            "node_modules",
            "build",
            "dist",
            ".tox",
            ".nox",
            ".eggs",
            "lib/site-packages",
        ],
    )
    def test_what_is_not_the_users_source_is_skipped(self, tmp_path: Path, directory: str) -> None:
        tree(tmp_path, f"{directory}/x.py", "a.py")
        assert found(tmp_path) == ["a.py"]

    @pytest.mark.parametrize("marker", ["pyvenv.cfg", "conda-meta/history"])
    def test_environments_of_any_name_are_skipped(self, tmp_path: Path, marker: str) -> None:
        tree(tmp_path, f"env39/{marker}", "env39/lib/x.py", "a.py")
        assert found(tmp_path) == ["a.py"]

    def test_what_sphinx_copied_is_skipped_and_what_it_copies_is_not(self, tmp_path: Path) -> None:
        tree(
            tmp_path,
            "docs/_static/x.py",
            "source/conf.py",
            "source/_static/x.py",
            "web/_static/__init__.py",
            "_build/x.py",
        )
        assert found(tmp_path) == ["source/_static/x.py", "source/conf.py", "web/_static/__init__.py"]

    def test_a_skipped_directory_that_is_named_is_checked(self, tmp_path: Path) -> None:
        tree(tmp_path, "build/x.py")
        assert found(tmp_path, "build") == ["build/x.py"]

    def test_a_named_file_is_checked_whatever_it_is_called(self, tmp_path: Path) -> None:
        tree(tmp_path, "script", "build/x.py")
        assert found(tmp_path, "script", "build/x.py") == ["build/x.py", "script"]


class TestGitignore:
    def test_patterns_apply_below_their_file(self, tmp_path: Path) -> None:
        tree(tmp_path, "a/x.py", "b/x.py", "b/c/x.py", "b/gen/y.py")
        ignore(tmp_path / "b", "/x.py", "gen/")
        assert found(tmp_path) == ["a/x.py", "b/c/x.py"]

    def test_the_innermost_file_decides(self, tmp_path: Path) -> None:
        tree(tmp_path, "a/x_pb2.py", "b/x_pb2.py")
        ignore(tmp_path, "*_pb2.py")
        ignore(tmp_path / "b", "!x_pb2.py")
        assert found(tmp_path) == ["b/x_pb2.py"]

    def test_files_above_count_up_to_the_repository(self, tmp_path: Path) -> None:
        tree(tmp_path, "repo/.git/HEAD", "repo/src/a.py", "repo/src/b.py", "repo/src/c.py")
        ignore(tmp_path, "b.py")
        ignore(tmp_path / "repo", "/src/c.py")
        assert found(tmp_path, "repo/src") == ["repo/src/a.py", "repo/src/b.py"]

    def test_an_ignored_directory_that_is_named_is_checked(self, tmp_path: Path) -> None:
        tree(tmp_path, ".git/HEAD", "out/a.py")
        ignore(tmp_path, "out/")
        assert found(tmp_path) == []
        assert found(tmp_path, "out") == ["out/a.py"]
        assert found(tmp_path, "out/a.py") == ["out/a.py"]

    def test_patterns_that_git_would_not_take_do_no_harm(self, tmp_path: Path) -> None:
        tree(tmp_path, "a.py", "b.py")
        (tmp_path / ".gitignore").write_bytes(b"\xff\n!\nb.py\n")
        assert "a.py" in found(tmp_path)


class TestExclude:
    def test_patterns_are_relative_to_the_configuration(self, tmp_path: Path) -> None:
        tree(tmp_path, "legacy/a.py", "src/legacy/b.py", "src/gen_x.py")
        assert found(tmp_path, exclude=("/legacy", "gen_*.py")) == ["src/legacy/b.py"]
        assert found(tmp_path, "src", exclude=("src/legacy/",)) == ["src/gen_x.py"]

    def test_a_named_file_is_excluded_only_by_force(self, tmp_path: Path) -> None:
        tree(tmp_path, "legacy/a.py", ".venv/b.py", "c.py", "e/pyvenv.cfg", "e/d.py")
        named = ("legacy/a.py", ".venv/b.py", "c.py", "e/d.py")
        assert found(tmp_path, *named, exclude=("legacy",)) == sorted(named)
        assert found(tmp_path, *named, exclude=("legacy",), force_exclude=True) == ["c.py"]


class TestProblems:
    def test_each_is_one_error_and_the_others_go_on(self, tmp_path: Path) -> None:
        tree(tmp_path, "a.py")
        (tmp_path / "gone.py").symlink_to("nowhere.py")
        (tmp_path / "self.py").symlink_to("self.py")
        os.mkfifo(tmp_path / "pipe.py")
        assert found(tmp_path, ".", "missing") == ["a.py"]
        assert sorted(problems(tmp_path, ".", "missing")) == [
            (f"{tmp_path}/gone.py", "is a broken symbolic link"),
            (f"{tmp_path}/missing", "does not exist"),
            (f"{tmp_path}/pipe.py", "is not a regular file"),
            (f"{tmp_path}/self.py", "is a broken symbolic link"),
        ]

    def test_links_in_circles_do_not_hang(self, tmp_path: Path) -> None:
        tree(tmp_path, "a/x.py")
        (tmp_path / "a" / "up").symlink_to(tmp_path)
        (tmp_path / "a" / "up.py").symlink_to(tmp_path)
        assert found(tmp_path) == ["a/x.py"]

    def test_a_linked_file_and_its_target_are_one(self, tmp_path: Path) -> None:
        tree(tmp_path, "b.py")
        (tmp_path / "a.py").symlink_to("b.py")
        assert found(tmp_path) == ["a.py"]

    def test_an_unreadable_directory(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        tree(tmp_path, "a.py", "locked/b.py")
        scan = os.scandir

        def refuse(path: Path) -> object:
            if Path(path).name == "locked":
                raise PermissionError(13, "Permission denied")
            return scan(path)

        monkeypatch.setattr(os, "scandir", refuse)
        assert found(tmp_path) == ["a.py"]
        assert problems(tmp_path, ".") == [(f"{tmp_path}/locked", "cannot be read: Permission denied")]


class TestTests:
    @pytest.mark.parametrize(
        "name",
        ["test_x.py", "x_test.py", "conftest.py", "test_x.ipynb", "tests/x.py", "a/test/b/x.py", "tests/n.ipynb"],
    )
    def test_known_by_name_or_directory(self, tmp_path: Path, name: str) -> None:
        tree(tmp_path, "pyproject.toml")
        assert is_test_file(tmp_path / name)

    @pytest.mark.parametrize("name", ["x.py", "testing.py", "contest.py", "latest.py", "tests.py", "a/testdata/x.py"])
    def test_others_are_not(self, tmp_path: Path, name: str) -> None:
        tree(tmp_path, "pyproject.toml")
        assert not is_test_file(tmp_path / name)

    @pytest.mark.parametrize("marker", ["pyproject.toml", "setup.py", ".git/HEAD"])
    def test_never_by_a_directory_above_the_project(self, tmp_path: Path, marker: str) -> None:
        tree(tmp_path, f"tests/project/{marker}", "tests/project/src/x.py", "tests/project/tests/y.py")
        project = tmp_path / "tests" / "project"
        assert project_root(project / "src" / "x.py") == project
        assert not is_test_file(project / "src" / "x.py")
        assert is_test_file(project / "tests" / "y.py")

    def test_without_a_project_the_working_directory_is_the_root(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        tree(tmp_path, "tests/here/x.py", "tests/here/tests/y.py")
        monkeypatch.chdir(tmp_path / "tests" / "here")
        assert not is_test_file(Path("x.py"))
        assert is_test_file(Path("tests/y.py"))
