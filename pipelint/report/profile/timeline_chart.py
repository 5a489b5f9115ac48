"""The throughput of a pipeline over the time of its measurement, as a small chart."""

from __future__ import annotations

import math

from pipelint.display import figures
from pipelint.dynamic.profile import PipelineProfile
from pipelint.report.profile import sentences

_WIDTH, _HEIGHT = 320, 112
_LEFT, _RIGHT, _TOP, _BOTTOM = 34, 8, 8, 18
_TICKS = (1.0, 2.0, 2.5, 5.0, 10.0)


def timeline(pipeline: PipelineProfile) -> str:
    """A line chart in SVG; nothing with less than two points."""
    points = [(at, rate) for at, rate in pipeline.measurement.timeline if math.isfinite(at) and math.isfinite(rate)]
    if len(points) < 2 or points[-1][0] <= 0:
        return ""
    step = _nice(max(1e-9, *(rate for _, rate in points)) / 2)
    top, end = 2 * step, points[-1][0]

    def x(at: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * at / end

    def y(rate: float) -> float:
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * max(rate, 0.0) / top

    curve = " ".join(f"{x(at):.1f},{y(rate):.1f}" for at, rate in points)
    floor = f"{y(0):.1f}"
    area = f"{x(points[0][0]):.1f},{floor} {curve} {x(points[-1][0]):.1f},{floor}"
    label = f"From {sentences.rate(points[0][1])} to {sentences.rate(points[-1][1])} in {figures.duration(end)}"
    grid = "".join(
        f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(row):.1f}" y2="{y(row):.1f}"/>'
        f'<text x="{_LEFT - 5}" y="{y(row) + 3.5:.1f}" text-anchor="end">{figures.figure(row)}</text>'
        for row in (0.0, step, top)
    )
    axis = (
        f'<text x="{_LEFT}" y="{_HEIGHT - 4}">0 s</text>'
        f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2}" y="{_HEIGHT - 4}" text-anchor="middle">batches/s over time</text>'
        f'<text x="{_WIDTH - _RIGHT}" y="{_HEIGHT - 4}" text-anchor="end">{figures.duration(end)}</text>'
    )
    return (
        f'<svg class="chart" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}">{grid}{axis}'
        f'<polygon class="area" points="{area}"/><polyline class="curve" points="{curve}"/></svg>'
    )


def _nice(step: float) -> float:
    """The next round number."""
    scale = float(10 ** math.floor(math.log10(step)))
    return next(tick * scale for tick in _TICKS if tick * scale >= step * 0.9999)
