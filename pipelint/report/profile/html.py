"""A profile as one page that stands by itself: figures, the graph with its source beside it, the timeline and advice.

Everything is in the page before its script runs, escaped here; the script only shows what is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from pipelint.display import figures
from pipelint.display.figures import counted
from pipelint.dynamic.profile import PipelineProfile, Profile, Suggestion
from pipelint.model.cost import InnerCost
from pipelint.model.pipeline import Stage
from pipelint.report.page.assets import asset, breakable, filled, message, shown
from pipelint.report.page.foreign_text import escaped, shortened
from pipelint.report.profile import outlook, sentences
from pipelint.report.profile.graph import inline
from pipelint.report.profile.timeline_chart import timeline
from pipelint.source.paths import shown_file
from pipelint.version import __version__

_LONGEST_LINE = 400
_LONGEST_NAME = 200


def render(profile: Profile, *, color: bool = False, width: int | None = None) -> str:
    """The page."""
    values = {
        "command": "profile",
        "title": escape(escaped(shortened(profile.target, _LONGEST_NAME))),
        "version": escape(__version__),
        "headline": shown(shortened(profile.target, _LONGEST_NAME)),
        "notes": _notes(profile),
        "error": f'<p class="problem error" role="alert">{message(profile.error)}</p>' if profile.error else "",
        "jumps": "".join(_jumps(profile)),
        "pipelines": "".join(section(f"p{number}", each) for number, each in enumerate(profile.pipelines)),
    }
    style = asset("page/colors.css", "page/frame.css", "profile/graph.css", "profile/page.css")
    return filled(asset("profile/page.html"), values, style=style, script=asset("page/theme.js", "profile/page.js"))


def _notes(profile: Profile) -> str:
    pipelines = counted(len(profile.pipelines), "pipeline", "pipelines") if profile.pipelines else "no pipeline"
    cores = counted(profile.cores, "core", "cores")
    return f"{pipelines} measured · TensorFlow {shown(profile.tensorflow)} · {cores}"


def _jumps(profile: Profile) -> Iterator[str]:
    if len(profile.pipelines) > 1:
        for number, pipeline in enumerate(profile.pipelines):
            yield f'<a href="#p{number}">{shown(_title(pipeline))}</a>'


def _title(pipeline: PipelineProfile) -> str:
    return shortened(sentences.consumer(pipeline), _LONGEST_NAME)


def section(name: str, pipeline: PipelineProfile, title: str = "") -> str:
    """One pipeline: its figures, what to do, the graph with the source beside it; a page knows it by its name."""
    verdict = filter(None, [sentences.circumstances(pipeline), *outlook.lines(pipeline)])
    parts = [
        f'<section class="pipeline" id="{name}" aria-labelledby="{name}-title">',
        f'<h2 id="{name}-title">{shown(title or _title(pipeline))}</h2>',
        "".join(f'<p class="verdict">{message(line)}</p>' for line in verdict),
        f'<p class="problem warning">{message(pipeline.note)}</p>' if pipeline.note else "",
        _suggestions(name, pipeline),
        f'<div class="figures">{"".join(_figures(pipeline))}</div>',
        _view(name, pipeline),
        *(_inside(stage, pipeline) for stage in pipeline.stages),
        _remarks(pipeline),
        "</section>\n",
    ]
    return "".join(parts)


def _figures(pipeline: PipelineProfile) -> Iterator[str]:
    """The headline: what it delivers of what it could, how much of the step is waiting, and how that went in time."""
    now, limit = pipeline.measurement.batches_per_second, pipeline.limit_batches_per_second
    if figures.known(now):
        gauge = _gauge(now / limit, "fine") if figures.known(limit) and limit > 0 else ""
        measured, _, below = sentences.throughput(pipeline).partition("; ")
        number, _, unit = measured.partition(" ")
        yield _figure("Throughput", number, unit, gauge, below)
    share = pipeline.input_bound
    if figures.known(share) and (verdict := sentences.waiting(pipeline)):
        name, number = "Input-bound" if sentences.waits(pipeline) else "Not input-bound", figures.percent(share)
        if pipeline.step is not None and not pipeline.step.is_settled:
            name, number = "Not settled", figures.between(share, pipeline.step.waiting_spread, "to")
        below = verdict.partition(": ")[2]
        yield _figure(name, number, "of step time goes to input", _gauge(share, "fill"), below)
    if chart := timeline(pipeline):
        yield f'<div class="figure"><h3>Throughput over time</h3>{chart}</div>'


def _figure(title: str, number: str, unit: str, gauge: str, below: str) -> str:
    return (
        f'<div class="figure"><h3>{title}</h3><p class="number">{escape(number)} <small>{unit}</small></p>'
        f"{gauge}<p>{shown(below)}</p></div>"
    )


def _gauge(share: float, kind: str) -> str:
    width = 100 * min(max(share, 0.0), 1.0)
    return (
        '<svg class="gauge" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="track" width="100" height="8" rx="1"/>'
        f'<rect class="{kind}" width="{width:.4g}" height="8" rx="1"/></svg>'
    )


def _view(name: str, pipeline: PipelineProfile) -> str:
    """The graph, and beside it the source and the figures of each stage."""
    anchor = f"{name}-s"
    details = "".join(_detail(anchor, stage, pipeline) for stage in pipeline.stages)
    return (
        f'<div class="view"><div class="card drawing"><h3>Stages</h3>'
        f'<div class="scroller" tabindex="-1">{inline(pipeline, anchor)}</div></div>'
        f'<div class="beside">{_sources(anchor, pipeline)}<div class="card details">{details}</div></div></div>'
    )


def _sources(anchor: str, pipeline: PipelineProfile) -> str:
    """Every line of source that makes a stage, by file, with the share of its stages."""
    files: dict[str, dict[int, list[Stage]]] = {}
    for stage in pipeline.stages:
        if stage.place is not None:
            path = shown_file(stage.place.path)
            files.setdefault(path, {}).setdefault(stage.place.line, []).append(stage)
    if not files:
        return ""
    parts = []
    for path, lines in files.items():
        parts.append(f'<p class="file"><bdi>{breakable(path)}</bdi></p>')
        parts += [_line(anchor, line, stages, pipeline) for line, stages in sorted(lines.items())]
    return f'<div class="card sources"><h3>Source</h3>{"".join(parts)}</div>'


def _line(anchor: str, number: int, stages: list[Stage], pipeline: PipelineProfile) -> str:
    shares = [stage.share for stage in stages if figures.known(stage.share)]
    sources = filter(None, (pipeline.source_line(stage.place) for stage in stages))
    source = next(sources, ", ".join(map(sentences.label, stages)))
    hot = " hot" if pipeline.culprit in stages else ""
    ids = " ".join(str(pipeline.number(stage)) for stage in stages)
    leads = f'href="#{anchor}{pipeline.number(stages[0])}" data-stages="{ids}"'
    return (
        f'<a class="line{hot}" {leads}><span class="at">{number}</span>'
        f'<span class="cost">{escape(figures.percent(sum(shares)) if shares else "")}</span>'
        f'<span class="text"><bdi>{shown(shortened(source, _LONGEST_LINE))}</bdi></span></a>'
    )


def _detail(anchor: str, stage: Stage, pipeline: PipelineProfile) -> str:
    badge = ' <span class="badge error">bottleneck</span>' if stage is pipeline.culprit else ""
    facts = "".join(f"<div><dt>{name}</dt><dd>{shown(value)}</dd></div>" for name, value in sentences.facts(stage))
    where = sentences.place(stage.place, with_column=True)
    line = shown(shortened(pipeline.source_line(stage.place), _LONGEST_LINE))
    source = f'<p class="source-line"><code>{line}</code></p>' if line else ""
    number = pipeline.number(stage)
    return (
        f'<section class="detail" id="{anchor}{number}" data-stage="{number}">'
        f"<h4>{shown(shortened(sentences.label(stage), _LONGEST_NAME))}{badge}</h4>"
        f'<p class="where">{breakable(where)}</p>{source}<dl>{facts}</dl></section>'
    )


def _inside(stage: Stage, pipeline: PipelineProfile) -> str:
    """What the calls in the function of a stage take, each with its line."""
    inside = sentences.inside_of(stage)
    if inside is None:
        return ""
    rows = [_call(call, pipeline) for call in sentences.inner_calls(inside)]
    rows += [_part(share, f"<span>{name}</span>") for name, share in sentences.remaining(inside)]
    told = f"<ol>{''.join(rows)}</ol>" if rows else f"<p>not told, since {message(inside.untold)}</p>"
    title = shown(shortened(sentences.inside_title(stage), _LONGEST_NAME))
    where = f'<span class="where">{breakable(sentences.place(stage.place))}</span>'
    return f'<section class="card inside"><h3>{title} {where}</h3>{told}</section>'


def _call(call: InnerCost, pipeline: PipelineProfile) -> str:
    name = f"<b>{shown(shortened(sentences.inner_name(call), _LONGEST_NAME))}</b>"
    where = f' <span class="where">{breakable(sentences.place(call.place))}</span>' if call.place else ""
    line = shown(shortened(pipeline.source_line(call.place), _LONGEST_LINE))
    return _part(call.share, f"<span>{name}{where}{f'<code>{line}</code>' if line else ''}</span>")


def _part(share: float, what: str) -> str:
    return f'<li><span class="cost">{escape(figures.percent(share))}</span>{_gauge(share, "fill")}{what}</li>'


def _suggestions(name: str, pipeline: PipelineProfile) -> str:
    if not pipeline.suggestions:
        return ""
    cards = "".join(_suggestion(name, suggestion, pipeline) for suggestion in pipeline.suggestions)
    return f'<section class="advice-list"><h3>What to do</h3><div class="cards">{cards}</div></section>'


def _suggestion(name: str, suggestion: Suggestion, pipeline: PipelineProfile) -> str:
    severity = suggestion.severity.value
    where = breakable(sentences.place(suggestion.place))
    if suggestion.stage is not None:
        number = pipeline.number(suggestion.stage)
        target = f'href="#{name}-s{number}" data-stage="{number}"'
        where = f'<a class="place" {target}>{where}</a>'
    else:
        where = f'<span class="place">{where}</span>'
    gain = f'<span class="gain">{sentences.gain(suggestion)}</span>' if sentences.gain(suggestion) else ""
    return (
        f'<article class="card suggestion"><p class="meta"><span class="badge {severity}">{severity}</span> '
        f"<span><b>{shown(suggestion.code)}</b> {shown(suggestion.name)}</span> {where}{gain}</p>"
        f"<p>{message(suggestion.message)}</p>{_mend(suggestion)}</article>"
    )


def _mend(suggestion: Suggestion) -> str:
    repair = sentences.repair(suggestion)
    if repair is None:
        return ""
    command, what = repair
    return f'<p class="mend"><code>{shown(command)}</code><br>{message(what)}</p>'


def _remarks(pipeline: PipelineProfile) -> str:
    items = "".join(f"<li>{message(remark)}</li>" for remark in pipeline.remarks)
    return f'<ul class="remarks">{items}</ul>' if items else ""
