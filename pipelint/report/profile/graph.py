"""The graph of a pipeline as a picture: SVG that stands by itself or in a page, and DOT for Graphviz."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from rich.cells import cell_len, set_cell_size

from pipelint.display import figures
from pipelint.dynamic.profile import PipelineProfile, Profile
from pipelint.model.pipeline import Pipeline, Stage
from pipelint.report.page.assets import asset
from pipelint.report.page.foreign_text import escaped
from pipelint.report.profile import sentences
from pipelint.report.profile.graph_layout import Box, Layout, is_slim, layout

_PADDING = 12.0
_HEADING = 76.0
_LETTER, _SMALL_LETTER = 7.7, 6.8
_LONGEST = 300
_SHORTEST_PLACE = 10
_HOTTEST = 0.35
_COLD, _HOT = (255, 255, 255), (255, 169, 120)
# XML has no way to write these two.
_NO_XML = re.compile("[\ufffe\uffff]")


def svg(profile: Profile) -> str:
    """All pipelines below each other, as a file that needs nothing else."""
    drawn, width, down = [], 0.0, _PADDING
    for pipeline in profile.pipelines:
        plan = layout(pipeline)
        drawn.append(f'<g transform="translate({_PADDING:g} {down:g})">{_headings(pipeline)}</g>')
        down += _HEADING
        drawn.append(f'<g transform="translate({_PADDING:g} {down:g})">{_drawing(pipeline, plan, "")}</g>')
        down += plan.height + 3 * _PADDING
        width = max(width, plan.width, *(_SMALL_LETTER * len(text) for text in _heading_texts(pipeline)))
    style = asset("page/colors.css", "profile/graph.css")
    background = '<rect width="100%" height="100%" fill="var(--paper)"/>'
    title = f"<title>{_text(f'pipelint profile {profile.target}')}</title>"
    attributes = f'xmlns="http://www.w3.org/2000/svg" class="graph" {_extent(width + 2 * _PADDING, down)}'
    return f"<svg {attributes}>{title}<style>{style}</style>{background}{''.join(drawn)}</svg>\n"


def inline(pipeline: PipelineProfile, anchor: str) -> str:
    """The graph for a page: each stage is a link to `#anchor` and its id."""
    plan = layout(pipeline)
    name = f'role="group" aria-label="The stages of {_text(sentences.consumer(pipeline))}"'
    extent = _extent(plan.width + 2 * _PADDING, plan.height + 2 * _PADDING)
    inner = f'<g transform="translate({_PADDING:g} {_PADDING:g})">{_drawing(pipeline, plan, anchor)}</g>'
    return f'<svg class="graph" {name} {extent}>{inner}</svg>'


def dot(profile: Profile) -> str:
    """A digraph with a cluster for each pipeline, and one for each pipeline inside a stage's function."""
    lines = ["digraph pipelint {", "  rankdir=TB;", '  node [shape=box, style="rounded,filled", fontname="monospace"];']
    for number, pipeline in enumerate(profile.pipelines):
        lines += [f"  {line}" for line in _cluster(f"p{number}", pipeline)]
    return "\n".join([*lines, "}"]) + "\n"


def _extent(width: float, height: float) -> str:
    return f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'


def _heading_texts(pipeline: PipelineProfile) -> tuple[str, ...]:
    texts = (sentences.consumer(pipeline), sentences.throughput(pipeline), sentences.waiting(pipeline))
    return tuple(_fit(text, 120) for text in texts)


def _headings(pipeline: PipelineProfile) -> str:
    title, *below = map(_text, _heading_texts(pipeline))
    lines = (f'<text class="subtitle" y="{36 + 18 * number}">{text}</text>' for number, text in enumerate(below))
    return f'<text class="title" y="16">{title}</text>{"".join(lines)}'


def _drawing(pipeline: PipelineProfile, plan: Layout, anchor: str) -> str:
    parts = [_frame(owner, box) for owner, box in plan.frames]
    parts += [_edge(above, below) for above, below in plan.edges if above.height]
    parts += [_node(stage, plan.boxes[stage], pipeline, anchor) for stage in pipeline.stages]
    return "".join([*parts, _end(pipeline, plan.end)])


def _frame(owner: Stage, box: Box) -> str:
    label = _fit(f"inside {sentences.label(owner)}", int((box.width - 2 * _PADDING) / _SMALL_LETTER))
    return f'<rect class="frame" {_at(box)} rx="10"/><text x="{box.x + 12:g}" y="{box.y + 17:g}">{_text(label)}</text>'


def _edge(above: Box, below: Box) -> str:
    start, stop = above.bottom, below.y - 5
    bend = (start + stop) / 2
    x, y = above.middle, below.middle
    line = f"M{x:g} {start:g}C{x:g} {bend:g} {y:g} {bend:g} {y:g} {stop:g}"
    return f'<path class="edge" d="{line}"/><path class="arrow" d="M{y - 4:g} {stop - 1:g}h8l-4 6z"/>'


def _node(stage: Stage, box: Box, pipeline: PipelineProfile, anchor: str) -> str:
    is_bottleneck = stage is pipeline.culprit
    slim = is_slim(stage, pipeline)
    kind = " ".join(filter(None, ["node", "slim" if slim else "", "bottleneck" if is_bottleneck else ""]))
    inner = "".join([_ground(stage, box, slim), *_labels(stage, box, slim), _tag(box) if is_bottleneck else ""])
    if not anchor:
        title = _text("\n".join(_tooltip(stage, is_bottleneck)))
        return f'<g class="{kind}"><title>{title}</title>{inner}</g>'
    name = _text(", ".join(_tooltip(stage, is_bottleneck)))
    number = pipeline.number(stage)
    return f'<a class="{kind}" href="#{anchor}{number}" data-stage="{number}" aria-label="{name}">{inner}</a>'


def _tooltip(stage: Stage, is_bottleneck: bool) -> Iterator[str]:
    """A stage in sentences."""
    yield sentences.label(stage)
    if is_bottleneck:
        yield "the bottleneck"
    if place := sentences.place(stage.place):
        yield place
    for name, value in sentences.facts(stage):
        yield f"{name}: {value}"


def _share(stage: Stage) -> float:
    """Its share of the cost, to draw with: figures may be missing, or out of bounds."""
    return min(max(stage.share, 0.0), 1.0) if figures.known(stage.share) else 0.0


def _ground(stage: Stage, box: Box, slim: bool) -> str:
    """The box, the warmer and the longer its bar the more the stage costs."""
    share = _share(stage)
    ground = f'<rect class="box" {_at(box)} rx="8"/>'
    if slim:
        return ground
    room = box.width - 24
    track = Box(box.x + 12, box.bottom - 9, room, 3)
    return (
        f'{ground}<rect class="heat" {_at(box)} rx="8" fill-opacity="{share * _HOTTEST:.3g}"/>'
        f'<rect class="track" {_at(track)} rx="1.5"/>'
        f'<rect class="bar" {_at(Box(track.x, track.y, room * share, 3))} rx="1.5"/>'
    )


def _labels(stage: Stage, box: Box, slim: bool) -> Iterator[str]:
    """The name and the share; below them, or between them on a slim box with room for it, the place."""
    left, right, first = box.x + 12, box.x + box.width - 12, box.y + 19.5
    share, time = figures.percent(stage.share), "" if slim else figures.duration(sentences.seconds(stage))
    name_room = int((right - left) / _LETTER) - 5
    name = _fit(sentences.label(stage), name_room)
    yield f'<text class="op" x="{left:g}" y="{first:g}">{_text(name)}</text>'
    yield f'<text class="share" x="{right:g}" y="{first:g}" text-anchor="end">{_text(share)}</text>'
    place = sentences.place(stage.place)
    if slim:
        room = name_room - cell_len(name)
        if room >= _SHORTEST_PLACE:
            at = right - 5 * _LETTER
            yield f'<text x="{at:g}" y="{first:g}" text-anchor="end">{_text(_fit_end(place, room))}</text>'
        return
    room = int((right - left) / _SMALL_LETTER) - len(time) - 1
    yield f'<text x="{left:g}" y="{first + 16:g}">{_text(_fit_end(place, room))}</text>'
    yield f'<text x="{right:g}" y="{first + 16:g}" text-anchor="end">{_text(time)}</text>'


def _tag(box: Box) -> str:
    width = 78.0
    x = box.x + box.width - width - 10
    return (
        f'<rect class="tag" {_at(Box(x, box.y - 9, width, 17))} rx="8.5"/>'
        f'<text class="tag-text" x="{x + width / 2:g}" y="{box.y + 3.2:g}" text-anchor="middle">bottleneck</text>'
    )


def _end(pipeline: PipelineProfile, box: Box) -> str:
    label = _fit(sentences.taker(pipeline), int((box.width - 24) / _SMALL_LETTER))
    text = f'<text x="{box.middle:g}" y="{box.y + 19:g}" text-anchor="middle">{_text(label)}</text>'
    return f'<g class="end"><rect class="box" {_at(box)} rx="15"/>{text}</g>'


def _at(box: Box) -> str:
    return f'x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{box.height:g}"'


def _text(text: str) -> str:
    """The text as text, in XML too."""
    return escape(_NO_XML.sub("\N{REPLACEMENT CHARACTER}", "\n".join(map(escaped, text.split("\n")))))


def _fit(text: str, room: int) -> str:
    """The text on one line in at most this many letters, its end cut off where it is longer."""
    text = escaped(" ".join(text[:_LONGEST].split()))
    return text if cell_len(text) <= room else set_cell_size(text, max(room - 1, 0)).rstrip() + "…"


def _fit_end(text: str, room: int) -> str:
    """The same with its beginning cut off."""
    text = escaped(" ".join(text[-_LONGEST:].split()))
    while cell_len(text) > max(room, 1):
        text = "…" + text[2:]
    return text


def _cluster(name: str, pipeline: PipelineProfile) -> Iterator[str]:
    yield f"subgraph cluster_{name} {{"
    yield f"  label={_quoted([sentences.consumer(pipeline), sentences.throughput(pipeline)])};"
    yield from (f"  {line}" for line in _nodes(name, pipeline.pipeline, pipeline))
    yield f"  {name}_end [label={_quoted([sentences.consumer(pipeline)])}, shape=oval];"
    numbers = pipeline.pipeline.numbers
    for stage, number in numbers.items():
        yield from (f"  {name}_s{numbers[part]} -> {name}_s{number};" for part in stage.parts)
    yield f"  {name}_s{numbers[pipeline.pipeline.end]} -> {name}_end;"
    yield "}"


def _nodes(name: str, part: Pipeline, pipeline: PipelineProfile) -> Iterator[str]:
    """The stages of the pipeline, or of a part of it inside a stage's function, with what is inside them in turn."""
    for stage in part.stages:
        if stage.pipeline is not part:
            continue
        number = pipeline.number(stage)
        yield f"{name}_s{number} [{_look(stage, pipeline)}];"
        if stage.inner:
            yield f"subgraph cluster_{name}_s{number} {{"
            yield f"  label={_quoted([f'inside {sentences.label(stage)}'])}; style=dashed;"
            yield from (f"  {line}" for inner in stage.inner for line in _nodes(name, inner, pipeline))
            yield "}"


def _look(stage: Stage, pipeline: PipelineProfile) -> str:
    share = _share(stage)
    is_bottleneck = stage is pipeline.culprit
    told = ", ".join(filter(None, [figures.percent(stage.share), figures.duration(sentences.seconds(stage))]))
    label = [sentences.label(stage), sentences.place(stage.place), told, "bottleneck" if is_bottleneck else ""]
    fill = "".join(f"{round(cold + (hot - cold) * share):02x}" for cold, hot in zip(_COLD, _HOT, strict=True))
    color = "#b3261e" if is_bottleneck else "#555555"
    tooltip = _quoted(list(_tooltip(stage, is_bottleneck)))
    return (
        f'label={_quoted(label)}, tooltip={tooltip}, fillcolor="#{fill}", color="{color}", penwidth={1 + 4 * share:.2f}'
    )


def _quoted(lines: list[str]) -> str:
    r"""A string of DOT; `\n` breaks its lines, and every other backslash is itself."""
    texts = [_NO_XML.sub("\N{REPLACEMENT CHARACTER}", escaped(line[:_LONGEST])) for line in lines if line]
    return '"' + r"\n".join(text.replace("\\", "\\\\").replace('"', '\\"') for text in texts) + '"'
