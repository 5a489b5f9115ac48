"""What the calls of a pipeline say: their arguments, what they apply, and the options that they are given."""

from __future__ import annotations

import pytest

from tests.cases import Case, Table, prove

CALLS: Table = {
    "AUTOTUNE behind a module variable, by position": """
        import tensorflow as tf
        AUTO = tf.data.experimental.AUTOTUNE
        ds = tf.data.TFRecordDataset(files).map(parse, AUTO).batch(32).prefetch(AUTO)
        model.fit(ds)
    """,
    "arguments that are hidden keep it silent": """
        import tensorflow as tf
        ds = tf.data.TFRecordDataset(files).map(parse, **options).batch(32).prefetch(1)
        model.fit(ds)
    """,
    "zip of branches with stages of their own": Case(
        """
        import tensorflow as tf
        images = tf.data.Dataset.from_tensor_slices(paths).map(lambda path: tf.image.random_hue(load(path), 0.1))  #! PIPE201 warning, unsafe fix
        labels = tf.data.Dataset.from_tensor_slices(classes).map(one_hot, num_parallel_calls=1)  #! PIPE202 warning, unsafe fix
        model.fit(tf.data.Dataset.zip((images, labels)).batch(32))  #! PIPE101 advice, safe fix
        """,
        target=(2, 8),
    ),
    "a transformation given to apply": Case(
        """
        import tensorflow as tf

        def batches(ds):
            return ds.map(tf.io.parse_tensor).padded_batch(32)  #! PIPE201 advice, safe fix; PIPE101 advice, safe fix

        model.fit(tf.data.TFRecordDataset(files).apply(batches))
        """,
        target=(2, 5),
    ),
    "parallel maps turned off by options, in another method": """
        import tensorflow as tf

        class Data:
            def options(self):
                options = tf.data.Options()
                options.experimental_optimization.map_parallelization = False
                return options

            def train(self, model, files):
                ds = tf.data.TFRecordDataset(files).map(tf.io.parse_tensor).batch(32).prefetch(1)  #! PIPE201 warning, safe fix
                model.fit(ds.with_options(self.options()))
    """,
    "parallel maps turned on by options": """
        import tensorflow as tf

        class Data:
            def options(self):
                options = tf.data.Options()
                options.experimental_optimization.map_parallelization = True
                return options

            def train(self, model, files):
                ds = tf.data.TFRecordDataset(files).map(tf.io.parse_tensor).batch(32).prefetch(1)
                model.fit(ds.with_options(self.options()))
    """,
}


@pytest.mark.parametrize("case", CALLS.values(), ids=CALLS)
def test_calls_are_understood(case: str | Case) -> None:
    prove(case, "PIPE101", "PIPE201", "PIPE202")
