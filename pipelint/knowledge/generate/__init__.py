"""Makes `tensorflow_effects.txt` from the installed TensorFlow and Keras: `python -m pipelint.knowledge.generate`.

Nothing that checks programs imports this package, which runs TensorFlow.
"""
