"""What programs map, decorate and loop over: functions with random bodies, Keras classes, training steps."""

from __future__ import annotations

import random

from tests.fuzz.spelling import Spelling, Writer

LAMBDAS = (
    "lambda x: x + 1",
    "lambda x, y: (x, y)",
    "lambda x, y: (tf.cast(x, tf.float32) / 255., y)",
    "lambda *a: a",
    "lambda x: (x, np.random.rand())",
    "lambda x: tf.random.uniform(())",
    "lambda x: tf.py_function(load, [x], tf.float32)",
    "lambda d: {'a': d['a'], 'b': d['b']}",
    "lambda path: parse(tf.io.read_file(path))",
    "lambda x, k=3: x * k",
    "lambda _: (yield)",
    "lambda: 0",
)
MAPPED = (
    "x = tf.io.decode_jpeg(tf.io.read_file(x), channels=3)",
    "x = tf.image.random_flip_left_right(x)",
    "x = tf.image.resize(x, (64, 64))",
    "x = tf.cast(x, tf.float32) / 255.0",
    "x = np.sin(x)",
    "x = x.numpy()",
    "x = tf.numpy_function(lambda a: a, [x], tf.float32)",
    "x = np.random.rand() * x",
    "x = x + random.random()",
    "print(x)",
    "print('shape', x.shape, flush=True)",
    "global count; count += 1",
    "seen.append(x)",
    "x = parse(x)",
    "features = {'a': tf.io.FixedLenFeature([], tf.string)}",
    "x = tf.io.parse_single_example(x, {'a': tf.io.FixedLenFeature([], tf.string)})",
    "if x > 0: x = -x",
    "x, y = y, x",
    "y = {**x, 'time': time.time()}",
    "x: tf.Tensor = tf.strings.split(x, ',')[0]",
    "assert x is not None, 'why'",
    "tf.print(x)",
    "with open('log') as log: log.write(str(x))",
    "x = tf.cond(x > 0, lambda: x, lambda: -x)",
    "while x < 3: x += 1",
    "x = [a for a in x]",
    "x = f'{x!r:>{10}}'",
    "nonlocal_ = x = tf.zeros((3, 3), dtype=np.float32)",
)
LOOPED = (
    "train_step(x, y)",
    "loss = train_step(x, y)",
    "losses.append(train_step(x, y).numpy())",
    "print(float(loss))",
    "print(loss.numpy(), step)",
    "if step % 10 == 0: print(float(loss))",
    "total += float(train_step(x, y))",
    "model.predict(x)",
    "y = model(x, training=True)",
    "model.train_on_batch(x, y)",
    "metric.update_state(y, model(x))",
    "writer.scalar('loss', loss.item())",
    "ds.shuffle(100)",
    "break",
    "continue",
    "x = x.numpy()",
    "tf.summary.scalar('loss', loss, step=step)",
)
DECORATORS = (
    "@{tf}.function",
    "@{tf}.function(jit_compile=True)",
    "@{tf}.function()",
    "@functools.wraps(f)",
    "@a.b[0]",
)
PARAMETERS = ("x", "x, y", "x, y=None", "x, *rest", "x: tf.Tensor, y: tf.Tensor", "*, x", "x, /, y=1, **more")


def mapped_lambda(rng: random.Random) -> str:
    """A lambda that a stage applies."""
    return rng.choice(LAMBDAS)


def mapped_function(rng: random.Random, how: Spelling, out: Writer) -> str:
    """A function that a stage applies; gives its name."""
    name = rng.choice(("parse", "augment", "load", "step"))
    decorator(rng, how, out)
    with out.block(f"def {name}({rng.choice(PARAMETERS)}):"):
        if rng.random() < 0.2:
            out.line('"""What it does."""')
        for _ in range(rng.choice((0, 1, 2, 3))):
            out.line(rng.choice(MAPPED).replace("tf.", f"{how.tensorflow}."))
        out.line(
            rng.choice(("return x", "return x, y", "return x", "return", "yield x", "pass", "raise ValueError(x)"))
        )
    return name


def decorator(rng: random.Random, how: Spelling, out: Writer, *, methods: bool = False) -> None:
    """Now and then a decorator or two."""
    possible = (*DECORATORS, "@property", "@staticmethod", "@classmethod") if methods else DECORATORS
    for line in rng.sample(possible, rng.choice((0, 0, 0, 0, 1, 2))):
        out.line(line.replace("{tf}", how.tensorflow))


def keras_class(rng: random.Random, how: Spelling, out: Writer) -> None:
    """A layer, model, dataset or callback with one method of its own."""
    base, method = rng.choice(
        (
            ("{tf}.keras.layers.Layer", "call(self, inputs, training=None)"),
            ("{tf}.keras.Model", "train_step(self, data)"),
            ("{tf}.keras.utils.PyDataset", "__getitem__(self, index)"),
            ("{tf}.keras.callbacks.Callback", "on_batch_end(self, batch, logs=None)"),
            ("{tf}.Module", "__call__(self, x)"),
        )
    )
    with out.block(f"class Own({base.replace('{tf}', how.tensorflow)}):"):
        decorator(rng, how, out, methods=True)
        with out.block(f"def {method}:"):
            for _ in range(rng.choice((1, 2))):
                out.line(rng.choice((*MAPPED, *LOOPED[:-3])).replace("tf.", f"{how.tensorflow}."))
            out.line(rng.choice(("return x", "return np.sin(inputs)", "return super().call(inputs)", "pass")))


def loop_body(rng: random.Random, how: Spelling, out: Writer) -> None:
    """What happens to each element: a step by hand under a tape, or calls of steps that stand elsewhere."""
    if rng.random() < 0.3:
        with out.block(f"with {how.tensorflow}.GradientTape() as tape:"):
            out.line(rng.choice(("loss = loss_fn(y, model(x))", "loss = tf.reduce_mean(model(x) - y)", "pass")))
        out.line("grads = tape.gradient(loss, model.trainable_variables)")
        out.line("optimizer.apply_gradients(zip(grads, model.trainable_variables))")
    for _ in range(rng.choice((1, 1, 2))):
        out.line(rng.choice(LOOPED))
