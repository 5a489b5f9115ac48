"""With which TensorFlow names came: who uses one without a test runs that version or a later one."""

from __future__ import annotations

_NAMES = {
    (2, 4): (
        "keras.layers.MultiHeadAttention", "keras.mixed_precision.LossScaleOptimizer", "keras.mixed_precision.Policy",
        "keras.mixed_precision.set_global_policy", "tensorflow.data.AUTOTUNE",
        "tensorflow.distribute.MultiWorkerMirroredStrategy", "tensorflow.experimental.numpy",
    ),
    (2, 7): (
        "keras.utils.set_random_seed", "tensorflow.data.Options.deterministic", "tensorflow.data.Options.threading",
    ),
    (2, 8): (
        "keras.applications.efficientnet_v2", "keras.callbacks.BackupAndRestore",
        "tensorflow.config.experimental.enable_op_determinism",
    ),
    (2, 10): ("keras.applications.convnext", "keras.utils.audio_dataset_from_directory", "keras.utils.split_dataset"),
    (2, 11): ("keras.optimizers.AdamW",),
    (2, 13): ("keras.optimizers.Lion",),
    (2, 16): ("keras.ops", "keras.random", "keras.utils.PyDataset"),
}  # fmt: skip
"""By the notes of releases and the API pages of the versions; those that were moved are known by one name alone."""
CAME_WITH = {name: version for version, names in _NAMES.items() for name in names}


def came_with(name: str) -> tuple[int, int] | None:
    """The TensorFlow that brought a dotted name, or what it is in; None where no such version is known."""
    parts = name.split(".")
    prefixes = (".".join(parts[:length]) for length in range(len(parts), 1, -1))
    return next((CAME_WITH[prefix] for prefix in prefixes if prefix in CAME_WITH), None)
