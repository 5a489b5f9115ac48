"""The keys of [tool.pipelint]: what each means, what it may be, and what it is where nobody says anything."""

from __future__ import annotations

from dataclasses import dataclass

OUTPUT_FORMATS = (
    "azure", "concise", "full", "github", "gitlab", "grouped", "html", "json", "json-lines", "junit", "markdown",
    "pylint", "rdjson", "sarif",
)  # fmt: skip
"""How `pipelint check` can report."""
DEFAULT_BASELINE = ".pipelint-baseline.json"
"""Where `pipelint baseline` writes, and `pipelint check` looks, when no other file is named."""
EDITOR_URL = "vscode://file{path}:{line}:{column}"


@dataclass(frozen=True)
class SettingKey:
    """One key, in the words of its documentation."""

    name: str
    type: str
    default: str
    """As TOML; where there is no value at first, what holds then, in words."""
    about: str
    example: str
    """As TOML."""
    option: str = ""
    """The option of `pipelint check` that decides over it or adds to it."""


SETTING_KEYS = (
    SettingKey(
        "select",
        "a list of codes, names and families",
        "the rules that are on by default",
        'The rules to use, "ALL" for all of them. The most specific entry decides; `ignore` wins between equals.',
        'select = ["PIPE", "PIPE104"]',
        "--select",
    ),
    SettingKey(
        "extend-select",
        "a list of codes, names and families",
        "[]",
        "Rules to use besides those that are on by default, or that `select` names.",
        'extend-select = ["vectorizable-map"]',
        "--extend-select",
    ),
    SettingKey(
        "ignore",
        "a list of codes, names and families",
        "[]",
        "Rules to leave out.",
        'ignore = ["tiny-batch"]',
        "--ignore",
    ),
    SettingKey(
        "fixable",
        "a list of codes, names and families",
        "all rules",
        "The rules whose fixes may be applied. Findings of others are shown without one.",
        'fixable = ["PIPE1"]',
        "--fixable",
    ),
    SettingKey(
        "unfixable",
        "a list of codes, names and families",
        "[]",
        "Rules whose findings are shown, and left to you.",
        'unfixable = ["PIPE403"]',
        "--unfixable",
    ),
    SettingKey(
        "exclude",
        "a list of patterns as in .gitignore",
        "[]",
        "Files and directories to leave out, relative to the configuration. Virtual environments, build directories "
        "and what .gitignore names are left out anyway.",
        'exclude = ["third_party/", "*_pb2.py"]',
        "--exclude",
    ),
    SettingKey(
        "extend-exclude",
        "a list of patterns as in .gitignore",
        "[]",
        "More to leave out, besides `exclude`, also where --exclude replaces that.",
        'extend-exclude = ["old/"]',
        "--extend-exclude",
    ),
    SettingKey(
        "per-file-ignores",
        "a table of patterns, each with a list of codes, names and families",
        "{}",
        "Rules to leave out in some files. A pattern with `!` before it means all other files.",
        'per-file-ignores = { "scripts/*.py" = ["PIPE801"] }',
        "--per-file-ignores",
    ),
    SettingKey(
        "check-tests",
        "true or false",
        "false",
        "Whether to check tests: `test_*.py`, `*_test.py`, `conftest.py` and what is below `tests` and `test`.",
        "check-tests = true",
    ),
    SettingKey(
        "severity",
        "a table of codes and names, each with advice, warning or error",
        "{}",
        "Severities of your own for some rules.",
        'severity = { missing-prefetch = "error" }',
    ),
    SettingKey(
        "fail-on",
        "advice, warning or error",
        '"warning"',
        "The least severity that makes the run fail with exit status 1.",
        'fail-on = "error"',
        "--fail-on",
    ),
    SettingKey(
        "min-severity",
        "advice, warning or error",
        '"advice"',
        "The least severity that is reported, fixed and counted at all.",
        'min-severity = "warning"',
        "--min-severity",
    ),
    SettingKey(
        "output-format",
        ", ".join(OUTPUT_FORMATS[:-1]) + f" or {OUTPUT_FORMATS[-1]}",
        '"full"',
        "How to report where the command line does not say.",
        'output-format = "concise"',
        "--output-format",
    ),
    SettingKey(
        "editor-url",
        "an address with {path}, {line} and {column}, or an empty text for none",
        f'"{EDITOR_URL}"',
        "Where places on an HTML page lead; {path} begins with a slash. In a GitHub workflow that is the commit.",
        'editor-url = "pycharm://open?file={path}&line={line}"',
    ),
    SettingKey(
        "target-tensorflow",
        "a version in quotes",
        "the lowest that the project's requirements admit, else the newest that pipelint knows",
        "The TensorFlow to check for. Several rules grade themselves by it, and fixes write no name that it lacks.",
        'target-tensorflow = "2.16"',
        "--target-tensorflow",
    ),
    SettingKey(
        "baseline",
        "a path in the project",
        f"{DEFAULT_BASELINE}, where that exists",
        "The file of `pipelint baseline` whose findings stay quiet. --no-baseline shows them.",
        f'baseline = "{DEFAULT_BASELINE}"',
        "--baseline",
    ),
    SettingKey(
        "rule-paths",
        "a list of paths",
        "[]",
        "Directories with rules of your own, one class a file. They are code, and run when trusted (`pipelint trust`).",
        'rule-paths = ["tools/our_rules"]',
    ),
)
