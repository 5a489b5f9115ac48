"""How good `pipelint tune` is: its result beside the program as written, the usual recipe and an expert's version.

Run it on demand, on a machine that has nothing else to do: `python -m tests.benchmarks.tune NAME... --output FILE` (all
programs without a name). Each program is tuned once; then its four versions run in turns, each time in a fresh process.
The figures of each program are kept in the file as soon as they are there, and `--render` prints the table of all in it.
`--search` tunes and keeps what came of it; `--compare` runs the versions with what was kept: each holds the machine for less.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipelint.cli.actions.workshop import ProgramWorkshop
from pipelint.dynamic.measure.measured_run import MeasuredRun
from pipelint.dynamic.process import supervisor, target
from pipelint.dynamic.tune.epochs import EpochProfiles
from pipelint.dynamic.tune.gains import Timed
from pipelint.dynamic.tune.search import Search, SearchResult
from pipelint.lint.source_variant import SourceVariant
from pipelint.project.projects import Overrides, Project, Projects
from pipelint.report.unified_diff import unified_diff
from tests.benchmarks.tune_versions import PROGRAMS, ROOT, Program

_PROFILE_SECONDS = 12.0
_BLOCKS, _MOST_BLOCKS = 3, 5
_QUIET = 0.3
"""A run counts where other programs took no more processors than this."""
_BESIDE = ("recipe", "tuned", "expert")


def tuned(program: Program, minutes: float) -> dict[str, Any]:
    """What tuning made of the program."""
    workshop = _workshop(program)
    run, result = _searched(program, workshop, minutes)
    _tell(f"  ended: {result.ended}")
    diff = unified_diff(SourceVariant(_project(program), list(result.files), result.files).changes())
    _tell(diff)
    files = {str(path.relative_to(ROOT)): content.decode() for path, content in result.files.items()}
    return {"tensorflow": run.tensorflow, "cores": run.cores, "ended": result.ended, "diff": diff, "files": files}


def compared(program: Program, files: Mapping[str, str]) -> list[dict[str, list[float]]]:
    """Batches a second of the four versions in each of several runs, and what others took of the machine."""
    workshop = _workshop(program)
    versions: dict[str, Mapping[Path, bytes]] = {
        "as written": {},
        "recipe": program.version(program.recipe),
        "tuned": {ROOT / path: text.encode() for path, text in files.items()},
        "expert": program.version(program.expert),
    }
    blocks: list[dict[str, Timed]] = []
    while len(blocks) < _MOST_BLOCKS and not all(_is_known(name, blocks) for name in versions):
        blocks.append({name: _timed(f"{program.name} {name}", workshop, files) for name, files in versions.items()})
    return [{name: [timed.rate, timed.disturbance] for name, timed in block.items()} for block in blocks]


def _project(program: Program) -> Project:
    return Projects(Overrides(extend_select=("PIPE",)), tell=_tell).of(program.script)


def _workshop(program: Program) -> ProgramWorkshop:
    return ProgramWorkshop(target.parse(str(program.script)), _project(program), lambda progress: None, unsafe=True)


def _is_known(name: str, blocks: Sequence[Mapping[str, Timed]]) -> bool:
    """Whether enough runs of a version were disturbed by nobody."""
    return sum(block[name].disturbance <= _QUIET for block in blocks) >= _BLOCKS


def _timed(name: str, workshop: ProgramWorkshop, files: Mapping[Path, bytes]) -> Timed:
    result = workshop.run(files, reads_data=False, epoch_batches=None)
    if result.timed is None:
        raise SystemExit(f"{name}: {result.error}")
    return result.timed


def _searched(program: Program, workshop: ProgramWorkshop, minutes: float) -> tuple[MeasuredRun, SearchResult]:
    search = Search(workshop, 60 * minutes, lambda line: _tell(f"  {line}"))
    run = supervisor.run_once(
        target.parse(str(program.script)), _PROFILE_SECONDS, lambda progress: None, quiet=True
    ).run
    first = EpochProfiles.of(workshop.take(run))
    if first is None:
        raise SystemExit(f"{program.name}: {run.error}")
    return run, search.run(first)


def rendered(kept: Mapping[str, Any]) -> str:
    """The table: medians as multiples of the program as written, and how the tuned one compares with both others."""
    lines = [
        "| program | as written | recipe | tuned | expert | tuned / recipe | tuned / expert |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for program in PROGRAMS:
        if not kept.get(program.name, {}).get("blocks"):
            continue
        rates, is_quiet = _rates(kept[program.name]["blocks"])
        written = rates["as written"]
        cells = [f"{written:.3g}/s", *(f"{rates[name] / written:.2f}x" for name in _BESIDE)]
        beside = [f"{rates['tuned'] / rates[name]:.2f}" for name in ("recipe", "expert")]
        lines.append(f"| {program.name}{'' if is_quiet else ' (disturbed)'} | {' | '.join([*cells, *beside])} |")
    machines = {f"TensorFlow {one['tensorflow']}, {one['cores']} cores" for one in kept.values()}
    return "\n".join([*lines, "", *sorted(machines)]) + "\n"


def _rates(blocks: Sequence[Mapping[str, tuple[float, float]]]) -> tuple[dict[str, float], bool]:
    """The median rate of each version in the runs of it that others disturbed least, and whether nobody did."""
    rates, is_quiet = {}, True
    for name in blocks[0]:
        runs = sorted((block[name] for block in blocks), key=lambda run: run[1])[:_BLOCKS]
        rates[name] = statistics.median(rate for rate, _ in runs)
        is_quiet = is_quiet and runs[-1][1] <= _QUIET
    return rates, is_quiet


def _tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def main() -> None:
    """Measure the named programs, or all, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--minutes", type=float, default=4.0)
    parser.add_argument("--output", type=Path, required=True, help="where the figures are kept, as JSON")
    parser.add_argument("--search", action="store_true", help="tune alone")
    parser.add_argument("--compare", action="store_true", help="run the versions alone, with what was tuned before")
    parser.add_argument("--render", action="store_true", help="measure nothing")
    given = parser.parse_args()
    kept = json.loads(given.output.read_text()) if given.output.is_file() else {}
    for program in () if given.render else PROGRAMS:
        if not given.names or program.name in given.names:
            _tell(f"{program.name}:")
            if not given.compare:
                kept[program.name] = tuned(program, given.minutes)
            if not given.search:
                kept[program.name]["blocks"] = compared(program, kept[program.name]["files"])
            given.output.write_text(json.dumps(kept, indent=2) + "\n")
    sys.stdout.write(rendered(kept))


if __name__ == "__main__":
    main()
