"""`pipelint profile --output-format html`: one page, opened from a file in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pipelint.dynamic.profile import Profile
from pipelint.report.profile import html as profile_html
from tests.pages import CONTRAST, OpenPage, Tags
from tests.profiles import CACHED, EVERY, EVIL, HOSTILE, IMAGES, NOT_BOUND, PARTIAL, long

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Any]:
    opened: list[OpenPage] = []

    def open_it(profile: Profile, **options: Any) -> Any:
        path = tmp_path / f"{len(opened)}.html"
        path.write_text(profile_html.render(profile), "utf-8")
        opened.append(OpenPage(browser, path, **options))
        return opened[-1].page

    yield open_it
    for report in opened:
        report.page.close()
        assert report.complaints == []
        assert report.requests == [report.address], "the page loads nothing"


def chosen(page: Any) -> tuple[str, list[str]]:
    """The stage whose figures are shown, and the lines of source that are marked."""
    return page.locator(".detail:visible h4").inner_text(), page.locator(".line.chosen .at").all_inner_texts()


class TestReading:
    def test_the_headline_has_the_figures(self, open_page: Any) -> None:
        page = open_page(IMAGES)
        assert page.title() == "pipelint profile: train.py"
        assert [" ".join(text.split()) for text in page.locator(".number").all_inner_texts()] == [
            "24 batches/s ± 3% by itself",
            "63% of step time goes to input",
        ]
        assert "limit of this machine about 55 batches/s (2.3x)" in page.locator(".figures").inner_text()
        assert page.get_by_role("img", name="From 5.6 batches/s to 24 batches/s in 12 s").count() == 1

    def test_a_step_that_does_not_wait_is_told_so(self, open_page: Any) -> None:
        text = open_page(NOT_BOUND).locator(".figures").inner_text()
        assert "Not input-bound" in text
        assert "a batch every 41 ms; the pipeline alone delivers in 6 ms" in text

    def test_suggestions_are_cards(self, open_page: Any) -> None:
        first = open_page(IMAGES).locator(".suggestion").first
        assert first.locator(".meta").inner_text().split() == [
            "warning", "PIPE201", "unparallelized-map", "train.py:31", "about", "1.9x",
        ]  # fmt: skip
        assert "pipelint check --fix --unsafe-fixes train.py" in first.locator(".mend").inner_text()

    def test_the_graph_has_every_stage_and_frames_what_is_inside(self, open_page: Any) -> None:
        page = open_page(IMAGES)
        assert page.locator(".node").count() == 11
        assert page.locator(".frame + text").text_content() == "inside interleave(read)"
        assert page.locator(".node.bottleneck .op").text_content() == "map(augment)"

    def test_what_costs_inside_a_function_has_a_card_of_its_own(self, open_page: Any) -> None:
        inside = open_page(IMAGES).locator(".inside")
        assert inside.locator("h3").inner_text() == "inside augment train.py:31"
        first, *_, last = inside.locator("li").all_inner_texts()
        assert first.split("\n") == [
            "61%",
            "tf.io.decode_jpeg train.py:12",
            "image = tf.io.decode_jpeg(data, channels=3)",
        ]
        assert last.split("\n") == ["7%", "between operations"]

    def test_epochs_can_be_jumped_to(self, open_page: Any) -> None:
        page = open_page(CACHED)
        names = ["fit at train.py:40, training, first epoch", "fit at train.py:40, training, later epochs"]
        assert page.locator("h2").all_inner_texts() == names
        assert page.locator(".jumps a").all_text_contents() == names

    def test_a_partial_result_says_what_is_missing(self, open_page: Any) -> None:
        page = open_page(PARTIAL)
        assert page.get_by_role("alert").inner_text() == PARTIAL.error
        assert page.locator(".node").count() == 2

    def test_without_a_script_everything_can_be_read(self, open_page: Any) -> None:
        page = open_page(IMAGES, java_script_enabled=False)
        assert page.locator(".detail:visible").count() == 11
        assert page.locator(".node").first.get_attribute("href") == "#p0-s0"
        assert not page.locator("#theme").is_visible()


class TestExploring:
    def test_it_starts_at_the_bottleneck(self, open_page: Any) -> None:
        assert chosen(open_page(IMAGES)) == ("map(augment) bottleneck", ["31"])

    def test_a_stage_shows_its_figures_and_its_source(self, open_page: Any) -> None:
        page = open_page(IMAGES)
        page.locator(".node").nth(1).click()
        assert chosen(page) == ("TFRecordDataset", ["23"])
        assert "Bound by\nreading and waiting" in page.locator(".detail:visible dl").inner_text()

    def test_a_line_leads_from_one_of_its_stages_to_the_next(self, open_page: Any) -> None:
        page = open_page(IMAGES)
        row = page.locator(".line", has_text="31")
        seen = []
        for _ in range(2):
            row.click()
            seen.append(page.locator(".node.chosen .op").text_content())
        assert seen == ["batch", "map(augment)"]

    def test_hovering_only_previews(self, open_page: Any) -> None:
        page = open_page(IMAGES)
        page.locator(".node").nth(7).hover()
        assert chosen(page) == ("map(decode)", ["29"])
        page.locator("h1").hover()
        assert chosen(page) == ("map(augment) bottleneck", ["31"])

    def test_a_finger_can_choose(self, open_page: Any) -> None:
        page = open_page(IMAGES, viewport={"width": 390, "height": 844}, has_touch=True)
        page.locator(".node").nth(7).tap()
        assert chosen(page) == ("map(decode)", ["29"])
        assert page.locator(".details").evaluate("e => e.getBoundingClientRect().bottom <= innerHeight")

    def test_nothing_covers_the_graph_below_a_notebooks_cell(self, open_page: Any) -> None:
        page = open_page(IMAGES, viewport={"width": 820, "height": 720})
        page.locator(".drawing").scroll_into_view_if_needed()
        below = (
            "e => e.getBoundingClientRect().top >= document.querySelector('.drawing').getBoundingClientRect().bottom"
        )
        assert page.locator(".details").evaluate(below)

    def test_what_to_do_stands_above_the_graph(self, open_page: Any) -> None:
        page = open_page(IMAGES)
        above = "e => e.getBoundingClientRect().bottom <= document.querySelector('.view').getBoundingClientRect().top"
        assert page.locator(".suggestion").first.evaluate(above)

    def test_the_keyboard_walks_the_stages(self, open_page: Any) -> None:
        page = open_page(IMAGES)
        page.locator(".node").first.focus()
        seen = []
        for key in ("ArrowDown", "j", "ArrowUp", "Tab"):
            page.keyboard.press(key)
            seen.append(chosen(page)[0])
        assert seen == ["TFRecordDataset", "map(parse)", "TFRecordDataset", "map(parse)"]

    def test_a_suggestion_leads_to_its_stage(self, open_page: Any) -> None:
        page = open_page(IMAGES)
        page.locator(".suggestion .place").nth(1).click()
        assert chosen(page) == ("map(decode)", ["29"])


class TestLooks:
    @pytest.mark.parametrize("shown", EVERY.values(), ids=EVERY)
    @pytest.mark.parametrize("width", [360, 800, 1280])
    def test_the_page_never_scrolls_sideways(self, open_page: Any, shown: Profile, width: int) -> None:
        page = open_page(shown, viewport={"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") == width

    @pytest.mark.parametrize("shown", [IMAGES, EVIL, long()], ids=["images", "evil", "long"])
    def test_no_text_in_the_graph_touches_another_or_leaves_its_box(self, open_page: Any, shown: Profile) -> None:
        assert open_page(shown).evaluate(COLLISIONS) == []

    @pytest.mark.parametrize("scheme", ["dark", "light"])
    def test_text_has_contrast(self, open_page: Any, scheme: str) -> None:
        for shown in (IMAGES, PARTIAL):
            page = open_page(shown, color_scheme=scheme)
            page.evaluate("document.querySelectorAll('svg text').forEach((text) => text.remove())")
            assert page.evaluate(CONTRAST) == []

    def test_landmarks_and_labels(self, open_page: Any) -> None:
        page = open_page(IMAGES)
        for role in ("banner", "main", "navigation"):
            assert page.get_by_role(role).count() == 1, role
        assert page.get_by_role("heading", level=1).count() == 1
        assert page.get_by_role("link", name="map(augment), the bottleneck, train.py:31").count() == 1

    def test_the_reader_can_choose_the_theme(self, open_page: Any) -> None:
        page = open_page(IMAGES, color_scheme="light")
        page.click("#theme")
        page.click("#theme")
        assert page.evaluate("document.documentElement.dataset.theme") == "dark"


# Texts of the graph that overlap another of the same stage, or reach beyond its box.
COLLISIONS = """() => [...document.querySelectorAll('.node')].flatMap((node) => {
  const box = node.querySelector('.box').getBoundingClientRect();
  const texts = [...node.querySelectorAll('text:not(.tag-text)')].map((text) => [text.textContent, text.getBoundingClientRect()])
    .filter(([text]) => text);
  const outside = texts.filter(([, t]) => t.left < box.left || t.right > box.right || t.bottom > box.bottom + 1);
  const touching = texts.filter(([, a], i) => texts.slice(0, i).some(([, b]) =>
    a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom));
  return [...outside, ...touching].map(([text]) => text);
})"""


class TestSafety:
    def test_nothing_of_a_hostile_program_runs_or_becomes_markup(self, open_page: Any) -> None:
        page = open_page(EVIL)
        page.locator(".node").first.focus()
        page.keyboard.press("ArrowDown")
        assert page.title().startswith("pipelint profile: </script>")
        assert page.locator("img").count() == 0
        assert page.locator("script").count() == 1

    def test_it_is_shown_as_it_is_written(self, open_page: Any) -> None:
        page = open_page(EVIL)
        assert HOSTILE in page.locator(".remarks li").first.inner_text()
        assert HOSTILE in (page.locator(".line .text").last.text_content() or "")

    def test_the_page_is_plain_before_any_browser_reads_it(self) -> None:
        text = profile_html.render(EVIL)
        text.encode("utf-8")
        parsed = Tags(text)
        assert "img" not in parsed.tags
        assert parsed.tags.count("script") == 1
        assert not [name for name in parsed.attributes if name.startswith("on") or name == "style"]
        assert not re.search("[\u202a-\u202e\u2066-\u2069\u2028\u2029\x00\x1b]", text)
        assert set(re.findall(r"href=\"([^#\"]*)", text)) == {""}
