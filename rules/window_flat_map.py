from __future__ import annotations

from pipelint.rule import Evidence, Example, Findings, Program, Related, Rule, Severity, Stage

from ._little_data import MANY, only_reads_hundreds


class WindowFlatMap(Rule):
    """Windows of an array are made by `window` and `flat_map`: a dataset for each of them.

    ## What it finds
    `from_tensor_slices(array).window(...).flat_map(lambda w: w.batch(k))`, as far as it is not known that the array has
    less than a thousand rows.

    ## Why it matters
    `window` makes a dataset of each window, and `flat_map` an iterator of each of these, only to put the rows together
    again that stood together in the array. `keras.utils.timeseries_dataset_from_array` takes each window as a slice,
    and gives batches of windows with their targets.

    ## When to ignore it
    When a step takes longer than its batch, as recurrent networks do, or when the windows come of a stream that is in
    no array. How much is to be had depends on the rows of a window and the columns of the table, and was little for a
    single column: the rule is off by default. Silent for windows of files.

    ## Fix safety
    No fix: `keras.utils.timeseries_dataset_from_array(x, targets, sequence_length=k, sequence_stride=shift)` also
    batches and shuffles, and takes targets beside the windows in place of a split of each.

    ## References
    - https://keras.io/api/data_loading/timeseries/
    """

    code = "PIPE109"
    name = "window-flat-map"
    severity = Severity.ADVICE
    fix = "none"
    default = False
    words = ("window",)
    examples = (
        Example(
            "windows of a table",
            """
            import numpy as np
            import tensorflow as tf

            table = np.zeros((100_000, 10))
            ds = tf.data.Dataset.from_tensor_slices(table).window(30, shift=1, drop_remainder=True)
            ds = ds.flat_map(lambda window: window.batch(30)).map(lambda rows: (rows[:-1], rows[-1]))
            model.fit(ds.batch(64), epochs=10)
            """,
        ),
        Example(
            "slices of the same table",
            """
            import numpy as np
            import tensorflow as tf

            table = np.zeros((100_000, 10))
            ds = tf.keras.utils.timeseries_dataset_from_array(table[:-29], table[29:], sequence_length=29, batch_size=64)
            model.fit(ds, epochs=10)
            """,
            silent=True,
        ),
        Example(
            "windows of lines of files",
            """
            import tensorflow as tf

            ds = tf.data.TextLineDataset(files).map(parse).window(30, shift=1, drop_remainder=True)
            model.fit(ds.flat_map(lambda window: window.batch(30)).batch(64), epochs=10)
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="window-flat-map")

    def check(self, program: Program) -> Findings:
        for pipeline in program.pipelines:
            for stage in pipeline.stages:
                window = _window_before(stage) if stage.op == "flat_map" else None
                if window is not None and not only_reads_hundreds(program.near(stage.name)):
                    yield self.finding(
                        stage,
                        "each window is a dataset of its own that is put together again: timeseries_dataset_from_array of "
                        "keras.utils takes windows as slices of the array",
                        related=(Related(window.name, "the windows are made here"),),
                    )


def _window_before(flat_map: Stage) -> Stage | None:
    """The windows of a long array that a function does nothing with but to batch each."""
    parts = [[stage.op for stage in inner.stages] for inner in flat_map.inner]
    match tuple(flat_map.straight_up()):
        case (Stage(op="window") as window, Stage(op="from_tensor_slices") as rows) if parts == [["batch"]]:
            return window if rows.cardinality is None or rows.cardinality >= MANY else None
        case _:
            return None
