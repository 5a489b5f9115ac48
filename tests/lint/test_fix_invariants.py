"""What holds for every fix, whatever the program: it parses, settles, and touches nothing else."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from pipelint.lint.check_batch import check_file
from pipelint.lint.results import FileResult
from pipelint.lint.task import Fixes, Mode, Task
from pipelint.model.grades import Severity
from pipelint.project.projects import Overrides, Project
from pipelint.project.settings import Settings
from tests.linting import REGISTRY, ROOT

STAGES = [
    "map(parse)",
    "map(augment)",
    "map(lambda x: x + 1)",
    "map(parse, num_parallel_calls=1)",
    "map(parse, AUTO)",
    "batch(32)",
    "batch(\n        32,  # of examples\n        drop_remainder=True,\n    )",
    "shuffle(1000)",
    "cache()",
    "prefetch(AUTO)",
    "prefetch(tf.data.experimental.AUTOTUNE)",
    "repeat()",
    "filter(lambda x: x > 0)",
    "interleave(tf.data.TFRecordDataset, cycle_length=4)",
]
HEAD = '''\
"""A training script: änderungen are marked ✎."""
import tensorflow as tf

AUTO = tf.data.AUTOTUNE  # ✎ left alone


def parse(x):
    return tf.io.decode_raw(x, tf.uint8)


def augment(x):
    return tf.image.random_flip_left_right(x)


'''
CONSUMERS = ["model.fit(ds)", "for x in ds:\n    train(x)", "def later():\n    return ds", "model.fit(ds.map(parse))"]


def chained(stages: list[str]) -> str:
    return "ds = tf.data.TFRecordDataset(files)" + "".join(f".{stage}" for stage in stages)


def parenthesised(stages: list[str]) -> str:
    return "ds = (\n    tf.data.TFRecordDataset(files)  # ✎\n" + "".join(f"    .{stage}\n" for stage in stages) + ")"


def continued(stages: list[str]) -> str:
    return "ds = tf.data.TFRecordDataset(files)" + "".join(f" \\\n    .{stage}" for stage in stages)


def reassigned(stages: list[str]) -> str:
    return "\n".join(["ds = tf.data.TFRecordDataset(files)", *(f"ds = ds.{stage}  # ✎" for stage in stages)])


def guarded(stages: list[str]) -> str:
    lines = [f"if flag_{number % 2}:\n    ds = ds.{stage}" for number, stage in enumerate(stages)]
    return "\n".join(["ds = tf.data.TFRecordDataset(files)", *lines])


def dropped(stages: list[str]) -> str:
    return "\n".join(["ds = tf.data.TFRecordDataset(files)", *(f"ds.{stage}" for stage in stages), "ds = ds.batch(8)"])


programs = st.builds(
    lambda layout, stages, consumer, newline: (HEAD + layout(stages) + f"\n{consumer}\n# ✎ the end\n").replace(
        "\n", newline
    ),
    st.sampled_from([chained, parenthesised, continued, reassigned, guarded, dropped]),
    st.lists(st.sampled_from(STAGES), min_size=1, max_size=5),
    st.sampled_from(CONSUMERS),
    st.sampled_from(["\n", "\r\n"]),
)

EXAMPLES = sorted(
    {
        text
        for rule in REGISTRY
        if not rule.is_about_suppressions
        for example in rule.type.examples
        for text in (example.before, example.after)
        if text is not None
    }
)
mixtures = st.lists(st.sampled_from(EXAMPLES), min_size=2, max_size=4, unique=True).map("\n".join)
"""Examples of several rules in one program, where a name of one may mean something else in the next."""


def run(source: str, mode: Mode, fixes: Fixes) -> FileResult:
    project = Project(Settings(root=ROOT), REGISTRY, Overrides())
    return check_file(project, Path("train.py"), Task(mode, fixes), source.encode())


def fixed(source: str, fixes: Fixes) -> str:
    outcome = run(source, Mode.FIX, fixes)
    assert outcome.problems == ()
    return outcome.change.after.decode() if outcome.change else source


@settings(max_examples=120, deadline=None)
@given(programs, st.sampled_from([Fixes.SAFE, Fixes.ALL]))
def test_fixes_parse_settle_and_keep_the_rest(source: str, fixes: Fixes) -> None:
    after = fixed(source, fixes)
    ast.parse(after)
    assert fixed(after, fixes) == after
    assert after.startswith(source[: source.index("def parse")])
    assert after.count("✎") == source.count("✎")
    assert after.count("\r\n") == (after.count("\n") if "\r\n" in source else 0)


@settings(max_examples=80, deadline=None)
@given(programs)
def test_safe_fixes_change_nothing_that_other_rules_see(source: str) -> None:
    before = run(source, Mode.REPORT, Fixes.SAFE).diagnostics
    after = run(fixed(source, Fixes.SAFE), Mode.REPORT, Fixes.SAFE).diagnostics
    repaired = {found.code for found in before if found.fix is not None and found.fix.safety.value == "safe"}
    unrelated = [
        Counter(found.code for found in found_all if found.code not in repaired) for found_all in (before, after)
    ]
    assert unrelated[0] == unrelated[1]


def counted(result: FileResult, *severities: Severity) -> Counter[str]:
    """How many findings of these severities each rule has."""
    return Counter(found.code for found in result.diagnostics if found.severity in severities)


@settings(max_examples=60, deadline=None)
@given(programs | mixtures, st.sampled_from([Fixes.SAFE, Fixes.ALL]))
def test_fixes_make_nothing_worse(source: str, fixes: Fixes) -> None:
    before, after = run(source, Mode.REPORT, fixes), run(fixed(source, fixes), Mode.REPORT, fixes)
    for worst in ((Severity.ERROR,), (Severity.ERROR, Severity.WARNING), tuple(Severity)):
        assert counted(after, *worst) <= counted(before, *worst)


@settings(max_examples=60, deadline=None)
@given(mixtures)
def test_all_fixes_leave_nothing_fixable_in_a_mixture(source: str) -> None:
    outcome = run(source, Mode.FIX, Fixes.ALL)
    after = outcome.change.after.decode() if outcome.change else source
    ast.parse(after)
    assert [found.code for found in outcome.diagnostics if found.fix is not None] == []
    assert fixed(after, Fixes.ALL) == after
