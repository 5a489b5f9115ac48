"""Pipelines that cross modules: what another module builds, maps, inherits or consumes decides what is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelint.lint.task import Fixes, Mode, Task
from tests.projects import Sources, WrittenProject, check

# Rows so large that it is worth telling, though TensorFlow inserts a prefetch by itself.
BUILDER = """
    import numpy as np, tensorflow as tf

    def batches():
        ds = tf.data.Dataset.from_tensor_slices(np.zeros((9000, 128, 128, 3))).map(tf.math.log, num_parallel_calls=-1)
        return ds.shuffle(9000).batch(64)
"""
PREFETCHES = """
    import tensorflow as tf
    from data import batches

    def main():
        tf.keras.Sequential().fit(batches().prefetch(1))
"""
TAKES_BARE = """
    import tensorflow as tf
    from data import batches

    def main():
        tf.keras.Sequential().fit(batches())  #! PIPE101 advice, safe fix
"""
SIZED = """
    import tensorflow as tf

    def batches(size{default}):
        return tf.data.Dataset.range(9000).batch(size).prefetch(1)
"""
STEP = """
    import tensorflow as tf

    def step(model, optimizer, x):{found}
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss
"""
TIMED = """
    import time
    import tensorflow as tf
    from nets import model, optimizer

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.weights), model.weights))

    started = time.time()
    for x in open("numbers"):
        step(x)
    print(time.time() - started)
"""
LOOP = """
    import tensorflow as tf
    from steps import step

    def train(model: tf.keras.Model, optimizer):
        {wrapped}
        for x in tf.data.TFRecordDataset(["a"]).batch(64).prefetch(1):
            run(model, optimizer, x)
"""
TRAINS_ON_FEW = """
    import shared
    import tensorflow as tf
    SIZE = 4
    tf.keras.Sequential().fit(tf.data.Dataset.range(9000).batch(SIZE).prefetch(1))  #! PIPE801 warning
"""
OLD_NAMES = """
    import tensorflow.compat.v1 as tf

    def flipped(path):
        return tf.image.random_flip_left_right(tf.io.decode_jpeg(tf.io.read_file(path)))

    def batches():
        return tf.data.Dataset.list_files("*.jpg").map(flipped).batch(64).prefetch(1){told}
"""
PROJECTS: dict[str, Sources] = {
    "all callers prefetch": {"data.py": BUILDER, "train.py": PREFETCHES, "again.py": PREFETCHES},
    "one caller does not": {"data.py": BUILDER, "train.py": PREFETCHES, "again.py": TAKES_BARE},
    "a caller of a caller prefetches": {
        "data.py": BUILDER,
        "loaders.py": "from data import batches\n\ndef load():\n    return batches()",
        "train.py": "import keras\nfrom loaders import load\nkeras.Sequential().fit(load().prefetch(1))",
    },
    "names of version 1 in what a program for version 2 uses": {
        "data.py": OLD_NAMES.format(told="  #! PIPE201 warning, unsafe fix"),
        "train.py": "import tensorflow as tf\nfrom data import batches\ntf.keras.Sequential().fit(batches())",
    },
    "names of version 1 throughout": {
        "data.py": OLD_NAMES.format(told=""),
        "train.py": "import tensorflow.compat.v1 as tf\nfrom data import batches\ntf.keras.Sequential().fit(batches())",
    },
    "the old name at several places": {
        "data.py": """
            import tensorflow as tf

            def read(files):
                ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.experimental.AUTOTUNE)  #! PIPE903 advice, safe fix
                return ds.prefetch(tf.data.experimental.AUTOTUNE)

            tf.keras.utils.set_random_seed(1)
        """,
        "train.py": "import tensorflow as tf\nimport data\n\nAUTO = tf.data.experimental.AUTOTUNE  #! PIPE903 advice, safe fix\nprint(AUTO, tf.data.AUTOTUNE)",
    },
    "the old name in a variable that its importer reads, and in one of the same name that nothing does": {
        "data.py": """
            import tensorflow as tf

            AUTO = tf.data.experimental.AUTOTUNE  #! PIPE903 advice, safe fix

            def records(files):
                return tf.data.TFRecordDataset(files).batch(32)
        """,
        "inputs.py": """
            import data

            def read(files):
                return data.records(files).prefetch(data.AUTO)
        """,
        "train.py": """
            import inputs
            import tensorflow as tf

            AUTO = tf.data.experimental.AUTOTUNE
            tf.keras.mixed_precision.set_global_policy("float32")
            tf.keras.Sequential().fit(inputs.read("a"))
        """,
    },
    "a notebook prefetches": {
        "data.py": BUILDER,
        "train.ipynb": ("from data import batches", "import keras\nkeras.Sequential().fit(batches().prefetch(1))"),
    },
    "nobody takes it": {
        "data.py": BUILDER.replace(".batch(64)", ".batch(64)  #! PIPE101 advice, safe fix"),
        "train.py": "import data",
    },
    "others use its module, and none of them this function": {
        "data.py": BUILDER + "\n    def names():\n        return ['a']\n",
        "train.py": "from data import names\nprint(names())",
    },
    "others use its module, and one imports the function to pass it on": {
        "data.py": BUILDER.replace(".batch(64)", ".batch(64)  #! PIPE101 advice, safe fix")
        + "\n    def names():\n        return ['a']\n",
        "train.py": "from data import batches, names\nprint(names())",
    },
    "a size beside that of large pictures, in the settings": {
        "settings.py": "FEW = 8\nSIDE = 300",
        "pictures.py": """
            import tensorflow as tf
            from settings import SIDE
            def read(path):
                return tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path)), [SIDE, SIDE])
        """,
        "data.py": """
            import tensorflow as tf
            from settings import FEW
            def batches():
                return tf.data.TFRecordDataset(["a"]).batch(FEW).prefetch(1)
        """,
        "train.py": """
            import keras
            from data import batches
            from pictures import read
            print(read("a"))
            keras.Sequential().fit(batches())
        """,
    },
    "a size that the caller gives": {
        "data.py": SIZED.format(default=""),
        "train.py": """
            import keras
            from data import batches
            keras.Sequential().fit(batches(4))  #! PIPE801 warning
            keras.Sequential().fit(batches(64))
        """,
    },
    "a size that goes through several hands": {
        "data.py": SIZED.format(default=""),
        "loaders.py": "import data\n\ndef load(size):\n    return data.batches(size=size)",
        "train.py": """
            import keras
            from loaders import load
            SIZE = 4
            keras.Sequential().fit(load(SIZE))  #! PIPE801 warning
        """,
    },
    "a default that all callers override": {
        "data.py": SIZED.format(default="=4"),
        "train.py": """
            import keras
            from data import batches
            keras.Sequential().fit(batches(64))
        """,
    },
    "constants of the same name in two modules": {
        "one.py": TRAINS_ON_FEW,
        "other.py": TRAINS_ON_FEW,
        "shared.py": "",
    },
    "what main is called with": {
        "tool/__init__.py": "",
        "tool/__main__.py": "from tool.train import main\nmain(4)  #! PIPE801 warning",
        "tool/train.py": """
            import tensorflow as tf

            def main(size):
                tf.keras.Sequential().fit(tf.data.Dataset.range(9000).batch(size).prefetch(1))
        """,
    },
    "mapped functions": {
        "augment.py": """
            import tensorflow as tf

            def still(x):
                return tf.strings.length(x)

            def noisy(x):
                return tf.image.random_hue(tf.io.decode_jpeg(x), 0.2)
        """,
        "train.py": """
            import augment
            import tensorflow as tf
            from augment import noisy
            data = tf.data.TFRecordDataset(["a"])
            data = data.map(augment.still)
            data = data.map(noisy)  #! PIPE201 warning, unsafe fix
            tf.keras.Sequential().fit(data.batch(64).prefetch(1))
        """,
    },
    "a mapped function that calls another module": {
        "noise.py": "import tensorflow as tf\n\ndef noise():\n    return tf.image.random_hue(tf.io.decode_jpeg(tf.io.read_file('a')), 0.2)",
        "augment.py": """
            import tensorflow as tf
            from noise import noise

            def noisy(x):
                return tf.strings.to_number(x) + noise()
        """,
        "train.py": """
            import tensorflow as tf
            from augment import noisy
            data = tf.data.TFRecordDataset(["a"]).map(noisy)  #! PIPE201 warning, unsafe fix
            tf.keras.Sequential().fit(data.batch(64).prefetch(1))
        """,
    },
    "a base class that is a layer": {
        "layers.py": "import tensorflow as tf\n\nclass Base(tf.keras.layers.Layer):\n    pass",
        "model.py": """
            import layers
            import numpy as np
            import tensorflow as tf

            class Wave(layers.Base):
                def call(self, x):
                    return np.sin(x)  #! PIPE604 error, unsafe fix
        """,
    },
    "a directory of the name of a library, which is imported instead": {
        "deepchem/notes.py": "seen = 3",
        "train.py": """
            import deepchem as dc
            import tensorflow as tf

            dc.models.KerasModel(tf.keras.Sequential()).fit_generator([])
            tf.keras.Sequential().fit_generator([dc.notes.seen])  #! PIPE904 error
        """,
    },
    "a base class that trains": {
        "base.py": """
            class Trainer:
                size = 64

                def train(self, model):
                    model.fit(self.data().prefetch(1))
        """,
        "train.py": """
            import tensorflow as tf
            from base import Trainer

            class Mine(Trainer):
                size = 4

                def data(self):
                    return tf.data.Dataset.range(9000).batch(self.size)  #! PIPE801 warning

            Mine().train(tf.keras.Sequential())
        """,
    },
    "a number that only the base class has": {
        "base.py": """
            import tensorflow as tf

            class Trainer:
                size = 4

                def data(self):
                    return tf.data.TFRecordDataset(["a"]).batch(self.size).prefetch(1)

                def train(self, model):
                    model.fit(self.data())
        """,
        "train.py": """
            import tensorflow as tf
            from base import Trainer

            class Mine(Trainer):
                size = 64

                def data(self):
                    return super().data()

            Mine().train(tf.keras.Sequential())
        """,
    },
    "a model that its module makes a tf.function": {
        "nets.py": """
            import tensorflow as tf

            class Net(tf.keras.Model):
                def __init__(self):
                    super().__init__()
                    self.dense = tf.keras.layers.Dense(1)

                @tf.function
                def call(self, x):
                    return self.dense(x)
        """,
        "rate.py": """
            import tensorflow as tf
            from nets import Net

            net = Net()
            ds = tf.data.Dataset.from_tensor_slices(data).batch(64).prefetch(1)
            for epoch in range(50):
                for x in ds:
                    seen.append(net(x))
        """,
    },
    "a step in a loop": {
        "steps.py": STEP.format(found="  #! PIPE701 warning, unsafe fix"),
        "train.py": LOOP.format(wrapped="run = step"),
    },
    "a step beside timed ones in other scripts": {
        "a.py": TIMED,
        "nets.py": "import tensorflow as tf\nmodel = tf.keras.Sequential()\noptimizer = tf.keras.optimizers.Adam()\n",
        "train.py": """
            import tensorflow as tf
            from nets import model, optimizer

            for x in open("numbers"):
                with tf.GradientTape() as tape:  #! PIPE701 advice
                    loss = tf.reduce_mean(model(x))
                optimizer.apply_gradients(zip(tape.gradient(loss, model.weights), model.weights))
        """,
        "z.py": TIMED,
    },
    "options that are off by default, of the script that starts": {
        "options.py": """
            from absl import flags

            flags.DEFINE_bool("debug_mode", False, "look at what is between")
            flags.DEFINE_bool("recording", True, "write summaries")

            def get_options():
                return flags.FLAGS
        """,
        "trainer.py": """
            import tensorflow as tf

            class Trainer:
                def __init__(self, options):
                    self.opt = options

                @tf.function
                def grad(self, x):
                    loss = tf.reduce_sum(tf.square(x))
                    if self.opt.debug_mode:
                        draw(loss.numpy())
                    if self.opt.recording:
                        write(loss.numpy())  #! PIPE603 error
                    return loss
        """,
        "start.py": """
            from absl import app
            from options import get_options
            from trainer import Trainer

            def main(_):
                trainer = Trainer(get_options())
                for x in open("numbers"):
                    trainer.grad(x)

            app.run(main)
        """,
    },
    "a function that a program may ask for by any name": {
        "pictures.py": """
            import random
            import tensorflow as tf

            @tf.function
            def jitter(picture):
                return picture * random.random()  #! PIPE602 error
        """,
        "train.py": """
            import sys
            import tensorflow as tf
            import pictures

            def train(name):
                model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
                model.compile("adam", "mse")
                model.fit(getattr(pictures, name)(tf.zeros([9000, 2])), tf.zeros([9000, 1]))

            train(sys.argv[1])
        """,
    },
    "requirements that keep to Keras 2, where each fit is told of its workers": {
        "requirements.txt": "tensorflow\ntensorflow-addons\n",
        "train.py": """
            import cv2
            import numpy as np
            import tensorflow as tf

            class Pictures(tf.keras.utils.Sequence):
                def __init__(self, paths):
                    self.paths = paths

                def __len__(self):
                    return len(self.paths) // 32

                def __getitem__(self, number):
                    chosen = self.paths[32 * number : 32 * number + 32]
                    return np.stack([cv2.imread(path) for path in chosen]), np.zeros(32)

            for depth in (2, 4):
                model = tf.keras.Sequential([tf.keras.layers.Conv2D(8, 3) for _ in range(depth)])
                model.compile("adam", "mse")
                model.fit(Pictures(training), epochs=10)  #! PIPE502 warning
            model.fit(Pictures(more), epochs=10)  #! PIPE502 warning
        """,
    },
    "a part for version 1, where predict makes no dataset": {
        "nets.py": """
            import keras
            import tensorflow as tf

            def player():
                optimizer = tf.train.AdamOptimizer(0.01)
                return keras.models.load_model("player.h5"), optimizer
        """,
        "play.py": """
            import gym
            import numpy as np
            from nets import player

            model, _ = player()
            world = gym.make("CartPole-v0")
            state, done = world.reset(), False
            while not done:
                state, reward, done, _ = world.step(np.argmax(model.predict(state[None])))
        """,
    },
    "a step that the loop wraps": {
        "steps.py": STEP.format(found=""),
        "train.py": LOOP.format(wrapped="run = tf.function(step)"),
    },
}


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("sources", PROJECTS.values(), ids=PROJECTS)
def test_other_modules_decide(sources: Sources) -> None:
    WrittenProject.write(sources).prove()


def test_a_fix_keeps_to_the_names_of_version_1() -> None:
    WrittenProject.write(PROJECTS["names of version 1 in what a program for version 2 uses"])
    check(Path(), task=Task(Mode.FIX, Fixes.ALL))
    assert ".map(flipped, num_parallel_calls=tf.data.AUTOTUNE)" in Path("data.py").read_text()
    assert check(Path()).diagnostics == ()


def test_a_program_with_a_part_for_version_1_keeps_the_names_that_this_has() -> None:
    sources: Sources = {
        "data.py": "import tensorflow as tf\n\nAUTO = tf.data.experimental.AUTOTUNE\ntf.keras.utils.set_random_seed(1)",
        "nets.py": "import tensorflow as tf\n\ndef net(x):\n    return tf.contrib.layers.instance_norm(x)",
        "train.py": "import data\nimport nets\n\nnets.net(data.AUTO)",
    }
    WrittenProject.write(sources)
    assert check(Path()).diagnostics == ()
    old = "import tensorflow.compat.v1 as tf\n\ndef net(x):\n    return tf.get_variable('x', []) * x"
    WrittenProject.write({**sources, "nets.py": old})
    assert [found.code for found in check(Path()).diagnostics] == ["PIPE903"]


@pytest.mark.parametrize(
    ("writer", "old", "is_slip"),
    [
        ("tf.summary.create_file_writer('log')", "tf.sparse_to_dense(ids, [9], 1)", True),
        ("tf.summary.create_file_writer('log')", "tf.Session().run(ids)", False),
        ("tf.summary.FileWriter('log')", "tf.sparse_to_dense(ids, [9], 1)", False),
    ],
    ids=["beside version 2", "a session beside version 2", "beside version 1"],
)
def test_a_name_of_version_1_is_a_slip_where_modules_for_version_2_run_along(
    writer: str, old: str, is_slip: bool
) -> None:
    found = "  #! PIPE401 warning, unsafe fix" if is_slip else ""
    WrittenProject.write(
        {
            "data.py": f"""
                import tensorflow as tf

                def batches(files):
                    return tf.data.TFRecordDataset(files).batch(32).shuffle(9).prefetch(1){found}

                def dense(ids):
                    return {old}
            """,
            "logs.py": f"""
                import tensorflow as tf

                def writer():
                    return {writer}
            """,
            "train.py": """
                import tensorflow as tf
                import data
                import logs

                logs.writer()
                tf.keras.Sequential().fit(data.batches(["a", "b"]), epochs=9)
            """,
        }
    ).prove("PIPE401")


def test_a_finding_says_what_it_rests_on_in_another_file() -> None:
    WrittenProject.write(PROJECTS["a size that the caller gives"])
    (found,) = check(Path()).diagnostics
    assert [(note.span.path, note.span.start.line, note.message) for note in found.related] == [
        ("data.py", 4, "the batches are made here")
    ]


def test_a_note_that_leads_to_a_notebook_names_the_cell() -> None:
    WrittenProject.write(
        {
            "data.py": BUILDER,
            "train.ipynb": ("from data import batches", "import keras\nkeras.Sequential().fit(batches())"),
        }
    )
    (found,) = check(Path()).diagnostics
    start = found.span.start
    assert (found.span.path, start.cell, start.line) == ("train.ipynb", 2, 2)
    assert [(note.span.path, note.span.start.line) for note in found.related] == [("data.py", 5)]
