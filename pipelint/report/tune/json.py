"""What was tuned as JSON: stable, versioned, for programs."""

from __future__ import annotations

import json
from typing import Any

from pipelint.dynamic.tuning import Sameness, TriedRewrite, Tuning
from pipelint.model.grades import Safety
from pipelint.source.paths import shown_file, split_cell

_VERSION = 1


def render(tuning: Tuning, *, color: bool = False, width: int | None = None) -> str:
    """One object."""
    document = {
        "version": _VERSION,
        "target": tuning.target,
        "tensorflow": tuning.tensorflow,
        "cores": tuning.cores,
        "error": tuning.error,
        "before": tuning.before,
        "after": tuning.after,
        "limit": tuning.limit,
        "ratio": tuning.total.ratio if tuning.total else None,
        "low": tuning.total.low if tuning.total else None,
        "high": tuning.total.high if tuning.total else None,
        "ended": tuning.ended,
        "rewrites": [_rewrite(rewrite) for rewrite in tuning.rewrites],
        "service": tuning.service.to_plain() if tuning.service else None,
        "diff": tuning.diff,
    }
    return json.dumps(document, indent=2) + "\n"


def _rewrite(rewrite: TriedRewrite) -> dict[str, Any]:
    path, cell = split_cell(rewrite.place.path) if rewrite.place else (None, None)
    gain, verdict = rewrite.gain, rewrite.verdict
    return {
        "code": rewrite.code,
        "title": rewrite.title,
        "path": shown_file(path) if path else None,
        "cell": cell,
        "line": rewrite.place.line if rewrite.place else None,
        "safety": "safe" if rewrite.safety is Safety.SAFE else "unsafe",
        "predicted": rewrite.predicted,
        "ratio": gain.ratio if gain else None,
        "low": gain.low if gain else None,
        "high": gain.high if gain else None,
        "verified": verdict.sameness.value if verdict and verdict.sameness is not Sameness.CHANGED else None,
        "accepted": rewrite.accepted,
        "reason": rewrite.reason or (verdict.reason if verdict else ""),
    }
