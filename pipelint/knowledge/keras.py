"""What Keras offers: packages, models, methods and what it traces. Tested for the names that today's Keras has."""

from __future__ import annotations

from typing import NamedTuple

from pipelint.knowledge.consumption import ConsumerKind, Purpose

KERAS_3_SINCE = (2, 16)
"""The first TensorFlow that comes with Keras 3, and so with keras.ops."""

OTHER_BACKENDS = frozenset({"jax", "torch"})
"""What Keras 3 may train with instead of TensorFlow."""

PACKAGES = frozenset(
    {
        "keras", "keras_nlp", "keras_hub", "keras_cv", "keras_tuner", "tensorflow_addons", "tensorflow_hub", "keras_rs",
        "tensorflow_recommenders", "tensorflow_probability", "spektral", "tensorflow_gnn",
    }
)  # fmt: skip
"""Packages with Keras layers and models."""

MODEL_CLASSES = frozenset({"keras.Model", "keras.Sequential", "keras.Functional"})
MODEL_MAKERS = frozenset({"keras.models.load_model", "keras.models.clone_model", "keras.models.model_from_json"})

STAR_MODULES = {
    "keras": frozenset({"Input", "Model", "Sequential", "Variable"}),
    "keras.models": frozenset({"Model", "Sequential", "clone_model", "load_model", "model_from_json", "save_model"}),
    "tensorflow": frozenset(
        {"GradientTape", "Graph", "Module", "RaggedTensor", "SparseTensor", "Tensor", "TensorArray", "TensorShape"}
        | {"TensorSpec", "Variable"}
    ),
}
"""Modules of which `import *` brings these names."""
STAR_LAYERS = frozenset({"Input", "add", "concatenate"})
"""What `import *` brings from `keras.layers` besides its classes, which are all that has a capital letter."""


class Consumes(NamedTuple):
    """What a method of a model does with a dataset."""

    parameter: str
    """The first one, which takes the dataset."""
    kind: ConsumerKind
    purpose: Purpose


MODEL_METHODS: dict[str, Consumes] = {
    "fit": Consumes("x", ConsumerKind.FIT, Purpose.TRAINING),
    "evaluate": Consumes("x", ConsumerKind.EVALUATE, Purpose.EVALUATION),
    "predict": Consumes("x", ConsumerKind.PREDICT, Purpose.EVALUATION),
    # Removed in Keras 3.
    "fit_generator": Consumes("generator", ConsumerKind.FIT, Purpose.TRAINING),
    "evaluate_generator": Consumes("generator", ConsumerKind.EVALUATE, Purpose.EVALUATION),
    "predict_generator": Consumes("generator", ConsumerKind.PREDICT, Purpose.EVALUATION),
}
RUNS_IN_GRAPHS = frozenset({*MODEL_METHODS, "train_on_batch", "test_on_batch", "predict_on_batch"})
"""Methods of models that run them in graphs, today and in Keras 2."""
TRAINING_CALLS = frozenset({"apply_gradients", "GradientTape", "minimize", "train_on_batch", "fit"})
"""What a loop calls that trains, by last names."""
APPLIES_GRADIENTS = frozenset({"apply_gradients", "apply"})
"""Methods of an optimizer that apply the gradients that they are given; the second is new in Keras 3."""
UPDATES_WEIGHTS = APPLIES_GRADIENTS | {"minimize", "train_on_batch"}
"""The same, with those that compute the gradients too: one of an optimizer, one of a model."""
DISTRIBUTES = frozenset({"experimental_distribute_dataset", "distribute_datasets_from_function"})
"""Methods of a strategy that make a distributed dataset of one, or of a function that returns one."""
PYDATASETS = frozenset({"keras.utils.PyDataset", "keras.utils.Sequence"})
"""Bases of classes that give batches from Python; the second is the name in Keras 2, which 3 keeps."""
MAKE_BATCHES = frozenset(
    {
        "audio_dataset_from_directory", "image_dataset_from_directory", "text_dataset_from_directory",
        "timeseries_dataset_from_array",
    }
)  # fmt: skip
"""Functions whose datasets give batches, and single examples with `batch_size=None`."""
WORKERS = 4
"""How many of them a PyDataset is advised to have: enough for what waits, few enough for any machine."""
BATCH_LOADERS = frozenset({"flow", "flow_from_directory", "flow_from_dataframe", "TimeseriesGenerator"})
"""What makes batches for `fit` without tf.data; removed from the documented part of Keras 3."""

CONTAINER_LAYERS = frozenset({"Layer", "Pipeline", "Lambda", "Wrapper", "TimeDistributed", "Bidirectional"})
"""Layers that hold others or code of the user's, so that their own names do not say what is computed."""

HAS_WEIGHTS = frozenset(
    {
        "BatchNormalization", "Conv1D", "Conv1DTranspose", "Conv2D", "Conv2DTranspose", "Conv3D", "Conv3DTranspose",
        "ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D", "Dense", "DepthwiseConv1D", "DepthwiseConv2D", "EinsumDense",
        "Embedding", "GRU", "GRUCell", "GroupNormalization", "LSTM", "LSTMCell", "LayerNormalization",
        "MultiHeadAttention", "PReLU", "SeparableConv1D", "SeparableConv2D", "SimpleRNN", "SimpleRNNCell",
    }
)  # fmt: skip
"""Layers that make variables when they are first called, whatever their arguments say of activations and biases."""
KEEPS_SEED = frozenset(
    {"AlphaDropout", "Dropout", "GaussianDropout", "GaussianNoise"} | {f"SpatialDropout{axes}D" for axes in (1, 2, 3)}
)
"""Layers that in Keras 3 make a variable for the state of their seed, and in Keras 2 none."""

TRACED_METHODS = {"call": "call", "train_step": "step", "test_step": "step", "predict_step": "step"}
"""Methods of Keras classes that Keras traces, and the kind of traced function that each is."""
GIVEN_BY_KERAS = frozenset({"training", "mask"})
"""The parameters of `call`, after the first, that Keras gives a value of its own; others keep their defaults."""
STEP_DRIVERS = {
    "train_step": ("fit", "make_train_function", "train_function"),
    "test_step": ("evaluate", "make_test_function", "test_function"),
    "predict_step": ("predict", "make_predict_function", "predict_function"),
}
"""The method of Keras that runs each step in a graph, and under what names Keras has that graph."""
TRACED_WITH_MODEL = frozenset(
    {
        "__call__", "call", "add_loss", "build", "compute_loss", "compute_mask", "compute_metrics",
        "compute_output_shape", "get_layer", "reset_metrics",
    }
)  # fmt: skip
"""Methods of models that do in a graph what they do without one."""
TRAINS_BY_STEP = frozenset({"compile", "fit", "fit_generator", "train_on_batch"})
"""Methods of a model that run `train_step`, or prepare it: `call` only where that calls it."""
RUNS_NO_MODEL = frozenset(
    {
        "add_loss", "add_metric", "add_weight", "count_params", "get_config", "get_layer",
        "load_weights", "save_weights", "set_weights", "summary",
    }
)  # fmt: skip
"""Methods of layers and models that run nothing."""
ONLY_OF_TORCH = frozenset({"parameters", "named_parameters", "state_dict", "load_state_dict", "zero_grad"})
"""Methods of modules of PyTorch; models of Keras have them only where they run on PyTorch."""
KEEPS_MODEL = frozenset(
    {"tensorflow.train.Checkpoint", "tensorflow.train.CheckpointManager"}
    | {f"builtins.{name}" for name in ("callable", "getattr", "hasattr", "id", "isinstance", "len", "print", "type")}
)
"""What may be given a model and does not run it."""
EAGER_SWITCHES = ("tensorflow.config.run_functions_eagerly", "tensorflow.config.experimental_run_functions_eagerly")
"""Calls that turn tracing off, for all but mapped functions; the second is deprecated."""
SWITCHES = frozenset({"run_eagerly"})
"""Attributes of a model that turn tracing of its steps off."""
