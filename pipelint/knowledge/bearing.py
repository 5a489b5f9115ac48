"""Names without which code that runs outside of graphs does nothing that depends on who calls it, for any rule."""

from __future__ import annotations

import builtins
import sys

from pipelint.knowledge.keras import BATCH_LOADERS, DISTRIBUTES, MODEL_METHODS, SWITCHES, UPDATES_WEIGHTS
from pipelint.knowledge.python_calls import NO_DATASETS
from pipelint.knowledge.removed_keras import RENAMED_OF_METRICS
from pipelint.knowledge.signatures import EXPERIMENTAL_TRANSFORMATIONS, SOURCES, TRANSFORMATIONS

BUILTINS = frozenset(dir(builtins))
"""As plain names these are Python's own: `map` and `zip` are no transformations where no dataset is before the dot."""
_ALSO_OF_OTHERS = frozenset(
    {"apply", "concatenate", "counter", "filter", "random", "range", "reduce", "repeat", "scan", "take"}
    | {"unique", "zip"}
)
"""Transformations and sources that are named like functions of arrays and tensors: a dataset shows by other names."""
_SOURCES = frozenset(name.rpartition(".")[2] for name in SOURCES)
BEARS_WHEN_CALLED = (
    frozenset(
        {*TRANSFORMATIONS, *EXPERIMENTAL_TRANSFORMATIONS, *_SOURCES, *BATCH_LOADERS, *MODEL_METHODS, *UPDATES_WEIGHTS}
        | {"as_dataset", "compile", "experimental_run_v2", "gradient", "numpy", "run", "to_tf_dataset", *DISTRIBUTES}
        | {"minimize", *RENAMED_OF_METRICS}
    )
    - _ALSO_OF_OTHERS
)
"""Methods that make, change and take datasets, or train; as names of variables they are words like others."""
BEARS = frozenset(
    {"AUTOTUNE", "Dataset", "GradientTape", "function", "numpy_function", "py_func", "py_function", *SWITCHES}
    | {"trainable_variables", "trainable_weights"}
    | {name for name in _SOURCES if name[:1].isupper()}
)
"""Names of variables and attributes that are enough by themselves."""
WITHOUT_BEARING = NO_DATASETS | sys.stdlib_module_names | {"absl", "builtins"}
"""Packages whose functions have no bearing though they are named like it: `re.compile`, `random.shuffle`, `app.run`."""
