"""How good `pipelint tune` is: its result beside the program as written, the usual recipe and an expert's version.

Run it on demand, on a machine that has nothing else to do: `python -m tests.benchmarks.tune [NAME...] --minutes 5`. Each
program is tuned once; then its four versions run in turns, each time in a fresh process.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Mapping
from pathlib import Path

from pipelint.cli.actions.workshop import ProgramWorkshop
from pipelint.dynamic.process import supervisor, target
from pipelint.dynamic.tune.epochs import EpochProfiles
from pipelint.dynamic.tune.search import Search, SearchResult
from pipelint.project.projects import Overrides, Projects
from tests.benchmarks.tune_versions import PROGRAMS, Program

_PROFILE_SECONDS = 12.0
_BLOCKS = 3


def tuned(program: Program, workshop: ProgramWorkshop, minutes: float) -> SearchResult:
    """What tuning makes of a program."""
    search = Search(workshop, 60 * minutes, lambda line: _tell(f"  {line}"))
    run = supervisor.run_once(
        target.parse(str(program.script)), _PROFILE_SECONDS, lambda progress: None, quiet=True
    ).run
    first = EpochProfiles.of(workshop.take(run))
    if first is None:
        raise SystemExit(f"{program.name}: {run.error}")
    return search.run(first)


def measured(program: Program, minutes: float) -> dict[str, float]:
    """Batches a second of the four versions, each the median of several runs."""
    project = Projects(Overrides(extend_select=("PIPE",)), tell=_tell).of(program.script)
    workshop = ProgramWorkshop(target.parse(str(program.script)), project, lambda progress: None, unsafe=True)
    result = tuned(program, workshop, minutes)
    _tell(f"  ended: {result.ended}")
    versions: dict[str, Mapping[Path, bytes]] = {
        "as written": {},
        "recipe": program.version(program.recipe),
        "tuned": result.files,
        "expert": program.version(program.expert),
    }
    rates: dict[str, list[float]] = {name: [] for name in versions}
    for _ in range(_BLOCKS):
        for name, files in versions.items():
            run = workshop.run(files, reads_data=False, epoch_batches=None)
            if run.timed is None:
                raise SystemExit(f"{program.name} {name}: {run.error}")
            rates[name].append(run.timed.rate)
    return {name: statistics.median(figures) for name, figures in rates.items()}


def _tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def main() -> None:
    """Measure the named programs, or all, and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--output", type=Path, help="keep the figures here, as JSON, besides")
    given = parser.parse_args()
    kept = json.loads(given.output.read_text()) if given.output and given.output.is_file() else {}
    sys.stdout.write("| program | as written | recipe | tuned | expert | tuned / recipe | tuned / expert |\n")
    sys.stdout.write("| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n")
    for program in PROGRAMS:
        if given.names and program.name not in given.names:
            continue
        _tell(f"{program.name}:")
        rates = kept[program.name] = measured(program, given.minutes)
        written = rates["as written"]
        cells = [f"{written:.3g}/s", *(f"{rates[name] / written:.2f}x" for name in ("recipe", "tuned", "expert"))]
        beside = [f"{rates['tuned'] / rates[name]:.2f}" for name in ("recipe", "expert")]
        sys.stdout.write(f"| {program.name} | {' | '.join([*cells, *beside])} |\n")
        sys.stdout.flush()
        if given.output:
            given.output.write_text(json.dumps(kept, indent=2) + "\n")


if __name__ == "__main__":
    main()
