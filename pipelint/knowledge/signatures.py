"""What tf.data offers: the signatures of its transformations and the calls that make datasets."""

from __future__ import annotations

TRANSFORMATIONS: dict[str, tuple[str, ...]] = {
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
    "bucket_by_sequence_length": ("element_length_func", "bucket_boundaries", "bucket_batch_sizes"),
    "rejection_resample": ("class_func", "target_dist", "initial_dist", "seed", "name"),
    "assert_cardinality": ("expected_cardinality",),
    "prefetch_to_device": ("device", "buffer_size"),
    "copy_to_device": ("target_device", "source_device"),
}
"""Parameters of each transformation in the order of its signature."""

EXPERIMENTAL_TRANSFORMATIONS: dict[str, tuple[str, ...]] = {
    "map_and_batch": ("map_func", "batch_size", "num_parallel_batches", "drop_remainder", "num_parallel_calls"),
    "shuffle_and_repeat": ("buffer_size", "count", "seed"),
    "parallel_interleave": ("map_func", "cycle_length", "block_length", "sloppy"),
    "dense_to_ragged_batch": ("batch_size", "drop_remainder", "row_splits_dtype"),
    "dense_to_sparse_batch": ("batch_size", "row_shape"),
    **{
        name: TRANSFORMATIONS[name]
        for name in (
            "unbatch", "ignore_errors", "unique", "take_while", "scan", "group_by_window", "bucket_by_sequence_length",
            "rejection_resample", "assert_cardinality", "prefetch_to_device", "copy_to_device", "snapshot",
        )
    },
}  # fmt: skip
"""Those that are given to `apply`."""

FUNCTION_PARAMETER = {
    "map": "map_func",
    "interleave": "map_func",
    "flat_map": "map_func",
    "filter": "predicate",
    "take_while": "predicate",
    "map_and_batch": "map_func",
    "parallel_interleave": "map_func",
}
"""The parameter that holds the function which is applied to each element."""

RETURNS_DATASETS = frozenset({"interleave", "flat_map", "parallel_interleave"})

ONLY_DATASETS_HAVE = frozenset(
    {
        "prefetch", "padded_batch", "ragged_batch", "interleave", "with_options", "unbatch", "snapshot", "rebatch",
        "group_by_window", "bucket_by_sequence_length", "rejection_resample", "assert_cardinality", "ignore_errors",
    }
)  # fmt: skip
"""Methods that prove their receiver a Dataset in a file that imports tensorflow."""

TELLING_ARGUMENTS = frozenset({"num_parallel_calls", "drop_remainder", "reshuffle_each_iteration", "padded_shapes"})
"""Arguments that prove the same."""

RIVALS = frozenset({"datasets", "ray", "grain", "torchdata", "pyspark", "webdataset", "apache_beam", "dask", "tfx"})
"""Packages whose objects have transformations of the same names."""

SOURCES: dict[str, tuple[str, ...]] = {
    **{
        f"tensorflow.data.Dataset.{name}": parameters
        for name, parameters in {
            "from_tensor_slices": ("tensors", "name"),
            "from_tensors": ("tensors", "name"),
            "from_generator": ("generator", "output_types", "output_shapes", "args", "output_signature", "name"),
            "range": ("start", "stop", "step"),
            "list_files": ("file_pattern", "shuffle", "seed", "name"),
            "zip": ("datasets",),
            "random": ("seed",),
            "load": ("path",),
            "sample_from_datasets": ("datasets", "weights", "seed"),
            "choose_from_datasets": ("datasets", "choice_dataset"),
            "counter": ("start", "step"),
        }.items()
    },
    "tensorflow.data.TFRecordDataset": ("filenames", "compression_type", "buffer_size", "num_parallel_reads", "name"),
    "tensorflow.data.TextLineDataset": ("filenames", "compression_type", "buffer_size", "num_parallel_reads", "name"),
    "tensorflow.data.FixedLengthRecordDataset": ("filenames", "record_bytes", "header_bytes", "footer_bytes"),
    "tensorflow.data.experimental.CsvDataset": ("filenames", "record_defaults"),
    "tensorflow.data.experimental.SqlDataset": ("driver_name", "data_source_name", "query", "output_types"),
    "tensorflow.data.experimental.sample_from_datasets": ("datasets", "weights", "seed"),
    "tensorflow.data.experimental.choose_from_datasets": ("datasets", "choice_dataset"),
    "tensorflow.data.experimental.load": ("path",),
    "tensorflow.data.experimental.from_list": ("elements",),
    "tensorflow.data.experimental.Counter": ("start", "step"),
    "tensorflow.data.experimental.RandomDataset": ("seed",),
    "tensorflow.data.experimental.make_csv_dataset": ("file_pattern", "batch_size"),
    "tensorflow.data.experimental.make_batched_features_dataset": ("file_pattern", "batch_size"),
    "keras.utils.image_dataset_from_directory": (
        "directory", "labels", "label_mode", "class_names", "color_mode", "batch_size", "image_size",
    ),
    "keras.utils.text_dataset_from_directory": ("directory", "labels", "label_mode", "class_names", "batch_size"),
    "keras.utils.audio_dataset_from_directory": ("directory", "labels", "label_mode", "class_names", "batch_size"),
    "keras.utils.timeseries_dataset_from_array": (
        "data", "targets", "sequence_length", "sequence_stride", "sampling_rate", "batch_size",
    ),
    "tensorflow_datasets.load": ("name",),
}  # fmt: skip

LOADERS = frozenset(
    {
        "image_dataset_from_directory", "text_dataset_from_directory", "audio_dataset_from_directory",
        "timeseries_dataset_from_array", "make_csv_dataset", "make_batched_features_dataset",
    }
)  # fmt: skip
"""Sources that give batches by themselves."""

MERGES = frozenset({"zip", "sample_from_datasets", "choose_from_datasets"})
"""Sources that take other datasets."""


_CALLABLES: dict[str, tuple[str, ...]] = {
    "keras.Model.fit": ("x", "y", "batch_size", "epochs"),
    "keras.Model.evaluate": ("x", "y", "batch_size"),
    "keras.Model.predict": ("x", "batch_size"),
    "keras.preprocessing.image.ImageDataGenerator.flow": ("x", "y", "batch_size"),
    "tensorflow.config.run_functions_eagerly": ("run_eagerly",),
    "tensorflow.config.experimental_run_functions_eagerly": ("run_eagerly",),
}


def parameters_of(symbol: str) -> tuple[str, ...] | None:
    """The parameters of a callable of a library in the order of its signature, None where that is not known."""
    if symbol in SOURCES:
        return SOURCES[symbol]
    module, _, last = symbol.rpartition(".")
    if module == "tensorflow.data.experimental" and last in EXPERIMENTAL_TRANSFORMATIONS:
        return EXPERIMENTAL_TRANSFORMATIONS[last]
    return _CALLABLES.get(symbol)
