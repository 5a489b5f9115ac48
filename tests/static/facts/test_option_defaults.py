"""Of two branches that an option of the command line chooses between, the one by default is what runs."""

from __future__ import annotations

import pytest

from pipelint.project.projects import Overrides
from tests.linting import check

BRANCHES = """
if {graph}:
    net.fit(batches)
else:
    for x in batches:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(net(x))
        optimizer.apply_gradients(zip(tape.gradient(loss, net.variables), net.variables))
"""
SETTING = """
import argparse
import tensorflow as tf
from absl import flags
from nets import batches

net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
parser = argparse.ArgumentParser()
more = parser.add_subparsers().add_parser("more")
"""
ARGUMENTS = "args = parser.parse_args()"

EAGER_BY_DEFAULT = {
    "a default": ('parser.add_argument("-m", "--train-mode", default="eager")', "args.train_mode == 'fit'"),
    "a place of its own": ('parser.add_argument("--how", dest="mode", default="eager")', "args.mode == 'fit'"),
    "a switch that is off": ('parser.add_argument("--graph", action="store_true")', "args.graph"),
    "a switch that is on": ('parser.add_argument("--graph", dest="eager", action="store_false")', "not args.eager"),
    "the opposite test": ('parser.add_argument("--eager", default=True)', "not args.eager"),
    "a constant of the program": ('MODE = "eager"', "MODE == 'fit'"),
    "a flag of absl": ('flags.DEFINE_string("mode", "eager", "how")', "flags.FLAGS.mode == 'fit'"),
}
IN_A_GRAPH_OR_NOT_KNOWN = {
    "a default": ('parser.add_argument("--mode", default="fit")', "args.mode == 'fit'"),
    "a switch that is off": ('parser.add_argument("--eager", action="store_true")', "not args.eager"),
    "no default": ('parser.add_argument("--mode", required=True)', "args.mode == 'fit'"),
    "a computed default": ('parser.add_argument("--mode", default=how())', "args.mode == 'fit'"),
    "a constant of the program": ('MODE = "fit"', "MODE == 'fit'"),
    "a flag of absl": ('flags.DEFINE_enum("mode", "fit", ["fit", "eager"], "how")', "flags.FLAGS.mode == 'fit'"),
    "two commands with this option": (
        'parser.add_argument("--mode", default="eager"); more.add_argument("--mode", default="fit")',
        "args.mode == 'fit'",
    ),
}


def found(option: str, graph: str) -> int:
    source = "\n".join([SETTING, option, ARGUMENTS, BRANCHES.format(graph=graph)])
    return len(check(source, Overrides(select=("PIPE701",))).diagnostics)


@pytest.mark.parametrize(("option", "graph"), EAGER_BY_DEFAULT.values(), ids=EAGER_BY_DEFAULT)
def test_an_eager_branch_that_runs_by_default_is_told(option: str, graph: str) -> None:
    assert found(option, graph) == 1


@pytest.mark.parametrize(("option", "graph"), IN_A_GRAPH_OR_NOT_KNOWN.values(), ids=IN_A_GRAPH_OR_NOT_KNOWN)
def test_one_that_has_to_be_asked_for_is_not(option: str, graph: str) -> None:
    assert found(option, graph) == 0
