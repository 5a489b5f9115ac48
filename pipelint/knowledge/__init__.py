"""What TensorFlow, Keras, numpy and Python's libraries offer and do, as tables that import nothing else of pipelint."""
