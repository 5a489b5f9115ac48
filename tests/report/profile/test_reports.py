"""A profile as text, JSON, Markdown and pictures, from profiles made by hand."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import jsonschema  # type: ignore[import-untyped]
import pytest
from markdown_it import MarkdownIt

from pipelint.dynamic.profile import Delay, FirstBatch, PipelineProfile, Profile, Scaling, Service, Suggestion
from pipelint.model.cost import Inside, Step, TrialRun
from pipelint.model.grades import Severity
from pipelint.model.locations import NOWHERE
from pipelint.project.setting_keys import OUTPUT_FORMATS
from pipelint.report.profile import graph as profile_graph
from pipelint.report.profile import html as profile_html
from pipelint.report.profile import json as profile_json
from pipelint.report.profile import markdown as profile_markdown
from pipelint.report.profile import sentences
from pipelint.report.profile import text as profile_text
from tests.profiles import (
    CACHED,
    EVERY,
    IMAGES,
    MEASURED,
    NOT_BOUND,
    PARTIAL,
    UNPARALLEL,
    VECTORIZABLE,
    long,
    pipeline,
    profile,
    stage,
)

EVERY_PROFILE = pytest.mark.parametrize("shown", EVERY.values(), ids=EVERY)
STEERING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def line_of(text: str, word: str) -> str:
    return next(line for line in text.splitlines() if word in line)


class TestText:
    def test_the_headline_tells_what_it_delivers_and_who_waits(self) -> None:
        text = profile_text.render(IMAGES)
        assert text.splitlines()[:5] == [
            "train.py · TensorFlow 2.21.0 · 2 cores",
            "",
            "fit at train.py:40, training",
            "  24 batches/s ± 3% by itself; limit of this machine about 55 batches/s (2.3x)",
            "  input-bound 63% (59% to 67%): a batch every 41 ms ± 2%, of which the step takes 15 ms and the",
        ]

    def test_a_step_that_does_not_wait_is_told_so(self) -> None:
        text = profile_text.render(NOT_BOUND)
        assert "not input-bound: a batch every 41 ms; the pipeline alone delivers in 6 ms" in text
        assert "- Nothing to speed up: the step does not wait for its input." in text

    def test_the_tree_follows_the_elements_and_sets_in_what_joins(self) -> None:
        text = profile_text.render(IMAGES)
        assert [line[2:25].rstrip() for line in text.splitlines() if re.search(r"train\.py:\d+ .*%", line)] == [
            "┌─ list_files",
            "│  ├╌ TFRecordDataset",
            "│  ┆  map(parse)",
            "│  interleave(read)",
            "├─ from_tensor_slices",
            "│  map(one_hot)",
            "zip",
            "map(decode)",
            "map(augment)",
            "batch",
            "prefetch",
        ]

    def test_a_stage_has_its_place_and_its_figures_in_columns(self) -> None:
        text = profile_text.render(IMAGES)
        assert line_of(text, "stage ").split() == ["stage", "place", "share", "time", "calls", "element", "bound"]
        assert line_of(text, "map(decode)").split() == [
            "map(decode)", "train.py:29", "█▉", "19%", "7.6", "ms", "x2", "588", "KiB", "cpu",
        ]  # fmt: skip
        ends = {line.index("%") for line in text.splitlines() if re.search(r"train\.py:\d+ .*%", line)}
        assert len(ends) == 1, "the shares stand below each other"

    def test_the_bottleneck_is_marked_without_colour(self) -> None:
        marked = [line for line in profile_text.render(IMAGES).splitlines() if line.startswith("▶ ")]
        assert marked == [line_of(profile_text.render(IMAGES), "map(augment)")]
        assert "    the bottleneck" in profile_text.render(IMAGES).splitlines()

    def test_what_tensorflow_rewrote_stands_below_the_stage(self) -> None:
        lines = profile_text.render(IMAGES).splitlines()
        at = next(number for number, line in enumerate(lines) if "map(one_hot)" in line)
        assert lines[at + 1] == "  │    TensorFlow runs it as ParallelMapV2"

    def test_what_costs_inside_a_function_stands_below_its_stage(self) -> None:
        lines = profile_text.render(IMAGES).splitlines()
        at = lines.index("    the bottleneck")
        assert " ".join(line.strip() for line in lines[at + 1 : at + 3]) == (
            "inside augment: tf.io.decode_jpeg 61% (train.py:12) · tf.image.resize 22% (train.py:14) · "
            "Python function sharpen 9% (train.py:15) · between operations 7%"
        )

    def test_what_could_not_be_told_of_a_function_says_why(self) -> None:
        untold = {"inside": Inside(untold="an element takes 3 s to make")}
        text = profile_text.render(profile(pipeline(stage("map", 1, function="augment", cost=untold))))
        assert "inside augment: not told, since an element takes 3 s to make" in text

    def test_a_small_share_says_how_much_it_may_be_at_most(self) -> None:
        wide = replace(MEASURED, step=Step(0.040, 0.041, spread=0.1, waiting_spread=0.1))
        text = " ".join(profile_text.render(profile(pipeline(stage("map", 1), measured=wide))).split())
        assert "not input-bound, or by 12% at most: a batch every 41 ms" in text

    def test_a_share_that_is_hardly_known_is_no_figure(self) -> None:
        unsure = replace(MEASURED, step=Step(0.029, 0.041, spread=0.1, waiting_spread=0.47))
        text = " ".join(profile_text.render(profile(pipeline(stage("map", 1), measured=unsure))).split())
        assert "not settled whether it is input-bound: the input costs between 0% and 76% of the time" in text

    def test_the_gain_of_training_stands_beside_that_of_the_pipeline(self) -> None:
        made = Suggestion("PIPE502", "single-worker-pydataset", Severity.WARNING, "", predicted_speedup=2.0)
        assert sentences.gain(replace(made, training_speedup=1.1)) == "training about 1.1x (pipeline 2x)"
        assert sentences.gain(replace(made, training_speedup=1.01)) == "training hardly faster (pipeline 2x)"
        assert sentences.gain(replace(made, training_speedup=2.0)) == "training about 2x"
        tried = replace(made, training_speedup=1.5, trial=TrialRun(3.0, 0.5))
        assert sentences.gain(tried) == "training about 1.5x (pipeline measured 3x (2 to 4.5x))"

    def test_suggestions_have_their_rule_place_gain_and_repair(self) -> None:
        text = profile_text.render(IMAGES)
        assert "\n1. PIPE201 unparallelized-map  train.py:31:9  about 1.9x\n   `map` runs `augment`" in text
        assert "\n   `pipelint check --fix --unsafe-fixes train.py`: add num_parallel_calls=tf.data.AUTOTUNE\n" in text
        assert "\n2. PIPE306 uncached-epochs  train.py:29:9\n" in text

    def test_what_was_tried_has_its_interval(self) -> None:
        text = profile_text.render(profile(replace(pipeline(stage("map", 29)), suggestions=(VECTORIZABLE,))))
        assert "\n1. PIPE104 vectorizable-map  train.py:29:9  measured 3x (2.5 to 3.6x)\n" in text

    def test_first_and_later_epochs_stand_apart(self) -> None:
        text = profile_text.render(CACHED)
        assert "fit at train.py:40, training, first epoch\n" in text
        assert "fit at train.py:40, training, later epochs\n" in text

    def test_a_partial_result_says_what_is_missing(self) -> None:
        text = profile_text.render(PARTIAL)
        assert "note: only 3 batches came before the dataset ended" in text
        assert text.endswith("error: train.py:7: the dataset raised ValueError: no such file: 'a.png'\n")

    def test_a_stage_that_two_take_is_shown_once(self) -> None:
        shared = pipeline(stage("range", 1), stage("map", 2, 0), stage("skip", 3, 0), stage("zip", 4, 1, 2))
        rows = [line.split()[:3] for line in profile_text.render(profile(shared)).splitlines() if "range" in line]
        assert rows == [["▶", "┌─", "range"], ["├─", "range", "see"]]

    @pytest.mark.parametrize("shown", [IMAGES, CACHED, NOT_BOUND, PARTIAL, long(), profile()])
    @pytest.mark.parametrize("width", [None, 60, 80, 140])
    def test_it_fits(self, shown: Profile, width: int | None) -> None:
        lines = profile_text.render(shown, width=width).splitlines()
        assert max(map(len, lines)) <= (width or 100)

    def test_colour_adds_nothing_but_colour(self) -> None:
        colored = profile_text.render(IMAGES, color=True)
        assert "\x1b[31m" in colored
        assert re.sub("\x1b\\[[0-9;]*m", "", colored) == profile_text.render(IMAGES)

    @pytest.mark.parametrize(
        ("seconds", "shown"),
        [(0.0, "0"), (2e-7, "<1 µs"), (3.4e-4, "340 µs"), (0.012, "12 ms"), (0.9999, "1 s"), (1.52, "1.5 s")],
    )
    def test_durations_are_for_people(self, seconds: float, shown: str) -> None:
        row = line_of(profile_text.render(profile(pipeline(stage("map", 1, cost={"seconds": seconds})))), "map")
        assert row.split("0%")[1].strip().startswith(shown)


NUMBER: dict[str, Any] = {"type": ["number", "null"]}
TEXT = {"type": "string"}
MAYBE_TEXT = {"type": ["string", "null"]}
MAYBE_INTEGER = {"type": ["integer", "null"]}


def an_object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def a_list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


BOUND = {"enum": ["cpu", "io", "python", None]}
STAGE = an_object(
    id={"type": "integer"}, op=TEXT, path=MAYBE_TEXT, line=MAYBE_INTEGER, column=MAYBE_INTEGER,
    inputs=a_list({"type": "integer"}), elements=NUMBER, seconds_per_batch=NUMBER, share=NUMBER, parallelism=NUMBER,
    bytes_per_element=NUMBER, stateful={"type": "boolean"}, bound=BOUND, rewritten_by_tensorflow=MAYBE_TEXT,
)  # fmt: skip
SUGGESTION = an_object(code=TEXT, message=TEXT, path=MAYBE_TEXT, line=MAYBE_INTEGER, predicted_speedup=NUMBER)
PIPELINE = an_object(
    consumer=TEXT, batches_per_second=NUMBER, input_bound={**NUMBER, "minimum": 0, "maximum": 1},
    bound={"enum": ["cpu", "io", "python", "memory", "consumer", None]}, limit=an_object(batches_per_second=NUMBER),
    epoch={"enum": ["first", "later", None]}, memory_bytes=MAYBE_INTEGER, stages=a_list(STAGE),
    bottleneck=MAYBE_INTEGER, suggestions=a_list(SUGGESTION),
)  # fmt: skip
SCHEMA = an_object(
    version={"const": 1}, target=TEXT, tensorflow=TEXT, cores={"type": "integer"}, error=MAYBE_TEXT,
    pipelines=a_list(PIPELINE),
)  # fmt: skip


class TestJson:
    @pytest.mark.parametrize("shown", [IMAGES, CACHED, NOT_BOUND, PARTIAL, long(), profile()])
    def test_it_has_the_documented_shape(self, shown: Profile) -> None:
        jsonschema.validate(json.loads(profile_json.render(shown)), SCHEMA)

    def test_the_documented_keys_come_first(self) -> None:
        [found] = json.loads(profile_json.render(IMAGES))["pipelines"]
        assert list(found)[: len(PIPELINE["required"])] == PIPELINE["required"]
        assert list(found["stages"][0])[: len(STAGE["required"])] == STAGE["required"]
        assert list(found["suggestions"][0])[: len(SUGGESTION["required"])] == SUGGESTION["required"]

    def test_it_tells_the_rest_too(self) -> None:
        [found] = json.loads(profile_json.render(IMAGES))["pipelines"]
        assert (found["role"], found["path"], found["line"], found["spread"]) == ("training", "train.py", 40, 0.03)
        assert (found["step_seconds"], found["memory_forecast_bytes"]) == (0.015, 3 * 2**30)
        assert found["stages"][1]["nested_in"] == 3
        assert found["suggestions"][0]["fix"] == {
            "safety": "unsafe",
            "title": "add num_parallel_calls=tf.data.AUTOTUNE",
        }
        assert found["suggestions"][0]["measured"] is None

    def test_what_was_tried_has_its_interval_beside_the_prediction(self) -> None:
        shown = profile(replace(pipeline(stage("map", 29)), suggestions=(VECTORIZABLE,)))
        [suggestion] = json.loads(profile_json.render(shown))["pipelines"][0]["suggestions"]
        assert suggestion["predicted_speedup"] == 4.0
        assert suggestion["measured"] == pytest.approx({"speedup": 3.0, "low": 2.5, "high": 3.6})

    def test_it_tells_what_costs_inside_a_function(self) -> None:
        [found] = json.loads(profile_json.render(IMAGES))["pipelines"]
        assert [stage["inside"] for stage in found["stages"] if stage["function"] != "`augment`"] == [None] * 10
        [inside] = [stage["inside"] for stage in found["stages"] if stage["inside"] is not None]
        assert inside["note"] == ""
        assert inside["between"] == pytest.approx(0.07)
        assert inside["calls"][0] == {
            "name": "tf.io.decode_jpeg",
            "python": False,
            "path": "train.py",
            "line": 12,
            "column": 19,
            "cell": None,
            "source": "image = tf.io.decode_jpeg(data, channels=3)",
            "share": 0.61,
            "seconds_per_batch": pytest.approx(0.61 * 0.63 * 0.04),
        }
        assert [(call["name"], call["python"]) for call in inside["calls"]][2:] == [
            ("sharpen", True),
            ("keras.layers.RandomFlip", False),
        ]

    @EVERY_PROFILE
    def test_any_reader_can_read_it(self, shown: Profile) -> None:
        def refuse(name: str) -> None:
            raise AssertionError(name)

        text = profile_json.render(shown)
        assert text.isascii()
        assert json.loads(text, parse_constant=refuse)["version"] == 1


class TestMarkdown:
    def test_the_verdict_the_stages_and_what_to_do(self) -> None:
        text = profile_markdown.render(IMAGES)
        assert text.startswith("### pipelint profile of `train.py`\n\nTensorFlow 2.21.0, 2 cores\n")
        assert "- **24 batches/s ± 3% by itself; limit of this machine about 55 batches/s (2.3x)**\n" in text
        assert "| `map(decode)` | `train.py:29` | 19% | 7.6 ms | cpu |\n" in text
        assert "| **`map(augment)`** ⬅ bottleneck | **`train.py:31`** | **63%** | **25 ms** | **cpu** |\n" in text
        assert "\n1. 🟡 **PIPE201** unparallelized-map `train.py:31`, **about 1.9x**: `map` runs `augment`" in text
        assert "`pipelint check --fix --unsafe-fixes train.py`: add num_parallel_calls=tf.data.AUTOTUNE." in text

    def test_what_costs_inside_a_function_stands_below_the_stages(self) -> None:
        assert (
            "\n- inside augment: `tf.io.decode_jpeg` 61% `train.py:12` · `tf.image.resize` 22% `train.py:14` · "
            "`Python function sharpen` 9% `train.py:15` · between operations 7%\n" in profile_markdown.render(IMAGES)
        )

    def test_the_other_figures_are_folded(self) -> None:
        folded = profile_markdown.render(IMAGES).split("<details>")[1]
        assert "TensorFlow runs it as" in folded
        assert "ParallelMapV2" in folded

    @EVERY_PROFILE
    def test_nothing_of_the_program_becomes_markup(self, shown: Profile) -> None:
        text = profile_markdown.render(shown)
        html = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
        allowed = "details|summary|code|span|h3|h4|p|ul|ol|li|strong|table|thead|tbody|tr|th|td"
        assert set(re.findall(r"</?([a-z0-9]+)", html)) <= set(allowed.split("|"))
        assert "@octocat" not in text
        assert not STEERING.search(text)

    @EVERY_PROFILE
    def test_every_row_has_as_many_cells_as_its_table(self, shown: Profile) -> None:
        for table in re.findall(r"(?:^\|.*\n)+", profile_markdown.render(shown), re.MULTILINE):
            assert len({row.count("|") for row in table.splitlines()}) == 1

    def test_it_fits_into_a_comment(self) -> None:
        [many] = long(2000).pipelines
        noisy = replace(many, suggestions=(UNPARALLEL,) * 500, remarks=("a remark | " * 100,) * 100)
        text = profile_markdown.render(profile(noisy, noisy, many, many))
        assert len(text.encode("utf-16-le")) // 2 + text.count("\n") < 65_000
        assert "cheaper stages |" in text
        assert "map(normalize_and_randomly_crop_with_padding)" in text


def told(profile: PipelineProfile, **outlook: Any) -> str:
    """What the lines behind the headline say, on one line."""
    text = profile_text.render(Profile("train.py", "2.21.0", 2, pipelines=(replace(profile, **outlook),)))
    return " ".join(text.split())


class TestOutlook:
    [PIPELINE] = IMAGES.pipelines
    DECODE, AUGMENT = (
        each for each in PIPELINE.stages if each.function and each.function.name in ("decode", "augment")
    )
    FILL = Delay(DECODE, 2.0, 4_000)

    def test_the_first_batch_of_each_epoch_with_its_cause_and_its_part_of_the_epoch(self) -> None:
        first = FirstBatch(2.2, 2.1, 0.08, delay=self.FILL, epoch_batches=1_200, epoch_seconds=30.0)
        text = told(self.PIPELINE, first_batch=first)
        assert "first batch of each epoch after 2.2 s ± 8%, about 2 s to fill the shuffle buffer at train.py:29" in text
        assert "(4,000 elements at 500 µs); that is 7% of an epoch of 1,200 batches (30 s)" in text

    def test_a_first_epoch_that_begins_later_than_others(self) -> None:
        assert "first batch after 2 s, in later epochs after 500 ms" in told(
            self.PIPELINE, first_batch=FirstBatch(2.0, 0.5)
        )

    def test_what_was_not_waited_for_is_called_predicted(self) -> None:
        first = FirstBatch(90.0, predicted=True, delay=Delay(self.DECODE, 80.0))
        text = told(self.PIPELINE, first_batch=first)
        assert "first batch after about 90 s (predicted), about 80 s until the map at train.py:29 has begun" in text

    def test_twice_the_cores_and_a_service(self) -> None:
        more = Scaling(4, 48.8, "cpu", self.AUGMENT, Service(2, 66.0, 400 * 2**20))
        text = told(self.PIPELINE, scaling=more)
        assert "twice the cores would give about 49 batches/s (2x)" in text
        assert "a tf.data service of 2 workers like this machine at its limit would give the step 66 batches/s" in text
        assert "400 MiB/s to send" in text

    @pytest.mark.parametrize(
        ("resource", "why"),
        [
            ("thread", "the map at train.py:31 makes its calls in no more threads than now"),
            ("lock", "the map at train.py:31 holds Python's interpreter lock"),
            ("pool", "the threads for mapped functions are set in the options"),
        ],
    )
    def test_why_more_cores_give_no_more(self, resource: str, why: str) -> None:
        text = told(self.PIPELINE, scaling=Scaling(4, 24.4, resource, self.AUGMENT))
        assert f"twice the cores would give no more: {why}" in text

    def test_a_stage_that_was_typed_in_has_no_place(self) -> None:
        text = told(self.PIPELINE, scaling=Scaling(4, 24.4, "thread", replace(self.AUGMENT, name=NOWHERE)))
        assert "the map makes its calls in no more threads than now" in text

    def test_why_a_service_gives_no_more(self) -> None:
        here = Scaling(4, 24.4, "lock", self.AUGMENT, Service(only_here=self.AUGMENT))
        assert "workers cannot run the Python code of the map at train.py:31" in told(self.PIPELINE, scaling=here)
        sent = replace(here, service=Service())
        assert "a tf.data service would give no more" in told(self.PIPELINE, scaling=sent)

    def test_every_format_tells_it(self) -> None:
        first = FirstBatch(2.2, 2.1, 0.08, delay=self.FILL, epoch_batches=1_200, epoch_seconds=30.0)
        outlook = replace(
            self.PIPELINE, first_batch=first, scaling=Scaling(4, 48.8, "cpu", self.AUGMENT, Service(2, 66.0))
        )
        shown = Profile("train.py", "2.21.0", 2, pipelines=(outlook,))
        for render in (profile_text.render, profile_markdown.render, profile_html.render):
            assert "first batch" in render(shown)
            assert "tf.data service of 2 workers" in " ".join(render(shown).split())
        [found] = json.loads(profile_json.render(shown))["pipelines"]
        assert found["first_batch"]["delay"] == {
            "stage": outlook.number(self.DECODE),
            "seconds": 2.0,
            "elements": 4_000,
        }
        assert found["first_batch"]["share_of_epoch"] == pytest.approx(0.07)
        assert (found["scaling"]["cores"], found["scaling"]["service"]["workers"]) == (4, 2)


SVG = "{http://www.w3.org/2000/svg}"


class TestPictures:
    @EVERY_PROFILE
    def test_the_svg_stands_by_itself(self, shown: Profile) -> None:
        text = profile_graph.svg(shown)
        tree = ElementTree.fromstring(text)
        assert {element.tag.removeprefix(SVG) for element in tree.iter()} <= {
            "svg", "title", "style", "g", "rect", "text", "path",
        }  # fmt: skip
        assert "url(" not in text
        assert "@import" not in text

    def test_a_node_tells_its_figures_as_a_tooltip(self) -> None:
        tree = ElementTree.fromstring(profile_graph.svg(IMAGES))
        [node] = [each for each in tree.iter(f"{SVG}g") if "bottleneck" in each.get("class", "")]
        title = node.findtext(f"{SVG}title") or ""
        assert title.splitlines()[:4] == ["map(augment)", "the bottleneck", "train.py:31", "Share of the cost: 63%"]

    def test_what_costs_more_is_warmer_and_has_a_longer_bar(self) -> None:
        tree = ElementTree.fromstring(profile_graph.svg(IMAGES))
        heat = [float(each.get("fill-opacity", 0)) for each in tree.iter() if each.get("class") == "heat"]
        bars = [float(each.get("width", 0)) for each in tree.iter() if each.get("class") == "bar"]
        assert heat.index(max(heat)) == bars.index(max(bars))

    @EVERY_PROFILE
    def test_boxes_do_not_overlap(self, shown: Profile) -> None:
        for group in ElementTree.fromstring(profile_graph.svg(shown)).iter(f"{SVG}g"):
            boxes = [each.find(f"{SVG}rect") for each in group if "node" in each.get("class", "")]
            sides = [
                [float(box.get(side, 0)) for side in ("x", "y", "width", "height")] for box in boxes if box is not None
            ]
            for number, (x, y, width, height) in enumerate(sides):
                for left, top, _, _ in sides[:number]:
                    assert abs(left - x) >= width or abs(top - y) >= height - 25

    def test_a_chain_of_thousands_is_drawn(self) -> None:
        assert profile_graph.svg(long(3000)).count('class="edge"') == 3000
        assert len(profile_text.render(long(3000)).splitlines()) > 3000

    @EVERY_PROFILE
    def test_the_dot_is_valid(self, shown: Profile) -> None:
        text = profile_graph.dot(shown)
        bare = re.sub(r'"(?:[^"\\\n]|\\.)*"', "STRING", text)
        assert '"' not in bare
        assert bare.count("{") == bare.count("}")
        attribute = r"\w+=(?:STRING|[\w.]+)"
        statement = (
            rf"\w+ \[{attribute}(?:, {attribute})*\];|\w+ -> \w+;|{attribute};(?: {attribute};)?|subgraph \w+ {{|}}"
        )
        for line in bare.splitlines()[1:]:
            assert re.fullmatch(statement, line.strip()), line

    def test_the_dot_has_the_edges_clusters_and_weights(self) -> None:
        text = profile_graph.dot(IMAGES)
        assert "p0_s7 -> p0_s8;" in text
        assert "subgraph cluster_p0_s3 {" in text
        assert 'label="map(augment)\\ntrain.py:31\\n63%, 25 ms\\nbottleneck"' in text
        widths = {name: float(width) for name, width in re.findall(r"p0_(s\d+) \[.*penwidth=([\d.]+)\]", text)}
        assert sorted(widths, key=lambda name: -widths[name])[:3] == ["s8", "s7", "s1"]


def test_what_shows_profiles_is_no_format_of_a_check() -> None:
    assert not [name for name in OUTPUT_FORMATS if "profile" in name]


@EVERY_PROFILE
def test_no_text_steers_a_terminal(shown: Profile) -> None:
    for text in (profile_text.render(shown), profile_graph.svg(shown), profile_graph.dot(shown)):
        assert not STEERING.search(text)
