"""Profiles made by hand, for the tests of the reports."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from pipelint.dynamic.profile import PipelineProfile, Profile, SourceFix, Suggestion
from pipelint.knowledge.consumption import ConsumerKind, Purpose
from pipelint.model.consumer import Consumer
from pipelint.model.cost import Cost, InnerCost, Inside, Measurement, Step, TrialRun
from pipelint.model.definitions import MappedFunction
from pipelint.model.grades import Safety, Severity
from pipelint.model.locations import Place
from pipelint.model.pipeline import Pipeline, Stage

HOSTILE = (
    "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">{{ style }} ${1}"
)
TURNED = "\u202e\u2066\x1b[31m\x00\ud800"
MEASURED = Measurement(
    batches_per_second=24.4,
    spread=0.03,
    step=Step(seconds=0.015, period_seconds=0.041, spread=0.02, waiting_spread=0.04),
    memory_bytes=210 * 2**20,
    cores_used=1.2,
)
FIT = Consumer(ConsumerKind.FIT, Place("train.py", 40), Purpose.TRAINING)


@dataclass(frozen=True)
class Made:
    """A stage, what it costs, and its line of source; inputs are named by their places among the stages."""

    op: str
    line: int
    inputs: tuple[int, ...] = ()
    inner: int | None = None
    share: float | None = 0.0
    function: str | None = None
    path: str = "train.py"
    source: str = ""
    stateful: bool = False
    waits: float = 0.0
    """The part of its time in which it waits."""
    cost: dict[str, Any] = field(default_factory=dict)
    element_bytes: int | None = 602_112

    def stage(self, made: list[Stage]) -> Stage:
        at = Place(self.path, self.line, 9)
        function = MappedFunction(self.function, at, True, stateful=self.stateful) if self.function else None
        seconds = 0.04 * (self.share or 0.0)
        known = {"elements": 32.0, "seconds": seconds, "cpu_seconds": (1 - self.waits) * seconds, **self.cost}
        return Stage(
            self.op,
            at,
            at,
            function=function,
            inputs=tuple(made[number] for number in self.inputs),
            inner=(Pipeline(made[self.inner]),) if self.inner is not None else (),
            cost=Cost(**known) if self.share is not None else None,
            element_bytes=self.element_bytes,
        )


def stage(op: str, line: int, *inputs: int, **more: Any) -> Made:
    """A stage of train.py whose time a batch is `share` of 40 ms; the shares of a pipeline add up to 1, or to 0."""
    return Made(op, line, inputs, **{"source": f".{op}(...)", **more})


def pipeline(*stages: Made, consumer: Consumer = FIT, measured: Measurement = MEASURED, **more: Any) -> PipelineProfile:
    """A training pipeline that `fit` consumes at train.py:40."""
    made: list[Stage] = []
    for each in stages:
        made.append(each.stage(made))
    whole = Pipeline(made[-1], measurement=measured)
    whole.adopt_stages()
    whole.consumed_by(consumer)
    assert list(whole.every_stage) == made, "stages stand in the order in which reports number them"
    known: dict[str, Any] = {
        "bound": "cpu",
        "limit_batches_per_second": 55.0,
        "memory_forecast_bytes": 3 * 2**30,
        "note": measured.note,
        "bottleneck": max(made, key=lambda each: each.share or 0),
        "source_lines": {
            Place("train.py", 12, 19): "image = tf.io.decode_jpeg(data, channels=3)",
            **{one.place: each.source for one, each in zip(made, stages, strict=True)},
        },
    }
    if isinstance(more.get("bottleneck"), int):
        more["bottleneck"] = made[more["bottleneck"]]
    if "suggestions" in more:
        at = more.pop("at", {})
        more["suggestions"] = tuple(
            replace(each, stage=made[at[each.code]] if each.code in at else None) for each in more["suggestions"]
        )
    return PipelineProfile(whole, **{**known, **more})


def profile(*pipelines: PipelineProfile, **more: Any) -> Profile:
    return Profile(**{"target": "train.py", "tensorflow": "2.21.0", "cores": 2, "pipelines": pipelines, **more})


UNPARALLEL = Suggestion(
    code="PIPE201",
    name="unparallelized-map",
    severity=Severity.WARNING,
    message="`map` runs `augment` on one element at a time: it draws random numbers with `tf.image.random_flip_left_right`,"
    " so TensorFlow keeps it sequential",
    place=Place("train.py", 31, 9),
    predicted_speedup=1.9,
    fix=SourceFix("add num_parallel_calls=tf.data.AUTOTUNE", Safety.UNSAFE),
)
UNCACHED = Suggestion(
    code="PIPE306",
    name="uncached-epochs",
    severity=Severity.ADVICE,
    message="the images are decoded again in every epoch; decoded they take 1.4 GiB, which fits into memory",
    place=Place("train.py", 29, 9),
)

VECTORIZABLE = Suggestion(
    code="PIPE104",
    name="vectorizable-map",
    severity=Severity.ADVICE,
    message="a run has shown that `scale` can be given whole batches: after batch, one call does the work of many",
    place=Place("train.py", 29, 9),
    predicted_speedup=4.0,
    trial=TrialRun(3.0, 0.2, 4.0),
)

INSIDE = Inside(
    (
        InnerCost("tf.io.decode_jpeg", 0.61, Place("train.py", 12, 19)),
        InnerCost("tf.image.resize", 0.22, Place("train.py", 14, 22)),
        InnerCost("sharpen", 0.09, Place("train.py", 15, 16), python=True),
        InnerCost("keras.layers.RandomFlip", 0.01),
    )
)
IMAGES = profile(
    pipeline(
        stage("list_files", 20, source='files = tf.data.Dataset.list_files("shards/*.tfrecord")', element_bytes=64),
        stage("TFRecordDataset", 23, share=0.09, waits=0.9, source="return tf.data.TFRecordDataset(path)"),
        stage("map", 24, 1, share=0.04, function="parse", source=".map(parse)"),
        stage(
            "interleave",
            22,
            0,
            inner=2,
            share=0.01,
            function="read",
            cost={"parallelism": 2.0},
            source="images = files.interleave(read, num_parallel_calls=tf.data.AUTOTUNE)",
        ),
        stage(
            "from_tensor_slices",
            26,
            share=0.01,
            element_bytes=8,
            source="labels = tf.data.Dataset.from_tensor_slices(y)",
        ),
        stage(
            "map",
            27,
            4,
            function="one_hot",
            cost={"rewritten": "ParallelMapV2"},
            source="labels = labels.map(one_hot)",
        ),
        stage("zip", 28, 3, 5, source="ds = tf.data.Dataset.zip((images, labels))"),
        stage(
            "map",
            29,
            6,
            share=0.19,
            function="decode",
            cost={"parallelism": 2.0},
            source="ds = ds.map(decode, num_parallel_calls=2)",
        ),
        stage(
            "map",
            31,
            7,
            share=0.63,
            function="augment",
            stateful=True,
            waits=0.02,
            cost={"inside": INSIDE},
            source="ds = ds.map(augment).batch(32)",
        ),
        stage(
            "batch",
            31,
            8,
            share=0.03,
            cost={"elements": 1.0},
            element_bytes=19_267_584,
            source="ds = ds.map(augment).batch(32)",
        ),
        stage(
            "prefetch",
            33,
            9,
            cost={"elements": 1.0, "buffered_bytes": 38_535_168.0},
            element_bytes=19_267_584,
            source="ds = ds.prefetch(tf.data.AUTOTUNE)",
        ),
        suggestions=(UNPARALLEL, UNCACHED),
        at={"PIPE201": 8, "PIPE306": 7},
        remarks=("A cache after `map` at train.py:29 would be legal and takes 1.4 GiB of the 7.6 GiB that are free.",),
        measured=replace(
            MEASURED,
            timeline=tuple((0.5 * number, 24.4 * (1 - 0.9 ** (2 * number)) + number % 3) for number in range(1, 25)),
        ),
    )
)
"""Images from shards, zipped with labels: an interleave with a pipeline inside, and random augmentation."""


def _cached(*shares: float, **more: Any) -> PipelineProfile:
    reader, decoded, cached, batched = shares
    return pipeline(
        stage("TFRecordDataset", 12, share=reader, waits=0.9),
        stage("map", 13, 0, share=decoded, function="decode"),
        stage("cache", 14, 1, share=cached, cost={"buffered_bytes": 1.4 * 2**30}),
        stage("batch", 15, 2, share=batched),
        **more,
    )


CACHED = profile(
    _cached(0.2, 0.7, 0.0, 0.1, measured=replace(MEASURED, epoch="first")),
    _cached(
        *(0.0, 0.0, 0.0, 1.0),
        measured=replace(MEASURED, epoch="later", batches_per_second=212.0, step=Step(0.041, 0.041)),
        limit_batches_per_second=480.0,
        bound="consumer",
    ),
)
"""A cache: its first and its later epochs."""

NOT_BOUND = profile(
    pipeline(
        stage("Dataset.range", 3, share=0.4),
        stage("batch", 4, 0, share=0.6),
        measured=replace(MEASURED, batches_per_second=166.0, spread=0.0, step=Step(0.041, 0.0411)),
        limit_batches_per_second=170.0,
        bound="consumer",
        remarks=("Nothing to speed up: the step does not wait for its input.",),
    )
)

PARTIAL = profile(
    pipeline(
        stage("from_generator", 7, share=None, element_bytes=None),
        stage("batch", 8, 0, share=None, element_bytes=None),
        measured=Measurement(note="only 3 batches came before the dataset ended"),
        limit_batches_per_second=None,
        bound=None,
        memory_forecast_bytes=None,
        bottleneck=None,
    ),
    error="train.py:7: the dataset raised ValueError: no such file: 'a.png'",
)

_EVIL = HOSTILE + TURNED
EVIL = profile(
    pipeline(
        stage(f"from_{_EVIL}", 1, path=f"{_EVIL}.py", source=f"x = '{_EVIL}'"),
        stage(
            "map|`x`|\nmap",
            2,
            0,
            share=0.9,
            path="a|`b`\n@me.py",
            function=_EVIL,
            cost={"rewritten": _EVIL, "inside": Inside((InnerCost(_EVIL, 0.5, Place(f"{_EVIL}.py", 3)),))},
            source=f'"; digraph {{ }} \\ {_EVIL}',
        ),
        consumer=Consumer(ConsumerKind.FIT, Place(_EVIL, 40)),
        measured=replace(
            MEASURED,
            note=_EVIL,
            timeline=((0.5, 3.0), (1.0, float("nan")), (1.5, float("inf")), (2.0, 4.0)),
            spread=float("nan"),
        ),
        bound=_EVIL,
        remarks=(_EVIL, "ask @octocat | about #12"),
        suggestions=(
            replace(
                UNPARALLEL,
                message=f"{_EVIL} `{_EVIL}`",
                place=Place(f"{_EVIL}.py", 31),
                fix=SourceFix(_EVIL, Safety.UNSAFE),
                name=_EVIL,
            ),
        ),
        limit_batches_per_second=float("inf"),
    ),
    target=_EVIL,
    tensorflow=_EVIL,
    error=_EVIL,
)
"""A program whose paths, operations and messages all try to be more than text."""


def long(stages: int = 25) -> Profile:
    """A chain of many stages with long names in a deep folder."""
    folder = "projects/segmentation_experiments/src/input_pipelines/"
    names = ("map", "filter", "shuffle", "padded_batch", "ragged_batch", "bucket_by_sequence_length")
    chain = [
        stage(
            names[number % len(names)],
            number * 4 + 10,
            *([number - 1] if number else []),
            path=f"{folder}train_with_everything.py",
            share=0.7 if number == 20 else 0.3 / (stages - 1),
            function="normalize_and_randomly_crop_with_padding" if number % len(names) == 0 else None,
            source="dataset = dataset.map(normalize_and_randomly_crop_with_padding, num_parallel_calls=tf.data.AUTOTUNE)",
        )
        for number in range(stages)
    ]
    return profile(pipeline(*chain))


EVERY = {
    "images": IMAGES,
    "cached": CACHED,
    "not bound": NOT_BOUND,
    "partial": PARTIAL,
    "evil": EVIL,
    "long": long(),
    "empty": profile(),
}
