"""An epoch of a small model, compiled to run eagerly and as a graph."""

from __future__ import annotations

from tests.benchmarks.evidence import Run, np, perceptron

SIZE = 512


def _fitting(size: int, *, eagerly: bool) -> Run:
    model = perceptron()
    model.compile("adam", "mse", run_eagerly=eagerly)
    random = np.random.default_rng(1)
    x, y = random.normal(size=(size, 32)).astype("float32"), random.normal(size=(size, 1)).astype("float32")
    return lambda: model.fit(x, y, batch_size=32, verbose=0)


def slow(size: int) -> Run:
    return _fitting(size, eagerly=True)


def fast(size: int) -> Run:
    return _fitting(size, eagerly=False)
