"""Settings are composed as hydra 1.1 to 1.3 compose them; what is not understood is None, and none of it is guessed."""

from __future__ import annotations

import pytest

from pipelint.source.composed_settings import compose

Files = dict[str, str]
GROUP = {"data/small": "size: 2\n", "data/large": "size: 64\n"}
COMPOSED: dict[str, tuple[Files, dict[str, object]]] = {
    "no list": ({"config": "size: 2\n"}, {"size": 2}),
    "an empty list": ({"config": "defaults: []\nsize: 2\n"}, {"size": 2}),
    "a group": ({"config": "defaults:\n  - data: small  # few\n\nepochs: 3\n"}, {"data": {"size": 2}, "epochs": 3}),
    "without indentation": ({"config": "defaults:\n- 'data': \"small.yaml\"\n- _self_\n"}, {"data": {"size": 2}}),
    "the file itself counts last": (
        {"config": "defaults:\n  - data: small\ndata:\n  size: 3\n"},
        {"data": {"size": 3}},
    ),
    "unless it says otherwise": (
        {"config": "defaults:\n  - _self_\n  - data: small\ndata:\n  size: 3\n  seed: 4\n"},
        {"data": {"size": 2, "seed": 4}},
    ),
    "a file that is not of a group": (
        {"config": "defaults:\n  - base\n  - sub/more\n", "base": "size: 2\n", "sub/more": "seed: 4\n"},
        {"size": 2, "sub": {"seed": 4}},
    ),
    "a group in a group": (
        {"config": "defaults:\n  - model/head: deep\n", "model/head/deep": "layers: 3\n"},
        {"model": {"head": {"layers": 3}}},
    ),
    "lists in files of groups": (
        {
            "config": "defaults:\n  - model: net\n",
            "model/net": "defaults:\n  - base\n  - head: deep\n  - /data: small\nlayers: 5\n",
            "model/base": "layers: 1\nwidth: 2\n",
            "model/head/deep": "layers: 3\n",
        },
        {"model": {"width": 2, "layers": 5, "head": {"layers": 3}, "data": {"size": 2}}},
    ),
    "a package for all": (
        {"config": "defaults:\n  - trial: first\n", "trial/first": "# @package _global_\nsize: 2\n"},
        {"size": 2},
    ),
    "a package with a name": (
        {"config": "defaults:\n  - trial: first\n", "trial/first": "\n#@package a.b\nsize: 2\n"},
        {"a": {"b": {"size": 2}}},
    ),
    "no package, as another comment is before it": (
        {"config": "defaults:\n  - trial: first\n", "trial/first": "# mine\n# @package _global_\nsize: 2\n"},
        {"trial": {"size": 2}},
    ),
    "packages in the list": (
        {"config": "defaults:\n  - data@train: small\n  - data@test: large\n  - data@_here_: small\n"},
        {"train": {"size": 2}, "test": {"size": 64}, "size": 2},
    ),
    "none of a group": ({"config": "defaults:\n  - data: null\nsize: 2\n"}, {"size": 2}),
    "an optional file": (
        {"config": "defaults:\n  - optional data: small\n  - optional model: none_there\n"},
        {"data": {"size": 2}},
    ),
    "an override": (
        {"config": "defaults:\n  - base\n  - override data: large\n", "base": "defaults:\n  - data: small\n"},
        {"data": {"size": 64}},
    ),
    "an override of a later file": (
        {
            "config": "defaults:\n  - data: null\n  - trial: first\n",
            "trial/first": "# @package _global_\ndefaults:\n  - override /data: large\nseed: 4\n",
        },
        {"data": {"size": 64}, "seed": 4},
    ),
    "an override of hydra itself": (
        {"config": "defaults:\n  - data: small\n  - override hydra/job_logging: stdout\n"},
        {"data": {"size": 2}},
    ),
    "a file that is empty": (
        {"config": "defaults:\n  - _self_\n  - data: none\ndata:\n  size: 2\n", "data/none": "# nothing\n"},
        {"data": {"size": 2}},
    ),
}
NOT_UNDERSTOOD: dict[str, tuple[Files, dict[str, object]]] = {
    "a file out of sight": ({"config": "defaults:\n  - data: other\nsize: 2\n"}, {"data": None, "size": 2}),
    "and what is said behind it": (
        {"config": "defaults:\n  - data: other\ndata:\n  size: 2\n"},
        {"data": {"size": 2}},
    ),
    "a file that needs a parser": (
        {"config": "defaults:\n  - data: other\nsize: 2\n", "data/other": "size: [1,\n2]\n"},
        {"data": None, "size": 2},
    ),
    "the same, for all": (
        {"config": "defaults:\n  - _self_\n  - a: b\nsize: 2\n", "a/b": "# @package _global_\nsize: [1,\n2]\n"},
        {},
    ),
    "a value over another": (
        {"config": "defaults:\n  - data: small\ndata:\n  size: ${other}\n"},
        {"data": {"size": None}},
    ),
    "the choice of another group": (
        {"config": "defaults:\n  - data: ${model}\nsize: 2\n"},
        {"data": None, "size": 2},
    ),
    "a choice that users have to make": ({"config": "defaults:\n  - data: ???\n"}, {"data": None}),
    "several files of a group": (
        {"config": "defaults:\n  - data: [small, large]\n  - model:\n      - a\n      - b\n"},
        {"data": None, "model": None},
    ),
    "a keyword of a package that versions read differently": (
        {"config": "defaults:\n  - trial: first\n", "trial/first": "# @package _group_\nsize: 2\n"},
        {"trial": None},
    ),
    "a list that is no list": ({"config": "defaults:\n  data: small\nsize: 2\n"}, {}),
    "a list in one line": ({"config": "defaults: [{data: small}]\nsize: 2\n"}, {}),
    "an item that is none": ({"config": "defaults:\n  - data: small\n  - {data: small}\nsize: 2\n"}, {}),
}


@pytest.mark.parametrize(("files", "settings"), COMPOSED.values(), ids=COMPOSED)
def test_files_are_composed(files: Files, settings: dict[str, object]) -> None:
    assert compose("config", (GROUP | files).get) == settings


@pytest.mark.parametrize(("files", "settings"), NOT_UNDERSTOOD.values(), ids=NOT_UNDERSTOOD)
def test_what_is_not_understood_is_not_known(files: Files, settings: dict[str, object]) -> None:
    assert compose("config", (GROUP | files).get) == (settings or None)


def test_a_file_in_a_directory_stands_under_its_name() -> None:
    files = {"trials/config": "defaults:\n  - data: few\nseed: 4\n", "trials/data/few": "size: 2\n"}
    assert compose("trials/config", files.get) == {"trials": {"data": {"size": 2}, "seed": 4}}


def test_a_circle_comes_to_an_end() -> None:
    assert compose("config", {"config": "defaults:\n  - config\n  - config\nsize: 2\n"}.get) == {"size": 2}
