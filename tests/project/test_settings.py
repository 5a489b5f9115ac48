"""[tool.pipelint]: where it is found, what it may hold, and how mistakes are told."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from pipelint.model.grades import Severity
from pipelint.project.read_settings import load_settings
from pipelint.project.settings import ConfigError, Settings, parse_target, selector_problem
from pipelint.project.toml_lines import line_of

KNOWN = {
    "PIPE101": "missing-prefetch",
    "PIPE201": "unparallelized-map",
    "PIPE207": "ordered-when-shuffled",
    "PIPE604": "tiny-batch",
}
OPTIONS = {"tiny-batch": {"warning": 8, "advice": 16}, "missing-prefetch": {}}


def settings(directory: Path, text: str, name: str = "pyproject.toml") -> Settings:
    path = directory / name
    path.write_text(text)
    return load_settings(config=path, rules=SimpleNamespace(known=KNOWN, options=OPTIONS))


def refusal(directory: Path, text: str, name: str = "pyproject.toml") -> str:
    with pytest.raises(ConfigError) as caught:
        settings(directory, text, name)
    message = str(caught.value)
    assert message.startswith(f"{directory / name}:")
    assert "\n" not in message
    return message.removeprefix(f"{directory / name}:")


class TestWhereItIsFound:
    def test_the_nearest_table_upwards(self, tmp_path: Path) -> None:
        (tmp_path / "pyproject.toml").write_text("[tool.pipelint]\ncheck-tests = true\n")
        inner = tmp_path / "inner"
        (inner / "src").mkdir(parents=True)
        (inner / "pyproject.toml").write_text("[project]\nname = 'x'\n")
        found = load_settings(inner / "src" / "train.py")
        assert (found.check_tests, found.root, found.source) == (True, tmp_path, tmp_path / "pyproject.toml")
        (inner / "pyproject.toml").write_text("[tool.pipelint]\n")
        assert load_settings(inner / "src").root == inner

    def test_none_gives_the_defaults(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        assert load_settings(tmp_path) == Settings(root=tmp_path)

    def test_a_file_of_its_own_has_the_keys_at_the_top(self, tmp_path: Path) -> None:
        assert settings(tmp_path, "check-tests = true\n", "pipelint.toml").check_tests

    def test_a_named_pyproject_without_the_table_gives_the_defaults(self, tmp_path: Path) -> None:
        assert settings(tmp_path, "[project]\n").select is None

    def test_a_missing_file_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError, match="cannot be read: No such file"):
            load_settings(config=tmp_path / "none.toml")


ALL_KEYS = """
[tool.pipelint]
select = ["PIPE2", "missing-prefetch"]
ignore = ["PIPE207"]
extend-select = ["ALL"]
exclude = ["legacy/"]
fail-on = "advice"
target-tensorflow = "2.16"
check-tests = true
rule-paths = ["lint/rules"]
baseline = "lint/baseline.json"
per-file-ignores = { "demo/*" = ["PIPE2"], "!src/" = ["tiny-batch"] }
severity.PIPE101 = "error"
severity."tiny-batch" = "advice"

[tool.pipelint.tiny-batch]
warning = 4
"""


class TestWhatItHolds:
    def test_every_key(self, tmp_path: Path) -> None:
        assert settings(tmp_path, ALL_KEYS) == Settings(
            root=tmp_path,
            source=tmp_path / "pyproject.toml",
            select=("PIPE2", "missing-prefetch"),
            ignore=("PIPE207",),
            extend_select=("ALL",),
            exclude=("legacy/",),
            per_file_ignores={"demo/*": ("PIPE2",), "!src/": ("tiny-batch",)},
            fail_on=Severity.ADVICE,
            severity={"PIPE101": Severity.ERROR, "tiny-batch": Severity.ADVICE},
            target_tensorflow=(2, 16),
            check_tests=True,
            rule_paths=(tmp_path / "lint/rules",),
            baseline=tmp_path / "lint/baseline.json",
            rule_options={"tiny-batch": {"warning": 4}},
        )

    def test_it_can_be_shown_as_json(self, tmp_path: Path) -> None:
        shown = json.loads(json.dumps(settings(tmp_path, ALL_KEYS).as_dict()))
        assert shown["select"] == ["PIPE2", "missing-prefetch"]
        assert shown["target-tensorflow"] == "2.16"
        assert shown["tiny-batch"] == {"warning": 4}
        assert shown["severity"] == {"PIPE101": "error", "tiny-batch": "advice"}
        assert shown["config"] == str(tmp_path / "pyproject.toml")

    def test_rules_may_be_unknown_until_they_are_loaded(self, tmp_path: Path) -> None:
        path = tmp_path / "pyproject.toml"
        path.write_text('[tool.pipelint]\nselect = ["ACME1"]\nrule-paths = ["x"]\n[tool.pipelint.acme]\nlimit = 3\n')
        assert load_settings(config=path).rule_paths == (tmp_path / "x",)

    def test_severity_by_code_or_name(self, tmp_path: Path) -> None:
        found = settings(tmp_path, ALL_KEYS)
        assert found.severity_of("PIPE101", "missing-prefetch") is Severity.ERROR
        assert found.severity_of("PIPE604", "tiny-batch") is Severity.ADVICE
        assert found.severity_of("PIPE201", "unparallelized-map") is None

    @pytest.mark.parametrize(
        ("path", "code", "ignored"),
        [
            ("demo/a.py", "PIPE201", True),
            ("demo/a.py", "PIPE101", False),
            ("src/demo/a.py", "PIPE201", False),
            ("other/a.py", "PIPE604", True),
            ("src/a.py", "PIPE604", False),
        ],
    )
    def test_rules_ignored_per_file(self, tmp_path: Path, path: str, code: str, ignored: bool) -> None:
        assert settings(tmp_path, ALL_KEYS).ignored_in(tmp_path / path, code, KNOWN[code]) is ignored


class TestSelection:
    @pytest.mark.parametrize(
        ("select", "extend", "ignore", "expected"),
        [
            (None, (), (), {"PIPE101", "PIPE201", "PIPE604"}),
            (None, ("PIPE207",), (), set(KNOWN)),
            (None, (), ("PIPE",), set()),
            (None, (), ("tiny-batch",), {"PIPE101", "PIPE201"}),
            ((), (), (), set()),
            (("ALL",), (), (), set(KNOWN)),
            (("PIPE2",), (), (), {"PIPE201", "PIPE207"}),
            (("PIPE2",), (), ("PIPE207",), {"PIPE201"}),
            (("PIPE201",), (), ("PIPE2",), {"PIPE201"}),
            (("unparallelized-map",), (), ("PIPE2",), {"PIPE201"}),
            (("PIPE201",), (), ("unparallelized-map",), set()),
            (("ALL",), (), ("ALL",), set()),
            (("PIPE1",), ("tiny-batch",), (), {"PIPE101", "PIPE604"}),
        ],
    )
    def test_the_more_specific_entry_wins(
        self, select: tuple[str, ...] | None, extend: tuple[str, ...], ignore: tuple[str, ...], expected: set[str]
    ) -> None:
        chosen = replace(Settings(), select=select, extend_select=extend, ignore=ignore)
        assert {code for code, name in KNOWN.items() if chosen.selects(code, name, code != "PIPE207")} == expected

    @pytest.mark.parametrize("entry", ["ALL", "PIPE", "PIPE2", "PIPE20", "PIPE201", "unparallelized-map"])
    def test_entries_that_stand_for_rules(self, entry: str) -> None:
        assert selector_problem(entry, KNOWN) is None

    @pytest.mark.parametrize(
        ("entry", "hint"),
        [
            ("PIPE299", "did you mean PIPE20"),
            ("pipe201", "did you mean PIPE201"),
            ("unparalelized-map", "did you mean unparallelized-map?"),
            ("P", "lists the rules"),
            ("", "lists the rules"),
        ],
    )
    def test_entries_that_do_not_are_told_with_the_closest(self, entry: str, hint: str) -> None:
        assert hint in (selector_problem(entry, KNOWN) or "")


class TestMistakes:
    @pytest.mark.parametrize(
        ("table", "expected"),
        [
            ('selct = ["PIPE2"]', "2: unknown key 'selct'; did you mean select"),
            ("zzz = 1", "2: unknown key 'zzz'; the keys are select, ignore"),
            ('\n\nselect = "PIPE2"', '4: select must be a list of strings, such as ["PIPE2"]'),
            ("select = [1]", "2: select must be a list of strings"),
            (
                'ignore = [\n  "PIPE201",\n  "tiny-bach",\n]',
                "2: ignore: unknown rule 'tiny-bach'; did you mean tiny-batch?",
            ),
            ("exclude = 3", "2: exclude must be a list of strings"),
            ('fail-on = "never"', '2: fail-on must be one of "advice", "warning", "error"'),
            ("fail-on = []", "2: fail-on must be one of"),
            ("target-tensorflow = 2.10", '2: target-tensorflow must be a string such as "2.16"'),
            ('target-tensorflow = "new"', "2: target-tensorflow: 'new' is not a TensorFlow version such as 2.16"),
            ('check-tests = "yes"', "2: check-tests must be true or false"),
            ('rule-paths = "x"', "2: rule-paths must be a list of strings"),
            ('rule-paths = ["a\\u0000"]', "2: rule-paths must be paths"),
            ('baseline = ""', "2: baseline must be a path"),
            ('baseline = "a\\u0000"', "2: baseline must be a path"),
            ('baseline = "../x.json"', "2: baseline must be a path in the project: '../x.json' leads out of it"),
            ('baseline = "/tmp/x.json"', "2: baseline must be a path in the project: '/tmp/x.json' leads out of it"),
            ("per-file-ignores = 3", "2: per-file-ignores must be a table, not a number"),
            ('[tool.pipelint.per-file-ignores]\n"a/*" = []\n"b/*" = ["X"]', "4: per-file-ignores: unknown rule 'X'"),
            ('"severity".PIPE101 = "bad"', "2: severity.PIPE101 must be one of"),
            ('severity = { PIPE1 = "error" }', "2: severity: unknown rule 'PIPE1'"),
            (
                "[tool.pipelint.tiny-batch]\nwarnin = 4",
                "3: unknown option 'warnin' of tiny-batch; did you mean warning?",
            ),
            ("tiny-batch.warning = true", "2: tiny-batch.warning must be a whole number"),
            ("tiny-batch.warning = -1", "2: tiny-batch.warning must be a whole number"),
            ("tiny-batch = 4", "2: tiny-batch must be a table, not a number"),
            ("missing-prefetch.x = 4", "2: no table for rule 'missing-prefetch': it has no options"),
            ("PIPE604.warning = 4", "2: no table for rule 'PIPE604': its table is called 'tiny-batch'"),
            ("select = [", "2: is not valid TOML"),
        ],
    )
    def test_each_names_the_line_and_what_to_do(self, tmp_path: Path, table: str, expected: str) -> None:
        assert refusal(tmp_path, f"[tool.pipelint]\n{table}\n").startswith(expected)

    def test_in_a_file_of_its_own(self, tmp_path: Path) -> None:
        assert refusal(tmp_path, "\nfoo = 1", "pipelint.toml").startswith("2: unknown key 'foo'")

    def test_the_table_itself(self, tmp_path: Path) -> None:
        assert refusal(tmp_path, "[tool]\npipelint = 3").startswith("2: tool.pipelint must be a table")

    def test_broken_toml_above_a_checked_path(self, tmp_path: Path) -> None:
        (tmp_path / "pyproject.toml").write_text("[project]\nname = \n[tool.pipelint]\n")
        with pytest.raises(ConfigError, match=r"pyproject.toml:2: is not valid TOML"):
            load_settings(tmp_path / "src" / "x.py")

    def test_bytes_that_are_no_text(self, tmp_path: Path) -> None:
        (tmp_path / "pyproject.toml").write_bytes(b"# pipelint \xff")
        with pytest.raises(ConfigError, match="is not UTF-8 text"):
            load_settings(tmp_path)

    @pytest.mark.parametrize("broken", [b'[tool.other]\nreport: "false"\n', b"\xff"])
    def test_a_broken_file_without_a_word_of_pipelint_is_passed_over(self, tmp_path: Path, broken: bytes) -> None:
        (tmp_path / "pyproject.toml").write_text('[tool.pipelint]\nignore = ["PIPE101"]\n')
        (tmp_path / "src").mkdir()
        (tmp_path / "src" / "pyproject.toml").write_bytes(broken)
        assert load_settings(tmp_path / "src" / "x.py").ignore == ("PIPE101",)

    def test_a_broken_file_that_is_named_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "pyproject.toml").write_bytes(b"x: 1")
        with pytest.raises(ConfigError, match="is not valid TOML"):
            load_settings(tmp_path, config=tmp_path / "pyproject.toml")


class TestLines:
    TEXT = '''title = """
[tool.pipelint]
select = []
"""
[ "tool" . 'pipelint' ]  # comment
select = [
  "select = 3",
]
a.b = 1
inline = { x = 1 }
[tool.other]
ignore = 1
'''

    @pytest.mark.parametrize(
        ("path", "line"),
        [
            (["title"], 1),
            (["tool", "pipelint", "select"], 6),
            (["tool", "pipelint", "a", "b"], 9),
            (["tool", "pipelint", "inline", "x"], 10),
            (["tool", "pipelint", "ignore"], 5),
            (["nowhere"], None),
        ],
    )
    def test_of_a_key_or_the_nearest_table_that_holds_it(self, path: list[str], line: int | None) -> None:
        assert line_of(self.TEXT, path) == line


def test_targets() -> None:
    assert parse_target("2.16") == (2, 16)
    assert parse_target(" 2.9.1 ") == (2, 9)
    for text in ("2", "", "x.y", "2.16a", "-2.1"):
        with pytest.raises(ValueError, match="not a TensorFlow version"):
            parse_target(text)
