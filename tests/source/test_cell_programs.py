"""What is in the cells of a notebook: its program, files that cells write, other languages, and fragments."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pipelint.source.lines import Position
from tests.source.test_notebooks import NOTEBOOK, code, markdown, notebook, program, replaced, sources
from tests.workspace import IMPORT, Workspace


class TestWrittenFiles:
    @pytest.mark.parametrize(
        "magic",
        [
            "%%writefile x.py",
            "%%writefile -a 'x.py'",
            '%%writefile "a dir/x y.py" --append',
            "%writefile x.py",
            "%%file x.py",
        ],
    )
    def test_a_written_python_file_is_a_program_of_its_own(self, magic: str) -> None:
        document = notebook(code("a = 1"), code(magic, "b = 2", "c = 3"))
        assert [unit.text for unit in document.units] == ["a = 1\n", "b = 2\nc = 3\n"]
        assert document.units[1].place(6) == Position(3, 1, 2)
        assert sources(replaced(document, "3", "4", unit=1)) == ["a = 1", f"{magic}\nb = 2\nc = 4"]

    @pytest.mark.parametrize("magic", ["%%writefile notes.txt", "%%file run.sh", "%%writefile", "%%writefile -a"])
    def test_other_files_are_not(self, magic: str) -> None:
        document = notebook(code(magic, "b = 2 keras"))
        assert (len(document.units), document.errors) == (1, ())

    def test_appended_cells_continue_the_file(self) -> None:
        document = notebook(
            code("%%writefile step.py", "def step(x):"),
            code("z = 0"),
            code("%%writefile other.py", "y = 1"),
            code("%%writefile ./step.py -a", "    return x + 1"),
        )
        assert [unit.text for unit in document.units] == ["z = 0\n", "def step(x):\n    return x + 1\n", "y = 1\n"]
        assert (document.errors, document.left_out) == ((), ())
        assert sources(replaced(document, "+ 1", "- 1", unit=1))[3] == "%%writefile ./step.py -a\n    return x - 1"

    def test_a_file_written_anew_is_another_one(self) -> None:
        document = notebook(code("%%writefile x.py", "a = 1"), code("%%writefile x.py", "b = 2"))
        assert [unit.text for unit in document.units] == ["", "a = 1\n", "b = 2\n"]

    def test_its_errors_name_the_line_of_the_cell(self) -> None:
        document = notebook(code("%%file x.py", "import keras", "print 3"), code("%%file x.py -a", "b = 2"))
        assert [(error.cell, error.line) for error in document.errors] == [(1, 3)]
        assert [unit.text for unit in document.units] == ["", "b = 2\n"]


class TestCellsThatDoNotParse:
    def test_a_notebook_is_one_error_and_what_can_be_read_is(self) -> None:
        document = notebook(markdown("x"), code("import keras", "print 'no'"), code("b = 2"), code("keras.x(1 2)"))
        [error] = document.errors
        assert (error.cell, error.line, error.path) == (2, 2, NOTEBOOK)
        assert error.message.endswith("(and 1 more cell of this notebook)")
        assert program(document) == "import keras\n\nb = 2\n"
        assert document.left_out == (2, 4)

    @pytest.mark.parametrize("source", ["f(1) \\", "'\ud800'", "\0", "(" * 5000, "if x:"])
    def test_no_cell_breaks_the_next_one(self, source: str) -> None:
        document = notebook({**code(), "source": source}, code("b = 2"))
        assert document.left_out == (1,)
        assert program(document) == "b = 2\n"

    @pytest.mark.parametrize(
        ("source", "stand_in"),
        [
            ("ds = ds.batch(", "ds = get_ipython()"),
            ("a, b = c = d e", "a = b = c = get_ipython()"),
            ("print ds\n  count: int += f()", "\ncount = get_ipython()"),
            ("def f(x):\n  # to do", "f = get_ipython()\n"),
            ("import a.b as c\nfrom d import (", "import a.b as c\n"),
            ("a == (", None),
        ],
    )
    def test_of_a_cell_that_cannot_be_read_imports_count_and_what_it_defines_is_unknown(
        self, source: str, stand_in: str | None
    ) -> None:
        document = notebook(code("x = 1"), {**code(), "source": source})
        assert program(document) == "x = 1\n" + (f"{stand_in}\n" if stand_in else "")


SLOW = "x = tf.size(1)"


def checked(workspace: Workspace, *cells: str, **top: Any) -> tuple[int, list[tuple[int, int]], list[int]]:
    """The exit status of a check of a notebook, the cell and line of what is found, and the cells with an error."""
    path = workspace.notebook("n.ipynb", IMPORT, *cells)
    path.write_text(json.dumps({**json.loads(path.read_text()), **top}))
    outcome = workspace.check("--output-format=json")
    found = [(finding["cell"], finding["line"]) for finding in outcome.json["findings"]]
    return outcome.status, found, [error["cell"] for error in outcome.json["errors"]]


class TestThroughTheDoor:
    """Each notebook imports TensorFlow in cell 2; of what follows, the slow call is found and no other cell matters."""

    @pytest.mark.parametrize(
        "cell",
        [
            "%%bash\nexport TF=$(pip show tensorflow | head -1)",
            "%%bigquery frame\nSELECT keras FROM `tensorflow.models`",
            "%%javascript\nconst keras = document.querySelector('#keras');",
            "%%html\n<b>tensorflow</b>",
            "%%R\nlibrary(keras) x <- 3",
            "%%latex\n\\tensorflow",
            "%%cython\ncdef int tf(int x): return x",
            "%%script perl\nmy $keras = 1;",
            "%%of_a_stranger --keras\ntf is not what you think",
            "%bash\npip install tensorflow==2.16\nls -l",
            "%sql --module keras\nSELECT tf,\n  name\nFROM models",
            "%md\n# How tf.data works, and why",
            "gcloud ai jobs create --image tensorflow\n",
            "pip install -q tensorflow keras\n",
        ],
    )
    def test_cells_in_other_languages(self, slow: Workspace, cell: str) -> None:
        assert checked(slow, cell, SLOW) == (1, [(4, 1)], [])

    @pytest.mark.parametrize(
        "cell",
        [
            "model = # TODO: build it with tf.keras",
            "tf.matmul(# your code here)",
            "def loss(y, p):\n    # TODO: use tf.reduce_mean\n",
            "    y = tf.size(2)\n  return y",
            "model.fit(tf.range(3),\n    epochs = # choose,\n    verbose=0)",
            "keras.fit(epochs=)",
            "model.fit(epochs=3, ...)\nkeras",
            "ds = tf.data. # complete this line",
            "spec = {\n    'image': # your code\n    'label': # your code\n}\nx = tf.cast(spec, tf.int32)",
            "w = tf.zeros(<your shape>)",
            "....as before, with tf.function",
            "if tf.rank(x) > 3:",
            "x = tf.constant([1, 2,",
            "tf.data.Dataset.map??\n?keras",
            "versions = !pip show keras\n!ls (",
        ],
    )
    def test_fragments(self, slow: Workspace, cell: str) -> None:
        slow.configure(select="TEST101")
        assert checked(slow, cell, SLOW) == (1, [(4, 1)], [])

    @pytest.mark.parametrize(
        "cell",
        [
            "print tf.__version__",
            "for x in tf.range(3)\n    f(x)",
            "try:\n    tf.f()\nexcept ValueError, error:\n    pass",
            "ds = tf.data.Dataset.range(3).map(f) batch(2)",
            "keras.fit(x y)",
        ],
    )
    def test_broken_python_that_speaks_of_tensorflow_is_an_error(self, slow: Workspace, cell: str) -> None:
        assert checked(slow, cell, SLOW) == (2, [(4, 1)], [3])

    def test_broken_python_that_does_not_is_left_out(self, slow: Workspace) -> None:
        assert checked(slow, "print 'loaded'", SLOW) == (1, [(4, 1)], [])

    @pytest.mark.parametrize(
        ("cell", "line"),
        [
            ("%time x = tf.size(1)", 1),
            ("%timeit -n 2 tf.size(1)", 1),
            ("%%time\ntf.size(1)", 2),
            ("%%timeit -r 3 y = tf.size(1)\nf(y)", 1),
            ("%%capture out\ntf.size(1)", 2),
            ("%%writefile part.py\nimport tensorflow as tf\ntf.size(1)", 3),
            ("%%writefile part.py --append\nimport tensorflow as tf\ntf.size(1)", 3),
        ],
    )
    def test_python_beside_and_below_magics_is_seen(self, slow: Workspace, cell: str, line: int) -> None:
        assert checked(slow, cell) == (1, [(3, line)], [])

    def test_a_file_that_only_parses_with_what_is_appended(self, slow: Workspace) -> None:
        first = "%%writefile 'my step.py'\nimport tensorflow as tf\ndef step(x):"
        assert checked(slow, first, "%%writefile -a 'my step.py'\n    return tf.size(x)") == (1, [(4, 2)], [])

    @pytest.mark.parametrize("language", ["R", "julia"])
    def test_a_notebook_in_another_language(self, slow: Workspace, language: str) -> None:
        metadata = {"kernelspec": {"language": language, "name": "k"}, "language_info": {"name": language}}
        assert checked(slow, "x <- keras(", SLOW, metadata=metadata) == (0, [], [])

    def test_a_fix_leaves_fragments_as_they_are(self, slow: Workspace) -> None:
        slow.notebook("n.ipynb", IMPORT, "y = tf. # complete", SLOW)
        assert slow.check("--fix").status == 0
        assert sources((slow.root / "n.ipynb").read_bytes())[1:] == ["y = tf. # complete", "x = tf.shape_n(1)"]

    def test_nothing_is_held_against_what_a_fragment_may_have_changed(self, workspace: Workspace) -> None:
        workspace.configure(select="missing-prefetch")
        workspace.write("requirements.txt", "tensorflow==2.8\n")
        cells = "ds = tf.data.Dataset.range(9000).map(f).padded_batch(3)", "ds = ds.prefetch(# TODO)", "model.fit(ds)"
        assert checked(workspace, *cells) == (0, [], [])
        assert checked(workspace, *cells[::2])[1] == [(3, 1)]

    def test_code_in_markdown_is_text(self, slow: Workspace) -> None:
        slow.write("n.ipynb", json.dumps({"cells": [markdown("```python\ntf.size(1) print tf\n```"), code("a = 1")]}))
        assert slow.check().status == 0
