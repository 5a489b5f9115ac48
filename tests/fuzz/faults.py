"""`python -m tests.fuzz.faults --kills 1000 --seed 1`: kills, full disks, files saved by others, two runs at once.

Whatever happens to a run, each file is the one from before or a whole new one, and the next run finishes the work and
leaves nothing behind.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pipelint.lint.check_files import check_source
from pipelint.lint.task import Fixes, Mode, Task
from pipelint.project.projects import Overrides, Projects
from pipelint.project.setting_keys import DEFAULT_BASELINE as BASELINE
from tests.fuzz.forked_runs import (
    Ended,
    ForkedRun,
    killed_at,
    random_moment,
    run,
    with_file_changed,
    with_full_disk,
)  # fmt: skip
from tests.fuzz.invariants import FAULT, require
from tests.fuzz.progress import say
from tests.linting import notebook

PIPELINE = "import tensorflow as tf\n\nds = tf.data.Dataset.range(9000).map(lambda x: x + 1, tf.data.experimental.AUTOTUNE).batch(2).prefetch(tf.data.AUTOTUNE)\nmodel.fit(ds)\n"
BEFORE = {
    "data.py": PIPELINE.replace("range(9)", "range(9).cache()").encode(),
    "notes.ipynb": notebook(*PIPELINE.split("\n\n")).encode(),
    "train.py": PIPELINE.encode() + b"ds.shuffle(9)  # lost\n",
    # The baseline stands beside it.
    "pyproject.toml": b"[tool.pipelint]\n",
}
"""A project that takes little time, since it is run over thousands of times."""
TASKS = (("check", "--fix"), ("check", "--fix", "--unsafe-fixes"), ("check", "--add-noqa"), ("baseline",))
SAVED = b"import tensorflow as tf\n# saved by someone else\nmodel.fit(tf.data.Dataset.range(3000).batch(2))\n"


@dataclass(frozen=True)
class Scene:
    """A small project, and what a task makes of it when nothing happens."""

    root: Path
    arguments: tuple[str, ...]

    @classmethod
    def set(cls, root: Path, arguments: tuple[str, ...]) -> Scene:
        """The project as it is before a run."""
        root.mkdir()
        for name, data in BEFORE.items():
            (root / name).write_bytes(data)
        return cls(root, arguments)

    def contents(self) -> dict[str, bytes]:
        """What stands in the files of the project."""
        return {path.name: path.read_bytes() for path in self.root.iterdir()}

    def require_whole(self, *also: bytes) -> None:
        """Each file is that from before, that from after, or one of these."""
        after = _after(self.arguments)
        for name, data in self.contents().items():
            if name in after:
                whole = data in (BEFORE.get(name), after.get(name), *also)
                require(whole or (name == BASELINE and _is_baseline(data)), "files are whole", name, data)

    def require_finished(self, ended: Ended, *kept: str) -> None:
        """All files are those from after, save those that are kept, and there are no others."""
        require(not FAULT.search(ended.stderr), "fault", ended.stderr)
        contents, after = self.contents(), _after(self.arguments)
        require(set(contents) == set(after), "nothing is left behind", sorted(set(contents) ^ set(after)))
        wrong = [name for name in after if contents[name] != after[name] and name not in (BASELINE, *kept)]
        require(not wrong, "the next run finishes the work", *wrong)


@cache
def _after(arguments: tuple[str, ...]) -> dict[str, bytes]:
    """What the task makes of the project when nothing happens."""
    with tempfile.TemporaryDirectory(prefix="pipelint-faults-") as directory:
        scene = Scene.set(Path(directory) / "project", arguments)
        ended = run(scene.root, arguments)
        contents = scene.contents()
        require(ended.status in (0, 1) and contents != BEFORE, "a run without accidents", ended, contents)
        return contents


@cache
def _usual_seconds(arguments: tuple[str, ...]) -> float:
    """How long a run takes; asked for when the result is known, and so everything is warm."""
    start = time.monotonic()
    _after.__wrapped__(arguments)
    return time.monotonic() - start


def _is_baseline(data: bytes) -> bool:
    """Paths and fingerprints depend on where the project stands."""
    try:
        return isinstance(json.loads(data), dict)
    except ValueError:
        return False


def killed_by_the_clock(scene: Scene, rng: random.Random) -> None:
    """Killed at any moment."""
    started = ForkedRun(scene.root, scene.arguments)
    started.kill(rng.random() * _usual_seconds(scene.arguments))
    started.wait()
    _require_recovery(scene)


def killed_while_writing(scene: Scene, rng: random.Random) -> None:
    """Killed at one of the steps in which a file is written."""
    run(scene.root, scene.arguments, killed_at(random_moment(rng)))
    _require_recovery(scene)


def _warm_up() -> None:
    """Load all that a run needs, so that children are born with it."""
    for mode in (Mode.FIX, Mode.ADD_NOQA):
        for name, data in BEFORE.items():
            check_source(Projects(Overrides(), tell=print), Path("/nowhere") / name, data, Task(mode, Fixes.ALL))


def _require_recovery(scene: Scene) -> None:
    scene.require_whole()
    scene.require_finished(run(scene.root, scene.arguments))


def full_disk(scene: Scene, rng: random.Random) -> None:
    """There is no room for some of the files: they stay, one line says so for each, and nothing lies about."""
    size = rng.choice((0, 1, rng.randrange(4000)))
    ended = run(scene.root, scene.arguments, with_full_disk(size))
    require(not FAULT.search(ended.stderr), "fault", ended.stderr)
    scene.require_whole()
    contents = scene.contents()
    require(set(contents) <= {*BEFORE, BASELINE}, "nothing is left behind", sorted(contents))
    changed = [name for name, data in _after(scene.arguments).items() if data != BEFORE.get(name)]
    too_large = [name for name in changed if len(_after(scene.arguments)[name]) > size]
    require(not too_large or ended.status == 2, "a full disk is told", ended)
    for line in ended.stderr.splitlines():
        require(line.startswith("pipelint: "), "one line for each failure", line)
    _require_recovery(scene)


def saved_by_another(scene: Scene, rng: random.Random) -> None:
    """The file that is about to be written has just been saved by someone: theirs stays, and one line says so."""
    if scene.arguments == ("baseline",):
        return
    name = next(name for name in sorted(BEFORE) if _after(scene.arguments)[name] != BEFORE[name])
    ended = run(scene.root, scene.arguments, with_file_changed(name, SAVED))
    require(scene.contents()[name] == SAVED, "what someone else saved stays", name)
    require(ended.status == 2, "a file that changed meanwhile is told", ended)
    scene.require_finished(ended, name)


def two_at_once(scene: Scene, rng: random.Random) -> None:
    """Two runs over the same files, the second a little later."""
    first = ForkedRun(scene.root, scene.arguments)
    time.sleep(rng.choice((0, rng.random())) * _usual_seconds(scene.arguments))
    second = ForkedRun(scene.root, scene.arguments)
    for ended in (first.wait(), second.wait()):
        require(not FAULT.search(ended.stderr), "fault", ended.stderr)
        require(ended.status in (0, 1, 2), "exit status", ended)
    _require_recovery(scene)


FAULTS: dict[str, Callable[[Scene, random.Random], None]] = {
    "clock": killed_by_the_clock,
    "write": killed_while_writing,
    "disk": full_disk,
    "saved": saved_by_another,
    "two": two_at_once,
}


def examine(kind: str, seed: str, directory: Path) -> None:
    """One accident in a project of its own; raises Broken."""
    rng = random.Random(seed)
    scene = Scene.set(directory / "project", rng.choice(TASKS))
    try:
        FAULTS[kind](scene, rng)
    finally:
        shutil.rmtree(scene.root)


def main() -> int:
    """Let accidents happen, tell what broke, and say how many there were."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.faults", description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="half of them by the clock, half while writing")
    parser.add_argument(
        "--others", type=int, help="full disks, files saved by others, two runs; a tenth of the kills each"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", choices=list(FAULTS), help="this kind alone")
    options = parser.parse_args()
    others = max(options.kills // 10, 1) if options.others is None else options.others
    numbers = {"clock": options.kills // 2, "write": options.kills - options.kills // 2}
    kinds = [options.kind] if options.kind else list(FAULTS)
    plan = [kind for kind in kinds for _ in range(numbers.get(kind, others))]
    random.Random(options.seed).shuffle(plan)
    broken: Counter[str] = Counter()
    _warm_up()
    start = time.monotonic()
    parent = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(prefix="pipelint-faults-", dir=parent) as directory:
        for number, kind in enumerate(plan):
            seed = f"{options.seed}:{kind}:{number}"
            try:
                examine(kind, seed, Path(directory))
            except AssertionError as error:
                broken[kind] += 1
                say(f"{seed}: {str(error)[:400]}")
    say(
        f"{options.kills} kills, {others} each of {', '.join(kind for kind in FAULTS if kind not in numbers)}, seed "
        f"{options.seed}, {time.monotonic() - start:.0f} s: {sum(broken.values())} failures {dict(broken) or ''}".rstrip()
    )
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
