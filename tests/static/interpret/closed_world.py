"""What PIPE201 says of a map: whether its function is proven stateless, random, or not known."""

from __future__ import annotations

import textwrap

from pipelint.lint.diagnostic import Diagnostic
from pipelint.project.projects import Overrides
from pipelint.rule import Safety
from tests.linting import check

PREAMBLE = """
import abc, contextlib, functools, itertools, operator
import keras
import tensorflow as tf
import tensorflow_hub as hub
from elsewhere import Outside, between, imported

def jitter(x):
    return x + tf.random.uniform([])

def double(x):
    return x * 2

options = tf.data.Options()
options.experimental_optimization.map_parallelization = False
"""


BY_ITSELF_NOTHING = Overrides(select=("PIPE201",), target_tensorflow=(2, 5))
"""A TensorFlow, and options, that make no map parallel by themselves: PIPE201 speaks of each, whatever it costs."""


def map_of(definitions: str, function: str) -> Diagnostic:
    """What PIPE201 says of the last map in a program with these definitions."""
    source = PREAMBLE + textwrap.dedent(definitions)
    source += (
        f"\nmodel.fit(tf.data.Dataset.from_tensor_slices(images).with_options(options).map({function}).batch(8))\n"
    )
    return check(source, BY_ITSELF_NOTHING).diagnostics[-1]


def judged(definitions: str, function: str) -> str:
    """`stateless` where the fix is safe, else `random` where the message says so, else `unknown`."""
    found = map_of(definitions, function)
    assert found.fix is not None
    if found.fix.safety is Safety.SAFE:
        return "stateless"
    return "random" if "draws random numbers" in found.message else "unknown"
