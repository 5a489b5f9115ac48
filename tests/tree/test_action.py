"""The steps of action.yml, run by bash as GitHub's runner does, in a checkout as actions/checkout makes it."""

from __future__ import annotations

import json
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from pipelint import __version__
from tests.tree.checkout import (
    MENDED,
    ROOT,
    SLOW,
    blocks_for_teams,
    commit,
    copy_of_this_repository,
    environment,
    git,
    new_repository,
)
from tests.tree.github_runner import ACTION, NUMBER, STEPS, Runner, checked_out, pull_request

pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or shutil.which("bash") is None, reason="the steps of the action are run by bash, with jq"
)


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """A project with a finding of old in main, and a pull request that adds one and leaves the old one alone."""
    origin = new_repository(tmp_path / "origin")
    commit(origin, old_py=SLOW, train_py=MENDED)
    pull_request(origin, new_py=SLOW)
    return origin


@pytest.fixture
def runner(tmp_path: Path, origin: Path) -> Runner:
    """A runner for the pull request."""
    checkout = checked_out(origin, tmp_path / "work" / "project", f"refs/pull/{NUMBER}/merge")
    (tmp_path / "runner").mkdir()
    return Runner(tmp_path / "runner", checkout)


@pytest.fixture
def push(runner: Runner, tmp_path: Path, origin: Path) -> Runner:
    """A runner for a push to main."""
    runner.checkout = checked_out(origin, tmp_path / "work" / "pushed", "refs/heads/main")
    runner.base_ref = ""
    return runner


def test_the_whole_action_installs_itself_and_reports_what_the_pull_request_brings(
    runner: Runner, tmp_path: Path
) -> None:
    runner.action = tmp_path / "actions" / "pipelint"
    copy_of_this_repository(runner.action)
    # Neither Python nor pip may pick up what a pull request puts into its checkout.
    for module in ("venv", "pip", "click", "ensurepip"):
        (runner.checkout / f"{module}.py").write_text("raise SystemExit('the checkout was imported')\n")
    job = runner.run(sarif="true", comment="true")
    assert job.annotations == [
        "warning file=new.py,line=3,endLine=3,col=86,endColumn=87,title=PIPE202 hardcoded-parallelism"
    ]
    assert "new.py" in job.summary
    assert "old.py" not in job.summary
    assert list(job.used) == ["actions/setup-python@v6", "github/codeql-action/upload-sarif@v4"]
    assert len(runner.comments) == 1
    assert job.status == 1
    site_packages = {path.name for path in runner.folder.glob("job 1/pipelint/lib/python*/site-packages/*")}
    assert "pipelint_rules" in site_packages
    assert not {"tensorflow", "numpy"} & site_packages


def test_a_push_reports_everything(push: Runner) -> None:
    job = push.run(comment="true")
    assert [annotation.split(",")[0] for annotation in job.annotations] == [
        "warning file=old.py",
        "warning file=other.py",
    ]
    assert job.status == 1
    assert push.comments == []


def test_a_pull_request_without_new_findings_passes_and_gets_no_comment(runner: Runner, origin: Path) -> None:
    git(origin, "checkout", "--quiet", "main")
    pull_request(origin, train_py=MENDED + "# a comment\n")
    runner.checkout = checked_out(origin, runner.folder / "project", f"refs/pull/{NUMBER}/merge")
    job = runner.run(comment="true")
    assert job.status == 0, job.log
    assert job.annotations == []
    assert job.summary
    assert runner.comments == []


def test_the_comment_is_written_once_and_updated(runner: Runner) -> None:
    stranger = {"id": 1, "user": {"login": "mallory"}, "body": "<!-- pipelint -->\nnot ours"}
    other_bot = {"id": 2, "user": {"login": "github-actions[bot]"}, "body": "coverage: 93%"}
    (runner.folder / "comments.json").write_text(json.dumps([stranger, other_bot]))

    runner.run(comment="true")
    first, second, ours = runner.comments
    assert (first, second) == (stranger, other_bot)
    assert ours["body"].startswith("<!-- pipelint -->\n")
    assert "PIPE202" in ours["body"]

    (runner.checkout / "new.py").write_text(MENDED)
    assert runner.run(comment="true").status == 0
    assert [comment["id"] for comment in runner.comments] == [1, 2, ours["id"]]
    assert "PIPE202" not in runner.comments[2]["body"]
    assert runner.comments[2]["body"].removeprefix("<!-- pipelint -->").strip(), "it says that all is well"


def test_a_token_that_may_not_comment_is_a_warning_and_changes_nothing_else(runner: Runner) -> None:
    runner.token = "of a fork"
    job = runner.run(comment="true")
    assert "HTTP 403" in job.log
    assert "warning title=pipelint" in job.annotations
    assert job.status == 1


def test_nobody_is_asked_for_comments_or_sarif_by_default(runner: Runner) -> None:
    job = runner.run()
    assert not (runner.folder / "calls").exists()
    assert list(job.used) == ["actions/setup-python@v6"]
    assert job.used["actions/setup-python@v6"]["update-environment"] == "false"


def test_without_a_python_version_the_runners_own_is_used(runner: Runner) -> None:
    assert runner.run(python_version="").used == {}


def test_code_scanning_gets_all_findings_since_it_takes_missing_ones_for_fixed(runner: Runner) -> None:
    job = runner.run(sarif="true")
    upload = job.used["github/codeql-action/upload-sarif@v4"]
    assert upload["category"] == "pipelint"
    [run] = json.loads(Path(upload["sarif_file"]).read_text("utf-8"))["runs"]
    places = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]]
    assert places == ["new.py", "old.py", "other.py"]


def test_since_names_another_revision_or_none(runner: Runner) -> None:
    assert len(runner.run(since="none").annotations) == 3
    assert len(runner.run(since="HEAD").annotations) == 0


def test_a_checkout_with_its_history_is_not_fetched_again(runner: Runner, origin: Path) -> None:
    git(runner.checkout, "fetch", "--quiet", "--unshallow", "origin", "+refs/heads/*:refs/remotes/origin/*")
    shutil.rmtree(origin)
    assert len(runner.run().annotations) == 1


def test_paths_are_lines_and_options_are_words(runner: Runner) -> None:
    folder = runner.checkout / "with space"
    folder.mkdir()
    (folder / "new.py").write_text(SLOW)
    job = runner.run(paths="with space\ntrain.py\n", args="--select PIPE202 --ignore PIPE101")
    assert [annotation.split(",")[0] for annotation in job.annotations] == ["warning file=with space/new.py"]


@pytest.mark.parametrize(("fail_on", "status"), [("", 1), ("advice", 1), ("warning", 1), ("error", 0)])
def test_fail_on_decides_the_status(runner: Runner, fail_on: str, status: int) -> None:
    job = runner.run(fail_on=fail_on)
    assert job.status == status
    assert len(job.annotations) == 1


def test_a_file_that_cannot_be_read_fails_the_job_after_all_reports(runner: Runner) -> None:
    (runner.checkout / "broken.py").write_text(SLOW + "def f(:\n")
    job = runner.run(sarif="true", comment="true")
    assert job.status == 2
    assert "PIPE202" in job.summary
    assert "broken.py" in job.summary
    assert "github/codeql-action/upload-sarif@v4" in job.used
    assert len(runner.comments) == 1


def test_bad_options_fail_the_job_and_say_why(runner: Runner) -> None:
    job = runner.run(args="--no-such-option", sarif="true", comment="true")
    assert job.status == 2
    assert "no-such-option" in job.log
    assert runner.comments == []


@pytest.mark.parametrize(
    "hostile", ["$(touch pwned)", "`touch pwned`", "; touch pwned", "*", "'\"", "x\n; touch pwned"]
)
def test_inputs_are_never_run_or_expanded(runner: Runner, hostile: str) -> None:
    runner.pipelint = runner.bin / "pipelint"
    runner.pipelint.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    runner.pipelint.chmod(stat.S_IRWXU)
    before = sorted(runner.checkout.iterdir())
    words = hostile.split()
    lines = hostile.split("\n")
    for name, arguments in {
        "paths": ["--output-format", "github", "--", *lines],
        "args": ["check", *words, "--since"],
        "fail-on": ["check", "--fail-on", hostile, "--since"],
        "since": ["check", "--since", hostile, "--output-format", "markdown", "--output-file"],
        "profile-base": ["check", "--since", "refs/remotes/origin/main", "--output-format", "markdown"],
    }.items():
        log = runner.run(**{"sarif": "true", name: hostile}).log
        assert "\n".join(arguments) in log
    runner.run(sarif=hostile, comment=hostile)
    assert sorted(runner.checkout.iterdir()) == before


@pytest.mark.parametrize("step", [step for step in STEPS if "run" in step], ids=lambda step: step["name"])
def test_scripts_get_values_through_the_environment_only(step: dict[str, Any]) -> None:
    assert "${{" not in step["run"]
    assert step["shell"] == "bash"
    assert len(step["run"].splitlines()) < 40


def test_action_yml_fits_the_schema() -> None:
    conforms("vendor.github-actions", ROOT / "action.yml")


def test_the_workflow_of_the_readme_fits_the_schema_and_the_action(tmp_path: Path) -> None:
    path = tmp_path / "pipelint.yml"
    path.write_text(blocks_for_teams("yaml")[1])
    conforms("vendor.github-workflows", path)
    workflow = yaml.safe_load(path.read_text())
    checkout, ours = workflow["jobs"]["pipelint"]["steps"]
    assert checkout["uses"].startswith("actions/checkout@")
    assert ours["uses"] == f"pipelint/pipelint@v{__version__}"
    assert set(ours["with"]) <= set(ACTION["inputs"])
    assert workflow["permissions"] == {"contents": "read", "security-events": "write", "pull-requests": "write"}


def test_the_job_of_the_readme_for_gitlab_fits_the_schema_and_runs(
    runner: Runner, origin: Path, tmp_path: Path
) -> None:
    path = tmp_path / ".gitlab-ci.yml"
    path.write_text(blocks_for_teams("yaml")[2])
    conforms("vendor.gitlab-ci", path, "--data-transform=gitlab-ci")
    job = yaml.safe_load(path.read_text())["pipelint"]
    assert job["script"][0] == f"pip install pipelint=={__version__}"

    checkout = tmp_path / "builds" / "project"
    git(tmp_path, "clone", "--quiet", "--branch=feature", origin.as_uri(), str(checkout))
    script = "\n".join(job["script"][1:])
    base = git(origin, "merge-base", "main", "feature")
    merge_request = in_shell(script, checkout, CI_MERGE_REQUEST_DIFF_BASE_SHA=base)
    assert merge_request.returncode == 1
    assert "new.py:3:86" in merge_request.stdout
    assert "old.py" not in merge_request.stdout
    report = json.loads((checkout / job["artifacts"]["reports"]["codequality"]).read_text("utf-8"))
    assert {entry["location"]["path"] for entry in report} == {"new.py", "old.py"}

    branch = in_shell(script, checkout)
    assert branch.returncode == 1
    assert "old.py:3:86" in branch.stdout


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_the_line_of_the_readme_for_make_runs(origin: Path, tmp_path: Path) -> None:
    checkout = tmp_path / "project"
    git(tmp_path, "clone", "--quiet", "--branch=feature", origin.as_uri(), str(checkout))
    (tmp_path / "Makefile").write_text(blocks_for_teams("make")[0])
    made = in_shell(f"make --file={tmp_path}/Makefile lint", checkout)
    assert made.returncode == 2, "make's own status when a command fails"
    assert "new.py:3:86" in made.stdout
    assert "old.py" not in made.stdout


def in_shell(script: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    env = environment(**variables)
    env["PATH"] = f"{Path(sys.executable).parent}:{env['PATH']}"
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script], cwd=folder, env=env, capture_output=True, text=True, check=False
    )


def conforms(schema: str, path: Path, *options: str) -> None:
    """Check a file against the schema of schemastore.org that check-jsonschema brings along."""
    command = [sys.executable, "-m", "check_jsonschema", f"--builtin-schema={schema}", *options, str(path)]
    completed = subprocess.run(command, capture_output=True, text=True, check=False)
    assert completed.returncode == 0, completed.stdout
