"""The program's own functions and classes as objects, and what consumers take that is no dataset."""

from __future__ import annotations

from textwrap import dedent

from pipelint.model.definitions import Class, Function, Method
from pipelint.model.feed import FeedKind
from pipelint.model.program import Program
from pipelint.model.values import Array, Symbol
from pipelint.static.analyse import analyse


def program(source: str) -> Program:
    return analyse(dedent(source).lstrip("\n"), target=(2, 21))


class TestFunctions:
    def test_two_methods_of_one_name_are_two_objects(self) -> None:
        found = program(
            """
            class A:
                def step(self): pass
            class B:
                def step(self): pass
            A().step()
            B().step()
            """
        )
        called = [call.callee for call in found.calls if isinstance(call.callee, Function)]
        assert [function.title for function in called] == ["A.step", "B.step"]
        assert called[0] is not called[1]

    def test_a_function_is_one_object_however_it_is_reached(self) -> None:
        found = program(
            """
            import tensorflow as tf
            def step(x): pass
            fast = tf.function(step)
            other = step
            step(1)
            other(2)
            """
        )
        (function,) = found.functions
        called = [call.callee for call in found.calls if isinstance(call.callee, Function)]
        assert called == [function, function]
        assert function.wrapped

    def test_its_arguments_are_reached_by_the_names_of_its_parameters(self) -> None:
        found = program(
            """
            def make(files, batch_size=4): pass
            make("a", 8)
            """
        )
        argument = found.calls[0].argument("batch_size")
        assert argument is not None
        assert argument.integer == 8

    def test_so_are_those_of_a_library(self) -> None:
        found = program(
            """
            import keras
            model = keras.Sequential()
            model.fit(x, y, 16)
            """
        )
        argument = found.calls[-1].argument("batch_size")
        assert argument is not None
        assert argument.integer == 16


class TestClasses:
    def test_have_their_bases_and_methods(self) -> None:
        found = program(
            """
            import keras
            class Base(keras.layers.Layer):
                def call(self, x): return x
            class Layer(Base):
                def build(self, shape): pass
            """
        )
        base, layer = found.classes
        assert layer.bases == (base,)
        assert list(layer.library_bases()) == [Symbol("keras.layers.Layer")]
        assert [*base.methods, *layer.methods] == ["call", "build"]
        assert base.methods["call"].owner is base

    def test_a_method_that_the_class_does_not_define_is_one_of_the_class(self) -> None:
        found = program(
            """
            from elsewhere import Base
            class Thing(Base): pass
            Thing().run()
            """
        )
        callee = found.calls[-1].callee
        assert isinstance(callee, Method)
        assert isinstance(callee.owner, Class)
        assert (callee.owner.name, callee.name) == ("Thing", "run")


class TestFeeds:
    def test_arrays_have_a_shape_and_a_dtype_where_the_program_tells(self) -> None:
        found = program(
            """
            import keras
            import numpy as np
            model = keras.Sequential()
            x = np.random.rand(1000, 8)
            model.fit(x, np.zeros((1000, 1), dtype=np.float32))
            model.predict(x.astype("float32"))
            model.evaluate(np.load("x.npy"))
            """
        )
        assert [(feed.kind, feed.consumer.kind.value, feed.arrays) for feed in found.feeds] == [
            (FeedKind.ARRAYS, "fit", (Array((1000, 8), "float64"),)),
            (FeedKind.ARRAYS, "predict", (Array((1000, 8), "float32"),)),
            (FeedKind.ARRAYS, "evaluate", (Array(),)),
        ]
        assert found.feeds[0].arrays[0].bytes == 64_000
        assert found.feeds[0].call in found.calls

    def test_a_generator_is_known_by_its_function(self) -> None:
        found = program(
            """
            import keras
            model = keras.Sequential()
            def batches():
                while True:
                    yield 1, 2
            model.fit(batches(), steps_per_epoch=10)
            """
        )
        (feed,) = found.feeds
        assert (feed.kind, feed.function) == (FeedKind.GENERATOR, found.functions[0])

    def test_a_pydataset_is_known_by_its_class(self) -> None:
        found = program(
            """
            import keras
            model = keras.Sequential()
            class Images(keras.utils.PyDataset):
                def __getitem__(self, index): pass
            model.fit(Images())
            """
        )
        (feed,) = found.feeds
        assert (feed.kind, feed.cls) == (FeedKind.PYDATASET, found.classes[0])

    def test_a_dataset_is_no_feed(self) -> None:
        found = program(
            """
            import tensorflow as tf
            tf.keras.Sequential().fit(tf.data.Dataset.range(3).batch(2))
            """
        )
        assert found.feeds == ()


class TestEndOfTheProgram:
    def test_nothing_behind_it_happens(self) -> None:
        found = program(
            """
            import sys
            def stop():
                quit()
                load()
            stop()
            save()
            sys.exit(main())
            train()
            """
        )
        assert [found.written(call.name) for call in found.calls] == ["stop", "quit", "save", "main", "exit"]

    def test_what_a_test_decides_hides_nothing(self) -> None:
        found = program(
            """
            import sys
            if not given:
                sys.exit(1)
            train()
            """
        )
        assert [(found.written(call.name), bool(call.guards)) for call in found.calls] == [
            ("exit", True),
            ("train", False),
        ]

    def test_the_next_cell_of_a_notebook_is_run(self) -> None:
        found = analyse("exit()\ntrain()\n", target=(2, 21), cell_ends=(7, 15))
        assert [found.written(call.name) for call in found.calls] == ["exit", "train"]

    def test_a_function_of_the_program_by_that_name_ends_nothing(self) -> None:
        found = program(
            """
            def exit():
                pass
            exit()
            train()
            """
        )
        assert [found.written(call.name) for call in found.calls] == ["exit", "train"]
