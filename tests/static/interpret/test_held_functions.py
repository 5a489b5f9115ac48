"""Functions in containers, classes, statements and behind switches are followed."""

from __future__ import annotations

import pytest

from tests.static.interpret.closed_world import judged

RANDOM = {
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
