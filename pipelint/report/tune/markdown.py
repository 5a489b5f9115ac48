"""What was tuned, as a comment for a pull request: what each rewrite gave, the diff, and the rest folded."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.dynamic.tuning import TriedRewrite, Tuning
from pipelint.report.page.foreign_text import escaped
from pipelint.report.page.github_comment import MOST_CHARACTERS, code, prose, short_path, size
from pipelint.report.tune import sentences

_SPARE = 1_024
"""For the marker by which a bot knows its own comment again."""
_MOST_ROWS = 50


def render(tuning: Tuning, *, color: bool = False, width: int | None = None) -> str:
    """The comment, never longer than GitHub allows: the diff is what is left out first."""
    parts = [
        f"### pipelint tune of {code(short_path(tuning.target))}",
        "\n".join(f"- {prose(line)}" for line in sentences.summary(tuning)),
        "\n".join(_table(tuning.accepted)),
        _left_out(tuning),
    ]
    comment = "".join(f"{part}\n\n" for part in parts if part)
    diff = _fenced(tuning.diff)
    if tuning.service is not None and tuning.service.diff:
        diff += f"\nTo take the data from a service:\n\n{_fenced(tuning.service.diff)}"
    if size(comment) + size(diff) > MOST_CHARACTERS - _SPARE:
        diff = "The diff is too long for a comment; `pipelint tune` prints it.\n"
    return comment + diff


def _table(rewrites: tuple[TriedRewrite, ...]) -> Iterator[str]:
    if not rewrites:
        return
    yield "| rewrite | place | gain | data |"
    yield "| --- | --- | ---: | --- |"
    for rewrite in rewrites[:_MOST_ROWS]:
        what = f"**{prose(rewrite.code)}** {prose(rewrite.title)}"
        where = code(short_path(sentences.place(rewrite)))
        yield f"| {what} | {where} | {sentences.gain(rewrite.gain)} | {prose(sentences.verified(rewrite))} |"


def _left_out(tuning: Tuning) -> str:
    others = [rewrite for rewrite in tuning.rewrites if not rewrite.accepted][:_MOST_ROWS]
    if not others:
        return ""
    lines = [
        f"- **{prose(each.code)}** {prose(each.title)} {code(short_path(sentences.place(each)))}: {prose(each.reason)}"
        for each in others
    ]
    return "<details>\n<summary>Not kept</summary>\n\n" + "\n".join(lines) + "\n\n</details>"


def _fenced(diff: str) -> str:
    """The diff as it is, between more backticks than it has in a row."""
    if not diff:
        return ""
    fence = "```"
    while fence in diff:
        fence += "`"
    lines = "\n".join(map(escaped, diff.splitlines()))
    return f"{fence}diff\n{lines}\n{fence}\n"
