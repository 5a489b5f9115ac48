"""Pipelines that functions, methods and classes build together."""

from __future__ import annotations

import pytest

from tests.cases import Case, Table, prove

BUILDERS: Table = {
    "one method maps, and another batches and prefetches": """
        import tensorflow as tf

        class Data:
            def __init__(self, files):
                self.files = files

            def _records(self):
                return tf.data.TFRecordDataset(self.files).map(self._parse)  #! PIPE201 advice, unsafe fix

            def _parse(self, record):
                return tf.image.random_flip_up_down(tf.io.decode_jpeg(record))

            def batches(self):
                return self._records().batch(32).prefetch(tf.data.AUTOTUNE)
    """,
    "the base class builds, and the subclass prefetches": """
        import tensorflow as tf

        class Base:
            def build(self):
                return tf.data.Dataset.range(100).batch(10)

        class Data(Base):
            def train(self, model):
                model.fit(self.build().prefetch(1))
    """,
    "a function of the user's own that is called fit": Case(
        (
            """
            import tensorflow as tf
            def fit(dataset, epochs):
                return epochs
            """,
            "fit(tf.data.TFRecordDataset(files).batch(32), 3)",
        )
    ),
}


@pytest.mark.parametrize("case", BUILDERS.values(), ids=BUILDERS)
def test_builders_are_followed(case: str | Case) -> None:
    prove(case, "PIPE101", "PIPE201")
