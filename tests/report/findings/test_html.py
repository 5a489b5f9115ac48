"""`--output-format html`: one page, opened from a file in a real browser."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.pages import CONTRAST, OpenPage, Tags
from tests.workspace import IMPORT, Workspace, tf

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HOSTILE = (
    "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">{{ script }} ${1}"
)
TURNED = "\u202e\u2066"


class Report(OpenPage):
    """A report of findings in an open page."""

    def shown(self, selector: str = "article.finding") -> list[str]:
        """The text of what can be seen, in order."""
        return [found.inner_text() for found in self.page.locator(selector).all() if found.is_visible()]

    def places(self) -> list[str]:
        """`path line 2` of each finding that can be seen."""
        return [
            " ".join((place.text_content() or "").split())
            for place in self.page.locator("article.finding:visible .place").all()
        ]

    def search(self, text: str, status: str) -> None:
        """Type into the search field, and wait until the page says what is shown."""
        from playwright.sync_api import expect

        self.page.keyboard.press("/")
        self.page.keyboard.type(text)
        expect(self.page.locator("#status")).to_have_text(status)


def write_report(workspace: Workspace, *options: str) -> Path:
    outcome = workspace.check("--output-format=html", "--output-file=report.html", *options)
    assert outcome.status in (0, 1, 2), outcome.stderr
    return workspace.root / "report.html"


@pytest.fixture
def open_report(browser: Browser, slow: Workspace) -> Iterator[Any]:
    opened: list[Report] = []

    def open_it(*arguments: str, **options: Any) -> Report:
        opened.append(Report(browser, write_report(slow, *arguments), **options))
        return opened[-1]

    yield open_it
    for report in opened:
        report.page.close()
        assert report.complaints == []
        assert report.requests == [report.address], "the page loads nothing"


@pytest.fixture
def project(slow: Workspace) -> Workspace:
    """Two files and a notebook, with findings of every severity."""
    slow.write("src/data.py", tf("a = 1", "b = tf.size(1)", "c = tf.rank(b)"))
    slow.write("src/model.py", tf("def parse(example):", "    return tf.shape(example)"))
    slow.notebook("n.ipynb", IMPORT, "n = tf.size(1)")
    return slow


EVERYTHING = "--fail-on=advice"
"""An option that makes advice as important as the rest, and so has the page show it from the start."""

ALL = ["src/model.py line 3", "n.ipynb cell 3, line 1", "src/data.py line 3", "src/data.py line 4"]
"""The most severe first."""


class TestReading:
    def test_the_page_tells_what_was_found(self, project: Workspace, open_report: Any) -> None:
        page = open_report(EVERYTHING).page
        assert page.title() == "pipelint: 4 findings in 3 files"
        assert page.locator("h1").inner_text() == "4 findings in 3 files"
        assert page.locator(".toggle").all_inner_texts() == ["1 error", "2 warnings", "1 advice"]

    def test_findings_stand_below_their_file(self, project: Workspace, open_report: Any) -> None:
        report = open_report(EVERYTHING)
        assert report.shown(".group h2") == ["src/model.py", "n.ipynb", "src/data.py"]
        assert report.places() == ALL

    def test_the_span_is_marked_in_its_source(self, project: Workspace, open_report: Any) -> None:
        finding = open_report(EVERYTHING).page.locator("article.finding").nth(2)
        assert finding.locator("mark").text_content() == "tf.size"
        assert finding.locator(".source").text_content() == f"{IMPORT}\na = 1\nb = tf.size(1)\nc = tf.rank(b)\n"
        assert (finding.locator(".gutter").text_content() or "").split() == ["1", "2", "3", "4", "5"]

    def test_a_finding_shows_the_diff_of_its_fix(self, project: Workspace, open_report: Any) -> None:
        finding = open_report(EVERYTHING).page.locator("article.finding").nth(2)
        finding.locator("summary").click()
        assert finding.locator("summary").inner_text() == "safe fix write tf.shape_n"
        assert finding.locator(".diff .del").inner_text().strip() == "-b = tf.size(1)"
        assert finding.locator(".diff .ins").inner_text().strip() == "+b = tf.shape_n(1)"

    def test_a_file_shows_its_whole_diff(self, project: Workspace, open_report: Any) -> None:
        patch = open_report(EVERYTHING).page.locator(".patch").nth(1)
        assert not patch.locator(".diff").first.is_visible()
        patch.locator("summary").click()
        assert patch.locator("h3").all_inner_texts() == ["Safe fixes", "Unsafe fixes, on top of the safe ones"]
        assert "--- src/data.py\n+++ src/data.py\n@@ -1,4 +1,4 @@\n" in patch.locator(".diff").first.text_content()

    def test_what_could_not_be_checked_is_told(self, project: Workspace, open_report: Any) -> None:
        project.write("broken.py", tf("("))
        assert "broken.py:2" in open_report(EVERYTHING).page.locator(".problems").inner_text()

    def test_a_clean_run_says_so(self, slow: Workspace, open_report: Any) -> None:
        assert open_report().page.locator("h1").inner_text() == "All clean"

    def test_without_a_script_everything_can_be_read(self, project: Workspace, open_report: Any) -> None:
        report = open_report(EVERYTHING, java_script_enabled=False)
        assert report.places() == ALL
        assert not report.page.locator("#search").is_visible()


class TestLinks:
    def hrefs(self, report: Report) -> list[str | None]:
        return [link.get_attribute("href") for link in report.page.locator("a.open").all()]

    def test_a_place_opens_the_editor(self, project: Workspace, open_report: Any) -> None:
        root = project.root.as_posix()
        assert self.hrefs(open_report())[0] == f"vscode://file{root}/src/model.py:3:12"
        project.configure('editor-url = "pycharm://open?file={path}&line={line}"')
        assert self.hrefs(open_report())[0] == f"pycharm://open?file={root}/src/model.py&line=3"
        project.configure('editor-url = ""')
        assert self.hrefs(open_report()) == []

    def test_or_leads_to_the_commit(self, project: Workspace, open_report: Any) -> None:
        first, notebook, *_ = self.hrefs(open_report("--line-url=https://example.org/{path}#{line}"))
        assert first == "https://example.org/src/model.py#3"
        assert notebook is not None
        assert notebook.startswith("https://example.org/n.ipynb#")

    def test_no_address_runs_in_the_page(self, project: Workspace) -> None:
        project.configure('editor-url = "javascript://%0aalert(1)"')
        assert "editor-url must be an address such as" in project.check().stderr


def test_source_is_coloured_and_stays_what_it_is(slow: Workspace, open_report: Any) -> None:
    source = 'def size(x):  # how many\n    return tf.size(x) + 10 if x else f"<b> &amp; {x}"'
    slow.write("train.py", tf(source))
    page = open_report().page
    assert page.locator(".source").first.text_content() == f"{tf(source)}"
    words = {kind: page.locator(f".source .{kind}").all_inner_texts() for kind in ("keyword", "string", "number")}
    assert words["keyword"][-4:] == ["def", "return", "if", "else"]
    assert "".join(words["string"]) == 'f"<b> &amp; {x}"'
    assert words["number"] == ["10"]


class TestFiltering:
    @pytest.mark.parametrize(
        ("typed", "left"),
        [
            ("no-rank", ["src/data.py line 4"]),
            ("TEST201", ["src/model.py line 3"]),
            ("no-size", ["n.ipynb cell 3, line 1", "src/data.py line 3"]),
            ("def parse", ["src/model.py line 3"]),
            ("SRC/DATA slow", ["src/data.py line 3", "src/data.py line 4"]),
            ("nothing like it", []),
        ],
    )
    def test_by_typing(self, project: Workspace, open_report: Any, typed: str, left: list[str]) -> None:
        report = open_report(EVERYTHING)
        report.search(typed, f"Showing {len(left)} of 4 findings")
        assert report.places() == left
        assert report.page.locator("#nothing").is_visible() is (not left)

    def test_by_severity_rule_and_file(self, project: Workspace, open_report: Any) -> None:
        report = open_report(EVERYTHING)
        report.page.click("text=2 warnings")
        assert report.places() == ALL[1:3], "one click shows only these"
        report.page.click("text=1 error")
        assert report.places() == ALL[:1]
        report.page.click("text=1 error")
        assert report.places() == ALL, "and another all of them again"
        report.page.click("text=2 warnings")
        report.page.click(".facet:has-text('data.py')")
        assert report.places() == ["src/data.py line 3"]
        report.page.keyboard.press("Escape")
        assert report.places() == ALL
        report.page.click(".facet:has-text('TEST101')")
        assert report.places() == ALL[1:3]
        assert report.page.locator("#status").inner_text() == "Showing 2 of 4 findings"
        report.page.click("text=Clear filters")
        assert report.places() == ALL

    def test_filters_are_in_the_address(self, project: Workspace, open_report: Any) -> None:
        report = open_report(EVERYTHING)
        report.page.click("text=2 warnings")
        report.page.click(".facet:has-text('data.py')")
        report.page.click("text=By rule")
        assert report.page.url.partition("#")[2] == "severity=warning&file=src%2Fdata.py&group=rule"
        report.page.reload()
        report.requests.pop()
        assert report.places() == ["src/data.py line 3"]
        assert report.shown(".group h2") == ["TEST101 no-size"]
        report.page.keyboard.press("Escape")
        assert report.places() == [ALL[1], ALL[2], ALL[0], ALL[3]], "still by rule"

    def test_counts_follow_the_other_filters(self, project: Workspace, open_report: Any) -> None:
        page = open_report(EVERYTHING).page
        page.click(".facet:has-text('n.ipynb')")
        counts = dict(text.rsplit(maxsplit=1) for text in page.locator(".facet").all_inner_texts())
        assert counts["TEST101 no-size"] == "1"
        assert counts["TEST201 no-shape"] == "0"
        assert counts["src/data.py"] == "2"

    def test_grouped_by_rule_and_back(self, project: Workspace, open_report: Any) -> None:
        report = open_report(EVERYTHING)
        report.page.click("text=By rule")
        assert report.shown(".group h2") == ["TEST101 no-size", "TEST201 no-shape", "TEST102 no-rank"]
        assert report.places() == [
            "n.ipynb cell 3, line 1",
            "src/data.py line 3",
            "src/model.py line 3",
            "src/data.py line 4",
        ]
        report.page.click("text=By file")
        assert report.shown(".group h2") == ["src/model.py", "n.ipynb", "src/data.py"]


class TestKeyboard:
    def focused(self, page: Page) -> str:
        return str(
            page.evaluate("document.activeElement.querySelector?.('.place')?.textContent ?? document.activeElement.id")
        )

    def test_walks_the_findings_and_opens_the_fix(self, project: Workspace, open_report: Any) -> None:
        page = open_report(EVERYTHING).page
        walked = []
        for key in ("j", "j", "ArrowDown", "k", "ArrowUp", "ArrowUp"):
            page.keyboard.press(key)
            walked.append(self.focused(page))
        assert walked == [ALL[0], ALL[1], ALL[2], ALL[1], ALL[0], ALL[0]]
        page.keyboard.press("j")
        page.keyboard.press("Enter")
        assert page.locator("article.finding .diff").first.is_visible()
        page.keyboard.press("Enter")
        assert not page.locator("article.finding .diff").first.is_visible()

    def test_slash_searches_enter_goes_to_the_first_escape_clears(self, project: Workspace, open_report: Any) -> None:
        report = open_report(EVERYTHING)
        report.search("no-rank", "Showing 1 of 4 findings")
        assert self.focused(report.page) == "search"
        report.page.keyboard.press("Enter")
        assert self.focused(report.page) == ALL[3]
        report.page.keyboard.press("Escape")
        assert report.places() == ALL

    def test_the_focus_can_be_seen(self, project: Workspace, open_report: Any) -> None:
        page = open_report(EVERYTHING).page
        for _ in range(3):
            page.keyboard.press("Tab")
            assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


class TestAdvice:
    @pytest.mark.parametrize("script", [True, False])
    def test_is_folded_with_its_count(self, project: Workspace, open_report: Any, script: bool) -> None:
        report = open_report(java_script_enabled=script)
        assert report.places() == ALL[:3]
        assert report.shown(".fold > summary") == ["1 piece of advice"]
        assert "the target TensorFlow does this by itself" in report.page.locator(".intro").inner_text()
        report.page.click(".fold > summary")
        assert report.places() == ALL

    def test_is_all_that_is_shown_after_a_click(self, project: Workspace, open_report: Any) -> None:
        report = open_report()
        report.page.get_by_role("button", name="1 advice").press("Enter")
        assert report.places() == ALL[3:]
        report.page.keyboard.press("Escape")
        assert report.places() == ALL[:3]

    def test_that_a_search_matches_is_unfolded(self, project: Workspace, open_report: Any) -> None:
        report = open_report()
        report.search("no-rank", "Showing 1 of 4 findings")
        assert report.places() == ALL[3:]

    def test_is_shown_to_whoever_asks_for_its_rule(self, project: Workspace, open_report: Any) -> None:
        report = open_report()
        rules = report.page.locator("[aria-labelledby=by-rule] .facet").all_inner_texts()
        assert [rule.split() for rule in rules][-1] == ["TEST102", "no-rank", "1"]
        report.page.click(".facet:has-text('TEST102')")
        assert report.places() == ALL[3:]

    @pytest.mark.parametrize("script", [True, False])
    def test_that_is_all_there_is_is_shown(self, slow: Workspace, open_report: Any, script: bool) -> None:
        slow.write("train.py", tf("tf.rank(1)"))
        report = open_report(java_script_enabled=script)
        assert report.page.locator("h1").inner_text() == "No errors or warnings, 1 piece of advice in 1 file"
        assert report.places() == ["train.py line 2"]

    def test_that_fails_the_run_is_shown(self, project: Workspace, open_report: Any) -> None:
        report = open_report(EVERYTHING)
        assert report.places() == ALL
        assert "it fails the run" in report.page.locator(".intro").inner_text()


class TestLooks:
    def background(self, page: Page) -> Any:
        red = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/[0-9]+/)[0]")
        return "dark" if int(red) < 128 else "light"

    def test_dark_and_light_follow_the_system_or_the_reader(self, project: Workspace, open_report: Any) -> None:
        for scheme in ("dark", "light"):
            page = open_report(color_scheme=scheme).page
            seen = [self.background(page)]
            for _ in range(3):
                page.click("#theme")
                seen.append(self.background(page))
            assert seen == [scheme, "light", "dark", scheme]

    def test_a_phone_needs_no_sideways_scrolling(self, project: Workspace, open_report: Any) -> None:
        project.write(f"{'very_long_name/' * 8}train.py", tf(f"x = tf.size(1)  # {'long ' * 100}"))
        page = open_report(viewport={"width": 360, "height": 740}).page
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        assert not page.locator(".facet").first.is_visible()
        page.click("text=Rules and files")
        assert page.locator(".facet").first.is_visible()

    @pytest.mark.parametrize("scheme", ["dark", "light"])
    def test_text_has_contrast(self, project: Workspace, open_report: Any, scheme: str) -> None:
        page = open_report(color_scheme=scheme).page
        page.evaluate("document.querySelectorAll('details').forEach((element) => { element.open = true; })")
        assert page.evaluate(CONTRAST) == []

    def test_landmarks_and_labels(self, project: Workspace, open_report: Any) -> None:
        page = open_report().page
        for role in ("banner", "main", "navigation", "search"):
            assert page.get_by_role(role).count() == 1, role
        assert page.get_by_label("Search findings").count() == 1
        assert page.get_by_role("heading", level=1).count() == 1
        assert page.locator("button").evaluate_all("all => all.every((b) => b.textContent.trim() || b.ariaLabel)")


@pytest.fixture
def hostile(slow: Workspace) -> Workspace:
    """A project whose source, path and message all try to be more than text."""
    slow.rule("TEST300", "hostile", "zeros", "ones", message=f"{HOSTILE} `{HOSTILE}` {TURNED}")
    name = "<img src=x onerror=document.title='owned'>" + TURNED + ".py" if sys.platform == "linux" else "train.py"
    comment = HOSTILE + TURNED + "\x0c\x1b"
    slow.write(name, tf(f"# {comment}", f"x = tf.zeros(1), '''{comment}'''", f"# {comment}"))
    slow.write("</script>/broken.py", f"'{comment}' (")
    return slow


class TestSafety:
    def test_nothing_of_a_hostile_file_runs_or_becomes_markup(self, hostile: Workspace, open_report: Any) -> None:
        page = open_report().page
        page.click("text=By rule")
        page.keyboard.press("j")
        page.keyboard.press("Enter")
        page.click("text=By file")
        assert page.title() == "pipelint: 1 finding in 1 file"
        assert page.locator("img").count() == 0
        assert page.locator("script").count() == 1

    def test_it_is_shown_as_it_is_written(self, hostile: Workspace, open_report: Any) -> None:
        finding = open_report().page.locator("article.finding")
        assert HOSTILE in finding.locator("h3").inner_text()
        assert f"'''{HOSTILE}U+202EU+2066U+000CU+001B'''" in finding.locator(".hit").inner_text().replace("\n", "")

    def test_the_page_is_plain_before_any_browser_reads_it(self, hostile: Workspace) -> None:
        text = write_report(hostile).read_text("utf-8")
        parsed = Tags(text)
        assert "img" not in parsed.tags
        assert parsed.tags.count("script") == 1
        assert not [name for name in parsed.attributes if name.startswith("on") or name == "style"]
        assert not re.search("[\u202a-\u202e\u2066-\u2069\u2028\u2029\x0c\x1b]", text)

    def test_the_policy_stops_what_would_slip_through(self, project: Workspace, browser: Browser) -> None:
        path = write_report(project)
        hole = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
        path.write_text(path.read_text("utf-8").replace("<h1>", f"{hole}<h1>"), "utf-8")
        report = Report(browser, path)
        assert report.page.title() == "pipelint: 4 findings in 3 files"
        assert any("Content Security Policy" in complaint for complaint in report.complaints)
        report.page.close()

    def test_a_rule_pack_cannot_link_to_a_script(self, project: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.syspath_prepend(project.root)
        site, scripts = "https://example.org/rules", ("javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x")
        for url in (site, *scripts):
            project.install_rules(url)
            findings = project.check("--output-format=json").json["findings"]
            assert [finding["url"] for finding in findings] == [url] * 4
            text = write_report(project, "--config=editor-url=").read_text("utf-8")
            assert "javascript:" not in text.lower()
            links = re.findall(r"""href\s*=\s*["']?([^"'\s>]*)""", text)
            assert links == ["#findings", *([site] * 4 if url == site else [])]


def test_five_thousand_findings_are_one_page_to_search(slow: Workspace, open_report: Any) -> None:
    for number in range(100):
        slow.write(f"package_{number % 7}/file_{number:03}.py", tf(*["x = tf.size(1)"] * 50))
    report = open_report()
    page = report.page
    assert page.locator("h1").inner_text() == "5000 findings in 100 files"
    assert (slow.root / "report.html").stat().st_size < 12_000_000
    report.search("file_042", "Showing 50 of 5000 findings")
