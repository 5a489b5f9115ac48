"""Arguments for the symbols that need particular ones: those that no table of parameter names can guess."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipelint.knowledge.generate.sample_arguments import Maker, Sample, sample, tensor


def _of(make: Callable[[Any], Any]) -> Maker:
    """A value that is made of TensorFlow, when a graph is traced."""

    def made() -> Any:
        import tensorflow as tf

        return make(tf)

    return made


def _function(function: Callable[..., Any]) -> Maker:
    """A function as an argument."""
    return lambda: function


_IMAGE = tensor("float32", 8, 8, 3)
_IMAGES = tensor("float32", 2, 8, 8, 3)
_VOLUME = tensor("float32", 1, 4, 4, 4, 3)
_SEQUENCES = tensor("float32", 2, 8, 3)
_VECTOR = tensor("float32", 4)
_VECTORS = tensor("float32", 2, 4)
_MATRIX = tensor("float32", 4, 4)
_NUMBER = tensor("float32")
_TEXT = tensor("string")
_TEXTS = tensor("string", 4)
_COUNT = tensor("int32")
_COUNTS = tensor("int32", 4)
_SEED = tensor("int32", 2)
_SAME = _function(lambda x: x)
_FIRST = _function(lambda x, _: x)
_TRUE = tensor("bool")
_FLOAT = _of(lambda tf: tf.float32)
_FEATURES = _of(
    lambda tf: {
        "image": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64, default_value=0),
        "words": tf.io.VarLenFeature(tf.int64),
        "ragged": tf.io.RaggedFeature(tf.float32),
    }
)
_SEQUENCE_FEATURES = _of(lambda tf: {"frames": tf.io.FixedLenSequenceFeature([], tf.string)})
_SPARSE = _of(lambda tf: tf.SparseTensor(tensor("int64", 4, 2)(), _VECTOR(), tf.constant([4, 4], tf.int64)))
_SPARSE_COUNTS = _of(
    lambda tf: tf.SparseTensor(tensor("int64", 4, 2)(), tensor("int64", 4)(), tf.constant([4, 4], tf.int64))
)
_RAGGED = _of(lambda tf: tf.RaggedTensor.from_row_splits(_VECTOR(), tensor("int64", 3)(), validate=False))
_RAGGED_TEXT = _of(lambda tf: tf.RaggedTensor.from_row_splits(_TEXTS(), tensor("int64", 3)(), validate=False))
_TABLE_ROWS = _of(lambda tf: tf.lookup.KeyValueTensorInitializer(["a"], [1]))

CALLS: dict[str, tuple[Sample, ...]] = {
    # Control flow, with functions that do nothing.
    "tensorflow.case": (sample(lambda: [(_TRUE(), lambda: 1.0)], default=_function(lambda: 2.0)),),
    "tensorflow.cond": (sample(_TRUE, _function(lambda: 1.0), _function(lambda: 2.0)),),
    "tensorflow.custom_gradient": (sample(_SAME),),
    "tensorflow.foldl": (sample(_FIRST, _VECTOR),),
    "tensorflow.foldr": (sample(_FIRST, _VECTOR),),
    "tensorflow.function": (sample(_SAME), sample()),
    "tensorflow.grad_pass_through": (sample(_SAME),),
    "tensorflow.gradients": (sample(_VECTOR, _VECTOR),),
    "tensorflow.map_fn": (sample(_SAME, _VECTOR), sample(_SAME, _TEXTS), sample(_SAME, _IMAGES)),
    "tensorflow.nest.map_structure": (sample(_SAME, _VECTOR),),
    "tensorflow.ragged.map_flat_values": (sample(_SAME, _RAGGED),),
    "tensorflow.recompute_grad": (sample(_SAME),),
    "tensorflow.scan": (sample(_FIRST, _VECTOR),),
    "tensorflow.sparse.map_values": (sample(_SAME, _SPARSE),),
    "tensorflow.switch_case": (sample(_COUNT, lambda: [lambda: 1.0, lambda: 2.0]),),
    "tensorflow.vectorized_map": (sample(_SAME, _VECTOR), sample(_SAME, _IMAGES)),
    "tensorflow.while_loop": (sample(_function(lambda x: x < 1), _function(lambda x: (x + 1,)), lambda: [_NUMBER()]),),
    "tensorflow.py_function": (sample(_SAME, lambda: [_VECTOR()], _FLOAT),),
    "tensorflow.numpy_function": (sample(_SAME, lambda: [_VECTOR()], _FLOAT),),
    "tensorflow.compat.v1.py_func": (sample(_SAME, lambda: [_VECTOR()], _FLOAT),),
    "keras.ops.associative_scan": (sample(_function(lambda a, b: a + b), _VECTOR),),
    "keras.ops.cond": (sample(_TRUE, _function(lambda: 1.0), _function(lambda: 2.0)),),
    "keras.ops.custom_gradient": (sample(_SAME),),
    "keras.ops.fori_loop": (sample(0, 3, _function(lambda _, x: x), _VECTOR),),
    "keras.ops.map": (sample(_SAME, _VECTOR),),
    "keras.ops.scan": (sample(_function(lambda carry, x: (carry, x)), _NUMBER, _VECTOR),),
    "keras.ops.switch": (sample(_COUNT, lambda: [lambda x: x, lambda x: x + 1], _NUMBER),),
    "keras.ops.vectorize": (sample(_SAME),),
    "keras.ops.vectorized_map": (sample(_SAME, _VECTOR),),
    "keras.ops.while_loop": (sample(_function(lambda x: x < 1), _function(lambda x: (x + 1,)), lambda: (_NUMBER(),)),),
    "keras.tree.map_structure": (sample(_SAME, _VECTOR),),
    # Arrays.
    "tensorflow.ensure_shape": (sample(_VECTOR, (4,)),),
    "tensorflow.set_shape": (sample(_VECTOR, (4,)),),
    "tensorflow.broadcast_to": (sample(_VECTOR, (4, 4)), sample(_VECTOR, tensor("int32", 2))),
    "tensorflow.dynamic_partition": (sample(_VECTOR, _COUNTS, 2),),
    "tensorflow.dynamic_stitch": (sample(lambda: [_COUNTS()], lambda: [_VECTOR()]),),
    "tensorflow.einsum": (sample("ij,jk->ik", _MATRIX, _MATRIX), sample("i->i", _VECTOR)),
    "tensorflow.gather_nd": (sample(_MATRIX, tensor("int32", 4, 2)),),
    "tensorflow.reshape": (sample(_MATRIX, (16,)), sample(_TEXTS, (2, 2)), sample(_VECTOR, _SEED)),
    "tensorflow.scatter_nd": (sample(tensor("int32", 4, 1), _VECTOR, (8,)),),
    "tensorflow.tensor_scatter_nd_update": (sample(_VECTOR, tensor("int32", 2, 1), tensor("float32", 2)),),
    "tensorflow.tensor_scatter_nd_add": (sample(_VECTOR, tensor("int32", 2, 1), tensor("float32", 2)),),
    "tensorflow.tensor_scatter_nd_sub": (sample(_VECTOR, tensor("int32", 2, 1), tensor("float32", 2)),),
    "tensorflow.tensor_scatter_nd_max": (sample(_VECTOR, tensor("int32", 2, 1), tensor("float32", 2)),),
    "tensorflow.tensor_scatter_nd_min": (sample(_VECTOR, tensor("int32", 2, 1), tensor("float32", 2)),),
    "tensorflow.slice": (sample(_IMAGE, (0, 0, 0), (4, 4, 3)), sample(_IMAGE, tensor("int32", 3), tensor("int32", 3))),
    "tensorflow.strided_slice": (sample(_VECTOR, (0,), (2,)),),
    "tensorflow.split": (sample(_VECTOR, 2), sample(_IMAGES, 2), sample(_VECTOR, (1, 3)), sample(_TEXTS, 2)),
    "tensorflow.tensordot": (sample(_MATRIX, _MATRIX, 1),),
    "tensorflow.tile": (sample(_VECTOR, (2,)), sample(_IMAGE, (1, 2, 1)), sample(_VECTOR, tensor("int32", 1))),
    "tensorflow.pad": (sample(_MATRIX, ((0, 1), (1, 0))), sample(_VECTOR, tensor("int32", 1, 2))),
    "tensorflow.meshgrid": (sample(_VECTOR, _VECTOR),),
    "tensorflow.norm": (sample(_VECTOR),),
    "tensorflow.numpy_like": (sample(_VECTOR),),
    "tensorflow.roll": (sample(_VECTOR, 1, 0),),
    "tensorflow.reverse": (sample(_VECTOR, (0,)),),
    "tensorflow.reverse_sequence": (sample(_MATRIX, _COUNTS, seq_axis=1),),
    "tensorflow.searchsorted": (sample(_VECTOR, _VECTOR),),
    "tensorflow.space_to_batch": (sample(_IMAGES, (2, 2), ((0, 0), (0, 0))),),
    "tensorflow.space_to_batch_nd": (sample(_IMAGES, (2, 2), ((0, 0), (0, 0))),),
    "tensorflow.batch_to_space": (sample(tensor("float32", 4, 8, 8, 3), (2, 2), ((0, 0), (0, 0))),),
    "tensorflow.constant": (sample(1.0), sample("a"), sample(lambda: [1, 2])),
    "tensorflow.fill": (sample((4,), 1.0), sample(tensor("int32", 1), _NUMBER)),
    "tensorflow.linspace": (sample(0.0, 1.0, 4),),
    "tensorflow.range": (sample(4), sample(_COUNT), sample(0.0, _NUMBER)),
    "tensorflow.eye": (sample(4),),
    "tensorflow.one_hot": (sample(_COUNTS, 4), sample(_COUNT, _COUNT)),
    "tensorflow.where": (sample(_of(lambda tf: tensor("bool", 4)())), sample(tensor("bool", 4), _VECTOR, _VECTOR)),
    "tensorflow.boolean_mask": (sample(_VECTOR, tensor("bool", 4)), sample(_MATRIX, tensor("bool", 4))),
    "tensorflow.clip_by_global_norm": (sample(lambda: [_VECTOR()], 1.0),),
    "tensorflow.control_dependencies": (sample(lambda: [_VECTOR()]), sample(list)),
    "tensorflow.device": (sample("/cpu:0"),),
    "tensorflow.name_scope": (sample("scope"),),
    "tensorflow.bitcast": (sample(_VECTOR, _of(lambda tf: tf.int32)),),
    "tensorflow.saturate_cast": (sample(_VECTOR, _of(lambda tf: tf.uint8)),),
    "tensorflow.fftnd": (sample(tensor("complex64", 4, 4), (4, 4), (0, 1)),),
    "tensorflow.Assert": (sample(_TRUE, lambda: [_VECTOR()]),),
    "tensorflow.linalg.set_diag": (sample(_MATRIX, _VECTOR),),
    "tensorflow.math.in_top_k": (sample(_COUNTS, _MATRIX, 2),),
    "tensorflow.math.top_k": (sample(_VECTOR), sample(_MATRIX, 2)),
    # Images, sound and text.
    "tensorflow.image.combined_non_max_suppression": (
        sample(tensor("float32", 1, 4, 1, 4), tensor("float32", 1, 4, 1), 2, 2),
    ),
    "tensorflow.image.extract_glimpse": (sample(_IMAGES, (4, 4), tensor("float32", 2, 2)),),
    "tensorflow.image.extract_patches": (sample(_IMAGES, (1, 2, 2, 1), (1, 2, 2, 1), (1, 1, 1, 1), "VALID"),),
    "tensorflow.image.generate_bounding_box_proposals": (
        sample(
            tensor("float32", 1, 2, 2, 1), tensor("float32", 1, 2, 2, 4), tensor("float32", 1, 5),
            tensor("float32", 4, 4),
        ),
    ),
    "tensorflow.image.grayscale_to_rgb": (sample(tensor("float32", 8, 8, 1)), sample(tensor("uint8", None, None, 1))),
    "tensorflow.image.resize": (
        sample(_IMAGE, (4, 4)), sample(tensor("uint8", None, None, 3), (4, 4)),
        sample(_IMAGES, (4, 4), "nearest"), sample(_IMAGE, _SEED, "bicubic"),
    ),
    "tensorflow.image.sample_distorted_bounding_box": (sample(tensor("int32", 3), tensor("float32", 1, 1, 4)),),
    "tensorflow.image.stateless_sample_distorted_bounding_box": (
        sample(tensor("int32", 3), tensor("float32", 1, 1, 4), _SEED),
    ),
    "tensorflow.image.stateless_random_saturation": (sample(_IMAGE, 0.5, 1.5, _SEED),),
    "tensorflow.image.crop_and_resize": (sample(_IMAGES, tensor("float32", 2, 4), tensor("int32", 2), (4, 4)),),
    "tensorflow.strings.format": (sample("{}", _VECTOR),),
    "tensorflow.strings.join": (sample(lambda: [_TEXT(), _TEXT()]), sample(lambda: [_TEXTS(), _TEXTS()])),
    "tensorflow.strings.split": (sample(_TEXT), sample(_TEXTS), sample(_TEXT, ",")),
    "tensorflow.strings.to_hash_bucket_strong": (sample(_TEXTS, 4, lambda: [1, 2]),),
    "tensorflow.io.decode_csv": (sample(_TEXT, lambda: [[0.0], [""]]), sample(_TEXTS, lambda: [[0.0]])),
    "tensorflow.io.deserialize_many_sparse": (sample(tensor("string", 4, 3), _FLOAT),),
    "tensorflow.io.parse_example": (sample(_TEXTS, _FEATURES), sample(_TEXT, _FEATURES)),
    "tensorflow.io.parse_sequence_example": (sample(_TEXTS, _FEATURES, _SEQUENCE_FEATURES),),
    "tensorflow.io.parse_single_example": (sample(_TEXT, _FEATURES),),
    "tensorflow.io.parse_single_sequence_example": (sample(_TEXT, _FEATURES, _SEQUENCE_FEATURES),),
    "tensorflow.compat.v1.parse_example": (sample(_TEXTS, _FEATURES),),
    "tensorflow.compat.v1.parse_single_example": (sample(_TEXT, _FEATURES),),
    "tensorflow.debugging.assert_rank_in": (sample(_MATRIX, (1, 2)),),
    "tensorflow.debugging.assert_shapes": (sample(lambda: [(_VECTOR(), ("n",))]),),
    "tensorflow.debugging.assert_type": (sample(_VECTOR, _FLOAT),),
    "tensorflow.experimental.numpy.around": (sample(_VECTOR),),
    "tensorflow.experimental.numpy.einsum": (sample("ij,jk->ik", _MATRIX, _MATRIX),),
    "tensorflow.experimental.numpy.pad": (sample(_VECTOR, ((1, 1),), "constant"),),
    "tensorflow.extract_volume_patches": (
        sample(_VOLUME, (1, 2, 2, 2, 1), (1, 1, 1, 1, 1), "VALID"),
    ),
    "tensorflow.audio.encode_wav": (sample(tensor("float32", 8, 1), 8000),),
    # Networks.
    "tensorflow.nn.atrous_conv2d": (sample(_IMAGES, tensor("float32", 2, 2, 3, 4), 2, "SAME"),),
    "tensorflow.nn.bias_add": (sample(_IMAGES, tensor("float32", 3)),),
    "tensorflow.nn.conv1d": (sample(_SEQUENCES, tensor("float32", 2, 3, 4), 1, "SAME"),),
    "tensorflow.nn.conv2d": (sample(_IMAGES, tensor("float32", 2, 2, 3, 4), 1, "SAME"),),
    "tensorflow.nn.conv3d": (sample(_VOLUME, tensor("float32", 2, 2, 2, 3, 4), (1, 1, 1, 1, 1), "SAME"),),
    "tensorflow.nn.conv2d_transpose": (sample(_IMAGES, tensor("float32", 2, 2, 4, 3), (2, 8, 8, 4), 1),),
    "tensorflow.nn.convolution": (sample(_IMAGES, tensor("float32", 2, 2, 3, 4)),),
    "tensorflow.nn.ctc_greedy_decoder": (sample(tensor("float32", 8, 2, 3), _SEED),),
    "tensorflow.nn.depth_to_space": (sample(tensor("float32", 2, 8, 8, 4), 2),),
    "tensorflow.nn.depthwise_conv2d": (sample(_IMAGES, tensor("float32", 2, 2, 3, 1), (1, 1, 1, 1), "SAME"),),
    "tensorflow.nn.dilation2d": (
        sample(_IMAGES, tensor("float32", 2, 2, 3), (1, 1, 1, 1), "SAME", "NHWC", (1, 1, 1, 1)),
    ),
    "tensorflow.nn.erosion2d": (
        sample(_IMAGES, tensor("float32", 2, 2, 3), (1, 1, 1, 1), "SAME", "NHWC", (1, 1, 1, 1)),
    ),
    "tensorflow.nn.embedding_lookup_sparse": (sample(_MATRIX, _SPARSE_COUNTS, None),),
    "tensorflow.nn.fractional_avg_pool": (sample(_IMAGES, (1.0, 1.5, 1.5, 1.0)),),
    "tensorflow.nn.fractional_max_pool": (sample(_IMAGES, (1.0, 1.5, 1.5, 1.0)),),
    "tensorflow.nn.pool": (sample(_IMAGES, (2, 2), "MAX"), sample(_IMAGES, (2, 2), "AVG")),
    "tensorflow.nn.separable_conv2d": (
        sample(_IMAGES, tensor("float32", 2, 2, 3, 1), tensor("float32", 1, 1, 3, 4), (1, 1, 1, 1), "SAME"),
    ),
    "tensorflow.nn.sigmoid_cross_entropy_with_logits": (sample(labels=_VECTOR, logits=_VECTOR),),
    "tensorflow.nn.sparse_softmax_cross_entropy_with_logits": (sample(labels=_COUNTS, logits=_MATRIX),),
    "tensorflow.random.uniform_candidate_sampler": (sample(tensor("int64", 2, 1), 1, 2, True, 4),),
    "tensorflow.random.log_uniform_candidate_sampler": (sample(tensor("int64", 2, 1), 1, 2, True, 4),),
    "tensorflow.random.learned_unigram_candidate_sampler": (sample(tensor("int64", 2, 1), 1, 2, True, 4),),
    "tensorflow.ragged.cross": (sample(lambda: [_RAGGED_TEXT(), _RAGGED_TEXT()]),),
    "tensorflow.ragged.cross_hashed": (sample(lambda: [_RAGGED_TEXT(), _RAGGED_TEXT()]),),
    "tensorflow.sparse.fill_empty_rows": (sample(_SPARSE, 0.0),),
    "tensorflow.sparse.retain": (sample(_SPARSE, tensor("bool", 4)),),
    "tensorflow.sparse.sparse_dense_matmul": (sample(_SPARSE, _MATRIX),),
    "tensorflow.sparse.split": (sample(_SPARSE, 2, 0),),
    "tensorflow.sparse.to_indicator": (sample(_SPARSE_COUNTS, 4),),
    # Keras.
    **{
        f"keras.layers.{name}.__call__": (sample(_IMAGES),)
        for name in ("AugMix", "ContrastLimitedAdaptiveHistogramEqualization", "RandAugment")
    },
    **dict.fromkeys(
        ("keras.backend.conv2d", "keras.backend.conv3d", "keras.backend.separable_conv2d"),
        (
            sample(_IMAGES, tensor("float32", 2, 2, 3, 4)),
            sample(_VOLUME, tensor("float32", 2, 2, 2, 3, 4)),
            sample(_IMAGES, tensor("float32", 2, 2, 3, 1), tensor("float32", 1, 1, 3, 4)),
        ),
    ),
    **{
        f"keras.layers.Adaptive{kind}Pooling{rank}D": (sample(2),) for kind in ("Average", "Max") for rank in (1, 2, 3)
    },
    "keras.layers.Reshape": (sample((2, 2)), sample((-1,))),
    "keras.layers.Reshape.__call__": (sample(_VECTORS),),
    "keras.ops.adaptive_average_pool": (sample(_IMAGES, 2),),
    "keras.ops.adaptive_max_pool": (sample(_IMAGES, 2),),
    "keras.ops.batch_normalization": (sample(_IMAGES, tensor("float32", 3), tensor("float32", 3), -1),),
    "keras.ops.depth_to_space": (sample(tensor("float32", 2, 8, 8, 4), 2),),
    "keras.ops.multi_hot": (sample(tensor("int32", 2, 4), 4),),
    "keras.ops.sparse_categorical_crossentropy": (sample(_COUNTS, _MATRIX),),
    "keras.layers.Activation": (sample("relu"), sample("softmax")),
    "keras.layers.CategoryEncoding": (sample(4), sample(4, "count")),
    "keras.layers.CategoryEncoding.__call__": (sample(tensor("int32", 2, 1)), sample(tensor("int32", 2))),
    "keras.layers.Discretization": (sample(lambda: [0.0, 1.0]),),
    "keras.layers.IntegerLookup": (sample(vocabulary=lambda: [1, 2]),),
    "keras.layers.Normalization": (sample(-1, 0.0, 1.0),),
    "keras.layers.RandomColorJitter": (sample((0, 255), 0.5),),
    "keras.layers.RandomPosterization": (sample(4),),
    "keras.layers.Permute": (sample((2, 1)),),
    "keras.layers.STFTSpectrogram.__call__": (sample(tensor("float32", 2, 4096, 1)),),
    "keras.layers.StringLookup": (sample(vocabulary=lambda: ["a", "b"]),),
    "keras.layers.TextVectorization": (sample(vocabulary=lambda: ["a", "b"]),),
    "keras.ops.einsum": (sample("ij,jk->ik", _MATRIX, _MATRIX),),
    "keras.ops.image.affine_transform": (sample(_IMAGE, tensor("float32", 8)),),
    "keras.ops.image.crop_images": (sample(_IMAGES, 1, 1, target_height=4, target_width=4),),
    "keras.ops.image.pad_images": (sample(_IMAGES, 1, 1, target_height=10, target_width=10),),
    "keras.ops.image.perspective_transform": (sample(_IMAGE, tensor("float32", 4, 2), tensor("float32", 4, 2)),),
    "keras.ops.slice": (sample(_VECTOR, (0,), (2,)), sample(_IMAGE, (0, 0, 0), (2, 2, 3))),
    "keras.ops.slice_update": (sample(_VECTOR, (0,), tensor("float32", 2)),),
    "keras.ops.scatter": (sample(tensor("int32", 4, 1), _VECTOR, (8,)),),
    "keras.ops.scatter_update": (sample(_VECTOR, tensor("int32", 2, 1), tensor("float32", 2)),),
    "keras.ops.tensordot": (sample(_MATRIX, _MATRIX, 1),),
    "keras.ops.kron": (sample(_MATRIX, _MATRIX),),
    "keras.ops.corrcoef": (sample(_MATRIX),),
    "keras.utils.pack_x_y_sample_weight": (sample(_VECTOR), sample(_VECTOR, _VECTOR)),
    "keras.utils.unpack_x_y_sample_weight": (sample(lambda: (_VECTOR(), _VECTOR())),),
    "keras.utils.to_categorical": (sample(_COUNTS, 4),),
    "keras.ops.in_top_k": (sample(_COUNTS, _MATRIX, 2),),
    "keras.ops.isin": (sample(_VECTOR, _VECTOR), sample(_COUNTS, _COUNTS)),
    "keras.backend.bias_add": (sample(_IMAGES, tensor("float32", 3)),),
    "keras.backend.depthwise_conv2d": (sample(_IMAGES, tensor("float32", 2, 2, 3, 1)),),
    "keras.backend.eye": (sample(4),),
    "keras.backend.foldl": (sample(_FIRST, _VECTOR),),
    "keras.backend.foldr": (sample(_FIRST, _VECTOR),),
    "keras.backend.in_top_k": (sample(_MATRIX, _COUNTS, 2),),
    "keras.backend.map_fn": (sample(_SAME, _VECTOR),),
    "keras.backend.permute_dimensions": (sample(_MATRIX, (1, 0)),),
    "keras.backend.pool2d": (sample(_IMAGES, (2, 2)),),
    "keras.backend.pool3d": (sample(_VOLUME, (2, 2, 2)),),
    "keras.backend.repeat_elements": (sample(_MATRIX, 2, 0),),
    "keras.backend.resize_images": (sample(_IMAGES, 2, 2, "channels_last"),),
    "keras.backend.resize_volumes": (sample(_VOLUME, 2, 2, 2, "channels_last"),),
    "keras.backend.result_type": (sample("float32", "int32"),),
    "keras.backend.update": (sample(_of(lambda tf: tf.Variable(1.0)), 1.0),),
    "keras.backend.update_add": (sample(_of(lambda tf: tf.Variable(1.0)), 1.0),),
    "keras.backend.update_sub": (sample(_of(lambda tf: tf.Variable(1.0)), 1.0),),
    "keras.losses.ctc": (sample(tensor("int32", 2, 4), _SEQUENCES),),
    "keras.activations.get": (sample("relu"),),
    # Objects.
    "tensorflow.data.Dataset.reduce": (sample(_of(lambda tf: tf.constant(0, tf.int64)), _FIRST),),
    "tensorflow.Tensor.set_shape": (sample((4, 4)), sample((8, 8, 3)), sample((None, None))),
    "tensorflow.lookup.StaticHashTable": (sample(_TABLE_ROWS, -1),),
    "tensorflow.lookup.StaticVocabularyTable": (
        sample(_of(lambda tf: tf.lookup.KeyValueTensorInitializer(["a"], tf.constant([0], tf.int64))), 1),
    ),
    "tensorflow.lookup.KeyValueTensorInitializer": (sample(lambda: ["a"], lambda: [1]),),
    "tensorflow.lookup.experimental.DenseHashTable": (
        sample(_of(lambda tf: tf.string), _of(lambda tf: tf.int64), -1, "", "$"),
    ),
    "tensorflow.lookup.experimental.MutableHashTable": (
        sample(_of(lambda tf: tf.string), _of(lambda tf: tf.int64), -1),
    ),
    "tensorflow.queue.FIFOQueue": (sample(4, _of(lambda tf: [tf.float32]), lambda: [()]),),
    "tensorflow.queue.RandomShuffleQueue": (sample(4, 1, _of(lambda tf: [tf.float32]), lambda: [()]),),
    "tensorflow.Variable": (sample(1.0), sample(lambda: [[1.0, 2.0], [3.0, 4.0]])),
    "tensorflow.random.Generator.from_seed": (sample(1),),
    "tensorflow.RaggedTensor.from_tensor": (sample(_MATRIX),),
    "tensorflow.TensorShape": (sample(lambda: [4, 4]), sample(lambda: [None, 4])),
    "tensorflow.TensorSpec": (sample(lambda: [4], _FLOAT),),
    "tensorflow.SparseTensor": (sample(tensor("int64", 4, 2), _VECTOR, lambda: [4, 4]),),
    "tensorflow.TensorArray": (sample(_FLOAT, 4), sample(_FLOAT, size=0, dynamic_size=True)),
    "tensorflow.TensorArray.write": (sample(0, _VECTOR),),
    "tensorflow.TensorArray.split": (sample(_VECTOR, _COUNTS),),
    "tensorflow.io.RaggedFeature": (sample(_FLOAT),),
    "tensorflow.io.VarLenFeature": (sample(_FLOAT),),
    "tensorflow.io.SparseFeature": (sample("indices", "values", _FLOAT, 4),),
}  # fmt: skip
"""How functions, constructors and methods are called."""

INSTANCES: dict[str, tuple[Maker, ...]] = {
    "tensorflow.Tensor": (_MATRIX, _IMAGE, _TEXTS),
    "tensorflow.RaggedTensor": (_RAGGED,),
    "tensorflow.data.Dataset": (_of(lambda tf: tf.data.Dataset.range(4)),),
    "tensorflow.random.Generator": (_of(lambda tf: tf.random.Generator.from_seed(1)),),
}
"""How objects are made that no constructor makes."""
