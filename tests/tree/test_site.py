"""The documentation as a site: built without a warning, and searched without a network."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.pages import OpenPage

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("mkdocs") is None or importlib.util.find_spec("material") is None,
    reason="mkdocs-material is not installed",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(directory)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return directory


def test_every_rule_has_a_page(site: Path) -> None:
    pages = {page.stem for page in (site / "rules").glob("*.html")} - {"index"}
    assert pages == {page.stem for page in (ROOT / "docs/rules").glob("*.md")} - {"index"}


def test_the_search_finds_a_rule_in_pages_that_are_opened_as_files(site: Path, browser: Browser) -> None:
    from playwright.sync_api import expect

    opened = OpenPage(browser, site / "index.html")
    opened.page.locator("label[for=__search]").first.wait_for(state="attached")
    opened.page.keyboard.press("f")
    opened.page.keyboard.type("unparallelized-map")
    expect(opened.page.locator(".md-search-result__item").first).to_contain_text("unparallelized-map")
    assert opened.complaints == []
    assert [request for request in opened.requests if not request.startswith("file:")] == []


def test_the_gains_of_the_readme_are_those_that_were_measured() -> None:
    pairs = json.loads((ROOT / "rules/evidence.json").read_text("utf-8"))["pairs"]
    rows = re.findall(
        r"^\| \[([\w-]+)\]\(docs/rules/\1\.md\) \| (.+?) \|", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE
    )
    assert rows
    for name, told in rows:
        ratio, low, high = (_figure(pairs[name][key]) for key in ("ratio", "low", "high"))
        assert (name, told) == (name, f"{ratio} ({low} to {high})")


def _figure(number: float) -> str:
    return f"{number:.0f}" if number >= 10 else f"{number:.1f}"
