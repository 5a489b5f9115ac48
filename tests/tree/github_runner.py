"""GitHub's runner for the steps of action.yml, and the pull requests that it is given."""

from __future__ import annotations

import json
import re
import stat
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests.tree.checkout import ROOT, SLOW, commit, environment, git, new_repository

ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
NUMBER = 7
UNDER_TEST = Path(sys.executable).with_name("pipelint")
REFERENCE = re.compile(r"\$\{\{ *([\w.-]+) *\}\}")

# Keeps the comments of the pull request in a file, as GitHub would, and takes the arguments that the real gh takes.
GH = """\
#!{python}
import json, os, sys
import jq

folder = {folder!r}
arguments = sys.argv[1:]
with open(folder + "/calls", "a") as calls:
    print(json.dumps(arguments), file=calls)
if os.environ["GH_TOKEN"] != "the token":
    sys.exit("gh: HTTP 403: Resource not accessible by integration")
comments = json.load(open(folder + "/comments.json"))
match arguments:
    case ["api", "--paginate", "repos/team/project/issues/7/comments", "--jq", query]:
        for value in jq.compile(query).input_value(comments):
            print(value)
    case ["api", "--method", "PATCH", path, "-F", body]:
        [comment] = [c for c in comments if path == f"repos/team/project/issues/comments/{{c['id']}}"]
        comment["body"] = open(body.removeprefix("body=@")).read()
    case ["api", "--method", "POST", "repos/team/project/issues/7/comments", "-F", body]:
        text = open(body.removeprefix("body=@")).read()
        comments.append({{"id": 100 + len(comments), "user": {{"login": "github-actions[bot]"}}, "body": text}})
    case _:
        sys.exit(f"gh: unknown {{arguments}}")
json.dump(comments, open(folder + "/comments.json", "w"))
"""


@dataclass
class Job:
    """What became of the action's steps."""

    status: int = 0
    log: str = ""
    summary: str = ""
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    used: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def annotations(self) -> list[str]:
        """The workflow commands, without their messages."""
        return [line.split("::")[1] for line in self.log.splitlines() if line.startswith("::")]


@dataclass
class Runner:
    """GitHub's runner, as far as a composite action can tell."""

    folder: Path
    checkout: Path
    base_ref: str = "main"
    token: str = "the token"
    pipelint: Path = UNDER_TEST
    action: Path | None = None
    jobs: int = 0

    def __post_init__(self) -> None:
        self.bin.mkdir()
        (self.folder / "comments.json").write_text("[]")
        (self.bin / "gh").write_text(GH.format(python=sys.executable, folder=str(self.folder)))
        (self.bin / "gh").chmod(stat.S_IRWXU)

    @property
    def bin(self) -> Path:
        return self.folder / "bin"

    @property
    def comments(self) -> list[dict[str, Any]]:
        comments: list[dict[str, Any]] = json.loads((self.folder / "comments.json").read_text())
        return comments

    def run(self, **inputs: str) -> Job:
        """Run the action; unless there is one to install pipelint from, the one under test stands in its place."""
        self.jobs += 1
        temp = self.folder / f"job {self.jobs}"
        temp.mkdir()
        job = Job()
        event = {"pull_request": {"number": NUMBER}} if self.base_ref else {}
        context: dict[str, Any] = {
            "inputs": {name: setting["default"] for name, setting in ACTION["inputs"].items()} | named(inputs),
            "github": {"base_ref": self.base_ref, "token": self.token, "event": event},
            "steps": job.outputs,
        }
        (temp / "event.json").write_text(json.dumps(event))
        for step in STEPS:
            if not holds(step.get("if", ""), context):
                continue
            if "uses" in step:
                job.used[step["uses"]] = {name: filled(value, context) for name, value in step["with"].items()}
                outputs = {"python-path": sys.executable}
            elif step.get("id") == "install" and not self.action:
                outputs = {"pipelint": str(self.pipelint)}
            else:
                env = {name: filled(value, context) for name, value in step.get("env", {}).items()}
                outputs = self._bash(step["run"], env, job, temp)
            job.outputs[step.get("id", step["name"])] = {"outputs": outputs}  # type: ignore[dict-item]
            if job.status:
                break
        return job

    def _bash(self, script: str, env: dict[str, str], job: Job, temp: Path) -> dict[str, str]:
        names = ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_ENV")
        files = {name: temp / name for name in names}
        for name, path in files.items():
            path.write_text("") if name == "GITHUB_OUTPUT" else path.touch()
        (temp / "step.sh").write_text(script)
        surroundings = environment(
            CI="true",
            GITHUB_ACTIONS="true",
            GITHUB_ACTION_PATH=str(self.action),
            GITHUB_BASE_REF=self.base_ref,
            GITHUB_EVENT_PATH=str(temp / "event.json"),
            GITHUB_REPOSITORY="team/project",
            GITHUB_WORKSPACE=str(self.checkout),
            RUNNER_OS="Linux",
            RUNNER_TEMP=str(temp),
            **{name: str(path) for name, path in files.items()},
            **env,
        )
        surroundings["PATH"] = f"{self.bin}:{surroundings['PATH']}"
        completed = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(temp / "step.sh")],
            cwd=self.checkout,
            env=surroundings,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
            timeout=600,
        )
        job.status = completed.returncode
        job.log += completed.stdout
        job.summary = files["GITHUB_STEP_SUMMARY"].read_text("utf-8")
        return dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text("utf-8").splitlines())


def named(inputs: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in inputs.items()}


def looked_up(reference: str, context: dict[str, Any]) -> str:
    value: Any = context
    for part in reference.split("."):
        value = value.get(part, {})
    return str(value) if value != {} else ""


def filled(text: object, context: dict[str, Any]) -> str:
    text = str(text).lower() if isinstance(text, bool) else str(text)
    return REFERENCE.sub(lambda match: looked_up(match[1], context), text)


def holds(condition: str, context: dict[str, Any]) -> bool:
    """Whether a step's `if` is true, for the little of GitHub's language that the action uses."""
    for clause in filter(None, condition.split(" && ")):
        match = re.fullmatch(r"([\w.-]+) (==|!=) '(.*)'", clause)
        assert match, f"teach the test this condition: {clause}"
        if (looked_up(match[1], context) == match[3]) != (match[2] == "=="):
            return False
    return True


def pull_request(origin: Path, **files: str | None) -> None:
    """Open the pull request with these changes, while main moves on, and make GitHub's merge commit of it."""
    git(origin, "checkout", "--quiet", "-B", "feature", "main")
    commit(origin, "the change", **files)
    git(origin, "checkout", "--quiet", "main")
    commit(origin, "somebody else's work", other_py=SLOW.replace("train", "other"))
    git(origin, "checkout", "--quiet", "--detach", "main")
    git(origin, "merge", "--quiet", "--no-ff", "--message=merge", "feature")
    git(origin, "update-ref", f"refs/pull/{NUMBER}/merge", "HEAD")
    git(origin, "checkout", "--quiet", "main")


def checked_out(origin: Path, path: Path, ref: str) -> Path:
    """A checkout of that ref with no history, as actions/checkout makes it."""
    new_repository(path)
    git(path, "remote", "add", "origin", origin.as_uri())
    git(
        path, "fetch", "--quiet", "--no-tags", "--depth=1", "origin", f"+{ref}:refs/remotes/{ref.removeprefix('refs/')}"
    )
    git(path, "checkout", "--quiet", "--force", f"refs/remotes/{ref.removeprefix('refs/')}")
    return path
