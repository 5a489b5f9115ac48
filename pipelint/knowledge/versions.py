"""Which versions of TensorFlow pipelint knows."""

from __future__ import annotations

NEWEST_TENSORFLOW = (2, 21)
"""The newest whose behaviour the rules know; what is checked for where a project does not say."""
OLDEST_MEASURED = (2, 18)
"""The oldest that is measured on: its engine and its internals are the first that the tables of graph_ops describe."""
NEWEST_FOR_PYTHON = {
    (2, 7): (2, 1), (3, 4): (1, 13), (3, 5): (2, 3), (3, 6): (2, 6), (3, 7): (2, 11), (3, 8): (2, 13), (3, 9): (2, 20),
}  # fmt: skip
"""The newest TensorFlow that has wheels on PyPI for a Python, for those that get no new ones."""
LAST_OF_TENSORFLOW_1 = (1, 15)
FIRST_KERAS_ON_TENSORFLOW = (2, 4)
"""Before it the package `keras` trained with code of its own, as with TensorFlow 1, and not with that of `tf.keras`."""
NEWEST_WITH_OWN_KERAS = (2, 2)
"""The newest TensorFlow that the last such Keras, 2.3.1, was released for."""
