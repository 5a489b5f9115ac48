"""Which reports a run writes, and where each goes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipelint.cli.actions.output import require_writable
from pipelint.source.errors import UserError


@dataclass(frozen=True)
class ReportOutput:
    """A report: its format, None for the usual one, and its file, None for standard output."""

    format: str | None = None
    file: Path | None = None


def paired(order: Iterable[str], formats: Sequence[str], files: Sequence[Path]) -> tuple[ReportOutput, ...]:
    """The reports that options ask for, given by their names in the order in which they stand.

    A file takes the format right before it, or else the one right after it; a format without a file is for standard
    output, which is there for one only.
    """
    outputs = tuple(_pairs(order, iter(formats), iter(files)))
    if sum(output.file is None for output in outputs) > 1:
        raise UserError("--output-format: two reports for standard output; give all but one an --output-file")
    written = [output.file for output in outputs if output.file is not None]
    for file in written:
        if written.count(file) > 1:
            raise UserError(f"--output-file: two reports for {file}; give each a file of its own")
        require_writable("--output-file", file)
    return outputs or (ReportOutput(),)


def _pairs(order: Iterable[str], formats: Iterator[str], files: Iterator[Path]) -> Iterator[ReportOutput]:
    waiting = ReportOutput()
    for name in order:
        if name == "output_format":
            if waiting.format is not None:
                yield waiting
                waiting = ReportOutput()
            waiting = ReportOutput(next(formats), waiting.file)
        else:
            if waiting.file is not None:
                yield waiting
                waiting = ReportOutput()
            waiting = ReportOutput(waiting.format, next(files))
        if waiting.format is not None and waiting.file is not None:
            yield waiting
            waiting = ReportOutput()
    if waiting != ReportOutput():
        yield waiting
