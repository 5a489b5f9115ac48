"""The ways in which real programs build a pipeline, and what must come out for each."""

from __future__ import annotations

from tests.linting import findings, notebook

PIPELINE = ("PIPE101", "PIPE201")


def test_autotune_behind_a_module_variable_and_positional() -> None:
    assert (
        findings(
            """
        import tensorflow as tf
        AUTO = tf.data.experimental.AUTOTUNE
        ds = tf.data.TFRecordDataset(files).map(parse, AUTO).batch(32).prefetch(AUTO)
        model.fit(ds)
        """,
            *PIPELINE,
            "PIPE202",
        )
        == []
    )


def test_one_method_maps_and_another_batches_and_prefetches() -> None:
    assert findings(
        """
        import tensorflow as tf

        class Data:
            def __init__(self, files):
                self.files = files

            def _records(self):
                return tf.data.TFRecordDataset(self.files).map(self._parse)

            def _parse(self, record):
                return tf.image.random_flip_up_down(tf.io.decode_jpeg(record))

            def batches(self):
                return self._records().batch(32).prefetch(tf.data.AUTOTUNE)
        """,
        *PIPELINE,
    ) == ["PIPE201:8 advice"]


def test_the_base_class_builds_and_the_subclass_prefetches() -> None:
    assert (
        findings(
            """
        import tensorflow as tf

        class Base:
            def build(self):
                return tf.data.Dataset.range(100).batch(10)

        class Data(Base):
            def train(self, model):
                model.fit(self.build().prefetch(1))
        """,
            *PIPELINE,
        )
        == []
    )


class TestGuards:
    def test_those_that_exclude_each_other_are_not_one_pipeline(self) -> None:
        assert (
            findings(
                """
            import tensorflow as tf

            def make(files, training):
                ds = tf.data.TFRecordDataset(files)
                if training:
                    ds = ds.shuffle(1000).repeat()
                if not training:
                    ds = ds.cache()
                return ds.batch(32).prefetch(1)
            """,
                "PIPE302",
            )
            == []
        )

    def test_those_that_do_not_are(self) -> None:
        assert findings(
            """
            import tensorflow as tf

            def make(files, training, cache):
                ds = tf.data.TFRecordDataset(files)
                if training:
                    ds = ds.shuffle(1000)
                if cache:
                    ds = ds.cache()
                return ds.batch(32).prefetch(1)
            """,
            "PIPE302",
        ) == ["PIPE302:8 advice"]

    def test_different_constants_of_one_variable_exclude_each_other(self) -> None:
        assert (
            findings(
                """
            import tensorflow as tf

            def make(files, mode):
                ds = tf.data.TFRecordDataset(files)
                if mode == "train":
                    ds = ds.shuffle(1000)
                elif mode == "eval":
                    ds = ds.cache()
                return ds.batch(32).prefetch(1)
            """,
                "PIPE302",
            )
            == []
        )

    def test_an_early_return_guards_the_rest(self) -> None:
        assert (
            findings(
                """
            import tensorflow as tf

            def make(files, training):
                ds = tf.data.TFRecordDataset(files)
                if training:
                    ds = ds.shuffle(1000)
                if training:
                    return ds.batch(32).prefetch(1)
                ds = ds.cache()
                return ds.batch(32).prefetch(1)
            """,
                "PIPE302",
            )
            == []
        )

    def test_a_prefetch_that_only_some_runs_have_is_the_user_s_choice(self) -> None:
        assert (
            findings(
                """
            import tensorflow as tf

            def make(files, prefetch):
                ds = tf.data.TFRecordDataset(files).batch(32)
                if prefetch:
                    ds = ds.prefetch(1)
                return ds
            """,
                *PIPELINE,
            )
            == []
        )

    def test_the_caller_s_constant_decides_the_branch(self) -> None:
        assert (
            findings(
                """
            import tensorflow as tf

            def make(files, training):
                ds = tf.data.TFRecordDataset(files)
                if training:
                    ds = ds.shuffle(1000)
                else:
                    ds = ds.cache()
                return ds.batch(2 if training else 1)

            model.evaluate(make(files, training=False).prefetch(1))
            """,
                *PIPELINE,
                "PIPE302",
                "PIPE801",
            )
            == []
        )


def test_zip_of_branches_with_stages_of_their_own() -> None:
    assert findings(
        """
        import tensorflow as tf
        images = tf.data.Dataset.from_tensor_slices(paths).map(lambda path: tf.image.random_hue(load(path), 0.1))
        labels = tf.data.Dataset.from_tensor_slices(classes).map(one_hot, num_parallel_calls=4)
        model.fit(tf.data.Dataset.zip((images, labels)).batch(32))
        """,
        *PIPELINE,
    ) == ["PIPE201:2 warning", "PIPE101:4 advice"]


class TestOptions:
    SOURCE = """
        import tensorflow as tf

        class Data:
            def options(self):
                options = tf.data.Options()
                options.experimental_optimization.map_parallelization = {}
                return options

            def train(self, model, files):
                ds = tf.data.TFRecordDataset(files).map(tf.io.parse_tensor).batch(32).prefetch(1)
                model.fit(ds.with_options(self.options()))
        """

    def test_turned_off_in_another_method(self) -> None:
        assert findings(self.SOURCE.format(False), *PIPELINE) == ["PIPE201:10 warning"]

    def test_turned_on(self) -> None:
        assert findings(self.SOURCE.format(True), *PIPELINE) == ["PIPE201:10 advice"]


class TestNotebooks:
    def test_a_look_is_silent_and_a_fit_in_another_cell_is_found(self) -> None:
        text = notebook(
            "import tensorflow as tf\nds = tf.data.TFRecordDataset(files).batch(32)",
            "ds.map(parse).element_spec",
            "model.fit(ds.map(parse).prefetch(1))",
        )
        assert findings(text, *PIPELINE, path="train.ipynb") == ["PIPE201:3:1 advice"]

    def test_what_a_cell_shows_is_not_dropped(self) -> None:
        cells = [
            "import tensorflow as tf\nds = tf.data.Dataset.range(9)\n{}".format,
            "model.fit(ds.batch(3).prefetch(1))".format,
        ]
        shown = notebook(*(cell("ds.shuffle(9)  # a look") for cell in cells))
        dropped = notebook(*(cell("ds.shuffle(9)\nprint(ds)") for cell in cells))
        assert findings(shown, "PIPE110", path="train.ipynb") == []
        assert findings(dropped, "PIPE110", path="train.ipynb") == ["PIPE110:1:3 error"]

    def test_a_function_of_the_user_s_that_is_called_fit(self) -> None:
        text = notebook(
            """
            import tensorflow as tf
            def fit(dataset, epochs):
                return epochs
            """,
            "fit(tf.data.TFRecordDataset(files).batch(32), 3)",
        )
        assert findings(text, *PIPELINE, path="train.ipynb") == []


def test_arguments_that_are_hidden_keep_it_silent() -> None:
    assert (
        findings(
            """
        import tensorflow as tf
        ds = tf.data.TFRecordDataset(files).map(parse, **options).batch(32).prefetch(1)
        model.fit(ds)
        """,
            *PIPELINE,
        )
        == []
    )


def test_a_transformation_given_to_apply() -> None:
    assert findings(
        """
        import tensorflow as tf

        def batches(ds):
            return ds.map(tf.io.parse_tensor).batch(32)

        model.fit(tf.data.TFRecordDataset(files).apply(batches))
        """,
        *PIPELINE,
    ) == ["PIPE201:4 advice", "PIPE101:4 advice"]
