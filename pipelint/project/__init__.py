"""One project: its settings, the rules that are turned on, the TensorFlow that it targets."""
