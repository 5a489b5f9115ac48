"""What TensorFlow, Keras, numpy and Python's libraries offer and do, as tables. Nothing here imports pipelint."""
