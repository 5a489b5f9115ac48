"""A profile that shows itself where `pipelint.profile(dataset)` is called."""

from __future__ import annotations

from pipelint.dynamic.profile import Profile
from pipelint.report.page.shown_result import ShownResult
from pipelint.report.profile import html, json, markdown, text


class ProfileView(ShownResult):
    """What `pipelint.profile` measured; `profile` holds the figures."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile

    def __str__(self) -> str:
        return text.render(self.profile).rstrip("\n")

    def to_json(self) -> str:
        """The JSON of `pipelint profile --output-format json`."""
        return json.render(self.profile)

    def to_html(self) -> str:
        """The page of `pipelint profile --output-format html`."""
        return html.render(self.profile)

    def to_markdown(self) -> str:
        """The comment of `pipelint profile --output-format markdown`."""
        return markdown.render(self.profile)
