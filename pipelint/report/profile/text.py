"""A profile for a terminal: each pipeline as a tree with what its stages cost, then what to do about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap

from rich.cells import cell_len, set_cell_size

from pipelint.display import figures
from pipelint.display.figures import counted
from pipelint.display.terminal import Palette, one_line
from pipelint.dynamic.profile import PipelineProfile, Profile, Suggestion
from pipelint.model.pipeline import Stage
from pipelint.report.profile import outlook, sentences
from pipelint.report.profile.stage_tree import StageLine, lines
from pipelint.report.summary import severity_color

_WIDTH = 100
_NARROWEST = 40
_BAR = 10
_INDENT = "  "
_MARK = "▶ "


def render(profile: Profile, *, color: bool = False, width: int | None = None) -> str:
    """The profile as text that fits `width` columns."""
    report = _Report(Palette(color), max(width or _WIDTH, _NARROWEST))
    return "\n".join(report.profile(profile)) + "\n"


@dataclass(frozen=True)
class _Report:
    paint: Palette
    width: int

    def profile(self, profile: Profile) -> Iterator[str]:
        cores = counted(profile.cores, "core", "cores")
        about = f"{one_line(profile.target)} · TensorFlow {one_line(profile.tensorflow)} · {cores}"
        yield from self._wrapped(about, "")
        for pipeline in profile.pipelines:
            yield ""
            yield from self._pipeline(pipeline)
        if not profile.pipelines and not profile.error:
            yield from self._wrapped("No pipeline was measured.", "")
        if profile.error:
            yield ""
            yield from self._wrapped(f"error: {profile.error}", "", "red", bold=True)

    def _pipeline(self, pipeline: PipelineProfile) -> Iterator[str]:
        yield from self._wrapped(sentences.consumer(pipeline), "", bold=True)
        yield from self._wrapped(sentences.throughput(pipeline), _INDENT)
        if waiting := sentences.waiting(pipeline):
            yield from self._wrapped(waiting, _INDENT, "yellow" if sentences.waits(pipeline) else "green", bold=True)
        if circumstances := sentences.circumstances(pipeline):
            yield from self._wrapped(circumstances, _INDENT)
        for line in outlook.lines(pipeline):
            yield from self._wrapped(line, _INDENT)
        if pipeline.note:
            yield from self._wrapped(f"note: {pipeline.note}", _INDENT, "yellow")
        yield ""
        yield from self._tree(pipeline)
        for number, suggestion in enumerate(pipeline.suggestions, 1):
            yield ""
            yield from self._suggestion(number, suggestion)
        if pipeline.remarks:
            yield ""
        for remark in pipeline.remarks:
            yield from self._wrapped(remark, "- ")

    def _tree(self, pipeline: PipelineProfile) -> Iterator[str]:
        drawn = lines(pipeline)
        table = _Table.fitting(drawn, self.width)
        yield table.header().rstrip()
        for line in drawn:
            is_bottleneck = line.stage is pipeline.culprit and not line.again
            row = table.row(line, _MARK if is_bottleneck else "").rstrip()
            yield self.paint(row, "red", bold=True) if is_bottleneck else row
            if notes := _notes(line, is_bottleneck):
                indent = " " * len(_MARK) + line.passing + _INDENT
                yield from self._wrapped(notes, indent, "red" if is_bottleneck else "cyan")
            if inside := "" if line.again else _inside(line.stage):
                yield from self._wrapped(inside, " " * len(_MARK) + line.passing + _INDENT)

    def _suggestion(self, number: int, suggestion: Suggestion) -> Iterator[str]:
        lead = f"{number}. "
        indent = " " * len(lead)
        rule = one_line(f"{suggestion.code} {suggestion.name}")
        place = one_line(sentences.place(suggestion.place, with_column=True))
        gain = sentences.gain(suggestion)
        fits = cell_len(_INDENT.join([lead + rule, place, gain])) <= self.width
        title = [self.paint(rule, severity_color(suggestion.severity), bold=True), place]
        title.append(self.paint(gain, "green", bold=True) if gain else "")
        yield lead + (_INDENT if fits else f"\n{indent}").join(filter(None, title))
        yield from self._wrapped(suggestion.message, indent)
        if repair := sentences.repair(suggestion):
            command, what = repair
            yield from self._wrapped(f"`{command}`: {what}", indent, "green")

    def _wrapped(self, text: str, indent: str, color: str | None = None, *, bold: bool = False) -> Iterator[str]:
        """The text in lines that fit, each behind the indent."""
        room = max(self.width - len(indent), _NARROWEST // 2)
        for line in wrap(one_line(text), room, break_on_hyphens=False):
            yield indent + self.paint(line, color, bold=bold)
            indent = indent.replace("-", " ")


def _notes(line: StageLine, is_bottleneck: bool) -> str:
    """What stands below the line of a stage."""
    stage = line.stage
    if line.again:
        return ""
    rewritten = stage.cost.rewritten if stage.cost is not None else None
    notes = ["the bottleneck" if is_bottleneck else "", f"TensorFlow runs it as {rewritten}" if rewritten else ""]
    return "; ".join(filter(None, notes))


def _inside(stage: Stage) -> str:
    """`inside augment: tf.io.decode_jpeg 61% (train.py:12) · tf.image.resize 22% (train.py:14)`."""
    inside = sentences.inside_of(stage)
    if inside is None:
        return ""
    if inside.untold:
        return f"{sentences.inside_title(stage)}: not told, since {inside.untold}"
    parts = [
        f"{sentences.inner_name(call)} {figures.percent(call.share)}"
        + (f" ({sentences.place(call.place)})" if call.place else "")
        for call in sentences.inner_calls(inside)
    ]
    parts += [f"{name} {figures.percent(share)}" for name, share in sentences.remaining(inside)]
    return f"{sentences.inside_title(stage)}: {' · '.join(parts)}"


@dataclass(frozen=True)
class _Table:
    """How wide the columns are; those without room are left out, what matters least first."""

    stage: int
    place: int
    bar: int
    numbers: dict[str, int]

    @classmethod
    def fitting(cls, drawn: Sequence[StageLine], width: int) -> _Table:
        """The columns for these lines: places give way first, then bars, then figures."""
        numbers = {name: _widest([name, *(_numbers(line.stage)[name] for line in drawn)]) for name in _NUMBERS}
        numbers = {name: room for name, room in numbers.items() if any(_numbers(line.stage)[name] for line in drawn)}
        stage = _widest(["stage", *map(_name, drawn)])
        place = _widest(["place", *(_place(line.stage) for line in drawn)])
        bar = _BAR if "share" in numbers else 0

        def excess() -> int:
            columns = [stage, place, *([bar] if bar else []), *numbers.values()]
            return len(_MARK) + sum(columns) + len(_INDENT) * (len(columns) - 1) - width

        place = max(place - max(excess(), 0), min(place, 16))
        if excess() > 0 and bar:
            bar = max(bar - excess(), 5)
        for name in ("element", "calls", "bound"):
            if excess() > 0:
                numbers.pop(name, None)
        if excess() > 0:
            bar = 0
        return cls(max(stage - max(excess(), 0), 12), place, bar, numbers)

    def header(self) -> str:
        """The names of the columns."""
        names = {name: name for name in self.numbers}
        return self._joined("", "stage", "place", "", names)

    def row(self, line: StageLine, mark: str) -> str:
        """The line of a stage."""
        if line.again:
            return self._joined("", _name(line), "see above", "", {})
        bar = _bar(line.stage.share, self.bar) if figures.known(line.stage.share) else ""
        return self._joined(mark, _name(line), _place(line.stage), bar, _numbers(line.stage))

    def _joined(self, mark: str, name: str, place: str, bar: str, numbers: dict[str, str]) -> str:
        cells = [set_cell_size(mark, len(_MARK)) + _fit(name, self.stage), _fit_end(place, self.place)]
        if self.bar:
            cells.append(f"{bar:{self.bar}}")
        for column, room in self.numbers.items():
            text = numbers.get(column, "")
            cells.append(f"{text:<{room}}" if column == "bound" else f"{text:>{room}}")
        return _INDENT.join(cells)


_NUMBERS = ("share", "time", "calls", "element", "bound")


def _numbers(stage: Stage) -> dict[str, str]:
    return {
        "share": figures.percent(stage.share),
        "time": figures.duration(sentences.seconds(stage)),
        "calls": sentences.parallelism(stage),
        "element": figures.size(stage.bytes_per_element),
        "bound": one_line(stage.bound or ""),
    }


def _name(line: StageLine) -> str:
    return line.prefix + one_line(sentences.label(line.stage))


def _place(stage: Stage) -> str:
    return one_line(sentences.place(stage.place))


def _widest(texts: Sequence[str]) -> int:
    return max(map(cell_len, texts))


def _bar(share: float, room: int) -> str:
    """A bar of eighths, so that small shares differ too."""
    eighths = round(min(max(share, 0.0), 1.0) * room * 8)
    full, rest = divmod(eighths, 8)
    return "█" * full + (" ▏▎▍▌▋▊▉"[rest] if rest else "")


def _fit(text: str, room: int) -> str:
    """The text in exactly this many columns, its end cut off where it is longer."""
    return set_cell_size(text, room) if cell_len(text) <= room else set_cell_size(text, room - 1) + "…"


def _fit_end(text: str, room: int) -> str:
    """The text in exactly this many columns, its beginning cut off where it is longer."""
    while cell_len(text) > room:
        text = "…" + text[2:]
    return set_cell_size(text, room)
