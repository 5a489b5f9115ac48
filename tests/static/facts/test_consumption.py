"""What consumes a dataset, so that its stages are worth a finding, and what only looks at it."""

from __future__ import annotations

import pytest

from pipelint.project.projects import Overrides
from tests.cases import prove
from tests.linting import check


@pytest.mark.parametrize(
    "consumer",
    [
        "model.fit(ds)",
        "for epoch in range(9): model.evaluate(ds)",
        "for epoch in range(9): model.predict(ds)",
        "model.fit(x, y, validation_data=ds)",
        "for batch in ds: train_step(batch)",
        "for step, batch in enumerate(ds): train_step(batch)",
        "it = iter(ds)\nfor step in range(100): train_step(next(it))",
        "it = ds.__iter__()\nfor step in range(100): train_step(it.get_next())",
        "for a, b in zip(ds, ds): train_step(a, b)",
        "with tqdm(ds) as bar:\n    for batch in bar: train_step(batch)",
    ],
)
def test_what_consumes(consumer: str) -> None:
    dataset = "ds = tf.data.TFRecordDataset(files).batch(32)"
    source = f"import tensorflow as tf\nfrom tqdm import tqdm\n{dataset}\n{consumer}\n"
    (found,) = check(source, Overrides(select=("PIPE101",), target_tensorflow=(2, 8))).diagnostics
    assert found.span.start.line == 3


@pytest.mark.parametrize(
    "look",
    [
        "ds.element_spec",
        "next(iter(ds))",
        "iter(ds).get_next()",
        "layer.adapt(ds)",
        "for batch in ds.take(3): print(batch)",
        "for batch in ds:\n    show(batch)\n    break",
        "strategy.experimental_distribute_dataset(ds)",
        "print(len(ds))",
    ],
)
def test_what_only_looks(look: str) -> None:
    prove(f"import tensorflow as tf\nds = tf.data.TFRecordDataset(files).batch(32)\n{look}\n", "PIPE101")
