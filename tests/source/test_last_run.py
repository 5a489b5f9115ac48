"""Which TensorFlow a notebook is run with, by what it installs and by what its last run left in it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pipelint.model.tensorflow_version import Version
from pipelint.source.last_run import run_with
from pipelint.source.notebook import Notebook


def cell(source: str, *outputs: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": "code", "metadata": {}, "outputs": list(outputs), "source": source}


def printed(text: str, stream: str = "stdout") -> dict[str, Any]:
    return {"output_type": "stream", "name": stream, "text": text.splitlines(keepends=True)}


def value(text: str) -> dict[str, Any]:
    return {"output_type": "execute_result", "data": {"text/plain": [text]}, "metadata": {}}


def version(*cells: dict[str, Any], **metadata: Any) -> Version | None:
    return run_with(Notebook(json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4}).encode()))


IMPORT = cell("import tensorflow as tf")


class TestWhatACellHasShown:
    @pytest.mark.parametrize(
        ("source", "output", "expected"),
        [
            ("print(tf.__version__)", printed("2.4.1\n"), (2, 4)),
            ("tf.__version__", value("'2.0.0-beta1'"), (2, 0)),
            ("print(np.__version__)\nprint('TF', tf.__version__)", printed("1.19.5\nTF 2.3.0\n"), (2, 3)),
            ("print(tf.__version__)", value("'1.14.0'"), (1, 14)),
        ],
    )
    def test_is_what_it_was_run_with(self, source: str, output: dict[str, Any], expected: Version) -> None:
        assert version(IMPORT, cell(source, output)) == expected

    @pytest.mark.parametrize(
        ("source", "output"),
        [
            ("print(tf.__version__)\nprint(np.__version__)", printed("2.4.1\n1.19.5\n")),
            ("print(np.__version__)", printed("1.19.5\n")),
            ("print(tf.__version__)", printed("libcudart 2.4.1\n", "stderr")),
            ("print('2.4.1')", printed("2.4.1\n")),
            ("print(tf.__version__, 'tf.keras', tf.keras.__version__)", printed("2.0.0 tf.keras 2.2.4-tf\n")),
            ('assert tf.__version__ >= "2.0"', printed("")),
        ],
        ids=[
            "one of two numbers",
            "of another library",
            "in a log",
            "no version",
            "its Keras",
            "a test of the version",
        ],
    )
    def test_may_tell_nothing(self, source: str, output: dict[str, Any]) -> None:
        assert version(IMPORT, cell(source, output)) is None

    def test_counts_more_than_the_image_and_the_python(self) -> None:
        image = {"uri": "gcr.io/deeplearning-platform-release/tf2-gpu.2-6:m87"}
        shown = cell("print(tf.__version__)", printed("2.4.1\n"))
        assert version(IMPORT, shown, environment=image, language_info={"version": "3.7.8"}) == (2, 4)

    def test_of_two_runs_the_newer_one_counts(self) -> None:
        ask = "print(tf.__version__)"
        assert version(IMPORT, cell(ask, printed("2.4.1\n")), cell(ask, printed("2.9.0\n"))) == (2, 9)

    @pytest.mark.parametrize("outputs", [None, "text", [7], [{"name": "stdout", "text": 7}], [{"data": []}]])
    def test_outputs_of_no_known_form_are_left_alone(self, outputs: object) -> None:
        assert version(IMPORT, {**cell("print(tf.__version__)"), "outputs": outputs}) is None


class TestKerasAsAPackageOfItsOwn:
    def test_before_2_4_trains_as_with_tensorflow_1(self) -> None:
        assert version(cell("import keras\nkeras.__version__", value("'2.0.8'"))) == (1, 15)

    def test_tells_of_itself_when_it_is_imported(self) -> None:
        assert version(cell("import keras", printed("Using TensorFlow backend.\n", "stderr"))) == (1, 15)

    def test_is_told_from_what_else_writes_so(self) -> None:
        assert version(cell("import networks", printed("Using TensorFlow backend.\n", "stderr"))) is None
        assert version(cell("import keras", printed("Using TensorFlow backend: 2\n", "stderr"))) is None

    def test_beside_tensorflow_leaves_open_which_of_them_trains(self) -> None:
        own = cell("from keras import backend", printed("Using TensorFlow backend.\n", "stderr"))
        assert version(IMPORT, own) == (2, 2)

    def test_of_later_ones_nothing_is_said(self) -> None:
        assert version(cell("import keras\nkeras.__version__", value("'3.12.0'"))) is None

    def test_is_not_that_of_tensorflow(self) -> None:
        assert version(cell("from tensorflow import keras\nkeras.__version__", value("'2.2.4-tf'"))) is None


class TestWhereItWasRun:
    @pytest.mark.parametrize(
        ("python", "expected"),
        [("3.5.2", (2, 3)), ("3.6.9", (2, 6)), ("3.7.12", (2, 11)), ("3.8.10", (2, 13)), ("3.12.1", None), ("x", None)],
    )
    def test_a_python_has_no_newer_tensorflow_than_it_was_built_for(
        self, python: str, expected: Version | None
    ) -> None:
        assert version(IMPORT, language_info={"name": "python", "version": python}) == expected

    def test_an_image_is_named_for_its_tensorflow(self) -> None:
        uri = "gcr.io/deeplearning-platform-release/tf2-2-3-gpu.2-3:m59"
        assert version(IMPORT, environment={"uri": uri}, language_info={"version": "3.7.8"}) == (2, 3)

    def test_colab_has_the_newest_whatever_it_was(self) -> None:
        shown = cell("print(tf.__version__)", printed("2.4.1\n"))
        assert version(IMPORT, shown, colab={"name": "x.ipynb"}, language_info={"version": "3.7.8"}) is None

    def test_a_course_has_an_image_of_its_own(self) -> None:
        about = {"colab": {}, "coursera": {"graded_item_id": "x"}, "language_info": {"version": "3.6.8"}}
        assert version(IMPORT, **about) == (2, 6)


class TestWhatItInstalls:
    @pytest.mark.parametrize(
        ("line", "expected"),
        [
            ("!pip install -q tensorflow==2.3.1 numpy", (2, 3)),
            ("%pip install 'tensorflow-gpu<2.11'", (2, 10)),
            ("!{sys.executable} -m pip install tensorflow==2.0.0-beta1", (2, 0)),
            ("pip install tensorflow~=2.4.0", (2, 4)),
            ("%tensorflow_version 1.x", (1, 15)),
            ("%tensorflow_version 2.x", None),
            ("!pip install tensorflow", None),
            ("!pip install tensorflow>=2.4", None),
            ("# !pip install tensorflow==2.3", None),
            ("!pip install tensorflow-text==2.3", None),
        ],
    )
    def test_is_what_it_is_run_with_in_colab_too(self, line: str, expected: Version | None) -> None:
        assert version(cell(f"{line}\nimport tensorflow as tf"), colab={}) == expected
