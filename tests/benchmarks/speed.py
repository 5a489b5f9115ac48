"""How fast `pipelint check` is on a directory, beside other linters in the same run.

`python -m tests.benchmarks.speed DIR [--jobs N] [--repeat N] [--sizes 100,1000,10000]` copies DIR and prints, as Markdown,
how long each takes cold, warm and after a change, how pipelint grows with the number of files, which files take it the
longest, what one file alone takes, and what a start is spent on. Other programs at work disturb: the seconds of the processors are told as well.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pipelint.lint.check_files import check_paths
from pipelint.lint.check_together import Means
from pipelint.lint.results import FileResult
from pipelint.lint.task import Task
from pipelint.project.projects import Overrides, Projects
from pipelint.source.discovery import walked_files

PIPELINT = [sys.executable, "-m", "pipelint", "check", "--exit-zero", "--output-format=concise"]
VERSION = [sys.executable, "-m", "pipelint", "--version"]
RUFF = [sys.executable, "-m", "ruff", "check", "--exit-zero", "--isolated", "--output-format=concise"]
BESIDE = {"fixit": ["fixit", "--quiet", "lint", "."], "torchfix": ["torchfix", "."]}
"""Linters that work on libcst too, where they are installed."""
MOST_FILES = 100_000
SLOWEST = 5
FEW_IMPORTS = 8
GENERATED = {
    "data.py": "import tensorflow as tf\n\n\ndef load(name):\n    return tf.data.TFRecordDataset(name).map(decode).batch(64)\n",
    "train.py": "from .data import load\n\nmodel.fit(load('train').prefetch(2))\n",
    "model.py": "import keras\n\n\ndef build():\n    return keras.Sequential([keras.layers.Dense(10)])\n",
    "plain.py": "\n\n".join(f"def f{number}(x):\n    return [y + {number} for y in x]\n" for number in range(20)),
}
"""The files of one generated package: what is built in one and consumed in another, and much that is neither."""
SINGLE = {
    "without TensorFlow": "import os\n\nprint(os.getcwd())\n",
    "clean": "import tensorflow as tf\n\nds = tf.data.Dataset.range(9).batch(3).prefetch(1)\nmodel.fit(ds)\n",
    "with findings": "import tensorflow as tf\n\nds = tf.data.Dataset.list_files('*.jpg').map(decode).batch(64)\nmodel.fit(ds)\n",
}
"""Files that are checked alone, as an editor or a hook does."""
BYTECODE = "PYTHONPYCACHEPREFIX"


@dataclass(frozen=True)
class Cost:
    """What a run took: seconds on the clock and of all processors, and the most memory of one process, in bytes."""

    seconds: float
    processor_seconds: float
    memory: int


def run(command: Sequence[str], directory: Path, cache: Path) -> Cost:
    """Run a command in a directory, with a cache directory of its own."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "RUFF_CACHE_DIR": str(cache / "ruff")}
    # An installed package has its bytecode: who forbids Python to write any measures the compiler.
    for unwanted in ("PIPELINT_CACHE_DIR", "PYTHONDONTWRITEBYTECODE"):
        environment.pop(unwanted, None)
    start = time.perf_counter()
    with subprocess.Popen(
        command, cwd=directory, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - start
    unit = 1 if sys.platform == "darwin" else 1024
    return Cost(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit)


def least(costs: Sequence[Cost]) -> Cost:
    """The run that was disturbed least."""
    return min(costs, key=lambda cost: cost.seconds)


@contextmanager
def copied(directory: Path) -> Iterator[Path]:
    """A copy of a directory that may be changed, still the root of a project if it is a repository."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "copy"
        shutil.copytree(directory, copy, ignore=shutil.ignore_patterns(".git"), symlinks=True)
        if (directory / ".git").exists():
            (copy / ".git").mkdir()
        time.sleep(0.1)  # what was changed so shortly before is not kept
        yield copy


def parse_all(files: Sequence[Path]) -> Cost:
    """What `ast.parse` takes for all scripts, in this process."""
    start, used = time.perf_counter(), time.process_time()
    warnings.simplefilter("ignore")
    for file in files:
        if file.suffix == ".py":
            try:
                ast.parse(file.read_bytes())
            except (SyntaxError, ValueError, RecursionError):
                continue
    return Cost(time.perf_counter() - start, time.process_time() - used, 0)


def compared(directory: Path, jobs: Sequence[str], repeat: int) -> Iterator[tuple[str, Cost]]:
    """Each way to check a directory, with its cost."""
    files = walked_files(directory, MOST_FILES)
    yield "`ast.parse` alone", parse_all(files)
    with tempfile.TemporaryDirectory() as place:
        cache = Path(place)
        for name, command in (("ruff", RUFF), ("pipelint", [*PIPELINT, *jobs])):
            yield f"{name} cold", least([_cold(command, directory, cache) for _ in range(repeat)])
            yield f"{name} warm", least([run(command, directory, cache) for _ in range(repeat)])
            yield (
                f"{name}, one file changed",
                least([_changed(command, directory, cache, files) for _ in range(repeat)]),
            )
        if jobs != ["--jobs=1"]:
            yield "pipelint cold, one process", _cold([*PIPELINT, "--jobs=1"], directory, cache)
    for name, command in BESIDE.items():
        if shutil.which(command[0]):
            yield name, run(command, directory, directory)


def _cold(command: Sequence[str], directory: Path, cache: Path) -> Cost:
    shutil.rmtree(cache)
    cache.mkdir()
    return run(command, directory, cache)


def _changed(command: Sequence[str], directory: Path, cache: Path, files: Sequence[Path]) -> Cost:
    """The cost after a comment was added to the file in the middle, which another run has seen without it."""
    file = files[len(files) // 2]
    with file.open("a") as stream:
        stream.write(f"# {time.time_ns()}\n" if file.suffix == ".py" else "\n")
    time.sleep(0.1)
    return run(command, directory, cache)


@dataclass
class Stopwatch:
    """Watches a run in this process, and tells how long each program took, by its files."""

    times: list[tuple[float, Sequence[Path]]] = field(default_factory=list)
    _last: float = 0.0

    def begin(self, files: Sequence[Path]) -> None:
        self._last = time.perf_counter()

    def pulse(self) -> None:
        self._last = time.perf_counter()

    def done(self, files: Sequence[Path], results: Sequence[FileResult]) -> None:
        now = time.perf_counter()
        self.times.append((now - self._last, files))
        self._last = now


def slowest(directory: Path) -> list[tuple[float, Sequence[Path]]]:
    """The programs that take the longest, which are files that imports connect."""
    watch = Stopwatch()
    check_paths(Projects(Overrides(), tell=lambda line: None), [directory], Task(), Means(watch=watch))
    return sorted(watch.times, key=lambda entry: -entry[0])[:SLOWEST]


def imports(arguments: Sequence[str], directory: Path) -> list[tuple[int, str]]:
    """What is imported that takes the longest by itself, in microseconds."""
    command = [sys.executable, "-X", "importtime", "-m", "pipelint", *arguments]
    told = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False).stderr
    found = re.findall(r"import time:\s+(\d+) \|\s+\d+ \|\s+(\S+)", told)
    return sorted(((int(own), name) for own, name in found), reverse=True)[:FEW_IMPORTS]


def alone(repeat: int) -> Iterator[tuple[str, Cost]]:
    """The cost of a start, and of one file of each kind."""
    yield "`--version`", least([run(VERSION, Path(), Path()) for _ in range(repeat)])
    with tempfile.TemporaryDirectory() as place:
        directory = Path(place)
        for name, text in SINGLE.items():
            (directory / "one.py").write_text(text)
            command = [*PIPELINT, "--no-cache", "one.py"]
            yield name, least([run(command, directory, directory) for _ in range(repeat)])


def generate(directory: Path, number: int) -> None:
    """Write so many files, in packages that do not import each other."""
    (directory / "pyproject.toml").touch()
    for index in range(number // len(GENERATED)):
        package = directory / f"group_{index // 100}" / f"package_{index}"
        package.mkdir(parents=True)
        for name, text in GENERATED.items():
            (package / name).write_text(text)


def grown(sizes: Sequence[int], jobs: Sequence[str]) -> Iterator[tuple[int, Cost, Cost]]:
    """The cost of generated projects of some sizes, cold and warm."""
    for size in sizes:
        with tempfile.TemporaryDirectory() as place, tempfile.TemporaryDirectory() as cache:
            generate(Path(place), size)
            time.sleep(0.1)
            costs = [run([*PIPELINT, *jobs], Path(place), Path(cache)) for _ in range(2)]
            yield size, costs[0], costs[1]


def table(
    head: Sequence[str], rows: Iterator[Sequence[str]] | Sequence[Sequence[str]], write: Callable[[str], object]
) -> None:
    """Write rows as they come, as a table of Markdown."""
    write(f"| {' | '.join(head)} |")
    write(f"|{' --- |' * len(head)}")
    for row in rows:
        write(f"| {' | '.join(row)} |")
    write("")


def _seconds(cost: Cost) -> str:
    return f"{cost.seconds:.2f}"


def _rows(costs: Iterator[tuple[str, Cost]], files: int) -> Iterator[Sequence[str]]:
    base: float | None = None
    for name, cost in costs:
        base = cost.processor_seconds if name == "ruff cold" else base
        ratio = f"{cost.processor_seconds / base:.1f}" if base else ""
        memory = f"{cost.memory / 1e6:.0f}" if cost.memory else ""
        yield name, _seconds(cost), f"{cost.processor_seconds:.2f}", ratio, f"{files / cost.seconds:,.0f}", memory


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--jobs", help="as for pipelint; by default as many as are worth while")
    parser.add_argument("--repeat", type=int, default=3, help="of each, the quickest of so many runs counts")
    parser.add_argument("--sizes", default="100,1000,10000", help="of generated projects; empty for none")
    options = parser.parse_args()
    jobs = [f"--jobs={options.jobs}"] if options.jobs else []

    def write(line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    with tempfile.TemporaryDirectory() as bytecode, copied(options.directory) as directory:
        os.environ.setdefault(BYTECODE, bytecode)
        for _, _ in alone(1):  # writes the bytecode
            pass
        number = len(walked_files(directory, MOST_FILES))
        write(f"## {options.directory.name}: {number} files, {os.cpu_count()} cores\n")
        head = ("", "s", "processor s", "of Ruff's", "files/s", "MB")
        table(head, _rows(compared(directory, jobs, options.repeat), number), write)
        write("One file alone:\n")
        one = ((name, _seconds(cost), f"{cost.processor_seconds:.2f}") for name, cost in alone(options.repeat))
        table(("", "s", "processor s"), one, write)
        with tempfile.TemporaryDirectory() as place:
            (Path(place) / "clean.py").write_text("import tensorflow as tf\n\nx = tf.constant(1)\n")
            for title, arguments in (
                ("--version", ["--version"]),
                ("check clean.py", ["check", "--no-cache", "clean.py"]),
            ):
                write(f"What `pipelint {title}` imports:\n")
                table(("µs", "module"), [(str(time_), name) for time_, name in imports(arguments, Path(place))], write)
        if options.sizes:
            sizes = [int(size) for size in options.sizes.split(",")]
            write("Generated projects:\n")
            rows_ = (
                (f"{size:,}", _seconds(cold), _seconds(warm), f"{cold.memory / 1e6:.0f}")
                for size, cold, warm in grown(sizes, jobs)
            )
            table(("files", "cold s", "warm s", "MB"), rows_, write)
        # Last, as it is followed here: a process that this one begins would count the memory of this one as its own.
        write("The programs that take the longest:\n")
        rows = [
            (f"{seconds:.2f}", str(len(files)), str(files[0].relative_to(directory)))
            for seconds, files in slowest(directory)
        ]
        table(("s", "files", "first of them"), rows, write)


if __name__ == "__main__":
    main()
