"""Operations that take long for each number, so that parallel calls of a function with them are worth their price.

With TensorFlow 2.21, on a picture of 224x224x3 and one call at a time, a flip, a crop and a change of brightness or of
contrast took 0.07 to 0.15 ms, which is about what it costs to hand the picture to another thread; these 0.2 to 1.8 ms.
"""

from __future__ import annotations

from typing import Final

COSTLY: Final = frozenset(
    f"tensorflow.{name}"
    for name in (
        "audio.decode_wav", "image.adjust_hue", "image.adjust_jpeg_quality", "image.adjust_saturation",
        "image.crop_and_resize", "image.hsv_to_rgb", "image.random_hue", "image.random_jpeg_quality",
        "image.random_saturation", "image.resize", "image.resize_with_pad", "image.rgb_to_hsv", "image.sobel_edges",
        "image.stateless_random_hue", "image.stateless_random_jpeg_quality", "image.stateless_random_saturation",
        "nn.conv1d", "nn.conv2d", "nn.depthwise_conv2d",
        "raw_ops.ImageProjectiveTransformV2", "raw_ops.ImageProjectiveTransformV3", "signal.fft",
        "signal.mfccs_from_log_mel_spectrograms", "signal.rfft",
        "signal.stft",
    )
)  # fmt: skip
COSTLY_MODULES: Final = ("keras.layers.Random", "keras.layers.Resizing", "tensorflow_addons.image.", "keras_cv.layers.")
"""How names of layers and functions begin that transform pictures: 0.6 to 1.7 ms, Keras' own flip included."""
