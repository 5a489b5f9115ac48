"""What is known of a tensor while a graph is recorded, and what functions do to its axes. Tested by the names."""

from __future__ import annotations

STATIC_ATTRIBUTES = frozenset({"shape", "dtype", "ndim", "rank", "name", "device", "graph", "op", "_keras_mask"})
"""Attributes of a tensor that are known while tracing."""
ARRAY_ATTRIBUTES = frozenset({"shape", "dtype", "ndim"})
"""Those that tensors and arrays have, and plain Python values have not."""
STATIC_METHODS = frozenset(
    {
        "compute_mask", "compute_output_shape", "compute_output_spec", "count_params", "get_config", "get_input_at",
        "get_shape", "is_compatible_with", "set_shape", "summary",
    }
)  # fmt: skip
"""Methods of tensors, layers and models that tell such things as well."""
SHAPE_METHODS = frozenset(
    {"as_list", "as_proto", "assert_has_rank", "is_fully_defined", "num_elements", "with_rank", "with_rank_at_least"}
)
"""Methods of shapes, by whose names these are known."""

STATIC_FUNCTIONS: dict[str, tuple[str, ...]] = {
    "tensorflow": (
        "RaggedTensorSpec", "TensorShape", "TensorSpec", "as_dtype", "broadcast_static_shape", "control_dependencies",
        "device", "executing_eagerly", "get_logger", "get_static_value", "inside_function", "is_symbolic_tensor",
        "is_tensor", "name_scope",
    ),
    "tensorflow.distribute": ("get_strategy", "has_strategy"),
    "tensorflow.nest": ("assert_same_structure", "is_nested"),
    "tensorflow.compat.v1": ("Dimension", "dimension_at_index", "dimension_value"),
    "tensorflow.python.framework.tensor_shape": ("as_shape",),
    "tensorflow.python.framework.tensor_util": ("constant_value",),
    "keras.backend": (
        "backend", "epsilon", "floatx", "get_uid", "image_data_format", "is_keras_tensor", "result_type",
        "standardize_dtype",
    ),
    "keras.ops": ("dtype", "ndim"),
    "keras.losses": ("deserialize", "get", "serialize"),
    "keras.backend of Keras 2": ("int_shape", "is_sparse", "learning_phase"),
}  # fmt: skip
"""Functions that tell shapes, types or settings rather than compute, by where they are."""
STATIC_RESULTS = frozenset(name for names in STATIC_FUNCTIONS.values() for name in names)
STATIC_MODULES = (
    "tensorflow.config.",
    "tensorflow.test.",
    "keras.config.",
    "keras.utils.",
    "keras.ops.shape",
    "tensorflow.python.framework.",
)
"""How names begin of what else tells such things."""

IN_A_GRAPH = {
    "tensorflow.config.functions_run_eagerly": False,
    "tensorflow.executing_eagerly": False,
    "tensorflow.inside_function": True,
}
"""What these functions answer while a graph is recorded."""
ALWAYS_OUTSIDE = frozenset({"tensorflow.executing_eagerly", "tensorflow.inside_function"})
"""Those that answer the opposite everywhere else in TensorFlow 2; the others tell of a setting."""
TENSOR_TESTS = frozenset({"tensorflow.is_symbolic_tensor", "tensorflow.is_tensor"})
"""Functions that tell whether they are given a tensor."""
TENSOR_TYPES = frozenset(
    {"tensorflow.RaggedTensor", "tensorflow.SparseTensor", "tensorflow.Tensor", "tensorflow.Variable"}
)
NO_TENSORS = frozenset(
    {
        "builtins.bool", "builtins.bytes", "builtins.float", "builtins.int", "builtins.str", "numpy.generic",
        "numpy.ndarray",
    }
)  # fmt: skip
"""Types of which no tensor of a graph is."""
CONTAINERS = frozenset({"builtins.dict", "builtins.list", "builtins.tuple"})
"""Types of which no tensor is, though what they hold may be some."""

FOLDS = frozenset({"unstack", "reshape", "squeeze", "split"})
"""Functions that take the first axis of a tensor away, or make another of it."""
FOLDS_AN_AXIS = frozenset(
    {"concat", "reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_any", "reduce_all", "gather", "unstack"}
)
"""Functions that do so to the axis which they are given."""
CONVERSIONS = frozenset(
    {"array", "asarray", "cast", "constant", "convert_to_tensor", "pad_sequences", "to_categorical"}
)
"""Functions that give as many rows as they get."""

SIZED_BY: dict[str, tuple[str, ...]] = {
    "tensorflow": ("ensure_shape",),
    "tensorflow.image": ("random_crop", "resize", "resize_with_crop_or_pad", "resize_with_pad"),
    "keras": ("Input",),
    "keras.layers": ("InputLayer", "RandomCrop", "Resizing"),
    "keras.utils": ("image_dataset_from_directory", "load_img"),
    "ImageDataGenerator of Keras 2": ("flow_from_dataframe", "flow_from_directory"),
    "keras_cv.layers": ("JitteredResize",),
}
"""Functions and layers whose arguments tell how large images are, by where they are."""
SIZED = frozenset(name for names in SIZED_BY.values() for name in names)
SIZE_PARAMETERS = (
    "size", "image_size", "target_size", "height", "width", "shape", "input_shape", "batch_input_shape",
)  # fmt: skip
"""The arguments that do."""

RUNS_A_MODEL = (
    "tensorflow.GradientTape", "tensorflow.compat.", "tensorflow.distribute.", "tensorflow.einsum",
    "tensorflow.function", "tensorflow.linalg.", "tensorflow.lite.", "tensorflow.matmul", "tensorflow.nn.",
    "tensorflow.saved_model.", "tensorflow.tensordot",
)  # fmt: skip
"""How names begin of what models are made of or run by, rather than data converted, written and counted."""
COMPARES = (
    "keras.losses.", "keras.metrics.", "tensorflow.equal", "tensorflow.image.psnr", "tensorflow.image.ssim",
    "tensorflow.math.equal", "tensorflow.nn.in_top_k", "tensorflow.nn.sigmoid_cross_entropy_with_logits",
    "tensorflow.nn.softmax_cross_entropy_with_logits", "tensorflow.nn.sparse_softmax_cross_entropy_with_logits",
)  # fmt: skip
"""How names begin of what compares predictions with labels, where it is given two tensors."""
OF_METRICS = frozenset({"update_state", "result", "reset_state", "reset_states"})
"""Methods that metrics of Keras have, and nothing that trains."""
JOINS = frozenset({"concat", "concatenate", "append", "hstack", "vstack", "stack", "pad"})
"""Functions of TensorFlow and numpy that make one tensor of several, or a longer one."""
SHAPES_ONLY = frozenset(
    f"tensorflow.{name}" for name in ("constant", "ensure_shape", "expand_dims", "identity", "reshape", "squeeze")
)
"""Functions that look at a tensor in another shape, or bring in a constant: none moves or computes a value."""
REARRANGES = frozenset({"collections.OrderedDict", "tensorflow.nest.flatten", "tensorflow.nest.pack_sequence_as"})
"""Functions that put the parts of an element in another order or structure, which Python does while it traces."""
LITTLE_WORK = SHAPES_ONLY | frozenset(
    f"tensorflow.{name}"
    for name in (
        "cast", "concat", "convert_to_tensor", "fill", "image.convert_image_dtype", "ones", "ones_like", "rank",
        "shape", "size", "stack", "tile", "zeros", "zeros_like",
    )
)  # fmt: skip
"""The same, with those that pass over a tensor once: in whole batches they cost less than to hand these to threads."""
ELEMENTWISE = frozenset(
    f"tensorflow.{name}"
    for name in (
        "abs", "add", "cast", "clip_by_value", "divide", "exp", "image.convert_image_dtype", "math.abs", "math.add",
        "math.divide", "math.exp", "math.log", "math.log1p", "math.multiply", "math.negative", "math.pow",
        "math.reciprocal", "math.sqrt", "math.square", "math.subtract", "math.truediv", "multiply", "negative",
        "one_hot", "pow", "sqrt", "square", "subtract", "truediv",
    )
)  # fmt: skip
"""Functions that do to a batch what they do to each of its elements, whatever the shape of these."""
GIVES_LISTS = frozenset({"tensorflow.split", "tensorflow.unstack"})
"""Functions that give tensors in a list of Python."""
