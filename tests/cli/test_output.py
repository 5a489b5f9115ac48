"""What `check` prints for people: the full and the concise format, statistics, colours and settings."""

from __future__ import annotations

import pytest

from tests.workspace import IMPORT, Workspace, tf


class TestFullFormat:
    def test_shows_the_place_the_reason_and_the_fix(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = [tf.size(1), tf.rank(1)]", "y = tf.shape(x)"))
        assert slow.check().stdout == (
            "train.py:3:5: error TEST201 no-shape: tf.shape is slow\n"
            "  |\n"
            "3 | y = tf.shape(x)\n"
            "  |     ^^^^^^^^\n"
            "  |\n"
            "\n"
            "train.py:2:6: warning TEST101 no-size: tf.size is slow\n"
            "  |\n"
            "2 | x = [tf.size(1), tf.rank(1)]\n"
            "  |      ^^^^^^^\n"
            "  |\n"
            "  = fix (safe): write tf.shape_n\n"
            "\n"
            "Advice: the target TensorFlow does this by itself, or it depends on the machine; it does not fail the run\n"
            "TEST102 no-rank (1)\n"
            "  train.py:2:18: tf.rank is slow [unsafe fix]\n"
            "\n"
            "Found 1 error, 1 warning and 1 piece of advice in 1 file; 1 fixable with --fix, 1 more with --unsafe-fixes.\n"
        )

    def test_advice_comes_last_by_rule_however_much_there_is(self, slow: Workspace) -> None:
        slow.rule("TEST104", "no-ones", "ones", severity="ADVICE")
        slow.write("a.py", tf(*["tf.rank(tf.ones(2))"] * 40))
        slow.write("b.py", tf("tf.rank(1)"))
        lines = slow.check().stdout.splitlines()
        assert [line for line in lines if not line.startswith(" ")] == [
            "Advice: the target TensorFlow does this by itself, or it depends on the machine; it does not fail the run",
            "TEST102 no-rank (41)",
            "TEST104 no-ones (40)",
            "",
            "Found no errors or warnings, 81 pieces of advice in 2 files; 41 fixable with --fix --unsafe-fixes.",
        ]
        assert len(lines) == 5 + 81

    def test_advice_that_fails_the_run_is_told_as_such(self, slow: Workspace) -> None:
        slow.write("train.py", tf("tf.rank(1)"))
        outcome = slow.check("--fail-on=advice")
        assert outcome.status == 1
        assert "it fails the run, as --fail-on asks\n" in outcome.stdout

    def test_tabs_and_wide_characters_keep_the_caret_in_place(self, slow: Workspace) -> None:
        slow.write("train.py", tf("if True:", "\tx = '世界', tf.size(1)"))
        lines = slow.check().stdout.splitlines()
        assert lines[2:4] == ["3 |     x = '世界', tf.size(1)", "  |                 ^^^^^^^"]

    def test_a_span_over_several_lines_is_marked_on_each(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = (tf", "     .size)"))
        assert slow.check().stdout.splitlines()[2:6] == [
            "2 | x = (tf",
            "  |      ^^",
            "3 |      .size)",
            "  |      ^^^^^",
        ]

    def test_a_long_line_is_cut_around_the_span(self, slow: Workspace) -> None:
        slow.write("train.py", tf(f"x = '{'a' * 5000}', tf.size(1), '{'b' * 5000}'"))
        line, carets = slow.check().stdout.splitlines()[2:4]
        assert len(line) < 220
        assert line.index("tf.size") == carets.index("^")

    def test_a_place_in_a_notebook_names_the_cell(self, slow: Workspace) -> None:
        slow.notebook("train.ipynb", IMPORT, "%matplotlib inline\n\nx = tf.size(1)")
        assert slow.check().stdout.splitlines()[:4] == [
            "train.ipynb:cell 3:3:5: warning TEST101 no-size: tf.size is slow",
            "  |",
            "3 | x = tf.size(1)",
            "  |     ^^^^^^^",
        ]

    def test_nothing_in_the_source_steers_the_terminal(self, slow: Workspace) -> None:
        slow.rule("TEST300", "no-cast", "cast", message="bell \a and\nline")
        slow.write("tr\x1b[31main.py", tf("x = '\x1b[2J\u202e', tf.cast(1)"))
        outcome = slow.check("--color=never")
        assert not {"\x1b", "\a", "\u202e"} & set(outcome.stdout)
        assert "tr␛[31main.py:2:14: warning TEST300 no-cast: bell ␇ and line" in outcome.stdout

    def test_says_so_when_all_is_clean(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = 1"))
        assert slow.check().stdout == "All clean: 1 file checked.\n"

    def test_does_not_call_a_failed_run_clean(self, slow: Workspace) -> None:
        slow.write("broken.py", tf("def ("))
        assert slow.check().stdout == "No findings in 1 file, but 1 file could not be checked.\n"


class TestOutput:
    @pytest.fixture
    def project(self, slow: Workspace) -> Workspace:
        slow.write("train.py", tf("tf.size(1), tf.size(2), tf.rank(1)"))
        return slow

    def test_concise_is_one_line_per_finding(self, project: Workspace) -> None:
        assert project.check("--output-format=concise").stdout == (
            "train.py:2:1: warning TEST101 no-size: tf.size is slow [safe fix]\n"
            "train.py:2:13: warning TEST101 no-size: tf.size is slow [safe fix]\n"
            "train.py:2:25: advice TEST102 no-rank: tf.rank is slow [unsafe fix]\n"
            "Found 2 warnings and 1 piece of advice in 1 file; 2 fixable with --fix, 1 more with --unsafe-fixes.\n"
        )

    def test_statistics_count_per_rule_in_place_of_the_findings(self, project: Workspace) -> None:
        outcome = project.check("--statistics", "--quiet")
        assert outcome.stdout == "2  TEST101  no-size\n1  TEST102  no-rank\n"
        assert outcome.status == 1

    def test_statistics_leave_json_alone(self, project: Workspace) -> None:
        outcome = project.check("--statistics", "--output-format=json", "--quiet")
        assert len(outcome.json["findings"]) == 3
        assert outcome.stderr == "2  TEST101  no-size\n1  TEST102  no-rank\n"

    def test_quiet_leaves_the_summary_out(self, project: Workspace) -> None:
        assert "Found" not in project.check("--quiet").stdout
        project.write("train.py", tf())
        assert project.check("--quiet").stdout == ""

    def test_output_file_takes_the_report_without_colours(self, project: Workspace) -> None:
        outcome = project.check("--output-file=report.txt", "--color=always")
        assert outcome.stdout == ""
        assert project.read("report.txt") == project.check().stdout

    def test_problems_are_on_stderr_too_when_json_goes_to_a_file(self, project: Workspace) -> None:
        project.write("broken.py", tf("def ("))
        assert project.check("--output-format=json").stderr == ""
        assert "broken.py:2" in project.check("--output-format=json", "--output-file=report.json").stderr

    @pytest.mark.parametrize(
        ("arguments", "environment", "colored"),
        [
            ([], {}, False),
            (["--color=always"], {}, True),
            (["--color=always"], {"NO_COLOR": "1"}, True),
            (["--color=never"], {"FORCE_COLOR": "1"}, False),
            ([], {"FORCE_COLOR": "1"}, True),
            ([], {"FORCE_COLOR": "0"}, False),
            ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ],
    )
    def test_colour_is_for_terminals_unless_asked(
        self, project: Workspace, arguments: list[str], environment: dict[str, str], colored: bool
    ) -> None:
        for output_format in ("full", "concise"):
            options = ["check", f"--output-format={output_format}", *arguments]
            assert ("\x1b[" in project.run(*options, env=environment).stdout) is colored
        assert "\x1b[" not in project.run("check", "--output-format=json", *arguments, env=environment).stdout

    def test_show_settings_prints_what_is_in_force_and_stops(self, project: Workspace) -> None:
        project.configure('ignore = ["no-rank"]')
        outcome = project.check("--show-settings", "--target-tensorflow=2.9", "--ignore=no-shape")
        assert outcome.status == 0
        assert 'target-tensorflow = "2.9"  # --target-tensorflow\n' in outcome.stdout
        assert 'ignore = ["no-rank", "no-shape"]  # pyproject.toml:5, --ignore\n' in outcome.stdout
        assert 'rules = ["TEST101"]\n' in outcome.stdout
        assert f'config = "{project.root}/pyproject.toml"\n' in outcome.stdout
