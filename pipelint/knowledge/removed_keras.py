"""What Keras 3, and the TensorFlow that comes with it, no longer has. Tested on the Keras and TensorFlow installed."""

from __future__ import annotations

REMOVED_METHODS = {
    "keras.Model": {
        "fit_generator": "fit takes a generator itself",
        "evaluate_generator": "evaluate takes a generator itself",
        "predict_generator": "predict takes a generator itself",
        "predict_classes": "use predict, and argmax over its last axis or a threshold",
        "predict_proba": "predict gives the same",
        "reset_states": "its stateful layers have it",
    },
    "keras.optimizers": {
        "get_gradients": "tf.GradientTape gives them",
        "get_weights": "its `variables` are what it keeps",
        "minimize": "take the gradients from a tf.GradientTape, and give them to apply_gradients",
    },
}
"""Methods that Keras 3 lacks, by what has them in Keras 2, and what is to be done."""
RENAMED_METHODS = {"experimental_run_v2": "run"}
"""Methods of strategies that TensorFlow called so until 2.2, with the names that they have since."""
RENAMED_OF_METRICS = {"reset_states": "reset_state"}
"""Methods of metrics that Keras 3 lacks, with the names that they have since TensorFlow 2.5."""
IGNORED_BY_OPTIMIZERS = "decay"
"""An argument by which optimizers of Keras 2 lowered the learning rate; Keras 3 warns that it does nothing."""
NEVER_NONE = "epsilon"
"""An argument of optimizers for which Keras 2 took None as its default; the first step of Keras 3 raises an error."""
TAKES_NO_WORKERS = frozenset({"fit", "evaluate", "predict"})
"""Methods of models that Keras 2 could tell to run a generator in threads or processes."""
WORKER_ARGUMENTS = ("workers", "use_multiprocessing", "max_queue_size")
"""The arguments for that; since Keras 3 they are those of a PyDataset."""
LEARNING_RATE = {"lr": "learning_rate"}
"""What optimizers took as another name of an argument."""
IGNORES_LEARNING_RATE_SINCE = (2, 11)
"""From here on optimizers took the old name, logged that it is deprecated, and left the argument at its default."""
DEFAULT_RATES = {
    **dict.fromkeys(("Adam", "Adamax", "AdamW", "Nadam", "RMSprop", "Adagrad", "Adadelta", "Ftrl"), 0.001),
    "SGD": 0.01,
}
"""The learning rates of optimizers that are told none."""
FUNCTION_ARGUMENTS = {
    "experimental_compile": ("jit_compile", (2, 5)),
    "experimental_relax_shapes": ("reduce_retracing", (2, 10)),
}
"""Arguments of `tf.function` that log a deprecation, with their new names and a version that surely has these."""
ITERATOR_METHODS = frozenset({"make_one_shot_iterator", "make_initializable_iterator"})
"""Methods of a dataset that went with TensorFlow 1."""
IMAGE_GENERATOR = "keras.preprocessing.image.ImageDataGenerator"
"""Deprecated since TensorFlow 2.9; Keras 3 has it for `tf.keras` alone."""
GENERATES_FROM_FILES = frozenset({"flow_from_directory", "flow_from_dataframe"})
"""Its methods that read files."""
ONLY_WITH_KERAS_2 = (
    "tf_keras", "TF_USE_LEGACY_KERAS", "optimizers.legacy", "tensorflow.python.keras",
)  # fmt: skip
"""What only programs have that run on Keras 2: a package of it, what asks for that, and what is gone since."""
GONE_MODULES = tuple(
    f"keras.{module}"
    for module in (
        "backend.tensorflow_backend", "engine", "layers.advanced_activations", "layers.convolutional", "layers.core",
        "layers.cudnn_recurrent", "layers.embeddings", "layers.local", "layers.merge", "layers.noise",
        "layers.normalization", "layers.pooling", "layers.recurrent", "layers.wrappers", "legacy.interfaces",
        "objectives", "utils.conv_utils", "utils.data_utils", "utils.generic_utils", "utils.io_utils",
        "utils.layer_utils", "utils.multi_gpu_utils", "utils.np_utils", "utils.training_utils", "utils.vis_utils",
        "wrappers.scikit_learn",
    )
)  # fmt: skip
"""Modules of Keras 2 that Keras 3 has neither as `keras` nor as `tf.keras`: to import from them fails."""
GONE_FROM_KERAS = tuple(
    f"keras.{name}"
    for name in (
        "preprocessing.image.ImageDataGenerator", "preprocessing.sequence.TimeseriesGenerator", "preprocessing.text",
    )
)  # fmt: skip
"""What only `tf.keras` still has."""
_PHASE = "say `training=True` or `training=False` where the model is called"
GONE_NAMES = {
    "keras.backend.learning_phase": _PHASE,
    "keras.backend.learning_phase_scope": _PHASE,
    "keras.backend.set_learning_phase": _PHASE,
    "keras.utils.GeneratorEnqueuer": "fit takes generators itself",
    "keras.utils.OrderedEnqueuer": "fit takes a PyDataset itself, with `workers` of its own",
    "keras.utils.SequenceEnqueuer": "fit takes a PyDataset itself, with `workers` of its own",
    "keras.experimental": "schedules such as CosineDecay are in keras.optimizers.schedules",
    "keras.layers.experimental": "its layers are in keras.layers, and BatchNormalization takes synchronized=True",
    "keras.optimizers.experimental": "its optimizers are those of keras.optimizers",
}
"""What the Keras of TensorFlow 2.9 and later had, and Keras 3 lacks, and what is to be used instead."""
