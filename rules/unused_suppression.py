from __future__ import annotations

from collections.abc import Iterable

from pipelint.rule import Example, Findings, Fix, ReplaceText, Rule, Severity, UnusedSuppression


class UnusedSuppressionComment(Rule):
    """A comment silences a finding that is not there.

    ## What it finds
    A `# pipelint: ignore[...]`, or a `# noqa: PIPE...`, that suppresses nothing.

    ## Why it matters
    It says that something is wrong where nothing is, and it would silence a real finding later.

    ## When to ignore it
    When the finding shows up only with another configuration or target. Silent for a bare `# noqa`, which may be meant
    for another linter, and for rules that did not run.

    ## Fix safety
    Safe: only the comment, or the code that is not needed, is removed.

    ## References
    - https://docs.astral.sh/ruff/rules/unused-noqa/
    """

    code = "PIPE001"
    name = "unused-suppression"
    severity = Severity.WARNING
    fix = "safe"
    examples = (
        Example(
            "a noqa with nothing to silence",
            """
            import tensorflow as tf

            ds = tf.data.Dataset.range(10)
            ds = ds.shuffle(10)  # noqa: PIPE201
            """,
            """
            import tensorflow as tf

            ds = tf.data.Dataset.range(10)
            ds = ds.shuffle(10)
            """,
        ),
        Example(
            "one of two codes",
            """
            import tensorflow as tf

            ds = tf.data.Dataset.range(10)
            ds.shuffle(10)  # pipelint: ignore[PIPE110, PIPE201]
            """,
            """
            import tensorflow as tf

            ds = tf.data.Dataset.range(10)
            ds.shuffle(10)  # pipelint: ignore[PIPE110]
            """,
        ),
        Example(
            "a finding is silenced",
            """
            import tensorflow as tf

            ds = tf.data.Dataset.range(10)
            ds.shuffle(10)  # noqa: PIPE110
            """,
            silent=True,
        ),
        Example(
            "a bare noqa",
            """
            import tensorflow as tf  # noqa

            ds = tf.data.Dataset.range(10)
            """,
            silent=True,
        ),
        Example(
            "a code of another linter",
            """
            import tensorflow as tf  # noqa: F401
            """,
            silent=True,
        ),
    )

    def check_suppressions(self, unused: Iterable[UnusedSuppression]) -> Findings:
        for comment in unused:
            yield self.finding(
                comment.region,
                comment.message,
                fix=Fix.safe("remove it", ReplaceText(comment.edits)),
            )
