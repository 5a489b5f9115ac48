"""What a mapped function really runs: all of it is followed, or it is not taken for stateless."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelint.lint.diagnostic import Diagnostic
from pipelint.project.projects import Overrides
from pipelint.rule import Safety
from tests.linting import check

PREAMBLE = """
import abc, contextlib, functools, itertools, operator
import keras
import tensorflow as tf
import tensorflow_hub as hub
from elsewhere import Outside, between, imported

def jitter(x):
    return x + tf.random.uniform([])

def double(x):
    return x * 2
"""


def map_of(definitions: str, function: str) -> Diagnostic:
    """What PIPE201 says of the last map in a program with these definitions."""
    source = PREAMBLE + textwrap.dedent(definitions)
    source += f"\nmodel.fit(tf.data.Dataset.from_tensor_slices(images).map({function}).batch(8))\n"
    return check(source, Overrides(select=("PIPE201",))).diagnostics[-1]


def judged(definitions: str, function: str) -> str:
    """`stateless` where the fix is safe, else `random` where the message says so, else `unknown`."""
    found = map_of(definitions, function)
    assert found.fix is not None
    if found.fix.safety is Safety.SAFE:
        return "stateless"
    return "random" if "draws random numbers" in found.message else "unknown"


RANDOM = {
    # Decorators
    "a decorator of the file": (
        """
        def noisy(function):
            @functools.wraps(function)
            def run(*args, **kwargs):
                return jitter(function(*args, **kwargs))
            return run
        @noisy
        def f(x): return x
        """,
        "f",
    ),
    "a decorator of the file that takes settings": (
        """
        def noisy(amount):
            def decorate(function):
                return lambda x: jitter(function(x)) * amount
            return decorate
        @noisy(2.0)
        def f(x): return x
        """,
        "f",
    ),
    "a decorator that is a class": (
        """
        class Noisy:
            def __init__(self, function):
                self.function = function
            def __call__(self, x):
                return jitter(self.function(x))
        @Noisy
        def f(x): return x
        """,
        "f",
    ),
    "a decorator that is an object": (
        """
        class Noisy:
            def __init__(self, amount):
                self.amount = amount
            def __call__(self, function):
                return lambda x: jitter(function(x)) * self.amount
        @Noisy(2.0)
        def f(x): return x
        """,
        "f",
    ),
    "a decorator of the file on a method": (
        """
        def noisy(method):
            def run(self, x):
                return jitter(method(self, x))
            return run
        class Data:
            @noisy
            def f(self, x): return x
        """,
        "Data().f",
    ),
    "two functions under the same decorator": (
        """
        def logged(function):
            @functools.wraps(function)
            def run(x): return function(x)
            return run
        @logged
        def inner(x): return jitter(x)
        @logged
        def outer(x): return inner(x)
        """,
        "outer",
    ),
    # Functions given to functions of libraries
    "map_structure": ("def f(x): return tf.nest.map_structure(jitter, x)", "f"),
    "map_fn by keyword": ("def f(x): return tf.map_fn(elems=x, fn=jitter)", "f"),
    "map_fn of TensorFlow's own function": ("def f(x): return tf.map_fn(tf.image.random_flip_up_down, x)", "f"),
    "vectorized_map": ("def f(x): return tf.vectorized_map(jitter, x)", "f"),
    "case": ("def f(x): return tf.case([(x > 0, lambda: jitter(x))], default=lambda: x)", "f"),
    "case by default": ("def f(x): return tf.case([(x > 0, lambda: x)], default=lambda: jitter(x))", "f"),
    "switch_case of a list": ("def f(x): return tf.switch_case(x, [lambda: x, lambda: jitter(x)])", "f"),
    "switch_case of a dict": ("def f(x): return tf.switch_case(x, branch_fns={0: lambda: jitter(x)})", "f"),
    "switch_case of pairs": ("def f(x): return tf.switch_case(x, [(0, lambda: x), (1, lambda: jitter(x))])", "f"),
    "cond with a partial": ("def f(x): return tf.cond(x > 0, functools.partial(jitter, x), lambda: x)", "f"),
    "while_loop": ("def f(x): return tf.while_loop(lambda i: i < 3, lambda i: jitter(i), [x])", "f"),
    "scan": ("def f(x): return tf.scan(lambda a, y: a + jitter(y), x)", "f"),
    "foldl": ("def f(x): return tf.foldl(lambda a, y: a + jitter(y), x)", "f"),
    "recompute_grad": ("def f(x): return tf.recompute_grad(jitter)(x)", "f"),
    "custom_gradient": (
        """
        @tf.custom_gradient
        def f(x):
            def gradient(upstream): return upstream
            return jitter(x), gradient
        """,
        "lambda x: f(x)",
    ),
    "map_flat_values": ("def f(x): return tf.ragged.map_flat_values(jitter, x)", "f"),
    "a bound method": (
        """
        class Noise:
            def add(self, x): return jitter(x)
        noise = Noise()
        def f(x): return tf.map_fn(noise.add, x)
        """,
        "f",
    ),
    "an object that can be called": (
        """
        class Noise:
            def __call__(self, x): return jitter(x)
        def f(x): return tf.map_fn(Noise(), x)
        """,
        "f",
    ),
    "a layer": ("flip = keras.layers.RandomFlip()\ndef f(x): return tf.map_fn(flip, x)", "f"),
    "a partial of a partial": (
        "def add(a, b, x): return jitter(x) + a + b",
        "functools.partial(functools.partial(add, 1), b=2)",
    ),
    "an activation": ("def f(x): return keras.layers.Activation(jitter)(x)", "f"),
    "a Lambda layer of TensorFlow's own function": (
        "noise = keras.layers.Lambda(tf.image.random_flip_up_down)",
        "noise",
    ),
    # Functions given to functions of Python
    "reduce over functions": ("def f(x): return functools.reduce(lambda a, g: g(a), [double, jitter], x)", "f"),
    "reduce": ("def f(x): return functools.reduce(lambda a, y: a + jitter(y), [x, x])", "f"),
    "map of Python": ("def f(x): return list(map(jitter, [x, x]))[0]", "f"),
    "filter of Python": ("def f(x): return list(filter(jitter, [x, x]))[0]", "f"),
    "sorted by a key": ("def f(x): return sorted([x, x], key=jitter)[0]", "f"),
    "a comprehension over functions": ("def f(x): return [g(x) for g in (double, jitter)]", "f"),
    "a comprehension to a dict": ("def f(x): return {name: g(x) for name, g in [('a', jitter)]}", "f"),
    "a loop over functions": (
        """
        steps = [double, jitter]
        def f(x):
            for step in steps:
                x = step(x)
            return x
        """,
        "f",
    ),
    "a loop over functions with a counter": (
        """
        def f(x):
            for i, step in enumerate([double, jitter]):
                x = step(x) + i
            return x
        """,
        "f",
    ),
    "functions behind a star": (
        """
        def compose(*steps):
            def run(x):
                for step in steps:
                    x = step(x)
                return x
            return run
        """,
        "compose(double, jitter)",
    ),
    # Functions in containers
    "a dict": ("steps = {'a': double, 'b': jitter}\ndef f(x): return steps['b'](x)", "f"),
    "a dict, by a key that is not known": ("steps = {'a': double, 'b': jitter}\ndef f(x): return steps[mode](x)", "f"),
    "update": ("steps = {'a': double}\nsteps.update(a=jitter)\ndef f(x): return steps['a'](x)", "f"),
    "update by a dict": ("steps = {'a': double}\nsteps.update({'a': jitter})\ndef f(x): return steps['a'](x)", "f"),
    "item assignment": ("steps = {'a': double}\nsteps['a'] = jitter\ndef f(x): return steps['a'](x)", "f"),
    "item assignment in a list": ("steps = [double]\nsteps[0] = jitter\ndef f(x): return steps[0](x)", "f"),
    "setdefault": ("steps = {}\nsteps.setdefault('a', jitter)\ndef f(x): return steps['a'](x)", "f"),
    "get with a default": ("steps = {}\ndef f(x): return steps.get('a', jitter)(x)", "f"),
    "extend": (
        """
        steps = [double]
        steps.extend([double, jitter])
        def f(x):
            for step in steps: x = step(x)
            return x
        """,
        "f",
    ),
    "a list that grows in place": (
        """
        steps = [double]
        steps += [jitter]
        def f(x):
            for step in steps: x = step(x)
            return x
        """,
        "f",
    ),
    "a list that grows under another name": (
        """
        steps = [double]
        also = steps
        also.append(jitter)
        def f(x):
            for step in steps: x = step(x)
            return x
        """,
        "f",
    ),
    "a dict that a function fills": (
        """
        steps = {'a': double}
        def fill(table): table['a'] = jitter
        fill(steps)
        def f(x): return steps['a'](x)
        """,
        "f",
    ),
    "a list in a dict": (
        """
        steps = {'a': [double]}
        steps['a'].append(jitter)
        def f(x):
            for step in steps['a']: x = step(x)
            return x
        """,
        "f",
    ),
    "a registry filled by a decorator": (
        """
        STEPS = {}
        def register(name):
            def decorate(function):
                STEPS[name] = function
                return function
            return decorate
        @register("a")
        def first(x): return x
        @register("b")
        def second(x): return jitter(x)
        def f(x): return STEPS["b"](x)
        """,
        "f",
    ),
    "a list of an object": (
        """
        class Data:
            def __init__(self):
                self.steps = []
            def add(self, step):
                self.steps.append(step)
                return self
            def __call__(self, x):
                for step in self.steps: x = step(x)
                return x
        """,
        "Data().add(double).add(jitter)",
    ),
    # Classes
    "an abstract method": (
        """
        class Base(abc.ABC):
            @abc.abstractmethod
            def step(self, x): ...
            def __call__(self, x): return self.step(x)
        class Noise(Base):
            def step(self, x): return jitter(x)
        """,
        "Noise()",
    ),
    "a property": (
        """
        class Data:
            @property
            def noise(self): return tf.random.uniform([])
            def f(self, x): return x + self.noise
        """,
        "Data().f",
    ),
    "a property made by a call": (
        """
        class Data:
            noise = property(lambda self: tf.random.uniform([]))
            def f(self, x): return x + self.noise
        """,
        "Data().f",
    ),
    "a method that is replaced": (
        """
        class Data:
            def step(self, x): return x
            def f(self, x): return self.step(x)
        Data.step = lambda self, x: jitter(x)
        """,
        "Data().f",
    ),
    "a property with a setter": (
        """
        class Data:
            @property
            def noise(self): return tf.random.uniform([])
            @noise.setter
            def noise(self, value): pass
            def f(self, x): return x + self.noise
        """,
        "Data().f",
    ),
    "a composition of objects of one class": (
        """
        class Compose:
            def __init__(self, steps): self.steps = steps
            def __call__(self, x):
                for step in self.steps: x = step(x)
                return x
        """,
        "Compose([double, Compose([jitter])])",
    ),
    # Order and repetition
    "a helper defined anew between two maps": (
        """
        def helper(x): return x
        def f(x): return helper(x)
        first = tf.data.Dataset.from_tensor_slices(images).map(f).batch(2)
        def helper(x): return jitter(x)
        """,
        "f",
    ),
    "a helper in an attribute that changes between two maps": (
        """
        class Data:
            def __init__(self): self.step = double
            def f(self, x): return self.step(x)
        data = Data()
        first = tf.data.Dataset.from_tensor_slices(images).map(data.f).batch(2)
        data.step = jitter
        """,
        "data.f",
    ),
    # Statements and expressions
    "match": ("def f(x):\n    match mode:\n        case 'a': return jitter(x)\n    return x", "f"),
    "the guard of a case": ("def f(x):\n    match mode:\n        case _ if jitter(x): return x\n    return x", "f"),
    "try": ("def f(x):\n    try: return x\n    except ValueError: return jitter(x)", "f"),
    "finally": ("def f(x):\n    y = x\n    try: y = x + 1\n    finally: y += jitter(x)\n    return y", "f"),
    "a context": ("def f(x):\n    with tf.name_scope('a'): return jitter(x)", "f"),
    "a slice": ("def f(x): return x[: tf.cast(jitter(x), tf.int32)]", "f"),
    "a slice of several axes": ("def f(x): return x[0, : tf.cast(jitter(x), tf.int32)]", "f"),
    "an f-string": ("def f(x): return x if f'{jitter(x):>{jitter(x)}}' else x", "f"),
    "an assertion": ("def f(x):\n    assert jitter(x) is not None\n    return x", "f"),
    "the message of an assertion": ("def f(x):\n    assert x is not None, jitter(x)\n    return x", "f"),
    "an error": ("def f(x):\n    if x is None: raise ValueError(jitter(x))\n    return x", "f"),
    "an augmented assignment": ("def f(x):\n    x += jitter(x)\n    return x", "f"),
    "a chained assignment": ("def f(x):\n    a = b = jitter(x)\n    return a + b", "f"),
    "a deleted item": ("def f(x):\n    rows = {}\n    del rows[jitter(x)]\n    return x", "f"),
    "a condition": ("def f(x): return jitter(x) if training else x", "f"),
    "a walrus": ("def f(x): return x if (y := jitter(x)) is None else y", "f"),
    "a comparison": ("def f(x): return 0 < jitter(x) < 1", "f"),
    "a set": ("def f(x): return {jitter(y) for y in [x]}", "f"),
    "a starred argument": ("def f(x): return tf.stack([*[jitter(x)]])", "f"),
    "a default that is called at once": ("def f(x):\n    def g(y=jitter(x)): return y\n    return g()", "f"),
    # Facts that are none
    "a switch that __init__ sets": (
        """
        class Data:
            def __init__(self): self.training = False
            def f(self, x):
                if not self.training: return x
                return jitter(x)
        """,
        "Data().f",
    ),
    "a switch that __init__ sets, in an expression": (
        """
        class Data:
            def __init__(self): self.mode = "test"
            def f(self, x): return jitter(x) if self.mode == "train" else x
        """,
        "Data().f",
    ),
    "a switch that is handed on": (
        """
        def step(x, training): return jitter(x) if training else x
        class Data:
            def __init__(self): self.training = False
            def f(self, x): return step(x, self.training)
        """,
        "Data().f",
    ),
    "a switch of the class": (
        """
        class Data:
            training = False
            def f(self, x): return jitter(x) if self.training else x
        """,
        "Data().f",
    ),
}


@pytest.mark.parametrize(("definitions", "function"), RANDOM.values(), ids=RANDOM)
def test_random_numbers_are_found_behind(definitions: str, function: str) -> None:
    assert judged(definitions, function) == "random"


UNKNOWN = {
    "a decorator of another module": ("@imported\ndef f(x): return x", "f"),
    "a decorator of another module with settings": ("@imported(1)\ndef f(x): return x", "f"),
    "a decorator that is not known at all": ("@whatever.decorate\ndef f(x): return x", "f"),
    "a decorator that gives what is not known": (
        "def g(function): return imported(function)\n@g\ndef f(x): return x",
        "f",
    ),
    "a decorator on a method": ("class Data:\n    @imported\n    def f(self, x): return x", "Data().f"),
    "a decorator of another module on a class": (
        "@imported\nclass Data:\n    def f(self, x): return x",
        "Data().f",
    ),
    "a function given to another module": ("def f(x): return imported(double, x)", "f"),
    "a function given to a library that may call it": ("def f(x): return itertools.starmap(double, [x])", "f"),
    "a function that is not known, given to map_fn": ("def f(x): return tf.map_fn(whatever, x)", "f"),
    "arguments that are not known, given to map_fn": ("def f(x): return tf.map_fn(*whatever)", "f"),
    "a saved model": ("saved = tf.saved_model.load('model')", "lambda x: saved(x)"),
    "a saved model, mapped": ("saved = tf.saved_model.load('model')", "saved"),
    "a method of a saved model": ("saved = tf.saved_model.load('model')", "lambda x: saved.augment(x)"),
    "a signature of a saved model": ("saved = tf.saved_model.load('m')", "lambda x: saved.signatures['a'](x)"),
    "a model of the hub": ("saved = hub.load('model')", "lambda x: saved(x)"),
    "a Keras model from a file": ("saved = keras.models.load_model('model.keras')", "lambda x: saved(x)"),
    "a saved model made in place": ("", "lambda x: tf.saved_model.load('model')(x)"),
    "recursion": ("def f(x, depth=3):\n    return f(x, depth - 1) if depth else x", "lambda x: f(x)"),
    "a recursion that draws only at its end": (
        """
        def f(x, depth):
            if depth == 0: return jitter(x)
            return f(x, depth - 1)
        """,
        "lambda x: f(x, 3)",
    ),
    "two functions that call each other": (
        """
        def ping(x, n): return x if n == 5 else pong(x, n)
        def pong(x, n): return jitter(x) if n == 0 else ping(x, n - 1)
        """,
        "lambda x: ping(x, 3)",
    ),
    "a dict that another module fills": (
        "steps = {'a': double}\nimported(steps)\ndef f(x): return steps['a'](x)",
        "f",
    ),
    "a list that holds itself, in another module": (
        "steps = [double]\nsteps.append(steps)\nimported(steps)\ndef f(x): return steps[0](x)",
        "f",
    ),
    "a dict that a function nobody calls fills": (
        """
        STEPS = {'a': double}
        def register(name, function): STEPS[name] = function
        def f(x): return STEPS['a'](x)
        """,
        "f",
    ),
    "a list of an object that a method grows": (
        """
        class Data:
            def __init__(self): self.steps = [double]
            def add(self, step): self.steps.append(step)
            def f(self, x):
                for step in self.steps: x = step(x)
                return x
        """,
        "Data().f",
    ),
    "a function in an attribute that a method sets": (
        """
        class Data:
            def __init__(self): self.step = double
            def use(self, step): self.step = step
            def f(self, x): return self.step(x)
        """,
        "Data().f",
    ),
    "a global function that another one replaces": (
        """
        step = double
        def use(other):
            global step
            step = other
        def f(x): return step(x)
        """,
        "f",
    ),
    "a dict updated by what is not known": (
        "steps = {'a': double}\nsteps.update(whatever)\ndef f(x): return steps['a'](x)",
        "f",
    ),
    "a dict that unpacks what is not known": ("steps = {'a': double, **whatever}\ndef f(x): return steps['a'](x)", "f"),
    "a key that is not known": (
        "steps = {'a': double}\nsteps[whatever] = imported\ndef f(x): return steps['a'](x)",
        "f",
    ),
    "a method that is only declared": (
        """
        class Base:
            def step(self, x): raise NotImplementedError
            def f(self, x): return self.step(x)
        """,
        "Base().f",
    ),
    "a method that is abstract": (
        """
        class Base(abc.ABC):
            @abc.abstractmethod
            def step(self, x):
                '''One step.'''
            def f(self, x): return self.step(x)
        base = Base()
        """,
        "base.f",
    ),
    "a method that a base out of sight may have": (
        "class Data(Outside):\n    def f(self, x): return self.step(x)",
        "Data().f",
    ),
    "getattr": ("class Data:\n    def f(self, x): return getattr(self, name)(x)", "Data().f"),
    "__getattr__": (
        """
        class Data:
            def __getattr__(self, name): return imported(name)
            def f(self, x): return x + self.noise
        """,
        "Data().f",
    ),
    "globals": ("def f(x): return globals()[name](x)", "f"),
    "exec": ("def f(x):\n    exec(code)\n    return x", "f"),
    "eval": ("def f(x): return eval('jitter')(x)", "f"),
    "methodcaller": ("def f(x): return operator.methodcaller('step')(x)", "f"),
    "an operator of an object": (
        """
        class Noise:
            def __radd__(self, x): return jitter(x)
        noise = Noise()
        def f(x): return x + noise
        """,
        "f",
    ),
    "an item of an object": (
        """
        class Noise:
            def __getitem__(self, x): return jitter(x)
        noise = Noise()
        def f(x): return noise[x]
        """,
        "f",
    ),
    "a loop over an object": (
        """
        class Noise:
            def __iter__(self): yield tf.random.uniform([])
        noise = Noise()
        def f(x):
            for y in noise: x += y
            return x
        """,
        "f",
    ),
    "a context of an object": (
        """
        class Noise:
            def __enter__(self): return tf.random.uniform([])
            def __exit__(self, *error): pass
        def f(x):
            with Noise() as noise: return x + noise
        """,
        "f",
    ),
    "a function rebound in a loop": (
        """
        def f(x):
            step = double
            for _ in range(2):
                x = step(x)
                step = imported
            return x
        """,
        "f",
    ),
    "arguments that are not known": (
        "def apply(x, step=double): return step(x)\ndef f(x): return apply(x, **whatever)",
        "f",
    ),
    "a named tuple": (
        "from collections import namedtuple\nsteps = namedtuple('Steps', 'one')(jitter)\ndef f(x): return steps.one(x)",
        "f",
    ),
    "a metaclass": (
        """
        class Meta(type):
            def __call__(cls, x): return jitter(x)
        class Data(metaclass=Meta): pass
        """,
        "lambda x: Data(x)",
    ),
    "__new__": ("class Data:\n    def __new__(cls, x): return jitter(x)", "lambda x: Data(x)"),
    "the truth of an object": (
        """
        class Data:
            def __bool__(self): return imported(self)
        data = Data()
        def f(x): return x if data else x + 1
        """,
        "f",
    ),
    "a dataset in a function": (
        "def f(x): return tf.data.Dataset.range(3).map(lambda y: jitter(x)).batch(3).get_single_element()",
        "f",
    ),
    "a shuffled dataset in a function": (
        "def f(x): return tf.data.Dataset.range(3).shuffle(3).batch(3).get_single_element()",
        "f",
    ),
    "a pattern's own value": ("def f(x):\n    match imported:\n        case g: return g(x)", "f"),
    "what a context gives": ("def f(x):\n    with between() as g: return g(x)", "f"),
    "a coroutine": ("async def g(x): return x\ndef f(x): return imported(g(x))", "f"),
}


@pytest.mark.parametrize(("definitions", "function"), UNKNOWN.values(), ids=UNKNOWN)
def test_nothing_is_taken_for_stateless_behind(definitions: str, function: str) -> None:
    assert judged(definitions, function) in ("unknown", "random")


@pytest.mark.parametrize("default", ["double", "tf.abs", "functools.partial(double)"])
@pytest.mark.parametrize("function", ["step", "lambda x: step(x)"])
def test_a_parameter_that_others_may_give_is_not_its_default(default: str, function: str) -> None:
    source = f"""{PREAMBLE}
def train(step={default}):
    model.fit(tf.data.Dataset.from_tensor_slices(images).map({function}).batch(8))
"""
    (found,) = check(source, Overrides(select=("PIPE201",))).diagnostics
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
    (found,) = check(source, Overrides(select=("PIPE201",))).diagnostics
    assert "draws random numbers" in found.message
    assert found.fix is not None
    assert found.fix.safety is Safety.UNSAFE


STATELESS = {
    "tf.function": ("@tf.function\ndef f(x): return x", "f"),
    "tf.function with settings": ("@tf.function(jit_compile=True)\ndef f(x): return x", "f"),
    "tf.function behind a partial": ("@functools.partial(tf.function, jit_compile=True)\ndef f(x): return x", "f"),
    "do_not_convert": ("@tf.autograph.experimental.do_not_convert\ndef f(x): return x", "f"),
    "lru_cache": ("@functools.lru_cache(maxsize=None)\ndef f(x): return x", "f"),
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
    "a static method": ("class Data:\n    @staticmethod\n    def f(x): return x", "Data().f"),
    "a class method": ("class Data:\n    @classmethod\n    def f(cls, x): return x", "Data.f"),
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
    "sorted by a key": ("ORDER = sorted(['b', 'a'], key=lambda name: name)\ndef f(x): return x", "f"),
    "a method that calls another": (
        """
        class Data:
            def step(self, x): return x * 2
            def f(self, x): return self.step(x)
        """,
        "Data().f",
    ),
    "a switch of the module that nothing flips": ("def f(x, training=False): return x", "f"),
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
            def __init__(self): self.size = 8
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


@pytest.mark.parametrize("definitions", OPTIONS.values(), ids=OPTIONS)
def test_options_that_may_reorder_are_not_safe(definitions: str) -> None:
    source = f"{PREAMBLE}{definitions}\nds = tf.data.Dataset.from_tensor_slices(images).with_options(options)\n"
    source += "model.fit(ds.map(double).batch(8))\n"
    (found,) = check(source, Overrides(select=("PIPE201",))).diagnostics
    assert found.fix is not None
    assert found.fix.safety is Safety.UNSAFE


def test_options_that_keep_the_order_are_safe() -> None:
    source = f"{PREAMBLE}options = tf.data.Options()\noptions.deterministic = True\n"
    source += "model.fit(tf.data.Dataset.range(9).with_options(options).map(double).batch(8))\n"
    (found,) = check(source, Overrides(select=("PIPE201",))).diagnostics
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


@given(st.lists(st.sampled_from(WRAPPINGS), max_size=4))
def test_no_nesting_of_wrappings_hides_random_numbers(wrappings: list[str]) -> None:
    function = "jitter"
    for wrapping in wrappings:
        function = wrapping.format(function)
    assert judged(DEFINITIONS, function) != "stateless"
