"""A notebook of the past is judged by what it was run with, as far as names go that came or went since."""

from __future__ import annotations

import json
from typing import Any

from pipelint.project.projects import Overrides
from tests.linting import check, fixed, notebook

OLD = {"language_info": {"name": "python", "version": "3.6.9"}}
CELLS = (
    "import tensorflow as tf",
    "print(tf.__version__)",
    """
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.Adam(lr=0.1), "mse")
    ds = tf.data.TFRecordDataset(files).map(lambda x: tf.image.random_hue(tf.io.decode_jpeg(x), 0.1)).batch(8)
    options = tf.data.Options()
    options.experimental_deterministic = False
    model.fit(ds.with_options(options), epochs=9, workers=4)
    """,
)


def run(metadata: dict[str, Any], version: str = "") -> str:
    """The notebook as its last run has left it."""
    document = json.loads(notebook(*CELLS))
    document["metadata"] = metadata
    document["cells"][1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": version}] if version else []
    return json.dumps(document)


PATH = "/nowhere/train.ipynb"
"""In no project that asks for a version."""


def codes(text: str, **overrides: Any) -> list[str]:
    select = Overrides(select=("PIPE201", "PIPE903", "PIPE904"), **overrides)
    return [found.code for found in check(text, select, path=PATH).diagnostics]


def test_what_was_removed_since_was_there() -> None:
    assert codes(run({})) == ["PIPE904", "PIPE201", "PIPE904"]
    assert codes(run(OLD)) == ["PIPE201"]
    assert codes(run({}, "2.9.0")) == ["PIPE201"]


def test_a_silent_alias_is_told_in_a_notebook_only_where_a_version_is_asked_for() -> None:
    assert "PIPE903" not in codes(run({}, "2.9.0"))
    assert "PIPE903" in codes(run({}, "2.9.0"), target_tensorflow=(2, 9))


def test_an_option_that_logs_is_told_in_a_notebook_too() -> None:
    assert "PIPE903" in codes(run({}, "2.9.0").replace("deterministic", "threading"))


def test_in_colab_what_was_removed_is_gone_and_no_name_is_given_up_that_ran() -> None:
    assert codes(run({"colab": {}}, "2.4.1")) == ["PIPE904", "PIPE201", "PIPE904"]
    assert codes(run({"colab": {}}, "2.9.0")) == ["PIPE904", "PIPE201", "PIPE904"]


def test_a_target_that_is_asked_for_is_more_than_the_last_run() -> None:
    assert codes(run(OLD, "2.3.0"), target_tensorflow=(2, 16)) == ["PIPE904", "PIPE201", "PIPE903", "PIPE904"]


def test_a_fix_has_the_names_of_that_time() -> None:
    select = Overrides(select=("PIPE201",))
    assert "num_parallel_calls=tf.data.experimental.AUTOTUNE" in fixed(run(OLD, "2.3.0"), select, PATH)
    assert "num_parallel_calls=tf.data.AUTOTUNE" in fixed(run(OLD, "2.4.1"), select, PATH)


def test_of_tensorflow_1_nothing_that_is_known_holds() -> None:
    assert codes(run(OLD, "1.15.2")) == []
    assert codes(run(OLD, "1.15.2"), target_tensorflow=(2, 16)) == ["PIPE904", "PIPE201", "PIPE903", "PIPE904"]


def test_a_generator_of_pictures_is_told_only_where_keras_3_is_asked_for() -> None:
    text = notebook("import tensorflow as tf\npictures = tf.keras.preprocessing.image.ImageDataGenerator()")
    assert codes(text) == []
    assert codes(text, target_tensorflow=(2, 16)) == ["PIPE904"]
