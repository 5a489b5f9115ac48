"""What is said to decide an import is there, and importing TensorFlow does settle the backend of Keras."""

from __future__ import annotations

import builtins
import os
import pydoc
import subprocess
import sys

import pytest

from pipelint.knowledge.loading import DECISIVE_CALLS, DECISIVE_STATE

BY_IPYTHON = {"builtins.get_ipython"}


@pytest.mark.parametrize("name", sorted((DECISIVE_CALLS | DECISIVE_STATE) - BY_IPYTHON))
def test_python_has_it(name: str) -> None:
    if name == "os.environb":
        assert os.supports_bytes_environ == hasattr(os, "environb")
    else:
        assert pydoc.locate(name) is not None


def test_only_notebooks_have_get_ipython() -> None:
    assert not hasattr(builtins, "get_ipython")


def test_importing_tensorflow_settles_the_backend_of_keras() -> None:
    program = (
        "import os, tensorflow\nos.environ['KERAS_BACKEND'] = 'jax'\nimport keras\n"
        "print('backend', keras.config.backend())"
    )
    environment = {**os.environ, "KERAS_BACKEND": "tensorflow"}
    ran = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert "backend tensorflow" in ran.stdout
