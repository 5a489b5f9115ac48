"""The shapes that pipelines have in real programs, and what must come out for each."""

from __future__ import annotations

import pytest

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


class TestBatchesThatAreNoTrainingBatches:
    def test_pairs_that_a_map_merges(self) -> None:
        assert (
            findings(
                """
            import tensorflow as tf
            ds = tf.data.Dataset.from_tensor_slices(images).batch(2)
            ds = ds.map(lambda pair: 0.5 * pair[0] + 0.5 * pair[1], num_parallel_calls=tf.data.AUTOTUNE)
            model.fit(ds.batch(64).prefetch(1))
            """,
                "PIPE801",
            )
            == []
        )

    def test_windows(self) -> None:
        assert (
            findings(
                """
            import tensorflow as tf
            ds = tf.data.Dataset.range(1000).window(5, shift=1, drop_remainder=True)
            ds = ds.flat_map(lambda window: window.batch(5))
            model.fit(ds.batch(32).prefetch(1))
            """,
                "PIPE801",
            )
            == []
        )

    def test_a_module_constant_that_a_parameter_shadows(self) -> None:
        assert (
            findings(
                """
            import tensorflow as tf
            batch_size = 2

            def make(files, batch_size):
                return tf.data.TFRecordDataset(files).batch(batch_size).prefetch(1)

            def train(model, files):
                batch_size = len(files)
                model.fit(tf.data.TFRecordDataset(files).batch(batch_size).prefetch(1))
            """,
                "PIPE801",
            )
            == []
        )

    def test_the_constant_itself_counts(self) -> None:
        assert findings(
            """
            import tensorflow as tf
            batch_size = 2

            def train(model, files):
                model.fit(tf.data.TFRecordDataset(files).batch(batch_size).prefetch(1))
            """,
            "PIPE801",
        ) == ["PIPE801:5 warning"]


class TestNumpyInLayers:
    SOURCE = """
        import numpy as np
        import tensorflow as tf

        class Base(tf.keras.layers.Layer):
            pass

        class Noisy(Base):
            @tf.function
            def call(self, inputs):
                {}
                return inputs
        """

    @pytest.mark.parametrize("line", ["inputs = np.tanh(inputs)", "inputs += np.random.normal(size=3)"])
    def test_on_a_tensor_or_drawn_at_random_it_is_found(self, line: str) -> None:
        assert findings(self.SOURCE.format(line), "PIPE603", "PIPE604") == ["PIPE604:10 error"]

    @pytest.mark.parametrize(
        "line",
        [
            "inputs *= np.prod(inputs.shape[1:])",
            "inputs = tf.cast(inputs, np.float32)",
            "inputs *= np.sqrt(2.0 / np.pi)",
            "inputs *= np.sqrt(self.dim)",
            "inputs *= np.log(inputs.get_shape().as_list()[-1])",
        ],
    )
    def test_on_static_shapes_dtypes_constants_and_attributes_it_is_not(self, line: str) -> None:
        assert findings(self.SOURCE.format(line), "PIPE603", "PIPE604") == []


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


@pytest.mark.parametrize(
    "source",
    [
        "import pandas as pd\nframe = pd.read_csv(path)\nframe['x'] = frame['x'].map(int)",
        "from multiprocessing import Pool\nwith Pool(4) as pool:\n    results = pool.map(load, paths)",
        "from concurrent.futures import ThreadPoolExecutor\nexecutor = ThreadPoolExecutor()\nlist(executor.map(load, paths))",
        "import jax\nparams = jax.tree.map(lambda x: x * 2, params)\nfor p in jax.tree.map(f, params).batch(2): train(p)",
        "from pyspark import SparkContext\nrdd = SparkContext().textFile(path)\nfor row in rdd.map(parse).cache().collect(): train(row)",
        "from datasets import load_dataset\nds = load_dataset('imdb')['train'].map(tokenize).shuffle(7).batch(4)\nfor x in ds: train(x)",
        "import keras\ny = keras.ops.map(f, xs)\nfor row in y: train(row)",
        "ds = tf.strings.split(line)\nfor word in ds: train(word)",
        "import dataset\nrows = dataset.map(parse)\nfor row in rows: train(row)",
        "for x in map(parse, lines): train(x)",
    ],
    ids=lambda source: source.partition("\n")[0],
)
def test_what_is_no_dataset(source: str) -> None:
    assert findings(f"import tensorflow as tf\n{source}\n", "PIPE1", "PIPE2", "PIPE3", "PIPE4", "PIPE801") == []


class TestMappedFunctions:
    SOURCE = """
        import functools
        import tensorflow as tf

        def jitter(image, amount):
            return tf.image.random_brightness(image, amount)

        class Augment:
            def __init__(self):
                self.flip = tf.keras.layers.RandomFlip()

            def method(self, image):
                return jitter(image, 0.1)

            def __call__(self, image):
                return self.flip(image)

        augment = tf.keras.Sequential([tf.keras.layers.Rescaling(1 / 255), tf.keras.layers.RandomRotation(0.1)])

        def train(model, images):
            def local(image):
                return tf.cast(jitter(image, 0.2), tf.float32)
            ds = tf.data.Dataset.from_tensor_slices(images).map({}).batch(32).prefetch(1)
            model.fit(ds)
        """

    @pytest.mark.parametrize(
        "function",
        [
            "lambda image: jitter(image, 0.1)",
            "local",
            "Augment().method",
            "functools.partial(jitter, amount=0.1)",
            "tf.keras.layers.RandomFlip()",
            "augment",
            "lambda image: augment(image, training=True)",
            "Augment()",
        ],
    )
    def test_random_through_whatever_it_is_made_of(self, function: str) -> None:
        assert findings(self.SOURCE.format(function), "PIPE201") == ["PIPE201:22 warning"]

    @pytest.mark.parametrize(
        "function", ["tf.io.decode_jpeg", "lambda image: tf.cast(image, tf.float32)", "unknown_function", "model"]
    )
    def test_stateless_or_unknown_is_advice(self, function: str) -> None:
        assert findings(self.SOURCE.format(function), "PIPE201") == ["PIPE201:22 advice"]


class TestConsumers:
    @pytest.mark.parametrize(
        "consumer",
        [
            "model.fit(ds)",
            "model.evaluate(ds)",
            "model.predict(ds)",
            "model.fit(x, y, validation_data=ds)",
            "for batch in ds: train_step(batch)",
            "for step, batch in enumerate(ds): train_step(batch)",
            "it = iter(ds)\nfor step in range(100): train_step(next(it))",
            "for a, b in zip(ds, ds): train_step(a, b)",
        ],
    )
    def test_what_consumes(self, consumer: str) -> None:
        source = f"import tensorflow as tf\nds = tf.data.TFRecordDataset(files).batch(32)\n{consumer}\n"
        assert findings(source, "PIPE101") == ["PIPE101:2 advice"]

    @pytest.mark.parametrize(
        "look",
        [
            "ds.element_spec",
            "next(iter(ds))",
            "layer.adapt(ds)",
            "for batch in ds.take(3): print(batch)",
            "for batch in ds:\n    show(batch)\n    break",
            "strategy.experimental_distribute_dataset(ds)",
            "print(len(ds))",
        ],
    )
    def test_what_only_looks(self, look: str) -> None:
        source = f"import tensorflow as tf\nds = tf.data.TFRecordDataset(files).batch(32)\n{look}\n"
        assert findings(source, "PIPE101") == []


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


def test_code_for_tensorflow_1_is_left_alone() -> None:
    assert (
        findings(
            """
        import tensorflow.compat.v1 as tf
        ds = tf.data.TFRecordDataset(files).map(parse).batch(2)
        features = ds.make_one_shot_iterator().get_next()
        """,
            *PIPELINE,
            "PIPE801",
        )
        == []
    )
