"""An epoch of a small model on the same examples, in batches of 4 and of 32."""

from __future__ import annotations

from tests.benchmarks.evidence import Run, np, perceptron

SIZE = 1024


def _fitting(size: int, batch: int) -> Run:
    model = perceptron()
    model.compile("adam", "mse")
    random = np.random.default_rng(1)
    x, y = random.normal(size=(size, 32)).astype("float32"), random.normal(size=(size, 1)).astype("float32")
    return lambda: model.fit(x, y, batch_size=batch, verbose=0)


def slow(size: int) -> Run:
    return _fitting(size, 4)


def fast(size: int) -> Run:
    return _fitting(size, 32)
