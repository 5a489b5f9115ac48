"""Rule packs are found wherever a distribution can be installed, as the standard library finds them."""

from __future__ import annotations

import zipfile
from importlib.metadata import entry_points, metadata
from pathlib import Path

import pytest

from pipelint.project.installed_packs import GROUP, Pack, installed_packs, project_urls

OURS = Pack("builtin", "pipelint_rules", "pipelint")
ENTRIES = f"[console_scripts]\nx = y:z\n\n# of rules\n[{GROUP}]\nours = their_rules\n\n[other]\nno = nothing\n"


def install(directory: Path, name: str, entries: str = ENTRIES) -> None:
    (directory / name).mkdir(parents=True)
    (directory / name / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name.partition('-')[0]}\nVersion: 1\n")
    (directory / name / "entry_points.txt").write_text(entries)


def test_as_the_standard_library_does() -> None:
    expected = sorted((entry.name, entry.value) for entry in entry_points(group=GROUP))
    assert [(pack.name, pack.package) for pack in installed_packs()] == expected


def test_addresses_are_those_of_the_metadata(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = [str(entry).partition(", ") for entry in metadata("pipelint").get_all("Project-URL") or ()]
    assert project_urls("pipelint") == {label.lower(): url for label, _, url in given}
    install(tmp_path, "theirs-1.0.dist-info")
    with (tmp_path / "theirs-1.0.dist-info" / "METADATA").open("a") as file:
        file.write("Project-URL: Source, https://a/b/\n\nProject-URL: Homepage, https://said.in.the.description\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert project_urls("theirs") == {"source": "https://a/b"}


@pytest.mark.parametrize("name", ["theirs-1.0.dist-info", "theirs-1.0-py3.11.egg-info", "theirs.egg-info"])
def test_in_a_directory_of_the_path(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, name)
    monkeypatch.syspath_prepend(tmp_path)
    assert installed_packs() == [OURS, Pack("ours", "their_rules", "theirs")]


def test_the_first_of_two_versions_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path / "old", "theirs-1.0.dist-info")
    install(tmp_path / "new", "Theirs-2.0.dist-info", ENTRIES.replace("their_rules", "new_rules"))
    monkeypatch.syspath_prepend(tmp_path / "old")
    monkeypatch.syspath_prepend(tmp_path / "new")
    assert [pack.package for pack in installed_packs()] == ["pipelint_rules", "new_rules"]


def test_in_an_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "packs.zip", "w") as archive:
        archive.writestr("theirs-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
        archive.writestr("theirs-1.0.dist-info/entry_points.txt", ENTRIES)
    monkeypatch.syspath_prepend(tmp_path / "packs.zip")
    assert installed_packs() == [OURS, Pack("ours", "their_rules", "theirs")]


def test_what_cannot_be_read_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "theirs-1.0.dist-info")
    (tmp_path / "theirs-1.0.dist-info/entry_points.txt").write_bytes(b"\xff\xfe")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.syspath_prepend(tmp_path / "missing")
    assert installed_packs() == [OURS]
