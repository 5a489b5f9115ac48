"""What Keras 3, and the TensorFlow that comes with it, no longer has. Tested on the Keras and TensorFlow installed."""

from __future__ import annotations

REMOVED_METHODS = {
    "fit_generator": "fit takes a generator itself",
    "evaluate_generator": "evaluate takes a generator itself",
    "predict_generator": "predict takes a generator itself",
    "predict_classes": "use predict, and argmax over its last axis or a threshold",
    "predict_proba": "predict gives the same",
}
"""Methods of models that Keras 3 lacks, and what is to be done."""
RENAMED_METHODS = {"experimental_run_v2": "run"}
"""Methods of strategies that TensorFlow called so until 2.2, with the names that they have since."""
TAKES_NO_WORKERS = frozenset({"fit", "evaluate", "predict"})
"""Methods of models that Keras 2 could tell to run a generator in threads or processes."""
WORKER_ARGUMENTS = ("workers", "use_multiprocessing", "max_queue_size")
"""The arguments for that; since Keras 3 they are those of a PyDataset."""
LEARNING_RATE = "lr"
"""What optimizers took as another name of their `learning_rate`."""
IMAGE_GENERATOR = "keras.preprocessing.image.ImageDataGenerator"
"""Deprecated since TensorFlow 2.9; Keras 3 has it for `tf.keras` alone."""
GENERATES_FROM_FILES = frozenset({"flow_from_directory", "flow_from_dataframe"})
"""Its methods that read files."""
ONLY_WITH_KERAS_2 = (
    "tf_keras", "TF_USE_LEGACY_KERAS", "optimizers.legacy", "tensorflow.python.keras", "tensorflow_addons",
    "tensorflow_model_optimization",
)  # fmt: skip
"""What only programs have that run on Keras 2: a package of it, what asks for that, and what knows no Keras 3."""
