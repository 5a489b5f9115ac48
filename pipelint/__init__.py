"""Finds what makes TensorFlow and Keras input pipelines slow or wrong, and repairs the source."""

__version__ = "0.1.0"
