"""What `pipelint.tune` found, which shows itself where it is called."""

from __future__ import annotations

from pipelint.dynamic.tuning import Tuning
from pipelint.report.page.shown_result import ShownResult
from pipelint.report.tune import html, json, markdown, text


class TuneView(ShownResult):
    """What `pipelint.tune` tried and kept; `tuning` holds the figures, `diff` the patch."""

    def __init__(self, tuning: Tuning) -> None:
        self.tuning = tuning

    @property
    def diff(self) -> str:
        """The patch of all that was kept; empty where nothing was."""
        return self.tuning.diff

    def __str__(self) -> str:
        return text.render(self.tuning).rstrip("\n")

    def to_json(self) -> str:
        """The JSON of `pipelint tune --output-format json`."""
        return json.render(self.tuning)

    def to_html(self) -> str:
        """The page of `pipelint tune --output-format html`."""
        return html.render(self.tuning)

    def to_markdown(self) -> str:
        """The comment of `pipelint tune --output-format markdown`."""
        return markdown.render(self.tuning)
