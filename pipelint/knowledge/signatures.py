"""Parameters of known callables, in the order of their signatures. Tested against `inspect.signature` of each."""

from __future__ import annotations

Parameters = tuple[str, ...]

TRANSFORMATIONS: dict[str, Parameters] = {
    "map": ("map_func", "num_parallel_calls", "deterministic", "synchronous", "use_unbounded_threadpool", "name"),
    "interleave": ("map_func", "cycle_length", "block_length", "num_parallel_calls", "deterministic", "name"),
    "flat_map": ("map_func", "name"),
    "filter": ("predicate", "name"),
    "take_while": ("predicate", "name"),
    "batch": ("batch_size", "drop_remainder", "num_parallel_calls", "deterministic", "name"),
    "padded_batch": ("batch_size", "padded_shapes", "padding_values", "drop_remainder", "name"),
    "ragged_batch": ("batch_size", "drop_remainder", "row_splits_dtype", "name"),
    "sparse_batch": ("batch_size", "row_shape", "name"),
    "rebatch": ("batch_size", "drop_remainder", "name"),
    "unbatch": ("name",),
    "shuffle": ("buffer_size", "seed", "reshuffle_each_iteration", "name"),
    "repeat": ("count", "name"),
    "take": ("count", "name"),
    "skip": ("count", "name"),
    "prefetch": ("buffer_size", "name"),
    "cache": ("filename", "name"),
    "shard": ("num_shards", "index", "name"),
    "concatenate": ("dataset", "name"),
    "window": ("size", "shift", "stride", "drop_remainder", "name"),
    "enumerate": ("start", "name"),
    "scan": ("initial_state", "scan_func", "name"),
    "with_options": ("options", "name"),
    "apply": ("transformation_func",),
    "unique": ("name",),
    "ignore_errors": ("log_warning", "name"),
    "snapshot": ("path", "compression", "reader_func", "shard_func", "name"),
    "group_by_window": ("key_func", "reduce_func", "window_size", "window_size_func", "name"),
    "bucket_by_sequence_length": (
        "element_length_func", "bucket_boundaries", "bucket_batch_sizes", "padded_shapes", "padding_values",
        "pad_to_bucket_boundary", "no_padding", "drop_remainder", "name",
    ),
    "rejection_resample": ("class_func", "target_dist", "initial_dist", "seed", "name"),
    "assert_cardinality": ("expected_cardinality",),
    "prefetch_to_device": ("device", "buffer_size"),
    "copy_to_device": ("target_device", "source_device"),
}  # fmt: skip
"""Methods of a dataset; the last three are only in tf.data.experimental."""

EXPERIMENTAL_TRANSFORMATIONS: dict[str, Parameters] = {
    "map_and_batch": ("map_func", "batch_size", "num_parallel_batches", "drop_remainder", "num_parallel_calls"),
    "shuffle_and_repeat": ("buffer_size", "count", "seed"),
    "parallel_interleave": (
        "map_func", "cycle_length", "block_length", "sloppy", "buffer_output_elements", "prefetch_input_elements",
    ),
    "dense_to_ragged_batch": ("batch_size", "drop_remainder", "row_splits_dtype"),
    "dense_to_sparse_batch": ("batch_size", "row_shape"),
    **{
        name: tuple(parameter for parameter in TRANSFORMATIONS[name] if parameter != "name")
        for name in (
            "unbatch", "ignore_errors", "unique", "take_while", "scan", "group_by_window", "bucket_by_sequence_length",
            "rejection_resample", "assert_cardinality", "prefetch_to_device", "copy_to_device", "snapshot",
        )
    },
}  # fmt: skip
"""Functions of tf.data.experimental whose results are given to `apply`."""

SOURCES: dict[str, Parameters] = {
    "tensorflow.data.Dataset.from_tensor_slices": ("tensors", "name"),
    "tensorflow.data.Dataset.from_tensors": ("tensors", "name"),
    "tensorflow.data.Dataset.from_generator": (
        "generator", "output_types", "output_shapes", "args", "output_signature", "name",
    ),
    # Takes *args; one alone is the stop.
    "tensorflow.data.Dataset.range": ("start", "stop", "step"),
    "tensorflow.data.Dataset.list_files": ("file_pattern", "shuffle", "seed", "name"),
    # Takes *args as well, since 2.13.
    "tensorflow.data.Dataset.zip": ("datasets",),
    "tensorflow.data.Dataset.random": ("seed", "rerandomize_each_iteration", "name"),
    "tensorflow.data.Dataset.load": ("path", "element_spec", "compression", "reader_func", "wait"),
    "tensorflow.data.Dataset.sample_from_datasets": (
        "datasets", "weights", "seed", "stop_on_empty_dataset", "rerandomize_each_iteration",
    ),
    "tensorflow.data.Dataset.choose_from_datasets": ("datasets", "choice_dataset", "stop_on_empty_dataset"),
    "tensorflow.data.Dataset.counter": ("start", "step", "dtype", "name"),
    "tensorflow.data.TFRecordDataset": ("filenames", "compression_type", "buffer_size", "num_parallel_reads", "name"),
    "tensorflow.data.TextLineDataset": ("filenames", "compression_type", "buffer_size", "num_parallel_reads", "name"),
    "tensorflow.data.FixedLengthRecordDataset": (
        "filenames", "record_bytes", "header_bytes", "footer_bytes", "buffer_size", "compression_type",
        "num_parallel_reads", "name",
    ),
    "tensorflow.data.experimental.CsvDataset": (
        "filenames", "record_defaults", "compression_type", "buffer_size", "header", "field_delim", "use_quote_delim",
        "na_value", "select_cols", "exclude_cols",
    ),
    "tensorflow.data.experimental.SqlDataset": ("driver_name", "data_source_name", "query", "output_types"),
    "tensorflow.data.experimental.sample_from_datasets": ("datasets", "weights", "seed", "stop_on_empty_dataset"),
    "tensorflow.data.experimental.choose_from_datasets": ("datasets", "choice_dataset", "stop_on_empty_dataset"),
    "tensorflow.data.experimental.load": ("path", "element_spec", "compression", "reader_func"),
    "tensorflow.data.experimental.from_list": ("elements", "name"),
    "tensorflow.data.experimental.Counter": ("start", "step", "dtype"),
    "tensorflow.data.experimental.RandomDataset": ("seed", "rerandomize_each_iteration", "name"),
    "tensorflow.data.experimental.make_csv_dataset": (
        "file_pattern", "batch_size", "column_names", "column_defaults", "label_name", "select_columns", "field_delim",
        "use_quote_delim", "na_value", "header", "num_epochs", "shuffle", "shuffle_buffer_size", "shuffle_seed",
        "prefetch_buffer_size", "num_parallel_reads", "sloppy",
    ),
    "tensorflow.data.experimental.make_batched_features_dataset": (
        "file_pattern", "batch_size", "features", "reader", "label_key", "reader_args", "num_epochs", "shuffle",
        "shuffle_buffer_size", "shuffle_seed", "prefetch_buffer_size", "reader_num_threads", "parser_num_threads",
        "sloppy_ordering", "drop_final_batch",
    ),
    "keras.utils.image_dataset_from_directory": (
        "directory", "labels", "label_mode", "class_names", "color_mode", "batch_size", "image_size", "shuffle", "seed",
        "validation_split", "subset", "interpolation", "follow_links", "crop_to_aspect_ratio",
    ),
    "keras.utils.text_dataset_from_directory": (
        "directory", "labels", "label_mode", "class_names", "batch_size", "max_length", "shuffle", "seed",
        "validation_split", "subset", "follow_links",
    ),
    "keras.utils.audio_dataset_from_directory": (
        "directory", "labels", "label_mode", "class_names", "batch_size", "sampling_rate", "output_sequence_length",
        "ragged", "shuffle", "seed", "validation_split", "subset", "follow_links",
    ),
    "keras.utils.timeseries_dataset_from_array": (
        "data", "targets", "sequence_length", "sequence_stride", "sampling_rate", "batch_size", "shuffle", "seed",
        "start_index", "end_index",
    ),
    # All others by keyword only.
    "tensorflow_datasets.load": ("name",),
}  # fmt: skip
"""Calls that make datasets."""

_FIT = (
    "x", "y", "batch_size", "epochs", "verbose", "callbacks", "validation_split", "validation_data", "shuffle",
    "class_weight", "sample_weight", "initial_epoch", "steps_per_epoch", "validation_steps", "validation_batch_size",
    "validation_freq",
)  # fmt: skip

_CALLABLES: dict[str, Parameters] = {
    # Keras 2 goes on with max_queue_size, workers and use_multiprocessing.
    "keras.Model.fit": _FIT,
    "keras.Model.evaluate": (
        "x", "y", "batch_size", "verbose", "sample_weight", "steps", "callbacks", "return_dict",
    ),
    "keras.Model.predict": ("x", "batch_size", "verbose", "steps", "callbacks"),
    # In Keras 2 metrics come third and loss_weights fourth.
    "keras.Model.compile": (
        "optimizer", "loss", "loss_weights", "metrics", "weighted_metrics", "run_eagerly", "steps_per_execution",
        "jit_compile", "auto_scale_loss",
    ),
    "keras.Model.train_on_batch": ("x", "y", "sample_weight", "class_weight", "return_dict"),
    "keras.Model.test_on_batch": ("x", "y", "sample_weight", "return_dict"),
    "keras.Model.predict_on_batch": ("x",),
    # Removed in Keras 3.
    "keras.Model.fit_generator": (
        "generator", "steps_per_epoch", "epochs", "verbose", "callbacks", "validation_data", "validation_steps",
        "validation_freq", "class_weight", "max_queue_size", "workers", "use_multiprocessing", "shuffle",
        "initial_epoch",
    ),
    "keras.Model.evaluate_generator": (
        "generator", "steps", "callbacks", "max_queue_size", "workers", "use_multiprocessing", "verbose",
    ),
    "keras.Model.predict_generator": (
        "generator", "steps", "callbacks", "max_queue_size", "workers", "use_multiprocessing", "verbose",
    ),
    "keras.layers.Lambda": ("function", "output_shape", "mask", "arguments"),
    "keras.Sequential": ("layers", "trainable", "name"),
    "keras.Input": ("shape", "batch_size", "dtype"),
    "keras.layers.InputLayer": ("shape", "batch_size", "dtype"),
    "keras.layers.Resizing": ("height", "width", "interpolation", "crop_to_aspect_ratio"),
    "keras.layers.RandomCrop": ("height", "width", "seed"),
    "keras.utils.load_img": ("path", "color_mode", "target_size", "interpolation", "keep_aspect_ratio"),
    "keras.utils.PyDataset": ("workers", "use_multiprocessing", "max_queue_size"),
    "keras.preprocessing.image.ImageDataGenerator.flow": (
        "x", "y", "batch_size", "shuffle", "sample_weight", "seed", "save_to_dir", "save_prefix", "save_format",
        "ignore_class_split", "subset",
    ),
    "keras.preprocessing.image.ImageDataGenerator.flow_from_directory": (
        "directory", "target_size", "color_mode", "classes", "class_mode", "batch_size", "shuffle", "seed",
        "save_to_dir", "save_prefix", "save_format", "follow_links", "subset", "interpolation", "keep_aspect_ratio",
    ),
    "keras.preprocessing.image.ImageDataGenerator.flow_from_dataframe": (
        "dataframe", "directory", "x_col", "y_col", "weight_col", "target_size", "color_mode", "classes", "class_mode",
        "batch_size", "shuffle", "seed", "save_to_dir", "save_prefix", "save_format", "subset", "interpolation",
        "validate_filenames",
    ),
    "keras.preprocessing.sequence.TimeseriesGenerator": (
        "data", "targets", "length", "sampling_rate", "stride", "start_index", "end_index", "shuffle", "reverse",
        "batch_size",
    ),
    "tensorflow.function": ("func", "input_signature", "autograph", "jit_compile", "reduce_retracing"),
    "tensorflow.py_function": ("func", "inp", "Tout", "name"),
    "tensorflow.numpy_function": ("func", "inp", "Tout", "stateful", "name"),
    "tensorflow.autograph.experimental.do_not_convert": ("func",),
    "tensorflow.config.run_functions_eagerly": ("run_eagerly",),
    "tensorflow.config.experimental_run_functions_eagerly": ("run_eagerly",),
    "tensorflow.config.set_visible_devices": ("devices", "device_type"),
    "tensorflow.debugging.set_log_device_placement": ("enabled",),
    "tensorflow.debugging.enable_check_numerics": ("stack_height_limit", "path_length_limit"),
    "tensorflow.data.experimental.enable_debug_mode": (),
    "tensorflow.device": ("device_name",),
    "tensorflow.GradientTape": ("persistent", "watch_accessed_variables"),
    "tensorflow.GradientTape.gradient": ("target", "sources", "output_gradients", "unconnected_gradients"),
    "tensorflow.distribute.Strategy.run": ("fn", "args", "kwargs", "options"),
    "tensorflow.distribute.Strategy.experimental_distribute_dataset": ("dataset", "options"),
    "tensorflow.distribute.Strategy.distribute_datasets_from_function": ("dataset_fn", "options"),
    "tensorflow.cond": ("pred", "true_fn", "false_fn", "name"),
    "tensorflow.while_loop": ("cond", "body", "loop_vars", "shape_invariants", "parallel_iterations"),
    "tensorflow.map_fn": ("fn", "elems", "dtype", "parallel_iterations"),
    "tensorflow.vectorized_map": ("fn", "elems", "fallback_to_while_loop", "warn"),
    "tensorflow.cast": ("x", "dtype", "name"),
    "tensorflow.image.resize": ("images", "size", "method", "preserve_aspect_ratio", "antialias", "name"),
    "tensorflow.image.resize_with_pad": ("image", "target_height", "target_width", "method", "antialias"),
    "tensorflow.image.resize_with_crop_or_pad": ("image", "target_height", "target_width"),
    "tensorflow.image.random_crop": ("value", "size", "seed", "name"),
    "tensorflow.image.stateless_random_crop": ("value", "size", "seed", "name"),
    "tensorflow.image.crop_and_resize": (
        "image", "boxes", "box_indices", "crop_size", "method", "extrapolation_value", "name",
    ),
    **{f"tensorflow.image.{name}_to_bounding_box": (
        "image", "offset_height", "offset_width", "target_height", "target_width",
    ) for name in ("crop", "pad")},
    "tensorflow.image.convert_image_dtype": ("image", "dtype", "saturate", "name"),
    "tensorflow.ensure_shape": ("x", "shape", "name"),
    "tensorflow.reshape": ("tensor", "shape", "name"),
    **{f"numpy.{name}": ("x",) for name in (
        "abs", "absolute", "arccos", "arcsin", "arctan", "ceil", "cos", "cosh", "exp", "expm1", "floor", "isfinite",
        "isinf", "isnan", "log", "log1p", "logical_not", "negative", "reciprocal", "sign", "sin", "sinh", "sqrt",
        "square", "tan", "tanh",
    )},
    **{f"numpy.{name}": ("x1", "x2") for name in (
        "add", "arctan2", "divide", "equal", "greater", "greater_equal", "less", "less_equal", "logical_and",
        "logical_or", "matmul", "maximum", "minimum", "multiply", "not_equal", "power", "subtract",
    )},
    **{f"numpy.{name}": ("a", "axis", "out", "keepdims") for name in (
        "amax", "amin", "argmax", "argmin", "max", "min",
    )},
    **{f"numpy.{name}": ("a", "axis", "dtype", "out", "keepdims") for name in ("sum", "mean", "prod")},
    **{f"numpy.{name}": ("a", "axis", "dtype", "out", "ddof", "keepdims") for name in ("std", "var")},
    **{f"numpy.{name}": ("a", "axis") for name in ("expand_dims", "squeeze")},
    **{f"numpy.{name}": ("a", "axis", "kind", "order") for name in ("sort", "argsort")},
    **{f"numpy.{name}": ("arrays", "axis", "out") for name in ("concatenate", "stack")},
    **{f"numpy.{name}": ("a", "dtype", "order") for name in ("zeros_like", "ones_like", "asarray")},
    "numpy.array": ("object", "dtype"),
    "numpy.round": ("a", "decimals", "out"),
    "numpy.cumsum": ("a", "axis", "dtype", "out"),
    "numpy.repeat": ("a", "repeats", "axis"),
    "numpy.transpose": ("a", "axes"),
    # Called newshape before numpy 2.1.
    "numpy.reshape": ("a", "shape", "order"),
    "numpy.clip": ("a", "a_min", "a_max", "out"),
    "numpy.where": ("condition", "x", "y"),
    "numpy.tensordot": ("a", "b", "axes"),
}  # fmt: skip
"""Other callables that rules ask arguments of; numpy.einsum takes any number and so has no row."""

_BY_OWNER = {
    "tensorflow.data.Dataset": TRANSFORMATIONS,
    "tensorflow.data.experimental": EXPERIMENTAL_TRANSFORMATIONS,
}


def parameters_of(name: str) -> Parameters | None:
    """The parameters of a callable with this canonical name, without `self`; None where they are not known."""
    name = name.replace("tensorflow.compat.v1.", "tensorflow.", 1)
    owner, _, last = name.rpartition(".")
    for table, key in ((_CALLABLES, name), (SOURCES, name), (_BY_OWNER.get(owner, {}), last)):
        if key in table:
            return table[key]
    return None
