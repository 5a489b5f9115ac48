"""What TensorFlow, Keras and numpy offer and do, as tables."""
