"""`pipelint profile` from the command line, and `pipelint.profile` in a program, on real scripts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from pipelint.project.cache import Cache
from pipelint.project.saved_profiles import saved_profile
from tests.workspace import PIPELINT

pytest.importorskip("tensorflow", reason="scripts are run on TensorFlow")

pytestmark = pytest.mark.network
TRAIN = """
    import os, sys
    import keras
    import tensorflow as tf
    from lib import noisy

    print("arguments:", sys.argv[1:], "in", os.path.basename(os.getcwd()), "as", __name__)
    data = tf.data.Dataset.range(400).map(noisy).batch(4)
    model = keras.Sequential([keras.Input([1]), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(data, validation_data=data.take(30), epochs=3)
    model.save("model.keras")
    print("behind training")
"""
LIB = """
    import tensorflow as tf

    def noisy(x):
        value = tf.random.normal([1]) + tf.cast(x, tf.float32)
        return value, value
"""


def test_a_training_script_from_its_arguments_to_its_limits(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "train.py").write_text(textwrap.dedent(TRAIN))
    (tmp_path / "src" / "lib.py").write_text(textwrap.dedent(LIB))
    options = ["--seconds=1", "--output-format=json", "--graph=graph.svg", "--min-batches-per-second=1e9"]
    options += ["--save", "--cache-dir=cache"]
    completed = subprocess.run(
        [*PIPELINT, "profile", "src/train.py", *options, "--", "--epochs", "3"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    told = completed.stderr.splitlines()
    assert told[0].startswith("pipelint: running src/train.py in a child process; what it does before")
    assert f"arguments: ['--epochs', '3'] in {tmp_path.name} as __main__" in told
    assert "behind training" not in told
    document = json.loads(completed.stdout)
    assert (document["version"], document["target"], document["error"]) == (1, "src/train.py", None)
    training, validation = document["pipelines"]
    assert (training["consumer"], validation["consumer"]) == ("fit", "evaluate")
    assert training["input_bound"] is not None
    stages = [(stage["op"], stage["path"], stage["line"]) for stage in training["stages"]]
    assert stages == [(op, "src/train.py", 8) for op in ("range", "map", "batch")]
    assert completed.returncode == 1
    assert "fewer than 1e+09" in told[-1]
    written = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file())
    assert written == ["cache/results.sqlite3", "graph.svg", "src/lib.py", "src/train.py"]
    assert "pipelint: saved for editors: 4 stages in 1 file" in told
    saved = saved_profile(Cache(tmp_path / "cache"), tmp_path / "src" / "train.py")
    assert saved is not None
    assert [(stage.op, stage.line) for stage in saved.stages[:3]] == [("range", 8), ("map", 8), ("batch", 8)]
    assert [stage.share for stage in saved.stages[:3]] == [stage["share"] for stage in training["stages"]]
    assert saved.stages[0].source == "data = tf.data.Dataset.range(400).map(noisy).batch(4)"


UNTIDY = """
    import os, subprocess, sys, tempfile
    import tensorflow as tf
    import statistics, neighbour

    print("mine:", statistics.MINE, neighbour.MINE, sys.path[0])
    with open("number", "w") as file:
        waiting = [sys.executable, "-c", "import time; time.sleep(600)"]
        file.write(str(subprocess.Popen(waiting, start_new_session=True).pid))
    tempfile.mkstemp()

    @tf.function
    def doubled(x):
        if x > 0:
            x = 2 * x
        return x

    for batch in tf.data.Dataset.range(400).map(doubled).batch(4):
        pass
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands over orphans")
def test_a_run_imports_nothing_from_where_it_is_started_and_leaves_nothing_behind(tmp_path: Path) -> None:
    """The working directory has modules of the names of Python's own, and so has the folder of the script."""
    for folder in ("src", "tmp", "here"):
        (tmp_path / folder).mkdir()
    (tmp_path / "src" / "train.py").write_text(textwrap.dedent(UNTIDY))
    for name in ("statistics", "neighbour"):
        (tmp_path / "src" / f"{name}.py").write_text("MINE = __name__\n")
    for name in sys.stdlib_module_names:
        (tmp_path / "here" / f"{name}.py").write_text(
            "import sys\nsys.stderr.write('the trap was run')\nraise OSError\n"
        )
    (tmp_path / "program").write_text("from pipelint.cli import main; main()")
    completed = subprocess.run(
        [sys.executable, tmp_path / "program", "profile", "../src/train.py", "--seconds=1", "--output-format=json"],
        cwd=tmp_path / "here",
        env={**os.environ, "TMPDIR": str(tmp_path / "tmp")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "the trap" not in completed.stderr
    assert completed.returncode == 0, completed.stderr
    assert f"mine: statistics neighbour {tmp_path / 'src'}" in completed.stderr.splitlines()
    assert not Path("/proc", (tmp_path / "here" / "number").read_text()).exists()
    assert list((tmp_path / "tmp").iterdir()) == []


NOTEBOOK = """
    import sys
    import pipelint
    from pipelint.source.errors import UserError

    assert "tensorflow" not in sys.modules
    pipelint.watch()
    import tensorflow as tf

    data = tf.data.Dataset.range(400).map(lambda x: x + 1).batch(4)
    view = pipelint.profile(data, seconds=1)
    print(view)
    print(view._repr_html_()[:20])
    print([stage.place.line for stage in view.profile.pipelines[0].stages])
    try:
        pipelint.profile([1, 2])
    except UserError as error:
        print(error)
    import os
    sys.stdout.flush()
    os._exit(0)
"""


def test_a_dataset_is_measured_where_it_is_and_shows_itself(tmp_path: Path) -> None:
    (tmp_path / "cell.py").write_text(textwrap.dedent(NOTEBOOK))
    completed = subprocess.run(
        [sys.executable, "cell.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert completed.returncode == 0, completed.stderr
    *text, page, lines, refused = completed.stdout.splitlines()
    assert any("cell.py:10" in line for line in text)
    assert page.startswith('<iframe srcdoc="&lt;')
    assert lines == "[10, 10, 10]"
    assert refused == "pipelint.profile takes a tf.data dataset, not list"
