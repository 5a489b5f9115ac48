"""Projects whose configuration, requirements or ignore file is of any kind; `examine_project` runs pipelint in them."""

from __future__ import annotations

import random
import shutil
import tempfile
from pathlib import Path

from click.testing import CliRunner

from pipelint.cli.command_line import command_line
from tests.fuzz.invariants import FAULT, Broken, is_source, require
from tests.linting import REGISTRY

PROGRAM = b"import tensorflow as tf\nds = tf.data.Dataset.range(9000).map(lambda x: x + 1).batch(2)\nmodel.fit(ds)\n"
ARGUMENTS = {
    "report": ("--output-format=json",),
    "settings": ("--show-settings",),
    "fix": ("--fix", "--unsafe-fixes"),
    "diff": ("--diff", "--quiet"),
    "noqa": ("--add-noqa",),
    "exclude": ("--force-exclude", "--quiet", "--exit-zero"),
}
"""How pipelint is run in a project, by name."""
KEYS = (
    "select", "ignore", "extend-select", "exclude", "per-file-ignores", "fail-on", "severity", "target-tensorflow",
    "check-tests", "baseline", "tiny-batch", "missing-prefetch", "tiny-batch.warning", "rule-paths", "selct", "'a b'", '""',
    "severity.PIPE101", "severity.PIPE", "per-file-ignores.'*.py'", "hardcoded-parallelism", "\u00e4", "0",
)  # fmt: skip
VALUES = (
    "true", "false", "0", "-1", "3", "2.16", "'2.16'", "'2.'", "'99.99'", "nan", "inf", "1979-05-27", "[]", "{}", "''", "'ALL'",
    "['PIPE']", "['PIPE101', 'PIPE2']", "['missing-prefetch']", "['NOPE']", "[1]", "[['PIPE']]", "'warning'", "'WARNING'", "'error'",
    "{'*.py' = ['ALL']}", "{'!*.py' = ['PIPE1']}", "{PIPE101 = 'error'}", "{warning = 8, advice = 16}", "{warning = -1}", "['**']",
    "['*.py']", "['!train.py']", "['[a']", "['{a,b}']", "['/']", "['..']", "['\\\\']", "['***/***/***']", "'../../x'", "'/etc/passwd'",
    "['\\u0000']", '"\\u0000"', '"a\\nb"', "'''x\ny'''", "9" * 5000, "['nowhere']", "'train.py'", "'.'", "[" * 50 + "]" * 50, "{a.b.c = 1}",
    "0x1F", "1_000", "07:32:00", "['a', 1, {}]", "{'[' = ['ALL']}", "{'' = ['ALL']}", "{warning = true}", "{PIPE101 = 1}",
)  # fmt: skip
OTHER_TABLES = (
    '[project]\nname = "x"\ndependencies = ["tensorflow>=2.4", "numpy"]\n',
    "[project]\ndependencies = [1, {}]\n",
    "[project]\ndependencies = 'tensorflow'\n",
    "[tool.poetry.dependencies]\ntensorflow = '^2.8'\n",
    "[tool.poetry.dependencies]\ntensorflow = {version = 3}\n",
    "[tool]\nx = 1\n",
    "[[tool.pipelint]]\n",
    "tool = 3\n",
    "[project.optional-dependencies]\ngpu = ['tensorflow[and-cuda]~=2.15; python_version<\"3\"']\n",
)
REQUIREMENTS = (
    "tensorflow", "tensorflow>=2.4", "tensorflow==2.10.*", "tensorflow-cpu ~= 2.12 ; python_version > '3'", "-r other.txt",
    "-e .", "tensorflow @ https://example.org/tf.whl", "tensorflow>=2.4,<2.3,!=2.4.1", "# tensorflow", "tensorflow[and-cuda]", "\\",
    "tensorflow===weird", "tensorflow>=", "  - tensorflow=2.8", "dependencies:", "  - pip:", "    - tensorflow<3", "- tensorflow >=2.9",
    "[options]", "install_requires =", "    tensorflow>=2.5", "-c constraints.txt", "tensorflow>=9999999999.1", "\x00", "\u00e4", "==", "*",
    "tensorflow>=2.4" + "9" * 5000, "!train.py", "train.*", "**/a/**/b/**", "[", "\\ ", "/", "*" * 60, "#", "train.py/", " ",
)  # fmt: skip
FILES = ("requirements.txt", "environment.yml", "setup.cfg", ".gitignore", "requirements-dev.txt")


def configuration(rng: random.Random) -> tuple[str, bytes]:
    """The name and the bytes of a file that says how a project is checked."""
    if rng.random() < 0.25:
        text = "\n".join(rng.choices(REQUIREMENTS, k=rng.randint(1, 6)))
        return rng.choice(FILES), text.encode("utf-8", "replace")
    lines = [rng.choice(OTHER_TABLES)] if rng.random() < 0.3 else []
    lines.append(
        rng.choice(("[tool.pipelint]",) * 8 + ("[tool.pipelint.severity]", "[tool.ruff]", "[tool.pipelint", ""))
    )
    lines += [f"{key} = {_value(rng, key)}" for key in rng.sample(KEYS, rng.choice((0, 1, 1, 2, 3)))]
    text = "\n".join(lines) + "\n"
    if rng.random() < 0.1:
        at = rng.randrange(len(text) + 1)
        text = (
            text[:at]
            + rng.choice(("'", '"', "=", "\n", "[", "]", "#", "\x00", "\ufeff", "'''", "\\", "\r"))
            + text[at:]
        )
    data = text.encode("utf-8", "replace")
    return "pyproject.toml", rng.choice(
        (data,) * 12 + (b"\xef\xbb\xbf" + data, data.replace(b"\n", b"\r\n"), b"\xff" + data)
    )


def _value(rng: random.Random, key: str) -> str:
    if rng.random() < 0.6 and key in ("select", "ignore", "extend-select"):
        return f"[{', '.join(repr(code) for code in rng.sample(sorted(REGISTRY.known), 2))}]"
    if rng.random() < 0.6 and key == "fail-on":
        return rng.choice(("'advice'", "'warning'", "'error'"))
    return rng.choice(VALUES)


def examine_project(name: str, data: bytes, how: str) -> None:
    """Run pipelint in a project with this file: a mistake in it is one line, and never costs a file."""
    root = Path(tempfile.mkdtemp(prefix="pipelint-fuzz-"))
    try:
        program = root / "train.py"
        program.write_bytes(PROGRAM)
        (root / name).write_bytes(data)
        result = CliRunner().invoke(command_line, ["check", *ARGUMENTS[how], str(root)])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        require(result.exit_code in (0, 1, 2), "exit status", result.exit_code)
        if "Traceback" in result.stderr or FAULT.search(result.stderr):
            lines = [line for line in result.stderr.splitlines() if line[:1].isalpha()]
            # Where the project stands is no part of the fault.
            raise Broken(": ".join(["fault", *lines]).replace(f"{root}/", ""))
        told = result.stderr + result.stdout
        require(result.exit_code != 2 or "pipelint: " in told or '"errors"' in told, "a failure is told")
        for line in result.stderr.splitlines() if how != "report" else ():
            require(line.startswith(("pipelint: ", "warning: ")), "one line for each failure", line)
        require(is_source(program.read_bytes()), "the program is whole")
        if how not in ("fix", "noqa"):
            require(program.read_bytes() == PROGRAM, "the program is left alone")
        expected = {"train.py", name}
        require({path.name for path in root.iterdir()} <= expected, "nothing is left behind")
        require((root / name).read_bytes() == data, "the configuration is left alone")
    finally:
        shutil.rmtree(root)
