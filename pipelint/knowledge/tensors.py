"""What is known of a tensor while a graph is recorded, and what functions do to its axes. Tested by the names."""

from __future__ import annotations

STATIC_ATTRIBUTES = frozenset({"shape", "dtype", "ndim", "rank", "name", "device", "graph", "op", "_keras_mask"})
"""Attributes of a tensor that are known while tracing."""

STATIC_RESULTS = frozenset(
    {
        "int_shape", "ndim", "floatx", "epsilon", "image_data_format", "is_keras_tensor", "is_sparse", "is_tensor",
        "dtype", "executing_eagerly", "inside_function", "get_static_value", "as_dtype", "get", "deserialize",
        "serialize", "learning_phase", "backend", "get_uid", "standardize_dtype", "assert_same_structure", "is_nested",
        "get_logger", "has_strategy", "get_strategy", "broadcast_static_shape", "constant_value", "is_symbolic_tensor",
        "result_type", "name_scope", "control_dependencies", "device", "dimension_value", "dimension_at_index",
        "as_shape", "TensorShape", "TensorSpec", "RaggedTensorSpec", "Dimension",
    }
)  # fmt: skip
"""Functions of TensorFlow and Keras, by their last names, that tell shapes, types or settings rather than compute."""
STATIC_MODULES = (
    "tensorflow.config.",
    "tensorflow.test.",
    "keras.config.",
    "keras.utils.",
    "keras.ops.shape",
    "tensorflow.python.framework.",
)
"""Modules whose functions all do."""

FOLDS = frozenset({"unstack", "reshape", "squeeze", "split"})
"""Functions that take the first axis of a tensor away, or make another of it."""
FOLDS_AN_AXIS = frozenset(
    {"concat", "reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_any", "reduce_all", "gather", "unstack"}
)
"""Functions that do so to the axis which they are given."""
CONVERSIONS = ("array", "asarray", "convert_to_tensor", "constant", "cast")
"""Functions that give as many rows as they get."""

SIZED = frozenset(
    {
        "resize", "resize_with_pad", "resize_with_crop_or_pad", "random_crop", "Resizing", "JitteredResize",
        "RandomCrop", "Input", "InputLayer", "image_dataset_from_directory", "flow_from_directory",
        "flow_from_dataframe", "load_img",
    }
)  # fmt: skip
"""Functions and layers whose arguments tell how large images are."""
SIZE_PARAMETERS = (
    "size", "image_size", "target_size", "height", "width", "shape", "input_shape", "batch_input_shape",
)  # fmt: skip
"""The arguments that do."""
