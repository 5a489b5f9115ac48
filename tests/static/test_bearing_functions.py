"""Which functions can show something to a rule, by the names in them; the others are read and not followed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from textwrap import dedent

import pytest

from pipelint.model.values import Literal
from pipelint.source.module_text import ModuleText
from pipelint.source.positions import Positions
from pipelint.static.abstract.imported_modules import ModuleValue
from pipelint.static.abstract.scopes import ModuleScope
from pipelint.static.analyse import analyse
from pipelint.static.bearing_functions import Bearing
from pipelint.static.interpret import importing
from pipelint.static.interpret.interpreter import Interpreter

FUNCTIONS = """
import numpy as np
import tensorflow as tf

def scale(image, size):
    return tf.cast(image, tf.float32) / size

def pairs(names, values):
    return dict(zip(names, map(float, values)))

def build(files):
    return tf.data.TFRecordDataset(files).map(parse)

def build_for(split):
    return build(FILES[split])

def sizes(batch):
    map = batch.shape
    return map[0]

def score(model, rows):
    for row in rows:
        yield model(row)

def report(model, rows):
    return list(score(model, rows))

class Reader:
    def __init__(self, files):
        self.files = build(files)

    def count(self):
        return len(self.files)

def read(files):
    return Reader(files)
"""


RELATIVES = """
import tensorflow as tf
import other

class Source:
    def build(self, files):
        return tf.data.TFRecordDataset(files)

    def make(self):
        return self.build(FILES)

class Augmented(Source):
    def ready(self):
        return self.make()

class Layer:
    def build(self, shape):
        self.kernel = shape

    def ready(self):
        return self.build(None)

def by_class(files):
    return Source.build(None, files)

def by_library(shape):
    return other.build(tf.build(shape))

def by_object(maker):
    return maker.build(None)

def outer():
    def build(shape):
        return shape
    return build(None)
"""


def _followed(source: str) -> Interpreter:
    tree, module = ast.parse(source), ModuleScope()
    machine = Interpreter(Positions(source), module, module)
    importing.execute(machine, module, tree, source)
    return machine


def _bearing(source: str) -> Bearing:
    bearing = Bearing(_followed(source))
    bearing.learn()
    return bearing


class _NoModules:
    """A file that imports nothing from its project."""

    own = None

    def importers(self) -> Iterator[ModuleText]:
        return iter(())

    def find(self, name: str, level: int) -> ModuleText | None:
        return None

    def settings(self, path: str) -> str | None:
        return None


def _names(found: frozenset[ast.AST]) -> set[str]:
    return {node.name for node in found if isinstance(node, ast.FunctionDef)}


def test_a_function_bears_that_makes_datasets_or_leads_to_one_that_does() -> None:
    bearing = _bearing(FUNCTIONS)
    assert _names(bearing.bearing) == {"build", "build_for", "__init__", "read"}


def test_a_name_leads_to_what_it_stands_for_and_an_attribute_of_an_object_to_methods_of_its_class() -> None:
    tree_order = [node for node in _bearing(RELATIVES).bearing if isinstance(node, ast.FunctionDef)]
    places = sorted((node.lineno, node.name) for node in tree_order)
    assert [name for _, name in places] == ["build", "make", "ready", "by_class", "by_object"]


@pytest.mark.parametrize("source", [FUNCTIONS, RELATIVES])
def test_while_modules_are_followed_each_function_bears_that_will_when_all_are_known(source: str) -> None:
    machine = _followed(source)
    functions = [function.node for function in machine.functions]
    early, learned = Bearing(machine), Bearing(machine)
    learned.learn()
    assert list(map(early.bears, functions)) == list(map(learned.bears, functions))


def test_a_function_bears_that_leads_to_a_module_nobody_has_followed_yet() -> None:
    machine = _followed("def make():\n    return reader.rows()\n\ndef size():\n    return 1\n")
    make, size = (function.node for function in machine.functions)
    unread = ModuleText("reader", "", 1, _NoModules())
    machine.store.set((machine.module.number, "reader"), ModuleValue(unread))
    assert [Bearing(machine).bears(node) for node in (make, size)] == [True, False]


def test_a_function_acts_that_may_run_a_model_in_a_loop() -> None:
    bearing = _bearing(FUNCTIONS)
    assert _names(bearing.acting - bearing.bearing) == {"score", "report"}


def test_a_function_of_which_nothing_is_known_is_followed() -> None:
    other = ast.parse("def unseen(): ...").body[0]
    assert _bearing(FUNCTIONS).acts(other)


def test_what_a_function_uses_is_known_though_it_is_only_read() -> None:
    source = """
        import tensorflow as tf

        def prepare(gpus):
            tf.config.experimental.set_memory_growth(gpus[0], True)
            return tf.random.set_seed
    """
    program = analyse(dedent(source), target=(2, 21))
    (call,) = program.calls
    assert call.symbol == "tensorflow.config.experimental.set_memory_growth"
    assert call.positional[1].value == Literal(True)
    assert "tensorflow.random.set_seed" in {reference.name for reference in program.references}
    assert call.function is not None
    assert call.function.name == "prepare"


def test_a_layer_that_a_function_defines_is_traced() -> None:
    source = """
        import tensorflow as tf

        def make():
            class Scale(tf.keras.layers.Layer):
                def call(self, inputs):
                    print(inputs)
                    return inputs * 2
            return Scale
    """
    (trace,) = analyse(dedent(source), target=(2, 21)).traces
    assert [call.symbol for call in trace.calls] == ["builtins.print"]


@pytest.mark.parametrize("before", [0, 1, 8], ids="{} calls before it".format)
def test_a_call_that_builds_is_followed_after_many_that_did_nothing(before: int) -> None:
    source = f"""
        import tensorflow as tf

        def prepare(data, training):
            if training:
                model.fit(tf.data.Dataset.from_tensor_slices(data).batch(32))
            return data

        def main():
            {"; ".join([*["prepare(test, False)"] * before, "prepare(train, True)"])}
    """
    (dataset,) = analyse(dedent(source), target=(2, 21)).datasets
    assert [stage.op for stage in dataset.variants[0].stages] == ["from_tensor_slices", "batch"]


def test_a_constant_is_followed_after_many_tensors() -> None:
    source = """
        import tensorflow as tf

        def doubled(value):
            return value * 2

        def main():
            sums = [doubled(tf.ones(3)), doubled(tf.zeros(3)), doubled(tf.eye(3)), doubled(tf.range(3))]
            model.fit(tf.data.Dataset.from_tensor_slices(sums).batch(doubled(16)))
    """
    (dataset,) = analyse(dedent(source), target=(2, 21)).datasets
    size = dataset.variants[0].end.argument("batch_size")
    assert size is not None
    assert size.integer == 32


def test_objects_that_build_datasets_are_each_made_with_what_they_are_given() -> None:
    settings = "\n                ".join(f"self.setting_{number} = {number} * scale + 1" for number in range(60))
    loaders = "; ".join(f"model.fit(Loader({size}, 2).build())" for size in range(11, 19))
    source = f"""
        import tensorflow as tf

        class Loader:
            def __init__(self, size, scale):
                {settings}
                self.size = size

            def build(self):
                return tf.data.Dataset.range(100).batch(self.size)

        def main():
            {loaders}
    """
    datasets = analyse(dedent(source), target=(2, 21)).datasets
    sizes = [dataset.variants[0].end.argument("batch_size") for dataset in datasets]
    assert [size.integer for size in sizes if size is not None] == list(range(11, 19))


def test_what_is_not_followed_any_more_gives_the_kind_of_thing_that_it_gave_before() -> None:
    layers = "\n            ".join(f"x = tf.keras.layers.Dense({number} + size)(x)" for number in range(400))
    source = f"""
        import tensorflow as tf

        def network(size):
            x = inputs = tf.keras.Input((size,))
            {layers}
            return tf.keras.Model(inputs, x)

        def main():
            {"; ".join(f"model = network({size})" for size in range(1, 9))}
            for batch in tf.data.Dataset.range(100).batch(8):
                model(batch)
    """
    program = analyse(dedent(source), target=(2, 21))
    assert [call.symbol for call in program.calls if call.loops] == ["keras.Model.__call__"]


def test_what_a_script_does_is_followed_though_its_helpers_bear_on_nothing() -> None:
    options = "\n            ".join(
        f'parser.add_argument("--option_{number}", default={number})' for number in range(40)
    )
    source = f"""
        import argparse
        import tensorflow as tf

        def make_parser():
            parser = argparse.ArgumentParser()
            {options}
            return parser

        def read_options():
            return make_parser().parse_args()

        def train():
            model.fit(tf.data.Dataset.range(100).batch(read_options().option_39))

        if __name__ == "__main__":
            train()
    """
    (dataset,) = analyse(dedent(source), target=(2, 21)).datasets
    size = dataset.variants[0].end.argument("batch_size")
    assert size is not None
    assert size.integer == 39
