"""PIPE306 uncached-epochs: cases beyond the examples of the rule itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelint.lint.check_files import check_file
from pipelint.lint.task import Task
from pipelint.model.grades import Severity
from pipelint.project.projects import Overrides, Project
from pipelint.project.settings import Settings
from pipelint.rule import Example
from tests.rules.promises import check_promises
from tests.rules.test_every_rule import REGISTRY, ROOT, code

LOAD = """
        import tensorflow as tf

        def load(path):
            return tf.io.decode_jpeg(tf.io.read_file(path))

        paths = tf.data.Dataset.from_tensor_slices(files)
"""
RECORDS = """
        import tensorflow as tf

        def parse(record):
            return tf.io.decode_jpeg(tf.io.parse_single_example(record, FEATURES)["image"])

        def read(path):
            return tf.data.TFRecordDataset(path).map(parse)

        model.fit(tf.data.Dataset.list_files("*").interleave(read).batch(32), epochs=3)
"""
CASES = (
    Example(
        "a number of epochs that is a constant",
        "        EPOCHS = 20\n" + LOAD + "        model.fit(paths.map(load).batch(32), epochs=EPOCHS)\n",
        severity=Severity.ADVICE,
    ),
    Example("records that are decoded inside an interleave", RECORDS, severity=Severity.ADVICE),
    Example("augmented later", LOAD + "        model.fit(paths.map(load).map(flip).batch(32), epochs=9)\n"),
    Example(
        "a number of epochs that is not known",
        LOAD + "        model.fit(paths.map(load).batch(32), epochs=arguments.epochs)\n",
        silent=True,
    ),
    Example("cached", LOAD + "        model.fit(paths.map(load).batch(32).cache(), epochs=9)\n", silent=True),
    Example(
        "nothing is read or decoded",
        LOAD + "        model.fit(paths.map(tf.strings.length).batch(32), epochs=9)\n",
        silent=True,
    ),
    Example("evaluated once", LOAD + "        model.evaluate(paths.map(load).batch(32))\n", silent=True),
)


@pytest.mark.parametrize("example", CASES, ids=lambda example: example.title)
def test_uncached_epochs(example: Example) -> None:
    check_promises("PIPE306", example)


def test_is_off_unless_asked_for() -> None:
    source = code(LOAD + "        model.fit(paths.map(load).batch(32), epochs=9)\n").encode()
    for overrides, expected in ((Overrides(), False), (Overrides(extend_select=("PIPE306",)), True)):
        project = Project(Settings(root=ROOT), REGISTRY, overrides)
        found = check_file(project, Path("train.py"), Task(), source).diagnostics
        assert ("PIPE306" in {diagnostic.code for diagnostic in found}) == expected
