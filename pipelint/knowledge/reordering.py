"""Calls that bring examples into another order, or choose among them, before a dataset is made of them."""

from __future__ import annotations

REORDERS = frozenset({"choice", "permutation", "permuted", "resample", "sample", "shuffle", "train_test_split"})
"""Functions and methods of `random`, numpy, pandas, TensorFlow, Keras and scikit-learn, by their last names."""
SPLITTERS = "sklearn.model_selection."
"""What scikit-learn has to split data: most of it shuffles."""
IN_TIME = frozenset(
    {f"keras.layers.{name}" for name in ("ConvLSTM1D", "ConvLSTM2D", "GRU", "LSTM", "RNN", "SimpleRNN")}
)
"""Layers for sequences, whose examples may follow each other in time."""
