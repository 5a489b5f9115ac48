"""What counts in real programs: as a dataset, as a random function, as a consumer, and as a training batch."""

from __future__ import annotations

import pytest

from tests.linting import findings

PIPELINE = ("PIPE101", "PIPE201")


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
