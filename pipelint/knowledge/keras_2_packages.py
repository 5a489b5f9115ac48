"""Packages that work with Keras 2 alone: a program that imports one never meets Keras 3."""

from __future__ import annotations

KERAS_2_PACKAGES = {
    "keras_applications": "the last release is of 2019; callers hand the backend of Keras 2 to it",
    "keras_bert": "no release since Keras 3 came; its layers and optimizer are those of Keras 2",
    "keras_contrib": "given up long before Keras 3; it imports keras.engine, which that lacks",
    "keras_maskrcnn": "built on keras_retinanet",
    "keras_retinanet": "given up long before Keras 3; its layers use the backend of Keras 2",
    "keras_vggface": "given up long before Keras 3; it imports keras.engine, which that lacks",
    "stellargraph": "no release for a Python that TensorFlow 2.16 is made for",
    "tensorflow_addons": "ended with TensorFlow 2.15",
    "tensorflow_federated": "its releases require a TensorFlow before 2.16",
    "tensorflow_model_optimization": "it refuses models and layers of Keras 3",
}
"""By the names under which they are imported, with the reason."""
