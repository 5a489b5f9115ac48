"""What the child of `pipelint profile` says of programs that go wrong, and of datasets that are named."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("tensorflow", reason="programs are run on TensorFlow")
pytestmark = pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="the programs run in forks")

DATA = """
import tensorflow as tf

def make(size=2):
    return tf.data.Dataset.range(100).map(lambda x: x + 1).batch(size)

def make_sized(size):
    return make(size)

def nothing():
    return 3

def counted():
    for batch in make():
        pass
    return make().prefetch(1)

splits = {"test": make(), "train": make()}
number = 5
"""
TRAINING = f"""{DATA}
def train(weight=tf.Variable(1.0)):
    for epoch in range(10**6):
        for batch in make():
            with tf.GradientTape() as tape:
                loss = weight * tf.reduce_sum(tf.cast(batch, tf.float32))
            tape.gradient(loss, weight)
"""
CASES: dict[str, dict[str, Any]] = {
    "fails": {"program": "import json\ndef load():\n    raise ValueError('no\\ndata')\nload()"},
    "fails in a library": {"program": "import json\n\njson.loads('{')"},
    "asks for input": {"program": "name = 'x'\nanswer = input('Which? ')"},
    "exits": {"program": "import sys\nsys.exit()"},
    "exits with a status": {"program": "import argparse\nargparse.ArgumentParser().parse_args()", "arguments": ["--no"]},
    "is no Python": {"program": "x = 1\ndef ("},
    "never consumes": {"program": DATA},
    "is guarded": {"program": "if __name__ == '__main__':\n    import sys\n    raise KeyError(sys.argv, __file__[-8:])"},
    "raises in the middle": {
        "program": """
            import tensorflow as tf
            def check(x):
                if x > 40:
                    raise ValueError("bad record")
                return x
            data = tf.data.Dataset.range(100).map(lambda x: tf.numpy_function(check, [x], tf.int64)).batch(2)
            for batch in data:
                pass
            """
    },
    "is empty": {"program": "import tensorflow as tf\nfor x in tf.data.Dataset.range(0).repeat(1): pass\n"
                 "for x in tf.data.Dataset.range(9).filter(lambda x: x > 8).batch(1): pass"},
    "fails behind evaluation": {
        "program": DATA + "for x in make():\n    pass\nraise RuntimeError('no GPU')\nmodel.fit(make())"
    },
    "function": {"program": DATA, "name": "make"},
    "variable": {"program": DATA, "name": "splits"},
    "expression": {"program": DATA, "call": "make_sized(size=4)"},
    "module": {"program": DATA, "target": "train:make"},
    "defined before it trains": {"program": DATA + "for x in make():\n    pass\nraise RuntimeError", "name": "make"},
    "looks through its data": {"program": DATA, "name": "counted"},
    "trains": {"program": TRAINING, "name": "train"},
    "trains in an expression": {"program": TRAINING, "call": "train()"},
    "breaks behind its dataset": {"program": DATA + "data = make()\nraise RuntimeError('no GPU')", "name": "data"},
    "breaks before its dataset": {"program": DATA + "raise RuntimeError('no GPU')\ndata = make()", "name": "data"},
    "raises while it is traced": {
        "program": """
            import tensorflow as tf
            def parse(x):
                if x > 1:
                    x = tf.reshape(x, [2, 3])
                return x
            for batch in tf.data.Dataset.range(9).map(parse):
                pass
            """
    },
    "raises in a layer": {
        "program": """
            import keras, tensorflow as tf
            model = keras.Sequential([keras.layers.Conv2D(3, 3), keras.layers.Dense(1)])
            model(tf.ones([4, 4]))
            """
    },
    "notebook": {"cells": ["!pip install x\n%matplotlib inline\nfiles = !ls", "%%time\nimport json\n" + DATA,
                           "get_ipython().system('ls')\nfor name in files:\n    raise KeyError",
                           "for batch in make():  # a loop\n    pass"]},
    "notebook's variable": {"cells": [DATA], "name": "splits"},
    "notebook that fails": {"cells": ["x = 1", "import json\njson.loads('{')"]},
    "notebook that is none": {"cells": None},
    "is part of a package": {"program": "from . import data", "name": "make"},
    "module is missing": {"program": "", "target": "absent.data:make"},
    "name is missing": {"program": DATA, "name": "mkae"},
    "needs arguments": {"program": DATA, "name": "make_sized"},
    "returns no dataset": {"program": DATA, "name": "nothing"},
    "is no dataset": {"program": DATA, "name": "number"},
    "expression fails": {"program": DATA, "call": "make_sized(sise=4)"},
}  # fmt: skip
Answer = Callable[[str], dict[str, Any]]


def notebook(cells: list[str] | None) -> str:
    """A notebook of these cells, behind one of text; without any, what is no notebook."""
    code = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": cell} for cell in cells or ()]
    text = {"cell_type": "markdown", "metadata": {}, "source": "# Training"}
    return json.dumps({"cells": [text, *code], "metadata": {}, "nbformat": 4} if cells else {})


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> Answer:
    root = tmp_path_factory.mktemp("targets")
    cases = {}
    for number, (name, case) in enumerate(CASES.items()):
        folder = root / str(number)
        folder.mkdir()
        file = "train.ipynb" if "cells" in case else "train.py"
        (folder / file).write_text(notebook(case["cells"]) if "cells" in case else textwrap.dedent(case["program"]))
        target = case.get("target") or file + (f":{case['name']}" if "name" in case else "")
        cases[name] = {**case, "target": target, "folder": str(folder)}
    (root / "cases.json").write_text(json.dumps(cases))
    driver = Path(__file__).parents[1] / "worker_driver.py"
    completed = subprocess.run(
        [sys.executable, driver, root / "cases.json"], check=False, capture_output=True, text=True, timeout=170
    )
    assert completed.returncode == 0, completed.stderr

    def read(name: str) -> dict[str, Any]:
        path = Path(cases[name]["folder"]) / "answer.json"
        assert path.exists(), completed.stderr
        answer: dict[str, Any] = json.loads(path.read_text())
        return answer

    return read


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("fails", "train.py:3: ValueError: no"),
        ("fails in a library", "train.py:3: JSONDecodeError: Expecting property name"),
        ("asks for input", "train.py:2 asks for input, and there is none; give it as arguments of the script"),
        ("exits", "train.py:2: the script ends before it consumes a dataset"),
        ("exits with a status", "train.py:2: the script exits with 2 before it consumes a dataset; arguments of the"),
        ("is no Python", "train.py:2: SyntaxError: "),
        ("never consumes", "train.py never consumed a tf.data dataset: a call of fit, evaluate or predict, or a loop"),
        ("is guarded", "train.py:3: KeyError: (['train.py'], 'train.py')"),
        ("breaks before its dataset", "RuntimeError: no GPU"),
        ("raises while it is traced", "train.py:5: ValueError: Cannot reshape a tensor with 1 elements"),
        ("raises in a layer", "train.py:4: ValueError: Input 0 with name 'None' of layer 'conv2d' is incompatible"),
        ("notebook that fails", "train.ipynb:cell 3:2: JSONDecodeError: Expecting property name"),
        ("notebook that is none", "train.ipynb is not a valid notebook: it has no cells"),
        ("is part of a package", "it is part of a package: name a function of its module, as in train:make_dataset"),
        ("module is missing", "no module named 'absent'"),
        ("name is missing", "train.py has no 'mkae'; did you mean make"),
        ("needs arguments", "train.py:make_sized needs the argument size; call it with --call"),
        ("returns no dataset", "train.py:nothing returns an int, not a tf.data dataset"),
        ("is no dataset", "train.py:number is an int, neither a tf.data dataset nor a function that returns one"),
        ("expression fails", "make_sized() got an unexpected keyword argument 'sise'"),
    ],
)
def test_what_goes_wrong_is_one_line_at_the_users_place(answer: Answer, name: str, line: str) -> None:
    told = answer(name)
    assert line in told["error"]
    assert told["pipelines"] == []


@pytest.mark.parametrize("name", ["function", "expression", "module", "defined before it trains"])
def test_a_dataset_can_be_named(answer: Answer, name: str) -> None:
    told = answer(name)
    assert told["error"] is None
    [pipeline] = told["pipelines"]
    assert (pipeline["kind"], pipeline["ops"], pipeline["measured"]) == ("dataset", ["range", "map", "batch"], True)


def test_a_dataset_that_is_there_is_measured_though_the_script_fails_behind_it(answer: Answer) -> None:
    told = answer("breaks behind its dataset")
    assert told["error"] is None
    assert [pipeline["measured"] for pipeline in told["pipelines"]] == [True]


def test_a_notebook_is_run_cell_by_cell_and_its_places_are_cells(answer: Answer) -> None:
    told = answer("notebook")
    assert told["error"] is None
    [pipeline] = told["pipelines"]
    assert (pipeline["kind"], pipeline["ops"]) == ("loop", ["range", "map", "batch"])
    assert [place.rpartition("/")[2] for place in pipeline["places"]] == ["train.ipynb:cell 3"] * 3
    assert [pipeline["role"] for pipeline in answer("notebook's variable")["pipelines"]] == ["training", "evaluation"]


def test_a_function_may_look_through_data_before_it_returns_its_dataset(answer: Answer) -> None:
    [pipeline] = answer("looks through its data")["pipelines"]
    assert (pipeline["kind"], pipeline["ops"][-1]) == ("dataset", "prefetch")


@pytest.mark.parametrize("name", ["trains", "trains in an expression"])
def test_a_named_function_that_trains_is_taken_over_from(answer: Answer, name: str) -> None:
    told = answer(name)
    assert told["error"] is None
    assert [(pipeline["kind"], pipeline["role"]) for pipeline in told["pipelines"]] == [("loop", "training")]


def test_each_dataset_of_a_dictionary_is_measured_training_first(answer: Answer) -> None:
    assert [pipeline["role"] for pipeline in answer("variable")["pipelines"]] == ["training", "evaluation"]


def test_a_dataset_that_raises_in_the_middle_names_the_line_and_shows_what_there_is(answer: Answer) -> None:
    told = answer("raises in the middle")
    assert "bad record" in told["error"]
    assert told["error"].startswith("train.py:")
    assert [pipeline["kind"] for pipeline in told["pipelines"]] == ["loop"]


def test_an_empty_dataset_is_told(answer: Answer) -> None:
    assert answer("is empty")["error"] == "train.py:2: the dataset has no elements"


def test_what_was_consumed_before_a_failure_is_measured(answer: Answer) -> None:
    told = answer("fails behind evaluation")
    assert told["error"].endswith("RuntimeError: no GPU")
    assert [pipeline["measured"] for pipeline in told["pipelines"]] == [True]
