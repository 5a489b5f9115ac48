"""Code that nothing runs is left alone: what no program of a project gets to, and what stands after an exit.

Whatever may be used by others, or by a name that no text has, counts as run.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.projects import Sources, WrittenProject

COUNTS = """
    import tensorflow as tf

    class Net(tf.keras.Model):
        def train_step(self, data):
            self.steps += 1{found}
            return super().train_step(data)
"""
COUNTED = COUNTS.format(found="  #! PIPE601 advice")
UNTOUCHED = COUNTS.format(found="")
TRAINS = """
    import tensorflow as tf

    def main():
        tf.keras.applications.ResNet50().fit(tf.data.TFRecordDataset("a").batch(64))

    if __name__ == "__main__":
        main()
"""
JITTERS = """
    import random
    import tensorflow as tf
    {above}
    @tf.function
    def jitter(image):
        return image * random.random(){found}

    @tf.function
    def flipped(image):
        return tf.image.random_flip_left_right(image)
    {below}
"""


def jitters(*, found: bool, above: str = "", below: str = "") -> str:
    return JITTERS.format(found="  #! PIPE602 error" if found else "", above=above, below=below)


RESTS: dict[str, Sources] = {
    "a function that no program calls": {
        "images.py": jitters(found=False),
        "train.py": "from images import flipped\nflipped(1)",
    },
    "only a comment calls it": {
        "images.py": jitters(found=False),
        "train.py": "import images\n\nif __name__ == '__main__':\n    # images.jitter(1)\n    images.flipped(1)",
    },
    "only a docstring speaks of it": {
        "images.py": jitters(found=False),
        "train.py": "import images\n\ndef use():\n    '''jitter'''\n    return images.flipped(1)\n\nuse()",
    },
    "only a function calls it that nothing calls": {
        "images.py": jitters(found=False, below="def shaken(image):\n        return jitter(image)"),
        "train.py": "import images\nimages.flipped(1)",
    },
    "a function of the same name is called": {
        "images.py": jitters(found=False),
        "sounds.py": "def jitter(sound):\n    return sound",
        "train.py": "import images, sounds\nimages.flipped(sounds.jitter(1))",
    },
    "a method that is only called in a comment": {
        "train.py": """
            import random
            import tensorflow as tf

            class Trainer:
                @tf.function
                def shaken(self, image):
                    return image * random.random()

                def validate(self):
                    return 1

            if __name__ == "__main__":
                trainer = Trainer()
                # trainer.shaken(1)
                trainer.validate()
        """,
    },
    "a module beside a program that nobody imports": {
        "models/net.py": UNTOUCHED,
        "models/other.py": "",
        "train.py": TRAINS,
    },
    "the program beside it is a notebook": {"net.py": UNTOUCHED, "train.ipynb": ("import tensorflow as tf",)},
    "the program beside it has no guard": {
        "net.py": UNTOUCHED,
        "train.py": "import keras\nmodel = keras.Sequential()\nmodel.fit(x)",
    },
    "it is imported by a module alone that nobody imports": {
        "nets.py": "from net import Net\n\ndef make():\n    return Net()",
        "net.py": UNTOUCHED,
        "train.py": TRAINS,
    },
    "a layer that nobody makes, in a module that is imported": {
        "net.py": f"{UNTOUCHED}\n    class Other(tf.keras.Model):\n        pass",
        "train.py": "from net import Other\nOther().fit(x)",
    },
    "after the program's end": {
        "train.py": """
            import random
            import sys
            import tensorflow as tf

            print(tf.__version__)
            sys.exit()

            @tf.function
            def jitter(image):
                return image * random.random()

            jitter(1)
        """,
    },
    "after a return": {
        "train.py": """
            import random
            import tensorflow as tf

            @tf.function
            def jitter(image):
                return image
                return image * random.random()

            jitter(1)
        """,
    },
}
RUNS: dict[str, Sources] = {
    "a program calls it": {
        "images.py": jitters(found=True),
        "train.py": "import images\nfor x in range(9):\n    images.jitter(x)",
    },
    "by another name": {
        "images.py": jitters(found=True),
        "train.py": "from images import jitter as shake\nfor x in range(9):\n    shake(x)",
    },
    "through a package": {
        "pack/images.py": jitters(found=True),
        "pack/__init__.py": "from .images import jitter",
        "train.py": "import pack\nfor x in range(9):\n    pack.jitter(x)",
    },
    "a notebook calls it": {
        "images.py": jitters(found=True),
        "train.ipynb": ("from images import *", "for x in range(9):\n    jitter(x)"),
    },
    "nobody runs anything: others will": {"images.py": jitters(found=True)},
    "a script without a guard": {"train.py": jitters(found=True, below="for x in range(9):\n        jitter(x)")},
    "in a list of names": {
        "images.py": jitters(found=True, above="__all__ = ['jitter']"),
        "train.py": "import images\nimages.flipped(1)",
    },
    "by a text": {
        "images.py": jitters(found=True),
        "train.py": "import images\ngetattr(images, 'jitter')(1)",
    },
    "by a text that is not known": {
        "images.py": jitters(found=True),
        "train.py": "import sys, images\ngetattr(images, sys.argv[1])(1)",
    },
    "by a text that is not known, of a module that is given away": {
        "images.py": jitters(found=True),
        "train.py": "import sys, images\n\ndef find(among):\n    return getattr(among, sys.argv[1])\n\nfind(images)(1)",
    },
    "by the names of its module": {
        "images.py": jitters(found=True, below="def find(name):\n        return globals()[name]"),
        "train.py": "import images\nimages.find('a b')(1)",
    },
    "in a register": {
        "net.py": COUNTED.replace("class", "@tf.keras.utils.register_keras_serializable()\n    class"),
        "train.py": "import keras, net\nkeras.models.load_model('a').fit(x)",
    },
    "a function that is used by one which nothing calls today": {
        "images.py": jitters(found=True),
        "train.py": "import images\n\ndef second():\n    for x in range(9):\n        images.jitter(x)\n\nif __name__ == '__main__':\n    images.flipped(1)",
    },
    "a method that Keras calls": {"net.py": COUNTED, "train.py": "import net\nnet.Net().fit(x)"},
    "a module that is named by its path": {
        "net.py": COUNTED,
        "train.py": f"{TRAINS}\n    import runpy\n    runpy.run_path('net.py')",
    },
    "a module that an import may mean which leads nowhere": {
        "lib/net.py": COUNTED,
        "train.py": f"{TRAINS}\n    from elsewhere import net",
    },
    "no program stands above the module": {"lib/net.py": COUNTED, "tools/train.py": TRAINS},
    "a notebook's cells after an exit are run by hand": {
        "train.ipynb": (
            "import random\nimport tensorflow as tf",
            "exit()",
            "@tf.function\ndef jitter(image):\n    return image * random.random()  #! PIPE602 error",
            "for x in range(9):\n    jitter(x)",
        ),
    },
}


@pytest.mark.parametrize("sources", RESTS.values(), ids=RESTS)
def test_nothing_is_found_in_code_that_nothing_runs(sources: Sources) -> None:
    WrittenProject.write(sources).prove("PIPE601", "PIPE602")


@pytest.mark.parametrize("sources", RUNS.values(), ids=RUNS)
def test_it_is_found_where_the_code_may_run(sources: Sources) -> None:
    WrittenProject.write(sources).prove("PIPE601", "PIPE602")


@pytest.fixture(autouse=True)
def _in_a_directory_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
