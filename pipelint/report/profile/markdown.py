"""A profile as a comment for a pull request: the verdict, the stages and what to do; the rest is folded."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.display import figures
from pipelint.display.figures import counted
from pipelint.dynamic.profile import PipelineProfile, Profile, Suggestion
from pipelint.model.locations import Place
from pipelint.model.pipeline import Stage
from pipelint.report.page.foreign_text import shortened
from pipelint.report.page.github_comment import MARKS, MOST_CHARACTERS, code, prose, short_path, size
from pipelint.report.profile import outlook, sentences
from pipelint.report.profile.stage_tree import StageLine, lines

# For the marker by which a bot knows its own comment again.
_SPARE = 1_024
_MOST_SUGGESTIONS = 20
_MOST_REMARKS = 10
_LONGEST_NAME = 120
_IN_TABLE = ("Share of the cost", "Time a batch", "Bound by")


def render(profile: Profile, *, color: bool = False, width: int | None = None) -> str:
    """The comment, never longer than GitHub allows; what did not fit is told at its end."""
    about = f"TensorFlow {prose(profile.tensorflow)}, {counted(profile.cores, 'core', 'cores')}"
    parts = [f"### pipelint profile of {code(short_path(profile.target))}", about]
    if profile.error:
        parts.append(f"❌ {prose(profile.error)}")
    elif not profile.pipelines:
        parts.append("No pipeline was measured.")
    comment = "\n\n".join(parts) + "\n"
    room = MOST_CHARACTERS - _SPARE - size(comment)
    left_out = 0
    for pipeline in profile.pipelines:
        text = next((text for text in _fittings(pipeline) if size(text) <= room), "")
        room -= size(text)
        left_out += not text
        comment += text
    if left_out:
        pipelines = counted(left_out, "pipeline", "pipelines")
        comment += f"\n**Left out**, for want of room: {pipelines}. `pipelint profile` shows everything.\n"
    return comment


def _fittings(pipeline: PipelineProfile) -> Iterator[str]:
    """A pipeline in full, then with less and less of its stages."""
    drawn = lines(pipeline)
    yield _section(pipeline, drawn, detailed=True)
    yield _section(pipeline, drawn, detailed=False)
    for most in (50, 10, 0):
        dearest = sorted(drawn, key=lambda line: -(line.stage.share or 0.0))[:most]
        yield _section(pipeline, [line for line in drawn if line in dearest], detailed=False)


def _section(pipeline: PipelineProfile, drawn: list[StageLine], *, detailed: bool) -> str:
    parts = [
        f"#### {prose(sentences.consumer(pipeline))}",
        "\n".join(_verdict(pipeline)),
        _table(pipeline, drawn),
        "\n".join(_insides(drawn)),
        "\n".join(_suggestions(pipeline)),
        "\n".join(f"- {prose(remark)}" for remark in pipeline.remarks[:_MOST_REMARKS]),
        _details(drawn) if detailed else "",
    ]
    return "".join(f"\n{part}\n" for part in parts if part)


def _verdict(pipeline: PipelineProfile) -> Iterator[str]:
    yield f"- **{prose(sentences.throughput(pipeline))}**"
    if waiting := sentences.waiting(pipeline):
        yield f"- {'🐢' if sentences.waits(pipeline) else '✅'} {prose(waiting)}"
    if circumstances := sentences.circumstances(pipeline):
        yield f"- {prose(circumstances)}"
    for line in outlook.lines(pipeline):
        yield f"- {prose(line)}"
    if pipeline.note:
        yield f"- ⚠️ {prose(pipeline.note)}"


def _table(pipeline: PipelineProfile, drawn: list[StageLine]) -> str:
    rows = [_row(line, pipeline) for line in drawn if not line.again]
    missing = len(pipeline.stages) - len(rows)
    if missing:
        rows.append(f"| {counted(missing, 'cheaper stage', 'cheaper stages')} | | | | |")
    return "\n".join(["| stage | place | share | time a batch | bound |", "| --- | --- | ---: | ---: | --- |", *rows])


def _row(line: StageLine, pipeline: PipelineProfile) -> str:
    stage = line.stage
    cells = [
        line.prefix.replace(" ", "\N{NO-BREAK SPACE}") + _name(stage),
        _place(stage.place),
        figures.percent(stage.share).replace("<", "&#60;"),
        figures.duration(sentences.seconds(stage)).replace("<", "&#60;"),
        prose(stage.bound or ""),
    ]
    if stage is pipeline.culprit:
        cells = [f"**{cell}**" if cell else "" for cell in cells]
        cells[0] += " ⬅ bottleneck"
    return f"| {' | '.join(cells)} |"


def _insides(drawn: list[StageLine]) -> Iterator[str]:
    """What costs in the functions that take much of the work, a line each."""
    for stage in (line.stage for line in drawn if not line.again):
        inside = sentences.inside_of(stage)
        if inside is None or inside.untold:
            continue
        parts = [
            f"{_code(sentences.inner_name(call))} {figures.percent(call.share)} {_place(call.place)}".rstrip()
            for call in sentences.inner_calls(inside)
        ]
        parts += [f"{name} {figures.percent(share)}" for name, share in sentences.remaining(inside)]
        yield f"- {prose(sentences.inside_title(stage))}: {' · '.join(parts)}"


def _name(stage: Stage) -> str:
    return _code(sentences.label(stage))


def _code(name: str) -> str:
    return code(shortened(" ".join(name.split()), _LONGEST_NAME))


def _place(at: Place | None) -> str:
    return code(short_path(sentences.place(at))) if at is not None else ""


def _suggestions(pipeline: PipelineProfile) -> Iterator[str]:
    for number, suggestion in enumerate(pipeline.suggestions[:_MOST_SUGGESTIONS], 1):
        yield f"{number}. {_suggestion(suggestion)}"
    if len(pipeline.suggestions) > _MOST_SUGGESTIONS:
        yield f"\n{len(pipeline.suggestions) - _MOST_SUGGESTIONS} more: `pipelint profile` shows them."


def _suggestion(suggestion: Suggestion) -> str:
    title = f"{MARKS[suggestion.severity]} **{prose(suggestion.code)}** {prose(suggestion.name)}"
    place = _place(suggestion.place)
    gain = f"**{sentences.gain(suggestion)}**" if sentences.gain(suggestion) else ""
    head = ", ".join(filter(None, [f"{title} {place}".rstrip(), gain]))
    repair = sentences.repair(suggestion)
    mend = f" {code(short_path(repair[0]))}: {prose(repair[1])}." if repair else ""
    return f"{head}: {prose(suggestion.message)}.{mend}"


def _details(drawn: list[StageLine]) -> str:
    """The figures that the table of stages leaves out."""
    known = [(line.stage, dict(sentences.facts(line.stage))) for line in drawn if not line.again]
    names = [name for name in dict.fromkeys(name for _, facts in known for name in facts) if name not in _IN_TABLE]
    if not names:
        return ""
    rows = []
    for stage, facts in known:
        cells = [f"{_name(stage)} {_place(stage.place)}", *(prose(facts.get(name, "")) for name in names)]
        rows.append(f"| {' | '.join(cells)} |")
    table = "\n".join([f"| stage | {' | '.join(names)} |", "| --- |" + " ---: |" * len(names), *rows])
    return f"<details>\n<summary>More figures</summary>\n\n{table}\n\n</details>"
