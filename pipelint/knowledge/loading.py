"""What decides which TensorFlow and Keras are loaded, and how: it is read once, by the first import.

`import tensorflow` loads Keras, which reads KERAS_BACKEND then and never again (keras/src/backend/config.py, Keras 3);
TF_CPP_MIN_LOG_LEVEL, CUDA_VISIBLE_DEVICES, TF_USE_LEGACY_KERAS and XLA_FLAGS are read then too.
"""

from __future__ import annotations

from pipelint.knowledge.python_calls import PACKAGES

DECISIVE_STATE = frozenset({"os.environ", "os.environb", "sys.path", "sys.modules", "sys.meta_path"})
"""What a program changes before an import so that it comes out otherwise."""

READING_METHODS = frozenset({"get", "copy", "keys", "values", "items", "index", "count"})
"""Methods of that state, a mapping or a list, that leave it as it is."""

DECISIVE_CALLS = frozenset(
    {"os.putenv", "os.unsetenv", "site.addsitedir"}
    # They may run anything, or install a package.
    | {"builtins.exec", "builtins.eval", "builtins.get_ipython", "runpy.run_path", "runpy.run_module"}
    | {"os.system", "os.popen", "subprocess.run", "subprocess.call", "subprocess.Popen"}
    | {"subprocess.check_call", "subprocess.check_output", "subprocess.getoutput"}
)
"""Calls that change it, or what is installed."""

LOADS_KERAS = frozenset({"tensorflow", "keras", "keras_cv", "keras_hub", "keras_nlp", "keras_tuner"})
"""Packages whose import fixes the backend of Keras."""

INDIFFERENT_PACKAGES = (
    LOADS_KERAS
    | PACKAGES.keys()
    | {
        "tensorflow_datasets",
        "tensorflow_hub",
        "tensorflow_text",
        "tf_keras",
        "absl",
        "google",
        "plotly",
        "tqdm",
        "yaml",
    }
)
"""Packages beside the standard library that set none of it, neither when imported nor when called."""
