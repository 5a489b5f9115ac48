"""Notebooks: programs cut into cells, with magics, other languages, odd sources and broken JSON between them."""

from __future__ import annotations

import ast
import json
import random
from functools import cache
from itertools import pairwise
from typing import Any

from tests.fuzz.comments import commented
from tests.fuzz.mutations import FIXTURES, is_python, mutated
from tests.fuzz.programs import program

MAGICS = (
    "%matplotlib inline", "!pip install -q tensorflow", "%load_ext tensorboard", "files = !ls", "t = %timeit -o f()",
    "tf.data?", "?tf", "tf.data.Dataset??", "%cd ..", "!ls \\\n  -l", "    !nvidia-smi", "%time ds = ds.batch(3)", "!!ls",
    "%tensorboard --logdir logs", "get_ipython().system('ls')", "%env A=1", "x = %env A", "%%", "%", "!", "?", ";f x", "/f x",
    ",f a b", "######################## a ruler #########", "#" * 24, "\n" * 24, "def (", "%config InlineBackend.a = 'b'",
    "if True:\n    !ls\n    %time x", "for f in files:\n    !cat {f}", "await f()", "async with a as b: pass", "'''%magic\n'''",
)  # fmt: skip
CELL_MAGICS = (
    "%%time", "%%timeit -n 1", "%%bash", "%%writefile train.py", "%%html", "%%capture out", "%%R -i x", "%%javascript", "%%sql",
    "%%cython -a", "%%prun", "%%script python", "%%unknown here", "%%time\n%%capture", "\n\n%%time", "# first\n%%time", " %%time",
)  # fmt: skip
METADATA: tuple[Any, ...] = (
    {},
    {"language_info": {"name": "python"}},
    {"kernelspec": {"language": "python", "name": "python3", "display_name": "P"}},
    {"language_info": {"name": "R"}},
    {"kernelspec": {"language": "julia"}},
    {"language_info": "python"},
    {"language_info": {"name": None}},
    {"kernelspec": []},
    None,
    [],
)
ODD_SOURCES: tuple[Any, ...] = (
    None,
    3,
    [],
    [[]],
    [1, "import tensorflow as tf"],
    {"a": 1},
    "",
    ["\n"],
    ["a", "b"],
    True,
    "\ud800",
    [None],
)
ODD_CELLS: tuple[Any, ...] = (
    None, 3, "cell", [], {}, {"cell_type": "code"}, {"source": "import tensorflow"}, {"cell_type": 3, "source": "x"},
    {"cell_type": "raw", "source": "tf"}, {"cell_type": "heading", "source": "tf", "level": 1}, {"cell_type": None},
)  # fmt: skip


@cache
def _fixtures() -> tuple[str, ...]:
    return tuple(path.read_text("utf-8") for path in sorted(FIXTURES.glob("*/*.ipynb")))


def notebook(rng: random.Random) -> bytes:
    """The bytes of an .ipynb file."""
    if rng.random() < 0.1:
        return _broken(rng, rng.choice(_fixtures()))
    cells: list[Any] = [_cell(rng, source) for source in _sources(rng)]
    if rng.random() < 0.15:
        cells.insert(rng.randrange(len(cells) + 1), rng.choice(ODD_CELLS))
    document: Any = {"cells": cells, "metadata": rng.choice(METADATA), "nbformat": 4, "nbformat_minor": 5}
    if rng.random() < 0.05:
        renamed = [{**cell, "input": cell.get("source")} for cell in cells if isinstance(cell, dict)]
        document = {"worksheets": [{"cells": renamed}], "metadata": {}, "nbformat": 3}
    layout = rng.choice(({"indent": 1}, {"indent": 1}, {"indent": 2}, {}, {"indent": "\t"}, {"separators": (",", ":")}))
    text = json.dumps(document, ensure_ascii=rng.random() < 0.5, **layout) + rng.choice(("\n", "", "\n\n"))
    if rng.random() < 0.15:
        return _broken(rng, text)
    return text.replace("\n", rng.choice(("\n", "\n", "\n", "\r\n"))).encode("utf-8", "replace")


def _sources(rng: random.Random) -> list[str]:
    """The sources of the code cells."""
    text = rng.choice((program, program, program, mutated, commented))(rng)
    cells = _cut(rng, text)
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        at = rng.randrange(len(cells) + 1)
        where = rng.random()
        if where < 0.5 and at < len(cells):
            lines = cells[at].split("\n")
            lines.insert(rng.randrange(len(lines) + 1), rng.choice(MAGICS))
            cells[at] = "\n".join(lines)
        elif where < 0.8 and at < len(cells):
            cells[at] = f"{rng.choice(CELL_MAGICS)}\n{cells[at]}"
        else:
            cells.insert(
                at, rng.choice((*MAGICS, *CELL_MAGICS, "ds", "print(1);", "model.fit(ds);", "  x = 1\n  y = 2", "\t"))
            )
    return [_indented(rng, cell) for cell in cells]


def _cut(rng: random.Random, text: str) -> list[str]:
    """The text in pieces of whole statements, where it has statements."""
    if not is_python(text):
        return [text]
    lines = text.split("\n")
    starts = [node.lineno - 1 for node in ast.parse(text).body if not getattr(node, "decorator_list", None)]
    cuts = sorted({0, *(start for start in starts if rng.random() < 0.3), len(lines)})
    return ["\n".join(lines[one:other]) for one, other in pairwise(cuts)]


def _indented(rng: random.Random, text: str) -> str:
    if rng.random() < 0.05:
        text = "\n".join(f"  {line}" for line in text.split("\n"))
    return text.replace("\n", "\r\n") if rng.random() < 0.04 else text


def _cell(rng: random.Random, source: str) -> dict[str, Any]:
    if rng.random() < 0.1:
        return {"cell_type": "markdown", "metadata": {}, "source": [source]}
    written: Any = source.splitlines(keepends=True) if rng.random() < 0.7 else source
    if rng.random() < 0.04:
        written = rng.choice(ODD_SOURCES)
    cell = {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [], "source": written}
    if rng.random() < 0.2:
        cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["tf.data\n", "source\n"]}]
        cell["metadata"] = {"source": "ds.map(f)", "tags": ["\N{PENCIL}"]}
    return dict(rng.sample(sorted(cell.items()), len(cell)))


def _broken(rng: random.Random, text: str) -> bytes:
    """JSON after an accident; some of it is still JSON."""
    at = rng.randrange(len(text) + 1)
    signs = ('"', "}", "]", ",", "\\", "\\u12", "NaN", "\x00", "\n", "{", "\\ud83d", "1e999", "9" * 5000, "[" * 2000)
    return rng.choice(
        (
            text[:at],
            text[:at] + rng.choice(signs) + text[at:],
            text + rng.choice(signs),
            "\ufeff" + text,
            text.replace('"source"', '"source": "", "source"', 1),
            text.replace("tensorflow", "tensor\\u0066low"),
            text.replace("\\n", "\\r\\n"),
            text.replace("\\n", "\\u2028"),
            "",
        )
    ).encode("utf-8", "replace")
