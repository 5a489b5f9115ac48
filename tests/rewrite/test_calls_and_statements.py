"""Fixes of calls and statements: arguments added and removed, expressions replaced, results assigned, lines removed."""

from __future__ import annotations

import pytest

from pipelint.model.repair import Decorate, RemoveArgument, RemoveStatements, ReplaceCallee
from pipelint.source.edits import apply
from pipelint.static.analyse import analyse
from tests.rewrite.fixing import TF, edits_of, fixed, found

ARGUMENTS = {
    "one line": ("ds.map(f)", "ds.map(f, num_parallel_calls=tf.data.AUTOTUNE)"),
    "a trailing comma": ("ds.map(f,)", "ds.map(f, num_parallel_calls=tf.data.AUTOTUNE,)"),
    "lines": ("ds.map(\n    f\n)", "ds.map(\n    f,\n    num_parallel_calls=tf.data.AUTOTUNE,\n)"),
    "lines without a trailing comma": (
        "ds.map(\n    f,\n    name='x'\n)",
        "ds.map(\n    f,\n    name='x',\n    num_parallel_calls=tf.data.AUTOTUNE\n)",
    ),
    "lines, a trailing comma": ("ds.map(\n    f,\n)", "ds.map(\n    f,\n    num_parallel_calls=tf.data.AUTOTUNE,\n)"),
    "a comment behind the argument": (
        "ds.map(\n    f,  # decodes\n)",
        "ds.map(\n    f,  # decodes\n    num_parallel_calls=tf.data.AUTOTUNE,\n)",
    ),
    "a comment and no comma": (
        "ds.map(\n    f  # decodes\n)",
        "ds.map(\n    f,  # decodes\n    num_parallel_calls=tf.data.AUTOTUNE,\n)",
    ),
    "a comment behind the parenthesis": (
        "ds.map(  # decodes\n    f)",
        "ds.map(  # decodes\n    f,\n    num_parallel_calls=tf.data.AUTOTUNE)",
    ),
    "a hanging lambda": (
        "ds.map(lambda x:\n           (x, f(x)))",
        "ds.map(lambda x:\n           (x, f(x)), num_parallel_calls=tf.data.AUTOTUNE)",
    ),
    "spaces around the equals sign": (
        "ds.map(map_func = f)",
        "ds.map(map_func = f, num_parallel_calls = tf.data.AUTOTUNE)",
    ),
    "a parenthesised argument": ("ds.map((f))", "ds.map((f), num_parallel_calls=tf.data.AUTOTUNE)"),
    "the default written out": (
        "ds.map(f, num_parallel_calls=None)",
        "ds.map(f, num_parallel_calls=tf.data.AUTOTUNE)",
    ),
    "tabs": ("ds.map(\n\tf,\n)", "ds.map(\n\tf,\n\tnum_parallel_calls=tf.data.AUTOTUNE,\n)"),
    "a string with a comment sign": (
        'ds.map(lambda x: f(x, "#, )"))',
        'ds.map(lambda x: f(x, "#, )"), num_parallel_calls=tf.data.AUTOTUNE)',
    ),
    "text beyond ASCII before it": (
        'ds.filter("ž🐎".find).map(f)',
        'ds.filter("ž🐎".find).map(f, num_parallel_calls=tf.data.AUTOTUNE)',
    ),
    "arguments out of sight": ("ds.map(f, **options)", "ds.map(f, **options)"),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(("before", "after"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_an_argument_is_added_in_the_style_of_the_call(before: str, after: str, newline: str) -> None:
    frame = TF + "ds = tf.data.TFRecordDataset(files)\nmodel.fit({}.batch(32).prefetch(tf.data.AUTOTUNE))\n"
    assert fixed("PIPE201", frame.format(before).replace("\n", newline)) == frame.format(after).replace("\n", newline)


WITHOUT_ARGUMENT = {
    "the only one": ("m.compile(run_eagerly=True)", "m.compile()"),
    "the first": ("m.compile(run_eagerly=True, loss=f)", "m.compile(loss=f)"),
    "in the middle": ("m.compile('adam', run_eagerly=True, loss=f)", "m.compile('adam', loss=f)"),
    "the last": ("m.compile(loss=f, run_eagerly=True)", "m.compile(loss=f)"),
    "the last, with a comma behind it": ("m.compile(loss=f, run_eagerly=True,)", "m.compile(loss=f)"),
    "a line of its own": (
        "m.compile(\n    loss=f,\n    run_eagerly=True,\n    metrics=g,\n)",
        "m.compile(\n    loss=f,\n    metrics=g,\n)",
    ),
    "the last line": ("m.compile(\n    loss=f,\n    run_eagerly=True,\n)", "m.compile(\n    loss=f,\n)"),
    "the last line, no comma": ("m.compile(\n    loss=f,\n    run_eagerly=True\n)", "m.compile(\n    loss=f\n)"),
    "a hanging line": (
        "m.compile(loss=f,\n          run_eagerly=True,\n          metrics=g)",
        "m.compile(loss=f,\n          metrics=g)",
    ),
    "the last line, below a comment about another": (
        "m.compile(\n    loss=f,  # why\n    run_eagerly=True,\n)",
        "m.compile(\n    loss=f,  # why\n)",
    ),
    "with a comment of its own": (
        "m.compile(\n    loss=f,  # why\n    run_eagerly=True,  # slow\n)",
        "m.compile(\n    loss=f,  # why\n    run_eagerly=True,  # slow\n)",
    ),
}


@pytest.mark.parametrize(("before", "after"), WITHOUT_ARGUMENT.values(), ids=WITHOUT_ARGUMENT)
def test_an_argument_is_removed(before: str, after: str) -> None:
    head = "import keras\nm = keras.Sequential()\n"
    program = analyse(head + before + "\n", target=(2, 16))
    (call,) = [call for call in program.calls if call.last_name == "compile"]
    edits = edits_of(head + before + "\n", program, RemoveArgument(call, "run_eagerly"))
    assert apply(head + before + "\n", list(edits)) == head + after + "\n"


REPLACED = {
    "an argument behind a variable": (
        "PIPE202",
        "N = 8\nmodel.fit(R(f).map(tf.io.parse_tensor, num_parallel_calls=N).batch(2))\n",
        "N = 8\nmodel.fit(R(f).map(tf.io.parse_tensor, num_parallel_calls=tf.data.AUTOTUNE).batch(2))\n",
    ),
    "an argument in a dict": (
        "PIPE202",
        "K = {'num_parallel_calls': 1}\nmodel.fit(R(f).map(g, **K).batch(2))\n",
        "K = {'num_parallel_calls': 1}\nmodel.fit(R(f).map(g, **K).batch(2))\n",
    ),
    "a name with another root": (
        "PIPE903",
        "from tensorflow.data import experimental as e\nA = e.AUTOTUNE\n",
        "from tensorflow.data import experimental as e\nA = tf.data.AUTOTUNE\n",
    ),
    "a name over lines": (
        "PIPE903",
        "A = (tf.data\n     .experimental.AUTOTUNE)\n",
        "A = (tf.data.AUTOTUNE)\n",
    ),
    "an import among others": (
        "PIPE903",
        "from tensorflow.data.experimental import AUTOTUNE, CsvDataset\n",
        "from tensorflow.data import AUTOTUNE\nfrom tensorflow.data.experimental import CsvDataset\n",
    ),
    "the last import of a list of lines": (
        "PIPE903",
        "from tensorflow.data.experimental import (\n    CsvDataset,\n    AUTOTUNE,\n)\n",
        "from tensorflow.data import AUTOTUNE\nfrom tensorflow.data.experimental import (\n    CsvDataset,\n)\n",
    ),
    "apply, over lines": (
        "PIPE903",
        "ds = (\n    R(f)\n    .apply(tf.data.experimental.shuffle_and_repeat(9))\n    .batch(2)\n)\n",
        "ds = (\n    R(f)\n    .shuffle(9)\n    .repeat()\n    .batch(2)\n)\n",
    ),
    "apply, over lines of a lambda, with comments around": (
        "PIPE903",
        "ds = (R(f)\n  # a\n  .apply(tf.data.experimental.map_and_batch(lambda x:\n    g(x), 8))  # b\n  .take(2))\n",
        (
            "ds = (R(f)\n  # a\n  .map(lambda x:\n    g(x), num_parallel_calls=tf.data.AUTOTUNE)\n  .batch(8)  # b\n"
            "  .take(2))\n"
        ),
    ),
    "a name with a comment inside": (
        "PIPE903",
        "A = (tf.data  # old\n     .experimental.AUTOTUNE)\n",
        "A = (tf.data  # old\n     .experimental.AUTOTUNE)\n",
    ),
    "apply, sloppy": (
        "PIPE903",
        "ds = R(f).apply(tf.data.experimental.parallel_interleave(R, cycle_length=4, sloppy=True))\n",
        "ds = R(f).interleave(R, cycle_length=4, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)\n",
    ),
    "apply, with arguments that have no place": (
        "PIPE903",
        "ds = R(f).apply(tf.data.experimental.map_and_batch(g, 8, num_parallel_batches=2))\n",
        "ds = R(f).apply(tf.data.experimental.map_and_batch(g, 8, num_parallel_batches=2))\n",
    ),
    "apply, with a comment": (
        "PIPE903",
        "ds = R(f).apply(\n    tf.data.experimental.unbatch()  # flat\n)\n",
        "ds = R(f).apply(\n    tf.data.experimental.unbatch()  # flat\n)\n",
    ),
    "a transformation in a variable": (
        "PIPE903",
        "flat = tf.data.experimental.unbatch()\nds = R(f).apply(flat)\n",
        "flat = tf.data.experimental.unbatch()\nds = R(f).apply(flat)\n",
    ),
}


@pytest.mark.parametrize(("code", "before", "after"), REPLACED.values(), ids=REPLACED)
def test_an_expression_is_replaced(code: str, before: str, after: str) -> None:
    head = TF + "R = tf.data.TFRecordDataset\n"
    assert found(code, head + before) == 1
    assert fixed(code, head + before) == head + after


ASSIGNED = {
    "brackets": ("ds = R(f)\n(ds.batch(2)\n .repeat())\n", "ds = R(f)\nds = (ds.batch(2)\n .repeat())\n"),
    "no variable": ("R(f).batch(2)\n", "R(f).batch(2)\n"),
    "an outer variable": ("ds = R(f)\ndef g():\n    ds.batch(2)\n", "ds = R(f)\ndef g():\n    ds.batch(2)\n"),
    "a parameter": (
        "def g(ds: tf.data.Dataset):\n    ds.batch(2)\n    return ds\n",
        "def g(ds: tf.data.Dataset):\n    ds = ds.batch(2)\n    return ds\n",
    ),
    "a global one": (
        "ds = R(f)\ndef g():\n    global ds\n    ds.batch(2)\n",
        "ds = R(f)\ndef g():\n    global ds\n    ds = ds.batch(2)\n",
    ),
    "one line of several statements": ("ds = R(f); ds.batch(2)\n", "ds = R(f); ds = ds.batch(2)\n"),
}


@pytest.mark.parametrize(("before", "after"), ASSIGNED.values(), ids=ASSIGNED)
def test_a_dropped_result_is_assigned(before: str, after: str) -> None:
    head = TF + "R = tf.data.TFRecordDataset\n"
    assert found("PIPE110", head + before) == 1
    assert fixed("PIPE110", head + before) == head + after


WITHOUT_STATEMENT = {
    "a line": ("a = 1\ntf.debugging.enable_check_numerics()\nb = 2\n", "a = 1\nb = 2\n"),
    "the last line": ("a = 1\ntf.debugging.enable_check_numerics()", "a = 1\n"),
    "its comment goes with it": ("tf.debugging.enable_check_numerics()  # why\nb = 2\n", "b = 2\n"),
    "the comments of others stay": (
        "a = 1  # one\ntf.debugging.enable_check_numerics()  # why\n# two\nb = 2\n",
        "a = 1  # one\n# two\nb = 2\n",
    ),
    "all of a block, with its comment": (
        "if x:\n    tf.debugging.enable_check_numerics()  # why\nb = 2\n",
        "if x:\n    pass\nb = 2\n",
    ),
    "all of a block": ("if x:\n    tf.debugging.enable_check_numerics()\n", "if x:\n    pass\n"),
    "between empty lines": ("a = 1\n\ntf.debugging.enable_check_numerics()\n\nb = 2\n", "a = 1\n\nb = 2\n"),
    "above an empty line": ("a = 1\ntf.debugging.enable_check_numerics()\n\nb = 2\n", "a = 1\n\nb = 2\n"),
    "the last of a line": ("a = 1; tf.debugging.enable_check_numerics()\n", "a = 1\n"),
    "the first of a line": ("tf.debugging.enable_check_numerics(); a = 1  # why\n", "a = 1  # why\n"),
    "the middle of a line": ("if x: a = 1; tf.debugging.enable_check_numerics(); b = 2\n", "if x: a = 1; b = 2\n"),
    "a line that ends in a semicolon": ("a = 1; tf.debugging.enable_check_numerics();\n", "a = 1;\n"),
    "over lines": ("if x:\n\ttf.debugging.enable_check_numerics(\n\t)\n\tb = 2\n", "if x:\n\tb = 2\n"),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(("before", "after"), WITHOUT_STATEMENT.values(), ids=WITHOUT_STATEMENT)
def test_a_statement_is_removed(before: str, after: str, newline: str) -> None:
    source = (TF + before).replace("\n", newline)
    program = analyse(source, target=(2, 16))
    (call,) = [call for call in program.calls if call.last_name == "enable_check_numerics"]
    edits = edits_of(source, program, RemoveStatements((call,)))
    assert apply(source, list(edits)) == (TF + after).replace("\n", newline)


def test_a_decorator_goes_above_the_others() -> None:
    source = TF + "class T:\n    @other\n    def step(self):\n        pass\n"
    program = analyse(source, target=(2, 16))
    edits = edits_of(source, program, Decorate(program.functions[0], "tensorflow.function"))
    assert apply(source, list(edits)) == source.replace("    @other\n", "    @tf.function\n    @other\n")


@pytest.mark.parametrize("kind", ["staticmethod", "classmethod"])
def test_but_below_what_tf_function_cannot_call(kind: str) -> None:
    source = TF + f"class T:\n    @outer\n    @{kind}\n    @inner\n    def step(x):\n        pass\n"
    program = analyse(source, target=(2, 16))
    edits = edits_of(source, program, Decorate(program.functions[0], "tensorflow.function"))
    assert apply(source, list(edits)) == source.replace("    @inner\n", "    @tf.function\n    @inner\n")


def test_of_two_functions_of_one_name_the_one_that_is_meant_is_decorated() -> None:
    source = TF + "def step():\n    pass\n\ndef step():\n    pass\n"
    program = analyse(source, target=(2, 16))
    edits = edits_of(source, program, Decorate(program.functions[1], "tensorflow.function"))
    assert apply(source, list(edits)) == TF + "def step():\n    pass\n\n@tf.function\ndef step():\n    pass\n"


PRINTED = {
    "arguments below the bracket": (
        'print("a", x,\n          end="")',
        'tf.print("a", x,\n             end="")',
    ),
    "arguments on lines of their own": (
        'print(\n        "a", x,\n        end="")',
        'tf.print(\n        "a", x,\n        end="")',
    ),
    "a text of several lines": (
        'print("""a\n          b""", x,\n          end="")',
        'tf.print("""a\n          b""", x,\n          end="")',
    ),
}


@pytest.mark.parametrize(("before", "after"), PRINTED.values(), ids=PRINTED)
def test_arguments_stay_below_the_bracket_of_another_name(before: str, after: str) -> None:
    frame = TF + "\n@tf.function\ndef step(x):\n    {}\n    return x\n"
    source = frame.format(before)
    program = analyse(source, target=(2, 16))
    (call,) = [call for call in program.calls if call.symbol == "builtins.print"]
    edits = edits_of(source, program, ReplaceCallee(call, "tensorflow.print"))
    assert apply(source, list(edits)) == frame.format(after)
