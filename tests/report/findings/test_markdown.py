"""`--output-format markdown`: a comment that a reviewer likes to read, whatever is in the source."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from pipelint.report.profile.json import render as as_json
from tests.profiles import EVERY
from tests.workspace import IMPORT, Workspace, tf

LIMIT = 65_536


def comment(workspace: Workspace, *options: str) -> str:
    return workspace.check("--output-format=markdown", *options).stdout


def characters(text: str) -> int:
    """As the strictest of GitHub's counters would have it."""
    return len(text.encode("utf-16-le")) // 2


def section(text: str, path: str) -> str:
    """The folded section of a file."""
    [found] = [part for part in re.split("<details(?: open)?>", text)[1:] if f"<summary><code>{path}</code>" in part]
    return found


class TestReading:
    def test_a_clean_run_is_one_friendly_line(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = 1"))
        assert comment(slow) == "✅ **pipelint**: all clean in 1 file.\n"

    def test_it_opens_with_what_was_found_and_what_can_be_done(self, slow: Workspace) -> None:
        slow.write("a.py", tf("tf.size(1)", "tf.rank(1)", "tf.shape(1)"))
        slow.write("b.py", tf("tf.size(1)"))
        slow.write("c.py", "x = 1\n")
        head = comment(slow).split("\n\n")[:2]
        notes = "3 files checked. `pipelint check --fix` mends 2 of the findings. "
        notes += "1 more may be mended with `--fix --unsafe-fixes`: look before you use it."
        assert head == ["### pipelint found 1 error, 2 warnings and 1 piece of advice in 2 files", notes]

    def test_one_table_tells_the_severities_and_their_rules(self, slow: Workspace) -> None:
        slow.write("a.py", tf("tf.size(1)", "tf.size(2)", "tf.rank(1)", "tf.shape(1)"))
        table = comment(slow).split("\n\n")[2]
        assert table.splitlines() == [
            "| severity | findings | rules |",
            "| --- | ---: | --- |",
            "| 🔴 error | 1 | TEST201 no-shape (1) |",
            "| 🟡 warning | 2 | TEST101 no-size (2) |",
            "| 🔵 advice | 1 | TEST102 no-rank (1) |",
        ]

    def test_a_file_is_a_folded_section_with_findings_and_the_diff(self, slow: Workspace) -> None:
        slow.write("src/train.py", tf("tf.size(1)", "tf.shape(1)"))
        assert section(comment(slow), "src/train.py") == (
            "\n<summary><code>src/train.py</code>: 1 error and 1 warning</summary>\n"
            "\n"
            "| line | | rule | finding |\n"
            "| ---: | --- | --- | --- |\n"
            "| 2 | 🟡 | TEST101 no-size | tf.size is slow |\n"
            "| 3 | 🔴 | TEST201 no-shape | tf.shape is slow |\n"
            "\n"
            "The safe fixes:\n"
            "\n"
            "```diff\n"
            "--- src/train.py\n"
            "+++ src/train.py\n"
            "@@ -1,3 +1,3 @@\n"
            f" {IMPORT}\n"
            "-tf.size(1)\n"
            "+tf.shape_n(1)\n"
            " tf.shape(1)\n"
            "```\n"
            "\n"
            "</details>\n"
        )

    def test_unsafe_fixes_stand_apart_and_are_marked(self, slow: Workspace) -> None:
        slow.rule("TEST103", "no-range", "range", "count", safety="unsafe")
        slow.write("train.py", tf("tf.size(1)", "tf.range(1)", "tf.rank(1)"))
        safe, unsafe = section(comment(slow), "train.py").split("⚠️ The unsafe fixes, on top of the safe ones")
        assert "+tf.shape_n(1)" in safe
        assert "tf.count" not in safe
        assert "-tf.range(1)\n+tf.count(1)" in unsafe
        assert "-tf.size" not in unsafe

    def test_fixes_that_touch_the_same_text_are_counted(self, slow: Workspace) -> None:
        slow.rule("TEST103", "no-size-either", "size", "count", safety="unsafe")
        slow.write("train.py", tf("tf.size(1)"))
        text = section(comment(slow), "train.py")
        assert "+tf.shape_n(1)" in text
        assert "1 more fix on the same lines can follow in a second pass." in text

    def test_the_diff_is_the_one_that_check_shows(self, slow: Workspace) -> None:
        slow.write("train.py", tf("a = 1", *["x = 2"] * 20, "tf.size(", "tf.size(2))", "z = 3"))
        diff = slow.check("--diff", "--quiet", "--output-format=json").stderr
        assert f"```diff\n{diff.lstrip()}```" in comment(slow)

    def test_a_notebook_tells_cells(self, slow: Workspace) -> None:
        slow.notebook("n.ipynb", IMPORT, "!ls\nx = tf.size(1)")
        text = section(comment(slow), "n.ipynb")
        assert "| cell 3, 2 | 🟡 |" in text
        assert "--- n.ipynb:cell 3\n" in text
        assert "-x = tf.size(1)\n+x = tf.shape_n(1)\n" in text

    def test_rules_link_to_their_page(self, workspace: Workspace) -> None:
        workspace.configure(select="PIPE")
        source = tf("ds = tf.data.TFRecordDataset('a').map(f).batch(64)", "model.fit(ds)")
        workspace.write(
            "train.py", source.replace(".map(f)", ".map(lambda x: tf.image.random_hue(tf.io.decode_jpeg(x), 0.1))")
        )
        text = comment(workspace)
        address = "https://github.com/pipelint/pipelint/blob/main/docs/rules/unparallelized-map.md"
        assert f"\n[PIPE201]: {address}\n" in text
        assert "| [PIPE201] unparallelized-map |" in text

    def test_what_could_not_be_checked_is_listed(self, slow: Workspace) -> None:
        slow.write("broken.py", tf("x = (", "y"))
        outcome = slow.check("--output-format=markdown", "missing.py", ".")
        assert outcome.status == 2
        assert outcome.stdout.startswith("### pipelint could not check everything\n")
        assert re.search(r"^- `broken.py:\d`: ", outcome.stdout, re.MULTILINE)
        assert re.search(r"^- `missing.py`: ", outcome.stdout, re.MULTILINE)

    def test_after_fixes_it_tells_what_is_left(self, slow: Workspace) -> None:
        slow.write("train.py", tf("tf.size(1)"))
        assert comment(slow, "--fix") == "✅ **pipelint**: fixed 1 finding, all clean in 1 file.\n"

    def test_standard_input_has_a_diff_too(self, slow: Workspace) -> None:
        outcome = slow.check("--output-format=markdown", "--stdin-filename=train.py", "-", stdin=tf("tf.size(1)"))
        assert "-tf.size(1)\n+tf.shape_n(1)\n" in outcome.stdout


class TestSafety:
    def row(self, workspace: Workspace, message: str) -> str:
        workspace.rule("TEST300", "hostile", "zeros", message=message)
        workspace.write("train.py", tf("tf.zeros(1)"))
        [row] = [line for line in comment(workspace).splitlines() if line.startswith("| 2 |")]
        return row

    @pytest.mark.parametrize(
        ("message", "shown"),
        [
            ("a | b", "a &#124; b"),
            ("two\nlines", "two lines"),
            ("a `lone backtick", "a &#96;lone backtick"),
            ("use `tf.map` here", "use `tf.map` here"),
            ("use `a|b` here", "use <code>a&#124;b</code> here"),
            ("</details>", "&#60;/details&#62;"),
            ("<img src=x onerror=alert(1)>", "&#60;img src=x onerror=alert(1)&#62;"),
            ("ask @octocat", "ask @&#8203;octocat"),
            ("as in #12", "as in #&#8203;12"),
            ("as in GH-12", "as in G&#8203;H-12"),
            ("see https://evil.example/x", "see https:&#8203;//evil.example/x"),
            ("see www.evil.example", "see w&#8203;ww.evil.example"),
            ("[text](target) ![image](x)", "&#91;text&#93;(target) !&#91;image&#93;(x)"),
            ("num_parallel_calls", "num_parallel_calls"),
            ("__init__ *bold* ~~gone~~", "&#95;&#95;init&#95;&#95; &#42;bold&#42; &#126;&#126;gone&#126;&#126;"),
            ("$x$", "<span>$</span>x<span>$</span>"),
            ("&lt;", "&#38;lt;"),
            ("back\\slash", "back&#92;slash"),
            ("\u202edesrever", "&#92;u202edesrever"),
            ("\x1b[31mred", "&#92;x1b&#91;31mred"),
        ],
    )
    def test_a_message_is_text_in_one_cell(self, workspace: Workspace, message: str, shown: str) -> None:
        assert self.row(workspace, message) == f"| 2 | 🟡 | TEST300 hostile | {shown} |"

    def test_the_fence_is_longer_than_any_in_the_source(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = '''", "`````", "</details>", "'''; tf.size(1)"))
        text = section(comment(slow), "train.py")
        [fence] = re.findall(r"^(`+)diff$", text, re.MULTILINE)
        assert len(fence) == 6
        assert text.count(f"\n{fence}\n") == 1
        inside = text.split(fence)[1]
        assert "`````" in inside
        assert "</details>" in inside

    def test_what_cannot_be_seen_in_the_source_is_written_out(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = tf.size(1)  # \u202e\u2066 \x0c\x1b"))
        assert "+x = tf.shape_n(1)  # \\u202e\\u2066 \\x0c\\x1b\n" in comment(slow)

    @pytest.mark.skipif(sys.platform != "linux", reason="other systems take no such names")
    def test_a_path_is_text(self, slow: Workspace) -> None:
        name = "a|`b`</code><b>\n@me\u202e.py"
        slow.write(name, tf("tf.size(1)"))
        slow.write("x|" + name, tf("("))
        text = comment(slow)
        shown = r"a|`b`&lt;/code&gt;&lt;b&gt;\n@me\u202e.py"
        assert f"<summary><code>{shown}</code>: 1 warning</summary>\n" in text
        assert "&#60;&#47;code&#62;" in text
        assert "\u202e" not in text

    @pytest.mark.skipif(sys.platform != "linux", reason="file names are text elsewhere")
    def test_a_name_that_is_no_text_is_written_out(self, slow: Workspace) -> None:
        slow.write(os.fsdecode(b"tr\xffain.py"), tf("tf.size(1)"))
        assert r"<summary><code>tr\udcffain.py</code>" in comment(slow)


class TestLinks:
    def test_lines_lead_to_the_head_commit_in_a_workflow(
        self, slow: Workspace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        slow.write("src/a b.py", tf("tf.size(1)", "tf.rank(1)"))
        slow.notebook("n.ipynb", IMPORT, "tf.size(1)")
        event = tmp_path / "event.json"
        event.write_text(
            '{"pull_request": {"head": {"sha": "abc", "repo": {"html_url": "https://github.com/fork/project"}}}}'
        )
        for name, value in {
            "GITHUB_ACTIONS": "true",
            "GITHUB_REPOSITORY": "team/project",
            "GITHUB_SHA": "merge",
            "GITHUB_WORKSPACE": str(slow.root),
            "GITHUB_EVENT_PATH": str(event),
        }.items():
            monkeypatch.setenv(name, value)
        text = comment(slow)
        assert "| [2](https://github.com/fork/project/blob/abc/src/a%20b.py#L2) |" in text
        assert "| [`src/a b.py:3:1`](https://github.com/fork/project/blob/abc/src/a%20b.py#L3) | TEST102" in text
        assert "(https://github.com/fork/project/blob/abc/n.ipynb?plain=1#L" in text
        event.unlink()
        assert "(https://github.com/team/project/blob/merge/src/a%20b.py#L2)" in comment(slow)

    def test_and_elsewhere_where_an_option_says(self, slow: Workspace) -> None:
        slow.write("a.py", tf("tf.size(1)"))
        outcome = slow.check("--output-format=markdown", "--line-url=https://git.example/{path}#{line}")
        assert "| [2](https://git.example/a.py#2) |" in outcome.stdout


def test_profiles_of_base_and_head_are_a_small_table(slow: Workspace) -> None:
    base, head = EVERY["images"], EVERY["cached"]
    slow.write("base.json", as_json(base))
    slow.write("head.json", as_json(head))
    slow.write("a.py", tf())
    text = slow.check("--output-format=markdown", "--profiles", "base.json", "head.json").stdout
    assert "\n| measured | base | head |\n| --- | --- | --- |\n| fit" in text
    assert re.search(r"\| [\d.]+ batches/s", text)
    outcome = slow.check("--profiles", "base.json", "missing.json")
    assert (outcome.status, outcome.errors) == (
        2,
        ["pipelint: --profiles: cannot read missing.json: No such file or directory"],
    )


class TestAdvice:
    def test_comes_last_in_one_folded_table(self, slow: Workspace) -> None:
        slow.rule("TEST104", "no-ones", "ones", severity="ADVICE")
        slow.write("a.py", tf("tf.rank(1), tf.ones(2)", "tf.rank(3)"))
        slow.notebook("n.ipynb", IMPORT, "tf.rank(4)", "tf.size(5)")
        text = comment(slow)
        assert text.endswith(
            "</details>\n"
            "\n"
            "<details>\n"
            "<summary>🔵 4 pieces of advice: the target TensorFlow does this by itself, or it depends on the machine; "
            "it does not fail the run</summary>\n"
            "\n"
            "| place | rule | advice |\n"
            "| --- | --- | --- |\n"
            "| `a.py:2:1` | TEST102 no-rank | tf.rank is slow |\n"
            "| `a.py:3:1` | TEST102 no-rank | tf.rank is slow |\n"
            "| `n.ipynb:cell 3:1:1` | TEST102 no-rank | tf.rank is slow |\n"
            "| `a.py:2:13` | TEST104 no-ones | tf.ones is slow |\n"
            "\n"
            "</details>\n"
        )
        assert "<code>a.py</code>" not in text
        assert "rank" not in section(text, "n.ipynb")

    def test_alone_is_told_as_such(self, slow: Workspace) -> None:
        slow.write("a.py", tf("tf.rank(1)"))
        assert comment(slow).startswith("### pipelint found no errors or warnings, 1 piece of advice in 1 file\n")

    def test_says_so_where_it_fails_the_run(self, slow: Workspace) -> None:
        slow.write("a.py", tf("tf.rank(1)"))
        assert "it fails the run, as --fail-on asks</summary>" in comment(slow, "--fail-on=advice")

    def test_of_very_much_the_first_is_shown_and_the_rest_counted(self, slow: Workspace) -> None:
        slow.write("a.py", tf(*["tf.rank(1)"] * 50))
        text = comment(slow)
        assert text.count("| `a.py:") == 20
        assert "| 30 more | TEST102 no-rank | |\n" in text

    def test_makes_room_for_what_presses(self, slow: Workspace) -> None:
        for number in range(400):
            slow.write(f"file_{number:03}.py", tf("tf.size(1)", "tf.rank(2)"))
        text = comment(slow)
        assert characters(text) < LIMIT
        assert re.search(r"\*\*Left out\*\*, for want of room: \d{3} findings, among them all of", text)


class TestSize:
    def test_many_files_fit_and_the_worst_come_first(self, slow: Workspace) -> None:
        for number in range(300):
            slow.write(f"file_{number:03}.py", tf("tf.size(1)", "tf.size(2)"))
        slow.write("zz.py", tf("tf.shape(1)"))
        text = comment(slow)
        assert LIMIT * 0.9 < characters(text) < LIMIT
        assert text.index("<code>zz.py</code>") < text.index("<code>file_000.py</code>")
        assert text.count("<details>") == text.count("</details>")
        [missing] = re.findall(
            r"\*\*Left out\*\*, for want of room: (\d+) findings, among them all of (\d+) files", text
        )
        assert int(missing[0]) == 601 - text.count("| 🟡 | ") - text.count("| 🔴 | ")
        assert int(missing[1]) == 301 - text.count("<details>")

    def test_one_file_with_everything_fits(self, slow: Workspace) -> None:
        slow.write("train.py", tf(*["tf.size('😀 世界')"] * 1000))
        text = comment(slow)
        assert characters(text) < LIMIT
        assert "900 more in this file." in text
        assert text.endswith(
            "**Left out**, for want of room: 900 findings and the diff of 1 file. `pipelint check` shows everything.\n"
        )

    def test_long_messages_and_many_problems_fit(self, workspace: Workspace) -> None:
        for number in range(40):
            workspace.rule(f"TEST{300 + number}", f"r{number}", "zeros", message="| @x #1 _ " * 5000)
        workspace.write("train.py", tf("tf.zeros(1)"))
        for number in range(50):
            workspace.write(f"{'long' * 50}{number}.py", "(  # keras")
        text = comment(workspace)
        assert characters(text) < LIMIT
        assert "- and 30 more\n" in text
