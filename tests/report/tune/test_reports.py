"""What was tuned, in each format."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pipelint.dynamic.tuning import Gain, KilledWorker, Sameness, ServiceRun, TriedRewrite, Tuning, Verdict
from pipelint.model.grades import Safety
from pipelint.model.locations import Place
from pipelint.report.tune import html, markdown, text
from pipelint.report.tune import json as tune_json
from tests.profiles import HOSTILE, TURNED, pipeline, stage

GAIN = Gain(12.03, 11.5, 12.2, 5)
KEPT = TriedRewrite(
    "private-threads",
    "16 threads of its own",
    Safety.UNSAFE,
    Place("train.py", 41, 9),
    16.0,
    GAIN,
    Verdict(Sameness.IDENTICAL),
    accepted=True,
)
CHANGED = TriedRewrite(
    "PIPE104",
    f"batch first {HOSTILE}",
    Safety.UNSAFE,
    Place("train.ipynb:cell 3", 2),
    verdict=Verdict(Sameness.CHANGED, "x"),
    reason="it changes the data: x",
)
DIFF = f"--- train.py\n+++ train.py\n@@ -1 +1 @@\n-{HOSTILE}\n+```new\n"
PIPELINE = pipeline(stage("range", 3), stage("map", 4, 0, function="f", share=1.0))
TUNING = Tuning(
    "train.py",
    "2.21.0",
    2,
    11.0,
    132.0,
    150.0,
    GAIN,
    (KEPT, CHANGED),
    (PIPELINE, PIPELINE),
    "the time is up",
    diff=DIFF,
)


def test_json_has_the_shape_that_is_promised() -> None:
    document = json.loads(tune_json.render(TUNING))
    assert {"version", "target", "before", "after", "limit", "rewrites", "diff"} <= set(document)
    assert (document["version"], document["before"], document["after"], document["limit"]) == (1, 11.0, 132.0, 150.0)
    kept, changed = document["rewrites"]
    assert kept == {
        "code": "private-threads",
        "title": "16 threads of its own",
        "path": "train.py",
        "cell": None,
        "line": 41,
        "safety": "unsafe",
        "predicted": 16.0,
        "ratio": 12.03,
        "low": 11.5,
        "high": 12.2,
        "verified": "identical",
        "accepted": True,
        "reason": "",
    }
    assert (changed["path"], changed["cell"], changed["line"], changed["verified"]) == ("train.ipynb", 3, 2, None)
    assert (changed["accepted"], changed["reason"], changed["ratio"]) == (False, "it changes the data: x", None)
    assert document["diff"] == DIFF


def test_what_a_killed_worker_took_along_is_told_for_each_mode_with_what_the_mode_promises() -> None:
    killed = (KilledWorker("DYNAMIC", 500, 5, 0), KilledWorker("OFF", 500, 0, 700))
    run = ServiceRun("DYNAMIC", (27.0, 30.0), killed)
    told = " ".join(text.render(replace(TUNING, service=run)).split())
    assert "sharding DYNAMIC, batches/s by workers: 1: 27, 2: 30" in told
    assert "sharding DYNAMIC: 5 of 500 examples were missing, none came twice; it promises each example once" in told
    assert "sharding OFF (not the mode of the patch): no example was missing, 700 came again; it promises" in told
    document = json.loads(tune_json.render(replace(TUNING, service=run)))
    assert [each["lost"] for each in document["service"]["killed"]] == [5, 0]
    assert ServiceRun.from_plain(document["service"]) == run


def test_text_tells_the_diff_the_gains_and_what_was_not_kept() -> None:
    told = text.render(TUNING)
    assert told.startswith("--- train.py\n+++ train.py\n")
    assert "1. private-threads train.py:41 12x (12x to 12x)\n" in told
    assert "verified: identical data; unsafe" in told
    assert "it changes the data: x" in " ".join(told.split())
    assert "11 batches/s before, 132 after, 12x (12x to 12x)" in " ".join(told.split())
    assert "88% of what this machine gives (150 batches/s)" in told
    assert told.rstrip().endswith("ended: the time is up")


def test_nothing_gained_is_told_in_words() -> None:
    told = text.render(Tuning("train.py", "2.21.0", 2, 11.0, 11.0, 11.0, ended="nothing else promises a gain"))
    assert "nothing made the input faster, 11 batches/s" in told


@pytest.mark.parametrize("diff", [DIFF, "+" + "x" * 70_000])
def test_a_comment_fits_on_github_and_lets_nothing_out(diff: str) -> None:
    from dataclasses import replace

    comment = markdown.render(replace(TUNING, diff=diff))
    assert len(comment) < 65_536
    assert "<script>" not in comment.partition("diff\n")[0]
    if diff == DIFF:
        assert "````diff\n--- train.py" in comment
    else:
        assert "too long for a comment" in comment


def test_the_page_has_both_graphs_and_the_diff() -> None:
    page = html.render(TUNING)
    assert page.count('<svg class="graph"') == 2
    assert 'id="before"' in page
    assert 'id="after"' in page
    assert '<span class="added">+```new</span>' in page
    assert HOSTILE not in page
    assert TURNED[0] not in page
