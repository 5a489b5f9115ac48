"""Reads pipelint's reports as the programs do for which they are written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from tests.workspace import Workspace


def text(workspace: Workspace, output_format: str, *options: str | Path) -> str:
    return workspace.check(f"--output-format={output_format}", *options).stdout


def run_of(workspace: Workspace, *options: str | Path) -> Any:
    [run] = json.loads(text(workspace, "sarif", *options))["runs"]
    return run


def entries(workspace: Workspace, *options: str | Path) -> Any:
    return json.loads(text(workspace, "gitlab", *options))


def reviewdog(workspace: Workspace, *options: str | Path) -> Any:
    return json.loads(text(workspace, "rdjson", *options))["diagnostics"]


def commands(workspace: Workspace, *options: str | Path) -> list[tuple[str, dict[str, str], str]]:
    """The workflow commands as the runner of GitHub Actions reads them."""
    return [_command(line) for line in text(workspace, "github", *options).split("\n")[:-1]]


def _command(line: str) -> tuple[str, dict[str, str], str]:
    head, data = line[2:].split("::", 1)
    kind, _, properties = head.partition(" ")
    pairs = (pair.split("=", 1) for pair in properties.split(","))
    return kind, {name: _unescaped(value, ":,\r\n%") for name, value in pairs}, _unescaped(data, "\r\n%")


def _unescaped(value: str, characters: str) -> str:
    for character in characters:
        value = value.replace(f"%{ord(character):02X}", character)
    return value


def suites(workspace: Workspace, *options: str | Path) -> ElementTree.Element:
    return ElementTree.fromstring(text(workspace, "junit", *options))


def replaced(source: str, fix: dict[str, Any]) -> str:
    """The text after a SARIF fix."""
    [change] = fix["artifactChanges"]
    for replacement in reversed(change["replacements"]):
        region = replacement["deletedRegion"]
        start = offset(source, region["startLine"], region["startColumn"])
        end = offset(source, region["endLine"], region["endColumn"])
        source = source[:start] + replacement.get("insertedContent", {"text": ""})["text"] + source[end:]
    return source


def accepted(source: str, suggestion: dict[str, Any]) -> str:
    """The text after a suggestion of reviewdog, which counts bytes, and takes whole lines away when none are given."""
    start, end = suggestion["range"]["start"], suggestion["range"]["end"]
    if "column" not in start:
        lines = source.splitlines(keepends=True)
        assert suggestion["text"] == ""
        return "".join(lines[: start["line"] - 1] + lines[end["line"] :])
    assert end["line"] <= len(source.splitlines()), "reviewdog must find the last line"
    text = source.encode().decode("latin-1")
    first, last = offset(text, start["line"], start["column"]), offset(text, end["line"], end["column"])
    added: str = suggestion["text"]
    return (text[:first] + added.encode().decode("latin-1") + text[last:]).encode("latin-1").decode()


def offset(text: str, line: int, column: int) -> int:
    lines = text.split("\n")
    return sum(len(line) + 1 for line in lines[: line - 1]) + column - 1
