from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from pipelint.model.editor import Method
from pipelint.model.finding import Finding, Fix, Region, Safety, Severity
from pipelint.model.function import Operation
from pipelint.model.program import Program, Reference
from pipelint.model.values import AUTOTUNE, EXPERIMENTAL_AUTOTUNE, Argument, Literal, Symbol
from pipelint.rule import Example, Rule

_EXPERIMENTAL = "tensorflow.data.experimental."
_OPTIONS = {
    "tensorflow.data.Options.experimental_deterministic": "deterministic",
    "tensorflow.data.Options.experimental_threading": "threading",
}
_SIGNATURES = {
    "map_and_batch": ("map_func", "batch_size", "num_parallel_batches", "drop_remainder", "num_parallel_calls"),
    "shuffle_and_repeat": ("buffer_size", "count", "seed"),
    "parallel_interleave": ("map_func", "cycle_length", "block_length", "sloppy"),
    "unbatch": (),
}
_INSTEAD = {
    "map_and_batch": "map(..., num_parallel_calls=...).batch(...)",
    "shuffle_and_repeat": "shuffle(...).repeat(...)",
    "parallel_interleave": "interleave(..., num_parallel_calls=tf.data.AUTOTUNE)",
    "unbatch": "unbatch()",
}
_Arguments = Mapping[str, Argument]


class DeprecatedTfdata(Rule):
    """A name of `tf.data.experimental` has moved to `tf.data`, or has been replaced.

    ## What it finds
    `tf.data.experimental.AUTOTUNE`, the options `experimental_deterministic` and `experimental_threading`, and the
    transformations `map_and_batch`, `shuffle_and_repeat`, `parallel_interleave` and `unbatch` given to `apply`.

    ## Why it matters
    `tf.data.AUTOTUNE` is there since 2.4, `Options.deterministic` and `Options.threading` since 2.7. The old names
    still work and some log a warning at each use; the four transformations have been deprecated since 1.x, and
    TensorFlow fuses and parallelises the plain stages by itself.

    ## When to ignore it
    When the code must also run on a TensorFlow before the target. Silent for targets that lack the new name, and for
    programs written for TensorFlow 1.

    ## Fix safety
    Safe for AUTOTUNE and the options: the new name is the same thing. Unsafe for the transformations: the order of a
    parallel read, the random order and the number of parallel calls may change.

    ## References
    - https://www.tensorflow.org/api_docs/python/tf/data/experimental
    - https://www.tensorflow.org/api_docs/python/tf/data/Options
    """

    code = "PIPE903"
    name = "deprecated-tfdata"
    severity = Severity.WARNING
    fix = "safe or unsafe"
    examples = (
        Example(
            "AUTOTUNE",
            """
            import tensorflow as tf

            AUTO = tf.data.experimental.AUTOTUNE
            """,
            """
            import tensorflow as tf

            AUTO = tf.data.AUTOTUNE
            """,
        ),
        Example(
            "an import",
            """
            from tensorflow.data.experimental import AUTOTUNE as AUTO
            """,
            """
            from tensorflow.data import AUTOTUNE as AUTO
            """,
        ),
        Example(
            "options",
            """
            import tensorflow as tf

            options = tf.data.Options()
            options.experimental_deterministic = False
            options.experimental_threading.private_threadpool_size = 8
            options.experimental_optimization.map_parallelization = True
            """,
            """
            import tensorflow as tf

            options = tf.data.Options()
            options.deterministic = False
            options.threading.private_threadpool_size = 8
            options.experimental_optimization.map_parallelization = True
            """,
            count=2,
        ),
        Example(
            "transformations",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files)
            ds = ds.apply(tf.data.experimental.shuffle_and_repeat(1000, 3, seed=1))
            ds = ds.apply(tf.data.experimental.map_and_batch(parse, 32, drop_remainder=True))
            ds = ds.apply(tf.data.experimental.unbatch())
            """,
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files)
            ds = ds.shuffle(1000, seed=1).repeat(3)
            ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).batch(32, drop_remainder=True)
            ds = ds.unbatch()
            """,
            count=3,
        ),
        Example(
            "a target without the new name",
            "import tensorflow as tf\nA = tf.data.experimental.AUTOTUNE",
            silent=True,
            target=(2, 3),
        ),
        Example(
            "code for TensorFlow 1",
            """
            import tensorflow.compat.v1 as tf

            AUTO = tf.data.experimental.AUTOTUNE
            """,
            silent=True,
        ),
        Example(
            "still experimental",
            "import tensorflow as tf\nshards = tf.data.experimental.AutoShardPolicy.DATA",
            silent=True,
        ),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if program.legacy:
            return
        for reference in program.references:
            yield from self._check_reference(program, reference)
        for operation in program.operations:
            name = operation.name.removeprefix(_EXPERIMENTAL)
            if operation.name.startswith(_EXPERIMENTAL) and name in _SIGNATURES:
                yield self._deprecated(program, operation, name)

    def _check_reference(self, program: Program, reference: Reference) -> Iterator[Finding]:
        region, editor = reference.region, program.editor
        if reference.name == EXPERIMENTAL_AUTOTUNE.name and program.target >= (2, 4):
            message = "tf.data.experimental.AUTOTUNE is tf.data.AUTOTUNE since TensorFlow 2.4"
            render = partial(editor.respell, region, AUTOTUNE.name)
            if reference.imported:
                render = partial(editor.import_from, region, "tensorflow.data")
            yield self.finding(region, message, fix=Fix("use tf.data.AUTOTUNE", Safety.SAFE, render))
        elif reference.name in _OPTIONS and program.target >= (2, 7):
            new = _OPTIONS[reference.name]
            message = f"the option experimental_{new} is called {new} since TensorFlow 2.7"
            render = partial(editor.rename_attribute, region, new)
            yield self.finding(region, message, fix=Fix(f"rename it to {new}", Safety.SAFE, render))

    def _deprecated(self, program: Program, operation: Operation, name: str) -> Finding:
        methods = _methods(name, _bound(operation, _SIGNATURES[name]))
        fix = None
        if methods is not None:
            render = partial(program.editor.unapply, operation, methods)
            fix = Fix(f"use {_INSTEAD[name]}", Safety.UNSAFE, render)
        message = f"tf.data.experimental.{name} is deprecated; Dataset.{_INSTEAD[name]} does the same"
        return self.finding(operation.callee, message, fix=fix)


def _bound(operation: Operation, parameters: tuple[str, ...]) -> _Arguments:
    positions = {str(index): name for index, name in enumerate(parameters)}
    return {positions.get(key, key): argument for key, argument in operation.arguments.items()}


def _methods(name: str, given: _Arguments) -> tuple[Method, ...] | None:
    """The methods that replace the transformation, None where its arguments have no place there."""
    if not set(given) <= set(_SIGNATURES[name]) or (name != "unbatch" and _SIGNATURES[name][0] not in given):
        return None
    match name:
        case "unbatch":
            return (("unbatch", ()),)
        case "shuffle_and_repeat":
            return (("shuffle", _pass(given, "buffer_size", "seed")), ("repeat", _pass(given, "count")))
        case "map_and_batch" if "num_parallel_batches" not in given and "batch_size" in given:
            calls = given["num_parallel_calls"].region if "num_parallel_calls" in given else AUTOTUNE
            mapped: Method = ("map", (*_pass(given, "map_func"), ("num_parallel_calls", calls)))
            return (mapped, ("batch", _pass(given, "batch_size", "drop_remainder")))
        case "parallel_interleave":
            return _interleave(given)
        case _:
            return None


def _interleave(given: _Arguments) -> tuple[Method, ...] | None:
    arguments: list[tuple[str, Region | Symbol | Literal]] = [*_pass(given, "map_func", "cycle_length", "block_length")]
    arguments.append(("num_parallel_calls", AUTOTUNE))
    sloppy = given["sloppy"].constant if "sloppy" in given else False
    if not isinstance(sloppy, bool):
        return None
    if sloppy:
        arguments.append(("deterministic", Literal(False)))
    return (("interleave", tuple(arguments)),)


def _pass(given: _Arguments, *names: str) -> tuple[tuple[str, Region | Symbol | Literal], ...]:
    """The arguments as they are written, the first without its name."""
    found = [name for name in names if name in given]
    return tuple(("" if name == names[0] else name, given[name].region) for name in found)
