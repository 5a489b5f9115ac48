"""A program for TensorFlow 1 is known by what only that has, and nothing is said of it."""

from __future__ import annotations

import textwrap

import pytest

from pipelint.project.projects import Overrides
from tests.linting import check

PIPELINE = """
ds = tf.data.Dataset.from_tensor_slices(images).map(tf.image.random_flip_left_right).cache().batch(2)
ds.shuffle(10)
model.fit(ds, epochs=3)
print(tf.data.experimental.AUTOTUNE)
"""

VERSION_1 = {
    "a session": "import tensorflow as tf\nwith tf.Session() as session:\n    session.run(train_op)",
    "an app": "import tensorflow as tf\nif __name__ == '__main__':\n    tf.app.run()",
    "a random function": "import tensorflow as tf\nnoise = tf.random_uniform([2, 2])",
    "contrib": "import tensorflow as tf\nimport tensorflow.contrib.slim as slim\nnet = slim.conv2d(x, 64, [3, 3])",
    "a name imported from contrib": "import tensorflow as tf\nfrom tensorflow.contrib import layers",
    "placeholders": "import tensorflow as tf\nx = tf.placeholder(tf.float32, [None, 3])",
    "variables by name": "import tensorflow as tf\nw = tf.get_variable('w', [3])",
    "an optimizer": "import tensorflow as tf\ntrain_op = tf.train.AdamOptimizer(0.1).minimize(loss)",
    "a seed": "import tensorflow as tf\nfrom tensorflow import set_random_seed\nset_random_seed(1)",
    "eager execution turned on": "import tensorflow as tf\ntf.enable_eager_execution()",
    "another alias": "import tensorflow as tf\nother = tf\nother.logging.info('start')",
    "no version 2 behaviour": "import tensorflow as tf\nimport tensorflow.compat.v1 as v1\nv1.disable_v2_behavior()",
    "no eager execution": "import tensorflow as tf\ntf.compat.v1.disable_eager_execution()",
    "nothing but graphs": """
        import tensorflow as tf
        x = tf.compat.v1.placeholder(tf.float32, [None, 3])
        with tf.compat.v1.Session() as session:
            session.run(x)
    """,
    "a session that runs an operation": """
        import tensorflow as tf
        session = tf.compat.v1.InteractiveSession()
        session.run(train_op)
    """,
    "a session that another function is given": """
        import tensorflow as tf

        def feed(session, rows):
            session.run(train_op, feed_dict={"rows:0": rows})

        feed(tf.compat.v1.Session(), load_rows())
    """,
    "the old namespace": "import tensorflow.compat.v1 as tf",
}

VERSION_2 = {
    "plain": "import tensorflow as tf",
    "the log of version 1": "import tensorflow as tf\ntf.compat.v1.logging.set_verbosity('ERROR')",
    "a session that only sets up the device": """
        import tensorflow as tf
        from tensorflow import keras
        keras.backend.set_session(tf.compat.v1.Session(config=tf.compat.v1.ConfigProto()))
    """,
    "a session that only lets the memory grow": """
        import tensorflow as tf
        from tensorflow.compat.v1 import ConfigProto, InteractiveSession
        config = ConfigProto()
        config.gpu_options.allow_growth = True
        session = InteractiveSession(config=config)
    """,
    "one function that loads a frozen graph": """
        import tensorflow as tf

        def frozen(path):
            with tf.Graph().as_default(), tf.compat.v1.Session() as session:
                return session.run(path)

        @tf.function
        def step(x):
            return x
    """,
    "a name of version 1 under the version": """
        import tensorflow as tf
        if tf.__version__.startswith("1."):
            tf.enable_eager_execution()
            tf.set_random_seed(1)
    """,
    "a name of version 1 that may be missing": """
        import tensorflow as tf
        try:
            tf.set_random_seed(1)
        except AttributeError:
            tf.random.set_seed(1)
    """,
    "a slip beside names of version 2": "import tensorflow as tf\ntf.random.set_seed(1)\ntf.logging.info('start')",
    "another object with such a name": "import tensorflow as tf\nclient.Session().run()\nself.app.run()",
    "an estimator, which version 2 had for long": "import tensorflow as tf\nconfig = tf.estimator.RunConfig()",
}


def found(program: str) -> set[str]:
    """The codes of what is found in a pipeline behind this beginning."""
    source = textwrap.dedent(program).strip() + "\n" + PIPELINE
    return {diagnostic.code for diagnostic in check(source, Overrides()).diagnostics}


@pytest.mark.parametrize("program", VERSION_1.values(), ids=VERSION_1)
def test_nothing_is_said_of_version_1(program: str) -> None:
    assert found(program) == set()


@pytest.mark.parametrize("program", VERSION_2.values(), ids=VERSION_2)
def test_version_2_is_looked_at(program: str) -> None:
    assert found(program) >= {"PIPE110", "PIPE301", "PIPE903"}


@pytest.mark.parametrize(
    "taken",
    [
        "ds.make_one_shot_iterator()",
        "ds.make_initializable_iterator()",
        "print(ds.output_shapes)",
        "tf.compat.v1.data.make_one_shot_iterator(ds)",
    ],
)
def test_only_the_pipeline_that_an_old_iterator_reads_is_left_alone(taken: str) -> None:
    source = f"""
        import tensorflow as tf

        def old(files):
            ds = tf.data.TFRecordDataset(files).map(lambda path: tf.image.random_hue(tf.io.decode_jpeg(path), 0.1)).batch(32)
            iterator = {taken}
            for batch in iterator:
                train_on(batch)

        def new(files):
            model.fit(tf.data.TFRecordDataset(files).map(lambda path: tf.image.random_hue(tf.io.decode_jpeg(path), 0.1)).batch(32))
    """
    diagnostics = check(textwrap.dedent(source), Overrides(select=("PIPE201",))).diagnostics
    assert [diagnostic.span.start.line for diagnostic in diagnostics] == [11]
