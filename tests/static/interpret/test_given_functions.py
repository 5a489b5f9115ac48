"""Functions under decorators, and given to functions of libraries and of Python, are followed."""

from __future__ import annotations

import pytest

from tests.static.interpret.closed_world import judged

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
}


@pytest.mark.parametrize(("definitions", "function"), RANDOM.values(), ids=RANDOM)
def test_random_numbers_are_found_behind(definitions: str, function: str) -> None:
    assert judged(definitions, function) == "random"
