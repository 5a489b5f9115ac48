"""A profile that shows itself where `pipelint.profile(dataset)` is called: in a terminal, or below a cell."""

from __future__ import annotations

import html as markup

from pipelint.dynamic.profile import Profile
from pipelint.report.profile import html, text

_FRAME = '<iframe srcdoc="{page}" style="width: 100%; height: 720px; border: 0" sandbox="allow-scripts"></iframe>'


class ProfileView:
    """A profile that a terminal shows as text and a notebook as a page."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile

    def __repr__(self) -> str:
        return text.render(self.profile).rstrip("\n")

    def _repr_html_(self) -> str:
        return _FRAME.format(page=markup.escape(html.render(self.profile)))
