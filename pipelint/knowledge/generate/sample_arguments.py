"""Arguments for functions of which only the signature is known: tensors of many kinds, and values by names."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Maker = Callable[[], Any]
"""Makes a value inside the graph that is being traced."""


def tensor(dtype: str, *shape: int | None) -> Maker:
    """Makes a tensor of which only this much is known while tracing."""

    def make() -> Any:
        import tensorflow as tf

        return tf.raw_ops.Placeholder(dtype=tf.as_dtype(dtype), shape=shape)

    return make


def _ragged(dtype: str) -> Maker:
    def make() -> Any:
        import tensorflow as tf

        return tf.RaggedTensor.from_row_splits(tensor(dtype, 4)(), tensor("int64", 3)(), validate=False)

    return make


def _sparse(dtype: str) -> Maker:
    def make() -> Any:
        import tensorflow as tf

        return tf.SparseTensor(tensor("int64", 4, 2)(), tensor(dtype, 4)(), tf.constant([4, 4], tf.int64))

    return make


def _several(make: Maker) -> Maker:
    return lambda: [make(), make()]


WORLDS: dict[str, Maker] = {
    "images": tensor("float32", 2, 8, 8, 3),
    "image": tensor("float32", 8, 8, 3),
    "an image of any size": tensor("float32", None, None, 3),
    "bytes of an image": tensor("uint8", 8, 8, 3),
    "one image of bytes of any size": tensor("uint8", None, None, 3),
    "a number": tensor("float32"),
    "a vector": tensor("float32", 4),
    "a matrix": tensor("float32", 4, 4),
    "a double matrix": tensor("float64", 4, 4),
    "a vector of any length": tensor("float32", None),
    "sequences": tensor("float32", 2, 8, 3),
    "a volume": tensor("float32", 1, 4, 4, 4, 3),
    "an integer": tensor("int32"),
    "integers": tensor("int32", 4),
    "a matrix of integers": tensor("int32", 4, 4),
    "long integers": tensor("int64", 4),
    "a string": tensor("string"),
    "strings": tensor("string", 4),
    "booleans": tensor("bool", 4),
    "a matrix of booleans": tensor("bool", 4, 4),
    "complex numbers": tensor("complex64", 4),
    "a complex matrix": tensor("complex64", 4, 4),
    "a complex volume": tensor("complex64", 4, 4, 4),
    "bytes": tensor("uint8", 4),
    "a sound": tensor("float32", 4096),
    "ragged numbers": _ragged("float32"),
    "ragged integers": _ragged("int32"),
    "ragged strings": _ragged("string"),
    "sparse numbers": _sparse("float32"),
    "sparse integers": _sparse("int64"),
    "sparse strings": _sparse("string"),
    "two vectors": _several(tensor("float32", 4)),
    "two matrices": _several(tensor("float32", 4, 4)),
    "two strings": _several(tensor("string", 4)),
    "two ragged tensors": _several(_ragged("float32")),
    "two sparse tensors": _several(_sparse("float32")),
    "lists of integers": lambda: [[1, 2], [3, 4]],
    "a plain integer": lambda: 1,
    "a plain number": lambda: 0.5,
    "a plain text": lambda: "a",
    "a plain shape": lambda: (4, 4),
}
"""What a tensor may be; each function is tried with all of them."""


def _dtype() -> Any:
    import tensorflow as tf

    return tf.float32


def _fixed(value: Any) -> Maker:
    return lambda: value


_ORDINARY = {
    "axis": 0, "axes": (0,), "dim": 0, "dimension": 0, "perm": (1, 0), "axis1": 0, "axis2": 1, "source": 0,
    "destination": 1, "shift": 1, "multiples": 2, "repeats": 2, "depth": 4, "num": 4, "n": 4, "k": 1, "ord": 1,
    "num_classes": 4, "num_segments": 4, "num_bits": 4, "num_buckets": 4, "num_bins": 4, "num_samples": 2,
    "num_split": 2, "num_or_size_splits": 2, "num_or_size_segments": 2, "indices_or_sections": 2, "block_size": 2,
    "size": (4, 4), "shape": (4, 4), "output_shape": (4, 4), "new_shape": (4, 4), "newshape": (4, 4),
    "target_height": 4, "target_width": 4, "height": 4, "width": 4, "offset_height": 1, "offset_width": 1,
    "crop_size": (4, 4),
    "central_fraction": 0.5, "delta": 0.1, "max_delta": 0.1, "lower": 0.5, "upper": 1.5, "contrast_factor": 2.0,
    "saturation_factor": 2.0, "adjustment": 0.1, "jpeg_quality": 80, "min_jpeg_quality": 70, "max_jpeg_quality": 90,
    "paddings": ((0, 0), (0, 0)), "padding": "SAME", "ksize": 2, "strides": 1, "pool_size": 2, "sizes": (1, 2, 2, 1),
    "rates": (1, 1, 1, 1), "rate": 0.5, "keep_prob": 0.5, "noise_std": 0.1, "max_output_size": 2, "clip_norm": 1.0,
    "clip_value_min": 0.0, "clip_value_max": 1.0, "x_min": 0.0, "x_max": 1.0, "a_min": 0.0, "a_max": 1.0,
    "frame_length": 4, "frame_step": 2, "window_length": 4, "fft_length": 4, "sequence_length": 4,
    "sequence_stride": 2, "start": 0, "limit": 4, "stop": 4, "delta_t": 1, "minval": 0, "maxval": 4, "mean": 0.0,
    "stddev": 1.0, "low": 0.0, "high": 1.0, "alpha": 0.5, "beta": 0.5, "lam": 1.0, "decimals": 1, "equation": "ij->ji",
    "subscripts": "ij->ji", "pattern": "a", "rewrite": "b", "sep": ",", "separator": ",", "delimiter": ",", "pos": 0,
    "len": 1, "ngram_width": 2, "message": "wrong", "msg": "wrong", "name": "it", "num_rows": 4, "num_columns": 4,
    "num_mel_bins": 4, "num_spectrogram_bins": 4, "sample_rate": 8000, "value_range": (0.0, 1.0), "nbins": 4,
    "maxlen": 4, "lengths": 4, "ndmin": 1, "obj": 0, "reps": 2, "pad_width": 1, "order": 1, "lower_bound": 0,
    "upper_bound": 1, "num_lower": 1, "num_upper": 1, "diag_index": 0, "data_format": "channels_last", "units": 2,
    "filters": 2, "kernel_size": 2, "scale_factor": 2.0, "color_space": "RGB", "factor": 0.5, "input_dim": 4,
    "output_dim": 2, "max_tokens": 4, "bins": 4, "num_parallel_calls": 1, "epsilon": 1e-3, "variance_epsilon": 1e-3,
    "depth_radius": 1, "iterations": 2, "input_length": (1,), "logit_length": (1,), "label_length": (1,),
    "predicate": True, "flag": True, "transpose_a": False, "quality": 80, "thresh": 1.0, "threshold": 0.5,
    "encoding": "utf8",
    "input_encoding": "UTF-8", "output_encoding": "UTF-8", "errors": "replace", "normalization_form": "NFC",
}  # fmt: skip
"""Values that most functions understand under these names."""

BY_NAME: dict[str, Maker] = {
    **{name: _fixed(value) for name, value in _ORDINARY.items()},
    **dict.fromkeys(("dtype", "type", "out_type", "Tout", "output_type", "internal_dtype", "element_dtype"), _dtype),
    **dict.fromkeys(("seed", "seeds"), tensor("int32", 2)),
    **dict.fromkeys(("condition", "cond", "mask", "where", "pred", "boolean_mask"), tensor("bool", 4)),
    **dict.fromkeys(("segment_ids", "indices", "idx", "row_lengths", "nrows"), tensor("int32", 4)),
    **dict.fromkeys(("contents", "serialized", "input_bytes", "filename", "pattern_file"), tensor("string")),
    **dict.fromkeys(("boxes", "bboxes"), tensor("float32", 2, 4)),
    **dict.fromkeys(("box_indices", "box_ind"), tensor("int32", 2)),
    "scores": tensor("float32", 2),
    "rng": tensor("float32", 2),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Sample:
    """One way to call something."""

    positional: tuple[Maker, ...]
    keywords: dict[str, Maker]

    def with_keyword(self, name: str, value: Any) -> Sample:
        """The same with one argument more."""
        return Sample(self.positional, {**self.keywords, name: _fixed(value)})


def sample(*positional: Any, **keywords: Any) -> Sample:
    """A call with these arguments; functions among them make the value inside the graph."""
    return Sample(
        tuple(item if callable(item) else _fixed(item) for item in positional),
        {name: item if callable(item) else _fixed(item) for name, item in keywords.items()},
    )


def parameters_of(function: Any) -> list[inspect.Parameter] | None:
    """The parameters that a caller gives, None where no signature tells."""
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None


def samples_of(function: Any, *, by_names: bool = True) -> Iterator[Sample]:
    """Calls with all required arguments, one for each world; names tell of some of them what they are, or of none."""
    parameters = parameters_of(function)
    if parameters is None:
        return
    required = [item for item in parameters if item.default is item.empty]
    by_position = [item for item in required if item.kind in (item.POSITIONAL_ONLY, item.POSITIONAL_OR_KEYWORD)]
    by_name = [item for item in required if item.kind is item.KEYWORD_ONLY]
    if not by_position and parameters and any(item.kind is item.VAR_POSITIONAL for item in parameters):
        by_position = [item for item in parameters if item.kind is item.VAR_POSITIONAL]
    known = BY_NAME if by_names else {}
    several = any(item.name not in known for item in (*by_position, *by_name))
    for world in WORLDS.values() if several else [WORLDS["image"]]:
        yield Sample(
            tuple(known.get(item.name, world) for item in by_position),
            {item.name: known.get(item.name, world) for item in by_name},
        )
