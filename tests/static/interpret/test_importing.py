"""What imports bring into a program: each way by itself, with a number of another module that makes batches small."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.projects import Sources, WrittenProject

FOUND = "  #! PIPE801 warning"


def training(
    imports: str, size: str = "SIZE", *, small: bool = True, tensorflow: str = "import tensorflow as tf"
) -> str:
    """A script that imports something and trains on batches of a size."""
    fit = f"tf.keras.Sequential().fit(tf.data.Dataset.range(9000).batch({size}).prefetch(1))"
    return f"{tensorflow}\n{imports}\n{fit}{FOUND if small else ''}\n"


READERS = f"""
import tensorflow as tf

def read():
    return tf.data.Dataset.range(9000).batch(4).prefetch(1){FOUND}
"""
"""A module with a builder whose batches are small, where somebody trains on them."""
SMALL, LARGE = "SIZE = 4", "SIZE = 64"
FIT = "import keras\nkeras.Sequential().fit({data})\n"

VALUES: dict[str, Sources] = {
    "a name of a module": {"config.py": SMALL, "train.py": training("from config import SIZE")},
    "a name under another": {"config.py": SMALL, "train.py": training("from config import SIZE as size", "size")},
    "a module": {"config.py": SMALL, "train.py": training("import config", "config.SIZE")},
    "a module under another name": {"config.py": SMALL, "train.py": training("import config as c", "c.SIZE")},
    "a module of packages, by all of its names": {
        "a/__init__.py": "",
        "a/b/__init__.py": "",
        "a/b/c.py": SMALL,
        "train.py": training("import a.b.c", "a.b.c.SIZE"),
    },
    "a module of packages, under one name": {"a/b/c.py": SMALL, "train.py": training("import a.b.c as c", "c.SIZE")},
    "a star": {"config.py": SMALL, "train.py": training("from config import *")},
    "a star replaces what stands above it": {
        "config.py": LARGE,
        "train.py": training("SIZE = 4\nfrom config import *", small=False),
    },
    "a star brings no names with an underscore": {
        "config.py": "_SIZE = 4",
        "train.py": training("from config import *", "_SIZE", small=False),
    },
    "a star brings what is listed, and that alone": {
        "config.py": '__all__ = ["_LISTED"]\n_LISTED = 4\nOTHER = 4',
        "train.py": training("from config import *", "_LISTED"),
        "evaluate.py": training("from config import *", "OTHER", small=False),
    },
    "a list that grows": {
        "config.py": '__all__ = ["OTHER"]\n__all__ += ["_SIZE"]\n_SIZE = 4\nOTHER = 1',
        "train.py": training("from config import *", "_SIZE"),
    },
    "a star of a star": {
        "numbers_of.py": SMALL,
        "config.py": "from numbers_of import *",
        "train.py": training("from config import *"),
    },
    "TensorFlow out of a package": {
        "project/__init__.py": "import numpy as np\nimport tensorflow as tf",
        "train.py": training("", "4", tensorflow="from project import tf"),
    },
    "numpy out of a package": {
        "project/__init__.py": "import numpy as np\nimport tensorflow as tf",
        "augment.py": """
            from project import np, tf

            @tf.function
            def noisy(x):
                return x + np.random.rand()  #! PIPE602 error
        """,
    },
    "TensorFlow by a star": {
        "project.py": "import tensorflow as tf",
        "train.py": training("", "4", tensorflow="from project import *"),
    },
    "a name that a package passes on": {
        "project/__init__.py": "from .config import SIZE as SIZE",
        "project/config.py": SMALL,
        "train.py": training("from project import SIZE"),
    },
    "a function named like its module": {
        "project/__init__.py": "from .read import read",
        "project/read.py": READERS,
        "train.py": "from project import read\n" + FIT.format(data="read()"),
    },
    "a module that its package passes on": {
        "pkg/__init__.py": "from . import config",
        "pkg/config.py": SMALL,
        "train.py": training("import pkg", "pkg.config.SIZE"),
    },
    "a module that its package passes on by its full name": {
        "pkg/__init__.py": "from pkg import config",
        "pkg/config.py": SMALL,
        "train.py": training("from pkg import config", "config.SIZE"),
    },
    "a relative import": {
        "project/__init__.py": "",
        "project/config.py": SMALL,
        "project/train.py": training("from .config import SIZE"),
    },
    "a relative import of a module": {
        "project/__init__.py": "",
        "project/config.py": SMALL,
        "project/steps/train.py": training("from .. import config", "config.SIZE"),
    },
    "in a function": {
        "readers.py": READERS,
        "train.py": """
            def main():
                import keras
                from readers import read
                keras.Sequential().fit(read())
        """,
    },
    "in a try": {
        "config.py": SMALL,
        "train.py": training("try:\n    from .config import SIZE\nexcept ImportError:\n    from config import SIZE"),
    },
    "a library that may be missing": {
        "library.py": """
            try:
                import tensorflow as tf
            except ImportError:
                tf = None
        """,
        "train.py": training("", "4", tensorflow="from library import tf"),
    },
    "by a name that is text": {
        "config.py": SMALL,
        "train.py": training('import importlib\nconfig = importlib.import_module("config")', "config.SIZE"),
    },
    "by a relative name that is text": {
        "project/__init__.py": "",
        "project/config.py": SMALL,
        "project/train.py": training(
            'from importlib import import_module\nconfig = import_module(".config", __package__)', "config.SIZE"
        ),
    },
    "by a name that nobody knows": {
        "config.py": SMALL,
        "train.py": training(
            "import importlib, sys\nconfig = importlib.import_module(sys.argv[1])", "config.SIZE", small=False
        ),
    },
    "only for the types": {
        "kinds.py": "import tensorflow as tf\nData = tf.data.Dataset",
        "train.py": """
            from __future__ import annotations
            from typing import TYPE_CHECKING
            import tensorflow as tf
            if TYPE_CHECKING:
                from kinds import Data

            def noisy(x):
                return tf.image.random_hue(tf.io.decode_jpeg(x), 0.2)

            def train(data: Data):
                tf.keras.Sequential().fit(data.map(noisy).prefetch(1))  #! PIPE201 warning, unsafe fix
        """,
    },
    "a dataset of a module": {
        "readers.py": f"""
            import tensorflow as tf
            data = tf.data.Dataset.range(9000).batch(4).prefetch(1){FOUND}
        """,
        "train.py": "from readers import data\n" + FIT.format(data="data"),
    },
    "an object of a module": {
        "config.py": "class Config:\n    def __init__(self):\n        self.size = 4\n\nconfig = Config()",
        "train.py": training("from config import config", "config.size"),
    },
    "a module as an argument": {
        "config.py": SMALL,
        "readers.py": f"""
            import tensorflow as tf

            def read(config):
                return tf.data.Dataset.range(9000).batch(config.SIZE).prefetch(1){FOUND}
        """,
        "train.py": "import config\nfrom readers import read\n" + FIT.format(data="read(config)"),
    },
    "a circle": {
        "sizes.py": "import readers\nSIZE = 4",
        "readers.py": f"""
            import sizes
            import tensorflow as tf

            def read():
                return tf.data.Dataset.range(9000).batch(sizes.SIZE).prefetch(1){FOUND}
        """,
        "train.py": "import readers\n" + FIT.format(data="readers.read()"),
    },
    "a module that trains when it is imported": {
        "train.py": training("", "4"),
        "run.py": "import train",
    },
    "a notebook": {
        "config.py": SMALL,
        "train.ipynb": ("import tensorflow as tf\nfrom config import SIZE", training("", "SIZE")),
    },
    "a builder that a notebook trains on": {
        "readers.py": READERS,
        "train.ipynb": ("from readers import read", FIT.format(data="read()")),
    },
}
SET_BY_OTHERS: dict[str, Sources] = {
    "a variable that the importer makes small": {
        "config.py": LARGE,
        "train.py": training("import config\nconfig.SIZE = 4", "config.SIZE"),
    },
    "a variable that the importer makes large": {
        "config.py": SMALL,
        "train.py": training("import config\nconfig.SIZE = 64", "config.SIZE", small=False),
    },
    "a variable that one module sets and another reads": {
        "config.py": SMALL,
        "readers.py": """
            import config
            import tensorflow as tf

            def read():
                return tf.data.Dataset.range(9000).batch(config.SIZE).prefetch(1)
        """,
        "train.py": "import config\nfrom readers import read\nconfig.SIZE = 64\n" + FIT.format(data="read()"),
    },
    "a variable that a function sets, nobody knows to what": {
        "config.py": SMALL,
        "train.py": """
            import config
            import tensorflow as tf

            def main(size):
                config.SIZE = size
                tf.keras.Sequential().fit(tf.data.Dataset.range(9000).batch(config.SIZE).prefetch(1))
        """,
    },
}
UNKNOWN: dict[str, Sources] = {
    "a module that is no Python": {
        "config.py": "SIZE = = 4",
        "train.py": training("from config import SIZE", small=False),
    },
    "a name that the module does not have": {
        "config.py": "",
        "train.py": training("from config import SIZE", small=False),
    },
    "a folder named like a library": {
        "numpy/__init__.py": SMALL,
        "train.py": training("from numpy import SIZE", small=False),
    },
    "a module named like one of Python": {"json.py": SMALL, "train.py": training("from json import SIZE", small=False)},
}


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("sources", VALUES.values(), ids=VALUES)
def test_what_is_imported_is_known(sources: Sources) -> None:
    WrittenProject.write(sources).prove()


@pytest.mark.parametrize("sources", SET_BY_OTHERS.values(), ids=SET_BY_OTHERS)
def test_a_variable_of_a_module_is_what_others_make_it(sources: Sources) -> None:
    WrittenProject.write(sources).prove()


@pytest.mark.parametrize("sources", UNKNOWN.values(), ids=UNKNOWN)
def test_what_cannot_be_known_is_no_finding(sources: Sources) -> None:
    WrittenProject.write(sources).prove()
