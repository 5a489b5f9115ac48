"""Which files are checked, which are tests, and which TensorFlow the project asks for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pipelint.project.requirements import lower_bound, target_from_project
from pipelint.source.discovery import discover, is_test_file, project_root
from pipelint.source.errors import FileError


def tree(root: Path, *files: str, **contents: str) -> None:
    for file in files:
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    for file, text in contents.items():
        (root / file).write_text(text)


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
        assert is_test_file(tmp_path / name, tmp_path)

    @pytest.mark.parametrize("name", ["x.py", "testing.py", "contest.py", "latest.py", "tests.py", "a/testdata/x.py"])
    def test_others_are_not(self, tmp_path: Path, name: str) -> None:
        assert not is_test_file(tmp_path / name, tmp_path)

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


class TestTarget:
    @pytest.mark.parametrize(
        ("constraint", "version"),
        [
            (">=2.4,<3", (2, 4)),
            ("<3, >= 2.4", (2, 4)),
            ("~=2.9", (2, 9)),
            ("~=2.9.1", (2, 9)),
            ("==2.9.*", (2, 9)),
            ("===2.9.0", (2, 9)),
            (">2.3", (2, 3)),
            (">=2", (2, 0)),
            ("^2.10", (2, 10)),
            ("~2.8", (2, 8)),
            ("2.9.*", (2, 9)),
            ("=2.4.1=gpu_py38h", (2, 4)),
            (">=2.4 <3", (2, 4)),
            (">=2.4,>=2.6", (2, 6)),
            ("^2.10 || ^2.8", (2, 8)),
            ("==2.16.0rc1", (2, 16)),
            ("<3", None),
            ("!=2.5", None),
            ("", None),
            ("*", None),
            ("==abc", None),
            (">=20240101", None),
            ("<2.4 || >=2.9", None),
        ],
    )
    def test_the_lowest_version_that_a_constraint_admits(
        self, constraint: str, version: tuple[int, int] | None
    ) -> None:
        assert lower_bound(constraint) == version

    @pytest.mark.parametrize(
        ("file", "text"),
        [
            (
                "pyproject.toml",
                '[project]\ndependencies = ["numpy>=1.2", "TensorFlow[and-cuda]>=2.9,<3; os_name != \'nt\'"]',
            ),
            ("pyproject.toml", '[project.optional-dependencies]\ngpu = ["tensorflow-gpu (>=2.9)"]'),
            ("pyproject.toml", '[dependency-groups]\ntrain = ["tensorflow>=2.9", {include-group = "x"}]'),
            ("pyproject.toml", '[tool.poetry.dependencies]\ntensorflow = "^2.9"'),
            (
                "pyproject.toml",
                '[tool.poetry.group.dev.dependencies]\ntensorflow-cpu = {version = "~2.9", optional = true}',
            ),
            ("pyproject.toml", '[tool.poetry.dependencies]\ntensorflow = [{version = "^2.12"}, {version = "2.9"}]'),
            ("requirements.txt", "# tensorflow==1.0\n-r x.txt\ntensorflow_cpu == 2.9.1 \\\n  --hash=sha256:12\n"),
            ("requirements-dev.txt", "\ufefftensorflow-macos>=2.9 # why\r\ntensorflow-datasets==1.2\r\n"),
            ("requirements/train.txt", "tensorflow-intel==2.9.0\ntensorflow==2.12"),
            ("setup.cfg", "[options]\ninstall_requires =\n    numpy\n    tensorflow>=2.9\n"),
            ("setup.cfg", "[options.extras_require]\ntf =\n    tensorflow>=2.9\n"),
            ("environment.yml", "dependencies:\n  - python=3.8\n  - tensorflow=2.9=gpu\n"),
            ("environment.yaml", "dependencies:\n- conda-forge::tensorflow-gpu>=2.9\n"),
            ("environment.yml", 'dependencies:\n  - pip:\n    - "tensorflow==2.9.1"\n'),
        ],
    )
    def test_is_read_from_each_kind_of_file(self, tmp_path: Path, file: str, text: str) -> None:
        tree(tmp_path, ".git/HEAD", file)
        (tmp_path / file).write_text(text)
        assert target_from_project(tmp_path) == (2, 9)

    @pytest.mark.parametrize(
        ("file", "text"),
        [
            ("requirements.txt", "tensorflow\ntensorflow-hub>=0.12\ntensorflow @ https://example.org/tf-2.9.whl\n"),
            ("requirements.txt", "\0\x01"),
            ("pyproject.toml", "not toml ["),
            ("pyproject.toml", 'project = 3\n[tool]\npoetry = "x"'),
            ("pyproject.toml", "[project]\ndependencies = [3]\n[tool.poetry.dependencies]\ntensorflow = 3"),
            ("setup.cfg", "no section\n"),
            ("environment.yml", "- - -\n: :"),
        ],
    )
    def test_no_bound_and_odd_files_give_none(self, tmp_path: Path, file: str, text: str) -> None:
        tree(tmp_path, ".git/HEAD", **{file: text})
        assert target_from_project(tmp_path) is None

    def test_the_lowest_of_several_counts(self, tmp_path: Path) -> None:
        tree(tmp_path, ".git/HEAD", **{"requirements.txt": "tensorflow>=2.12", "environment.yml": "- tensorflow=2.8"})
        assert target_from_project(tmp_path) == (2, 8)

    def test_the_project_is_found_upwards_and_no_further(self, tmp_path: Path) -> None:
        tree(tmp_path, "p/.git/HEAD", "p/src/deep/train.py", "q/setup.py", "q/train.py")
        (tmp_path / "p" / "requirements.txt").write_text("tensorflow==2.7")
        (tmp_path / "requirements.txt").write_text("tensorflow==2.1")
        assert target_from_project(tmp_path / "p" / "src" / "deep" / "train.py") == (2, 7)
        assert target_from_project(tmp_path / "q" / "train.py") is None
