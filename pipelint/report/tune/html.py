"""What was tuned, as one page that stands by itself: the gain, the rewrites, the diff, and both graphs."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from pipelint.display.figures import figure, percent
from pipelint.dynamic.tuning import TriedRewrite, Tuning
from pipelint.report.page.assets import asset, breakable, filled, message, shown
from pipelint.report.page.foreign_text import escaped, shortened
from pipelint.report.profile.html import section
from pipelint.report.tune import sentences
from pipelint.version import __version__

_LONGEST_NAME = 200
_KINDS = {"+": "added", "-": "removed", "@": "hunk"}


def render(tuning: Tuning, *, color: bool = False, width: int | None = None) -> str:
    """The page."""
    values = {
        "command": "tune",
        "title": escape(escaped(shortened(tuning.target, _LONGEST_NAME))),
        "version": escape(__version__),
        "headline": shown(shortened(tuning.target, _LONGEST_NAME)),
        "notes": f"TensorFlow {shown(tuning.tensorflow)} · {tuning.cores} cores",
        "error": f'<p class="problem error" role="alert">{message(tuning.error)}</p>' if tuning.error else "",
        "jumps": "".join(f'<a href="#{name}">{title}</a>' for name, title in _jumps(tuning)),
        "pipelines": "".join(_parts(tuning)),
    }
    style = asset("page/colors.css", "page/frame.css", "profile/graph.css", "profile/page.css", "tune/page.css")
    return filled(asset("profile/page.html"), values, style=style, script=asset("page/theme.js", "profile/page.js"))


def _jumps(tuning: Tuning) -> Iterator[tuple[str, str]]:
    if tuning.diff:
        yield "diff", "Diff"
    yield from zip(("before", "after"), ("Before", "After"), strict=False) if len(tuning.pipelines) > 1 else ()


def _parts(tuning: Tuning) -> Iterator[str]:
    yield f'<div class="figures few">{"".join(_figures(tuning))}</div>'
    told = [] if tuning.total is not None or tuning.error else ["nothing made the input faster"]
    yield "".join(f'<p class="verdict">{message(line)}</p>' for line in (*told, *sentences.remarks(tuning)))
    if tuning.accepted:
        yield _table("What was changed", tuning.accepted)
    if tuning.diff:
        yield _diff("diff", "Diff", tuning.diff)
    if tuning.service is not None and tuning.service.diff:
        yield _diff("service", "To take the data from a service", tuning.service.diff)
    if others := tuple(rewrite for rewrite in tuning.rewrites if not rewrite.accepted):
        yield _table("Not kept", others)
    titles = ("As written", "As it is now")
    for name, title, pipeline in zip(("before", "after"), titles, tuning.pipelines, strict=False):
        yield section(name, pipeline, title)


def _diff(name: str, title: str, diff: str) -> str:
    lines = "".join(map(_line, diff.splitlines()))
    return f'<section class="card diff" id="{name}"><h3>{title}</h3><pre>{lines}</pre></section>'


def _figures(tuning: Tuning) -> Iterator[str]:
    for title, rate in (("Before", tuning.before), ("After", tuning.after)):
        if rate is not None:
            yield _figure(title, figure(rate), "batches/s")
    if tuning.total is not None:
        interval = f"{sentences.times(tuning.total.low)} to {sentences.times(tuning.total.high)}"
        yield _figure("Gain", sentences.times(tuning.total.ratio), interval)
    if tuning.limit and tuning.after:
        share = percent(min(1.0, tuning.after / tuning.limit))
        yield _figure("Of what this machine gives", share, f"of {figure(tuning.limit)} batches/s")


def _figure(title: str, number: str, unit: str) -> str:
    return f'<div class="figure"><h3>{title}</h3><div class="number">{escape(number)} <small>{unit}</small></div></div>'


def _table(title: str, rewrites: tuple[TriedRewrite, ...]) -> str:
    rows = "".join(_row(rewrite) for rewrite in rewrites)
    head = "<thead><tr><th>rewrite</th><th>place</th><th>gain</th><th>data</th></tr></thead>"
    return f'<section class="card rewrites"><h3>{title}</h3><table>{head}<tbody>{rows}</tbody></table></section>'


def _row(rewrite: TriedRewrite) -> str:
    told = sentences.verified(rewrite) if rewrite.accepted else rewrite.reason
    cells = [
        f"<b>{shown(rewrite.code)}</b> {message(rewrite.title)}",
        breakable(sentences.place(rewrite)),
        escape(sentences.gain(rewrite.gain)),
        message(told),
    ]
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _line(text: str) -> str:
    kind = _KINDS.get(text[:1], "same")
    return f'<span class="{kind}">{shown(text)}</span>\n'
