"""Packages that a program gets from outside of its project, whatever folders the project has."""

from __future__ import annotations

import sys

KNOWN = frozenset(
    {"absl", "cv2", "jax", "keras", "matplotlib", "numpy", "pandas", "PIL", "scipy", "sklearn", "tensorflow"}
    | {"tensorflow_addons", "tensorflow_datasets", "tensorflow_hub", "tensorflow_probability", "tensorflow_text"}
    | {"tf_keras", "torch", "tqdm", "transformers"}
)
"""What the tables know of these would be lost if a folder of that name stood in for them."""

FIT_NO_NETWORKS = frozenset({"catboost", "lightgbm", "scipy", "sklearn", "statsmodels", "umap", "xgboost"})
"""Libraries whose objects have a `fit` as well, which trains no network of Keras."""

OWN_MODELS = frozenset({"art", "deepchem", "poutyne"})
"""Libraries whose models, also those that hold one of Keras, have a `fit_generator` and the like of their own."""


def is_library(package: str) -> bool:
    """Whether a top-level name is one of a library, by the tables or as part of Python itself."""
    return package in KNOWN or package in sys.stdlib_module_names
