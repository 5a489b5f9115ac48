"""What cannot be followed is never taken for stateless."""

from __future__ import annotations

import pytest

from tests.static.interpret.closed_world import judged

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
