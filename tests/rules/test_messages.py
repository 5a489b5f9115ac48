"""What a message says, where it depends on the code."""

from __future__ import annotations

import pytest

from pipelint.project.projects import Overrides
from tests.linting import check


@pytest.mark.parametrize(
    ("generator", "named"),
    [
        ("rows", "`rows`"),
        ("self.rows", "`rows`"),
        ("lambda: rows(path)", "`rows`"),
        ("functools.partial(rows, path)", "`rows`"),
        ("Rows(path)", "`Rows`"),
        ("lambda: zip(x, y)", "this generator"),
        ("lambda: (x for x in table)", "this generator"),
    ],
)
def test_generator_per_element_names_the_generator(generator: str, named: str) -> None:
    source = f"""\
import tensorflow as tf

ds = tf.data.Dataset.from_generator({generator}, output_signature=tf.TensorSpec((None,), tf.int32))
model.fit(ds.map(mask).shuffle(1000).padded_batch(32))
"""
    (found,) = check(source, Overrides(select=("PIPE501",))).diagnostics
    assert found.message.startswith(f"{named} makes one element at a time")
