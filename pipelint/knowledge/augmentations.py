"""Operations that augment training data: they change an example at random, and leave its label true.

Random crops are left out: they also serve to bring examples to one size, for evaluation as well. Read off TensorFlow
2.21, Keras 3.15, keras_cv 0.10 and tensorflow_addons 0.23; those of TensorFlow and Keras are tested by their effects.
"""

from __future__ import annotations

_OF_IMAGES = ("brightness", "contrast", "flip_left_right", "flip_up_down", "hue", "jpeg_quality", "saturation")
_OF_KERAS = (
    "AugMix", "CutMix", "MixUp", "RandAugment", "RandomBrightness", "RandomColorDegeneration",
    "RandomColorJitter", "RandomContrast", "RandomElasticTransform", "RandomErasing", "RandomFlip",
    "RandomGaussianBlur", "RandomGrayscale", "RandomHeight", "RandomHue", "RandomInvert", "RandomPerspective",
    "RandomPosterization", "RandomRotation", "RandomSaturation", "RandomSharpness", "RandomShear",
    "RandomTranslation", "RandomWidth", "RandomZoom",
)  # fmt: skip
_OF_KERAS_CV = (
    "AugMix", "ChannelShuffle", "CutMix", "FourierMix", "GridMask", "JitteredResize", "MixUp", "Mosaic",
    "RandAugment", "RandomAspectRatio", "RandomAugmentationPipeline", "RandomBrightness", "RandomChannelShift",
    "RandomColorDegeneration", "RandomColorJitter", "RandomContrast", "RandomCutout", "RandomFlip",
    "RandomGaussianBlur", "RandomHue", "RandomJpegQuality", "RandomRotation", "RandomSaturation",
    "RandomSharpness", "RandomShear", "RandomTranslation", "RandomZoom",
)  # fmt: skip

AUGMENTS = frozenset(
    {
        *(f"tensorflow.image.random_{name}" for name in _OF_IMAGES),
        *(f"keras.layers.{name}.__call__" for name in _OF_KERAS),
        *(f"keras_cv.layers.{name}.__call__" for name in _OF_KERAS_CV),
        "tensorflow_addons.image.random_cutout",
        "tensorflow_addons.image.random_hsv_in_yiq",
    }
)
"""Operations that draw and change by themselves."""

AUGMENTS_BY_SEED = frozenset(f"tensorflow.image.stateless_random_{name}" for name in _OF_IMAGES)
"""Those that are given what they draw from."""

ALTERS = frozenset(
    {
        *(f"tensorflow.image.{name}" for name in ("flip_left_right", "flip_up_down", "rot90")),
        *(
            f"tensorflow.image.adjust_{name}"
            for name in ("brightness", "contrast", "hue", "jpeg_quality", "saturation")
        ),
        *(f"tensorflow_addons.image.{name}" for name in ("rotate", "translate", "shear_x", "shear_y")),
    }
)
"""Operations that change an example by as much as they are told: an augmentation where that is drawn."""
