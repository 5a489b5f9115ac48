"""PIPE901 debug-left-on: cases beyond the examples of the rule itself."""

from __future__ import annotations

import pytest

from pipelint.model.grades import Severity
from pipelint.rule import Example
from tests.rules.promises import check_promises

CASES = (
    Example(
        "every tf.function runs as Python",
        """
        import tensorflow as tf

        tf.config.run_functions_eagerly(True)
        tf.data.experimental.enable_debug_mode()
        x = 1
        """,
        """
        import tensorflow as tf

        x = 1
        """,
        count=2,
        severity=Severity.WARNING,
    ),
    Example(
        "a line in the log for every operation",
        """
        import tensorflow as tf

        tf.debugging.set_log_device_placement(True)
        a = tf.constant(1.0)
        """,
        """
        import tensorflow as tf

        a = tf.constant(1.0)
        """,
        severity=Severity.ADVICE,
    ),
    Example(
        "switched on after compile",
        """
        import tensorflow as tf

        model = tf.keras.Sequential()
        model.compile("adam", "mse")
        model.run_eagerly = True
        """,
    ),
    Example(
        "under a switch of the user's own",
        """
        import tensorflow as tf

        def main(debug):
            if debug:
                tf.config.run_functions_eagerly(True)
            model = tf.keras.Sequential()
            model.compile("adam", "mse", run_eagerly=debug)
        """,
        silent=True,
    ),
)


@pytest.mark.parametrize("example", CASES, ids=lambda example: example.title)
def test_debug_left_on(example: Example) -> None:
    check_promises("PIPE901", example)
