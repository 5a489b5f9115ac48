"""A file gets new content whole or not at all, stays what it was otherwise, and nothing is left beside it."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from pipelint.source.errors import FileError
from pipelint.source.writing import sweep, write
from tests.workspace import Workspace, tf

SLOW, FAST = tf("tf.size(1)"), tf("tf.shape_n(1)")
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root, who may give files to others")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "train.py"
    path.write_bytes(b"old")
    return path


class TestWhatStays:
    def test_the_mode(self, file: Path) -> None:
        file.chmod(0o750)
        write(file, b"new")
        assert file.read_bytes() == b"new"
        assert stat.S_IMODE(file.stat().st_mode) == 0o750
        assert os.listdir(file.parent) == ["train.py"]

    @as_root
    def test_owner_and_group(self, file: Path) -> None:
        os.chown(file, 1234, 4321)
        write(file, b"new")
        assert (file.stat().st_uid, file.stat().st_gid) == (1234, 4321)

    def test_an_owner_that_cannot_stay(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object) -> None:
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

        monkeypatch.setattr(os, "chown", refuse)
        own = os.stat_result((*file.stat()[:4], 1234, *file.stat()[5:]))
        monkeypatch.setattr(Path, "stat", lambda path, **_: own if path == file else os.stat(path))
        with pytest.raises(FileError, match="belongs to another user or group, and is not rewritten"):
            write(file, b"new")
        assert file.read_bytes() == b"old"

    @pytest.mark.skipif(not hasattr(os, "setxattr"), reason="the system has no extended attributes")
    def test_extended_attributes(self, file: Path) -> None:
        try:
            os.setxattr(file, "user.origin", b"here")
        except OSError:
            pytest.skip("the file system has no extended attributes")
        write(file, b"new")
        assert os.getxattr(file, "user.origin") == b"here"

    def test_a_link_inside_of_the_project(self, file: Path) -> None:
        link = file.parent / "link.py"
        link.symlink_to("train.py")
        write(link, b"new", root=file.parent)
        assert link.is_symlink()
        assert file.read_bytes() == b"new"

    def test_the_file_where_writing_fails(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object) -> None:
            raise PermissionError(errno.EPERM, "Operation not permitted")

        monkeypatch.setattr(Path, "replace", refuse)
        with pytest.raises(FileError, match="cannot be written: Operation not permitted"):
            write(file, b"new")
        assert file.read_bytes() == b"old"
        assert os.listdir(file.parent) == ["train.py"]


class TestWhatIsLeftAlone:
    """One clear line and exit status 2; the other files are fixed."""

    @pytest.fixture
    def project(self, slow: Workspace) -> Workspace:
        slow.write("other.py", SLOW)
        return slow

    def refusal(self, project: Workspace, name: str = "train.py") -> str:
        """What is told of a file that is not rewritten."""
        outcome = project.check("--fix")
        assert outcome.status == 2
        assert project.read("other.py") == FAST
        assert f"{name}:2:1: warning TEST101" in outcome.stdout, "it is still found"
        assert "Fixed 1 finding." in outcome.stdout
        (line,) = outcome.errors
        assert list(project.root.glob("**/*.tmp")) == []
        return line

    def test_what_is_read_only(self, project: Workspace) -> None:
        path = project.write("train.py", SLOW)
        path.chmod(0o444)
        assert self.refusal(project) == "pipelint: train.py: is read-only, and is not rewritten"
        assert path.read_text() == SLOW
        assert stat.S_IMODE(path.stat().st_mode) == 0o444

    def test_what_has_several_names(self, project: Workspace) -> None:
        path = project.write("train.py", SLOW)
        outside = project.root.parent / "backup.py"
        outside.hardlink_to(path)
        assert self.refusal(project) == (
            "pipelint: train.py: is one file under 2 names (hard links), and is not rewritten; copy it to have it fixed"
        )
        assert outside.samefile(path)
        assert outside.read_text() == SLOW

    def test_what_a_link_reaches_outside_of_the_project(self, project: Workspace) -> None:
        outside = project.root.parent / "stranger.py"
        outside.write_text(SLOW)
        (project.root / "train.py").symlink_to(outside)
        assert self.refusal(project) == (
            f"pipelint: train.py: is a link out of the project, to {outside.resolve()}, and is not rewritten"
        )
        assert outside.read_text() == SLOW

    def test_what_lies_in_a_directory_linked_into_the_project(self, project: Workspace) -> None:
        elsewhere = project.root.parent / "elsewhere"
        elsewhere.mkdir()
        (elsewhere / "train.py").write_text(SLOW)
        (project.root / "linked").symlink_to(elsewhere)
        outcome = project.check("--fix", "linked", "other.py")
        target = (elsewhere / "train.py").resolve()
        line = f"pipelint: linked/train.py: is a link out of the project, to {target}, and is not rewritten"
        assert outcome.errors == [line]
        assert (elsewhere / "train.py").read_text() == SLOW
        assert project.read("other.py") == FAST

    def test_what_has_changed_in_the_meantime(self, project: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
        path = project.write("train.py", SLOW)
        chmod = Path.chmod

        def edit_meanwhile(temporary: Path, mode: int) -> None:
            if "train.py" in temporary.name:
                path.write_text("import this\n")
            chmod(temporary, mode)

        monkeypatch.setattr(Path, "chmod", edit_meanwhile)
        assert self.refusal(project) == (
            "pipelint: train.py: has changed since it was read, and is left as it is; run pipelint again"
        )
        assert path.read_text() == "import this\n"

    def test_what_is_gone_in_the_meantime(self, project: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
        path = project.write("train.py", SLOW)
        chmod = Path.chmod

        def remove_meanwhile(temporary: Path, mode: int) -> None:
            if "train.py" in temporary.name:
                path.unlink()
            chmod(temporary, mode)

        monkeypatch.setattr(Path, "chmod", remove_meanwhile)
        assert self.refusal(project) == "pipelint: train.py: cannot be written: No such file or directory"
        assert not path.exists()

    def test_a_file_elsewhere_that_is_named_is_no_link(self, project: Workspace) -> None:
        outside = project.root.parent / "named.py"
        outside.write_text(SLOW)
        project.check("--fix", "--config=pyproject.toml", outside)
        assert outside.read_text() == FAST


KILLED = """
import os, signal, sys
from pathlib import Path
from pipelint.source.writing import write

Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
write(Path(sys.argv[1]), b"new")
"""


class TestWhatAKilledRunLeaves:
    def killed(self, file: Path) -> Path:
        """The temporary file of a run that was killed when it was about to replace this one."""
        command = [sys.executable, "-c", textwrap.dedent(KILLED), str(file)]
        assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
        (left,) = file.parent.glob(".*.tmp")
        return left

    @pytest.mark.parametrize("arguments", [(), ("--fix",), ("--diff",), ("train.py",)])
    def test_is_taken_away_by_the_next_run(self, slow: Workspace, arguments: tuple[str, ...]) -> None:
        path = slow.write("train.py", SLOW)
        left = self.killed(path)
        assert path.read_text() == SLOW
        slow.check(*arguments)
        assert not left.exists()

    def test_is_told_from_what_a_run_at_work_has(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        replace = Path.replace

        def after_a_sweep(temporary: Path, target: Path) -> Path:
            sweep(target.parent)
            return replace(temporary, target)

        monkeypatch.setattr(Path, "replace", after_a_sweep)
        write(file, b"new")
        assert file.read_bytes() == b"new"

    def test_is_made_again_where_another_run_took_it_for_one(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        fcntl = pytest.importorskip("fcntl")
        flock, sweeps = fcntl.flock, iter([True])

        def after_a_sweep(handle: int, operation: int) -> None:
            if next(sweeps, False):
                sweep(file.parent)
            flock(handle, operation)

        monkeypatch.setattr(fcntl, "flock", after_a_sweep)
        write(file, b"new")
        assert file.read_bytes() == b"new"
        assert os.listdir(file.parent) == [file.name]

    def test_is_told_from_what_others_left(self, file: Path) -> None:
        others = [".train.py.tmp", ".train.py.pipelint-1.tmp", "train.py.pipelint-0123456789abcdef.tmp"]
        for name in others:
            (file.parent / name).touch()
        (file.parent / ".train.py.pipelint-0123456789abcdef.tmp").symlink_to("train.py")
        sweep(file.parent)
        assert len(os.listdir(file.parent)) == 5
