"""Of two branches that an option chooses between, the eager one is there on purpose, whichever is the default."""

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
"""
ARGUMENTS = "args = parser.parse_args()"

CHOICES = {
    "a default": ('parser.add_argument("-m", "--train-mode", default="eager")', "args.train_mode == 'fit'"),
    "a switch that is off": ('parser.add_argument("--graph", action="store_true")', "args.graph"),
    "no default": ('parser.add_argument("--mode", required=True)', "args.mode == 'fit'"),
    "a constant of the program": ('MODE = "eager"', "MODE == 'fit'"),
    "a flag of absl": ('flags.DEFINE_string("mode", "eager", "how")', "flags.FLAGS.mode == 'fit'"),
}


@pytest.mark.parametrize(("option", "graph"), CHOICES.values(), ids=CHOICES)
def test_an_eager_branch_beside_one_in_a_graph_is_meant(option: str, graph: str) -> None:
    source = "\n".join([SETTING, option, ARGUMENTS, BRANCHES.format(graph=graph)])
    assert not check(source, Overrides(select=("PIPE701",))).diagnostics
