"""The cells of a notebook are one program."""

from __future__ import annotations

import pytest

from tests.cases import Case, Table, prove

NOTEBOOKS: Table = {
    "variants that timed cells compare are as they shall be": Case(
        (
            """
            import tensorflow as tf
            def train(ds):
                model.fit(ds, epochs=3)
            """,
            """
            %%time
            ds = tf.data.TFRecordDataset("train").map(tf.io.parse_tensor).batch(1)
            train(ds)
            """,
            """
            %%time
            ds = tf.data.TFRecordDataset("train").map(tf.io.parse_tensor).prefetch(8).batch(32)
            train(ds)
            """,
            """
            %%time
            kept = tf.data.TFRecordDataset("train").batch(32)  #! PIPE101 advice, safe fix
            train(kept)
            """,
        ),
        target=(2, 8),
    ),
    "a look is silent, and a fit in another cell is found": Case(
        (
            """
            import tensorflow as tf
            ds = tf.data.TFRecordDataset(files)
            """,
            "ds.map(parse).element_spec",
            "model.fit(ds.map(parse).batch(32).prefetch(1))  #! PIPE201 advice, unsafe fix",
        ),
        target=(2, 5),
    ),
    "what a cell shows is not dropped": Case(
        (
            """
            import tensorflow as tf
            ds = tf.data.Dataset.range(9)
            ds.shuffle(9)  # a look
            """,
            "model.fit(ds.batch(3).prefetch(1))",
        )
    ),
    "what is neither shown nor kept is dropped": Case(
        (
            """
            import tensorflow as tf
            ds = tf.data.Dataset.range(9)
            ds.shuffle(9)  #! PIPE110 error, unsafe fix
            print(ds)
            """,
            "model.fit(ds.batch(3).prefetch(1))",
        )
    ),
}


@pytest.mark.parametrize("case", NOTEBOOKS.values(), ids=NOTEBOOKS)
def test_cells_are_one_program(case: str | Case) -> None:
    prove(case, "PIPE101", "PIPE201", "PIPE110")
