"""What a mapped function really runs: all of it is followed, or it is not taken for stateless."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelint.rule import Safety
from tests.linting import check
from tests.static.interpret.closed_world import BY_ITSELF_NOTHING, PREAMBLE, judged


@pytest.mark.parametrize("default", ["double", "tf.abs", "functools.partial(double)"])
@pytest.mark.parametrize("function", ["step", "lambda x: step(x)"])
def test_a_parameter_that_others_may_give_is_not_its_default(default: str, function: str) -> None:
    source = f"""{PREAMBLE}
def train(step={default}):
    model.fit(tf.data.Dataset.from_tensor_slices(images).map({function}).batch(8))
"""
    (found,) = check(source, BY_ITSELF_NOTHING).diagnostics
    assert found.fix is not None
    assert found.fix.safety is Safety.UNSAFE


OVERRIDDEN = """
class Data:
    def step(self, x): return x
    def train(self):
        model.fit(tf.data.Dataset.from_tensor_slices(images).map({function}).batch(8))

class Noise(Data):
    def step(self, x): return jitter(x)
"""


@pytest.mark.parametrize("function", ["self.step", "lambda x: self.step(x)"])
def test_a_method_may_be_that_of_a_subclass(function: str) -> None:
    source = PREAMBLE + OVERRIDDEN.format(function=function)
    (found,) = check(source, BY_ITSELF_NOTHING).diagnostics
    assert "draws random numbers" in found.message
    assert found.fix is not None
    assert found.fix.safety is Safety.UNSAFE


STATELESS = {
    "tf.function": ("@tf.function\ndef f(x): return x * 2", "f"),
    "tf.function with settings": ("@tf.function(jit_compile=True)\ndef f(x): return x * 2", "f"),
    "tf.function behind a partial": ("@functools.partial(tf.function, jit_compile=True)\ndef f(x): return x * 2", "f"),
    "do_not_convert": ("@tf.autograph.experimental.do_not_convert\ndef f(x): return x * 2", "f"),
    "lru_cache": ("@functools.lru_cache(maxsize=None)\ndef f(x): return x * 2", "f"),
    "a decorator of the file": (
        """
        def logged(function):
            @functools.wraps(function)
            def run(*args): return function(*args)
            return run
        @logged
        def inner(x): return x
        @logged
        def f(x): return inner(x)
        """,
        "f",
    ),
    "a static method": ("class Data:\n    @staticmethod\n    def f(x): return x * 2", "Data().f"),
    "a class method": ("class Data:\n    @classmethod\n    def f(cls, x): return x * 2", "Data.f"),
    "a property": (
        """
        class Data:
            @property
            def half(self): return 0.5
            def f(self, x): return x * self.half
        """,
        "Data().f",
    ),
    "functions in a list": (
        """
        steps = [double, tf.abs]
        def f(x):
            for step in steps: x = step(x)
            return x
        """,
        "f",
    ),
    "functions in a dict": ("steps = {'a': double, 'b': jitter}\ndef f(x): return steps['a'](x)", "f"),
    "map_structure": ("def f(x): return tf.nest.map_structure(lambda y: y * 2, x)", "f"),
    "cond": ("def f(x): return tf.cond(tf.reduce_sum(x) > 0, lambda: x, lambda: -x)", "f"),
    "reduce": ("def f(x): return functools.reduce(lambda a, g: g(a), [double, tf.abs], x)", "f"),
    "map of Python": ("def f(x): return list(map(double, [x, x]))[0]", "f"),
    "sorted by a key": ("ORDER = sorted(['b', 'a'], key=lambda name: name)\ndef f(x): return x * 2", "f"),
    "a method that calls another": (
        """
        class Data:
            def step(self, x): return x * 2
            def f(self, x): return self.step(x)
        """,
        "Data().f",
    ),
    "a switch of the module that nothing flips": ("def f(x, training=False): return x * 2", "f"),
    "isinstance": ("class Data: pass\ndef f(x): return x if isinstance(x, Data) else x * 2", "f"),
    "a composition of objects": (
        """
        class Compose:
            def __init__(self, steps): self.steps = steps
            def __call__(self, x):
                for step in self.steps: x = step(x)
                return x
        """,
        "Compose([double, Compose([tf.abs])])",
    ),
    "a dataclass": (
        """
        from dataclasses import dataclass
        @dataclass
        class Scale:
            factor: float
            def __call__(self, x): return x * self.factor
        """,
        "Scale(2.0)",
    ),
    "settings": (
        """
        class Data:
            def __init__(self): self.size = 300
            def f(self, x): return tf.image.resize(x, (self.size, self.size))
        """,
        "Data().f",
    ),
}


@pytest.mark.parametrize(("definitions", "function"), STATELESS.values(), ids=STATELESS)
def test_what_is_followed_to_its_end_is_still_stateless(definitions: str, function: str) -> None:
    assert judged(definitions, function) == "stateless"


OPTIONS = {
    "a value that is not known": "options = tf.data.Options()\noptions.deterministic = flag",
    "its older name": "options = tf.data.Options()\noptions.experimental_deterministic = flag",
    "a value that depends": "options = tf.data.Options()\nif fast:\n    options.deterministic = False",
    "an object of another module": "options = imported()",
    "an object that another module changes": "options = tf.data.Options()\nimported(options)",
    "an attribute by name": "options = tf.data.Options()\nsetattr(options, 'deterministic', False)",
}


BRIGHTER = """
def brighter(x):
    return tf.image.adjust_hue(x, 0.1)

"""
"""What takes long enough to be told of where TensorFlow makes no map parallel by itself."""


@pytest.mark.parametrize("definitions", OPTIONS.values(), ids=OPTIONS)
def test_options_that_may_reorder_are_not_safe(definitions: str) -> None:
    source = (
        f"{PREAMBLE}{BRIGHTER}{definitions}\nds = tf.data.Dataset.from_tensor_slices(images).with_options(options)\n"
    )
    source += "model.fit(ds.map(brighter).batch(8))\n"
    (found,) = check(source, BY_ITSELF_NOTHING).diagnostics
    assert found.fix is not None
    assert found.fix.safety is Safety.UNSAFE


def test_options_that_keep_the_order_are_safe() -> None:
    source = f"{PREAMBLE}{BRIGHTER}options = tf.data.Options()\noptions.deterministic = True\n"
    source += "model.fit(tf.data.Dataset.range(9000).with_options(options).map(brighter).batch(8))\n"
    (found,) = check(source, BY_ITSELF_NOTHING).diagnostics
    assert found.fix is not None
    assert found.fix.safety is Safety.SAFE


WRAPPINGS = (
    "lambda x: ({0})(x)",
    "functools.partial({0})",
    "lambda x: tf.map_fn({0}, x)",
    "lambda x: tf.nest.map_structure({0}, [x, x])",
    "lambda x: tf.cond(x > 0, lambda: ({0})(x), lambda: x)",
    "lambda x: functools.reduce(lambda a, g: g(a), [double, {0}], x)",
    "lambda x: list(map({0}, [x]))",
    "lambda x: [g(x) for g in ({0}, double)]",
    "lambda x: {{'a': {0}}}['a'](x)",
    "lambda x: dict(a={0})['a'](x)",
    "lambda x: [{0}, double][0](x)",
    "lambda x: (double if x is None else {0})(x)",
    "lambda x: (lambda g=({0}): g(x))()",
    "lambda x: imported({0})(x)",
    "tf.function({0})",
    "tf.recompute_grad({0})",
    "keras.layers.Lambda({0})",
    "Called({0})",
    "wrapped({0})",
    "imported({0})",
)
DEFINITIONS = """
class Called:
    def __init__(self, function): self.function = function
    def __call__(self, x): return self.function(x)

def wrapped(function):
    @functools.wraps(function)
    def run(*args, **kwargs): return function(*args, **kwargs)
    return run
"""


@settings(deadline=None)
@given(st.lists(st.sampled_from(WRAPPINGS), max_size=4))
def test_no_nesting_of_wrappings_hides_random_numbers(wrappings: list[str]) -> None:
    function = "jitter"
    for wrapping in wrappings:
        function = wrapping.format(function)
    assert judged(DEFINITIONS, function) != "stateless"
