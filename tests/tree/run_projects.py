"""Runs all that projects do which are named on the command line, each from the beginning, in one process."""

from __future__ import annotations

import importlib
import json
import runpy
import sys
from pathlib import Path


def run(root: Path) -> None:
    """Train, evaluate, refine, and run the notebook."""
    sys.path.insert(0, str(root / "src"))
    for name in [name for name in sys.modules if name.partition(".")[0] == "shapes"]:
        del sys.modules[name]
    evaluate = importlib.import_module("shapes.evaluate")
    network = importlib.import_module("shapes.train").main()
    sys.stdout.write(f"{evaluate.accuracy(network):.2f} right, {evaluate.mistakes(network)} wrong\n")
    runpy.run_path(str(root / "scripts" / "refine.py"), run_name="__main__")
    names: dict[str, object] = {}
    for cell in json.loads((root / "notebooks" / "few.ipynb").read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    sys.path.pop(0)
    sys.stdout.write(f"{root.name} is done\n")


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        run(Path(argument))
