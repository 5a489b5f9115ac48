"""The extension for Visual Studio Code: it offers the settings that the server has, and can be packaged."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from pipelint.server.client_settings import NAMES
from pipelint.version import __version__
from tests.tree.checkout import git

ROOT = Path(__file__).parents[2]
EXTENSION = ROOT / "editors" / "vscode"
ASKED = "PIPELINT_TEST_EXTENSION"
OF_THE_EXTENSION = {"command", "trace.server"}


def test_its_settings_are_those_of_the_server() -> None:
    manifest = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    settings = {name.removeprefix("pipelint.") for name in manifest["contributes"]["configuration"]["properties"]}
    assert settings == OF_THE_EXTENSION | set(NAMES)
    assert manifest["version"] == __version__.partition(".dev")[0]


def test_no_list_of_what_was_installed_is_kept() -> None:
    kept = git(ROOT, "ls-files", "editors").splitlines()
    assert "editors/vscode/package.json" in kept
    assert not [name for name in kept if "package-lock" in name or "node_modules" in name or name.endswith(".vsix")]


@pytest.mark.skipif(shutil.which("npm") is None, reason="there is no npm to package it with")
def test_it_can_be_packaged() -> None:
    if not (EXTENSION / "node_modules").is_dir():
        if not os.environ.get(ASKED):
            pytest.skip(f"`npm install` takes a minute: set {ASKED}=1, or run it in editors/vscode")
        _run("npm", "install", "--no-audit", "--no-fund")
    _run("npm", "run", "package")
    with zipfile.ZipFile(EXTENSION / "pipelint.vsix") as package:
        names = set(package.namelist())
    assert {"extension/package.json", "extension/out/extension.js", "extension/LICENSE.txt"} <= names
    assert not [name for name in names if "node_modules" in name or name.endswith(".ts")]


def _run(*command: str) -> None:
    completed = subprocess.run(command, cwd=EXTENSION, capture_output=True, text=True, timeout=300, check=False)
    assert completed.returncode == 0, completed.stdout + completed.stderr
