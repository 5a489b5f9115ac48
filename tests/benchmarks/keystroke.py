"""How long an editor waits after a keystroke: from the change of a text to what `pipelint server` says of it.

    python -m tests.benchmarks.keystroke [FILE...] [--keys N]

Without files, of 1,000 lines that are made of the training scripts in fixtures/slow, one after the other. The keys are
typed one by one as a name in a statement in the middle, each when the answer to the one before is there. What the processor
was at work for a key is disturbed less by other programs than what the clock says.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.server.editor import Editor

FIXTURES = Path(__file__).parents[2] / "fixtures" / "slow"
LINES = 1000


def _made(directory: Path) -> Path:
    """A script of 1,000 lines: fourteen programs, which is more than people write into one file."""
    scripts = [path.read_text("utf-8") for path in sorted(FIXTURES.glob("*.py"))]
    lines: list[str] = []
    while len(lines) < LINES:
        for script in scripts:
            lines += script.splitlines()
    path = directory / "long.py"
    path.write_text("\n".join(lines[:LINES]) + "\n", "utf-8")
    return path


def measured(path: Path, keys: int) -> tuple[list[float], float]:
    """In seconds, what each key took, and what the processor was at work for the server from its start to its end."""
    found = []
    before = os.times()
    with Editor(path.parent) as editor:
        text = editor.open(path)
        editor.diagnostics(text)
        lines = text.content.splitlines()
        middle = next(number for number in range(len(lines) // 2, len(lines)) if not lines[number].strip())
        editor.type(text, middle, 0, "x = y")
        editor.diagnostics(text)
        for key in range(keys):
            started = time.perf_counter()
            editor.type(text, middle, key + 5, "y")
            editor.diagnostics(text)
            found.append(time.perf_counter() - started)
    after = os.times()
    return found, after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    """Measure, and print a line for each file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--keys", type=int, default=40)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        for path in options.files or [_made(Path(directory))]:
            _, start = measured(path.resolve(), 0)
            waits, processor = measured(path.resolve(), options.keys)
            found = sorted(1000 * wait for wait in waits)
            busy = 1000 * (processor - start) / options.keys
            lines = len(path.read_text("utf-8").splitlines())
            slow = found[int(0.95 * len(found))]
            sys.stdout.write(
                f"{path.name}: {lines} lines, median {statistics.median(found):.0f} ms, 95% within {slow:.0f} ms; "
                f"{busy:.0f} ms of processor a key\n"
            )


if __name__ == "__main__":
    main()
