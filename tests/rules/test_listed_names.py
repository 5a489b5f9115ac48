"""PIPE505 by running it: what `list_files` makes of names that are there already."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.knowledge.installed import tf


def listed(dataset: Any) -> list[str]:
    return [Path(name.numpy().decode()).name for name in dataset]


def test_names_that_look_like_patterns_and_missing_files_are_left_out(tmp_path: Path) -> None:
    names = [str(tmp_path / name) for name in ("scan.png", "scan[1].png", "gone.png")]
    for name in names[:2]:
        Path(name).touch()
    assert listed(tf.data.Dataset.list_files(names, shuffle=False)) == ["scan.png"]
    assert listed(tf.data.Dataset.from_tensor_slices(names)) == ["scan.png", "scan[1].png", "gone.png"]
