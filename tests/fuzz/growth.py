"""Programs in which something is repeated: what doubles with each line must not take twice as long with each."""

from __future__ import annotations

import random

HEADS = (
    "import tensorflow as tf\nds = tf.data.Dataset.range(9000)\nx = y = d = h = w = 1\n",
    "import tensorflow as tf\nimport numpy as np\nds = tf.data.TFRecordDataset(files).map(f)\nx, y, d, h, w = np.ones(5)\n",
    "import tensorflow as tf\ndef pick(a, b):\n    return (a, b) if a else (b, a)\nx = y = d = h = w = ds = tf.data.Dataset.range(2000)\n",
)
LINES = (
    "if flags[{i}]: h, w = w, h",
    "if c{i}:\n    x, y = y, x\nelse:\n    x, y = y, d",
    "x = [x, x]",
    "x = (x, y); y = (y, x)",
    "d = {'a': d, 'b': d}",
    "x, y = pick(x, y)",
    "x = pick(x, x)",
    "ds = ds.concatenate(ds)",
    "ds = tf.data.Dataset.zip((ds, ds))",
    "ds = ds.map(f) if c{i} else ds.batch(2)",
    "if c{i}: ds = ds.cache()",
    "if c{i}: ds = ds.map(lambda x: x + {i})",
    "ds = ds.map(lambda x: x)",
    "ds = ds.batch(2).unbatch()",
    "try: x = y\nexcept E: y = x",
    "for _ in range(2): x, y = y, [x]",
    "while x: y = x; x = y or d",
    "def f{i}(a): return pick(f{j}(a), f{j}(a))",
    "def f{i}(a, g=f{j}): return g(a) + g(a)",
    "f{i} = lambda a: f{j}(f{j}(a))",
    "class C{i}(C{j}): ds = C{j}.ds.batch(2)",
    "x = x + x",
    "x = np.stack([x, x])",
    "x = x if c{i} else y; y = y if c{i} else x",
    "model.fit(ds)",
    "ds.shuffle(3)",
    "x = y = ds = ds.repeat()",
    "with a as b: ds = ds.take(b)",
    "match x:\n    case {i}: x = y\n    case _: y = x",
    "x = [a for a in x for b in x]",
    "self.x{i} = self.x{j}, self.x{j}",
    "x = f'{x}{x}'",
    "def g{i}():\n    return g{j}(), g{j}()",
    "ds = ds.interleave(lambda a: ds.map(lambda b: a))",
)
SIGNS = (
    "#",
    "# noqa ",
    "#noqa",
    "\n",
    "\r\n",
    " ",
    "\t",
    "\\\n",
    "# pipelint: ignore ",
    "'' ",
    "1+",
    "x.",
    "f(",
    "[",
    "{",
    "-",
    "not ",
    "%",
    "!",
    "'",
)
TAILS = (
    "model.fit(ds)\n",
    "for a in ds:\n    step(a, x, y, h, w)\n",
    "@tf.function\ndef run():\n    return x, y, d, h, w, g9(), f9(1)\n",
)


def grown(rng: random.Random) -> str:
    """A head, the same line many times, and a tail that uses the result."""
    head, tail = rng.choice(HEADS), rng.choice(TAILS)
    if rng.random() < 0.2:
        sign = rng.choice(SIGNS)
        return head + sign * rng.choice((24, 100, 190, 3000)) + "\n" + tail
    lines = rng.sample(LINES, rng.choice((1, 1, 1, 2)))
    body = "".join(
        line.replace("{i}", str(number + 1)).replace("{j}", str(number)) + "\n"
        for number in range(rng.choice((12, 20, 20, 30, 60)))
        for line in lines
    )
    if rng.random() < 0.4:
        body = (
            "def grow(x, y, d, h, w, ds):\n"
            + "".join(f"    {line}\n" for line in body.splitlines())
            + "    return ds, x\n"
        )
        tail = "ds, x = grow(x, y, d, h, w, ds)\n" + tail
    return head + body + tail
