"""Profiles made by hand, for the tests of the reports."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pipelint.dynamic.profile import PipelineProfile, Profile, StageProfile, StepProfile, Suggestion
from pipelint.model.grades import Severity

HOSTILE = (
    "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">{{ style }} ${1}"
)
TURNED = "\u202e\u2066\x1b[31m\x00\ud800"


def stage(number: int, op: str, line: int, *inputs: int, share: float | None = 0.0, **more: Any) -> StageProfile:
    """A stage of train.py whose time a batch is `share` of 40 ms."""
    values: dict[str, Any] = {
        "path": "train.py",
        "column": 9,
        "nested_in": None,
        "elements": 32.0,
        "seconds_per_batch": None if share is None else share * 0.04,
        "parallelism": 1.0,
        "bytes_per_element": 602_112.0,
        "stateful": False,
        "bound": "cpu" if share and share > 0.05 else None,
        "rewritten_by_tensorflow": None,
        "source": f".{op}(...)",
    }
    return StageProfile(id=number, op=op, line=line, inputs=inputs, share=share, **{**values, **more})


def pipeline(*stages: StageProfile, **more: Any) -> PipelineProfile:
    """A training pipeline that `fit` consumes at train.py:40."""
    values: dict[str, Any] = {
        "consumer": "fit",
        "role": "training",
        "path": "train.py",
        "line": 40,
        "epoch": None,
        "batches_per_second": 24.4,
        "spread": 0.03,
        "input_bound": 0.63,
        "step": StepProfile(seconds=0.015, period_seconds=0.041),
        "bound": "cpu",
        "limit_batches_per_second": 55.0,
        "memory_bytes": 210 * 2**20,
        "memory_forecast_bytes": 3 * 2**30,
        "bottleneck": max(stages, key=lambda each: each.share or 0).id if stages else None,
        "suggestions": (),
        "cores_used": 1.2,
    }
    return PipelineProfile(stages=stages, **{**values, **more})


def profile(*pipelines: PipelineProfile, **more: Any) -> Profile:
    return Profile(**{"target": "train.py", "tensorflow": "2.21.0", "cores": 2, "pipelines": pipelines, **more})


UNPARALLEL = Suggestion(
    code="PIPE201",
    name="unparallelized-map",
    severity=Severity.WARNING,
    message="`map` runs `augment` on one element at a time: it draws random numbers with `tf.image.random_flip_left_right`,"
    " so TensorFlow keeps it sequential",
    path="train.py",
    line=31,
    column=9,
    stage=8,
    predicted_speedup=1.9,
    fix="add num_parallel_calls=tf.data.AUTOTUNE",
    unsafe=True,
)
UNCACHED = Suggestion(
    code="PIPE306",
    name="uncached-epochs",
    severity=Severity.ADVICE,
    message="the images are decoded again in every epoch; decoded they take 1.4 GiB, which fits into memory",
    path="train.py",
    line=29,
    column=9,
    stage=7,
    predicted_speedup=None,
)

IMAGES = profile(
    pipeline(
        stage(
            0,
            "list_files",
            20,
            source='files = tf.data.Dataset.list_files("shards/*.tfrecord")',
            bytes_per_element=64.0,
        ),
        stage(
            1, "TFRecordDataset", 23, nested_in=3, share=0.09, bound="io", source="return tf.data.TFRecordDataset(path)"
        ),
        stage(2, "map", 24, 1, nested_in=3, share=0.04, function="`parse`", source=".map(parse)"),
        stage(
            3,
            "interleave",
            22,
            0,
            2,
            share=0.01,
            function="`read`",
            parallelism=2.0,
            source="images = files.interleave(read, num_parallel_calls=tf.data.AUTOTUNE)",
        ),
        stage(
            4, "from_tensor_slices", 26, bytes_per_element=8.0, source="labels = tf.data.Dataset.from_tensor_slices(y)"
        ),
        stage(
            5,
            "map",
            27,
            4,
            function="`one_hot`",
            rewritten_by_tensorflow="ParallelMapV2",
            source="labels = labels.map(one_hot)",
        ),
        stage(6, "zip", 28, 3, 5, source="ds = tf.data.Dataset.zip((images, labels))"),
        stage(
            7,
            "map",
            29,
            6,
            share=0.19,
            function="`decode`",
            parallelism=2.0,
            source="ds = ds.map(decode, num_parallel_calls=2)",
        ),
        stage(
            8,
            "map",
            31,
            7,
            share=0.63,
            function="`augment`",
            stateful=True,
            rate=39.7,
            cpu_share=0.98,
            source="ds = ds.map(augment).batch(32)",
        ),
        stage(
            9,
            "batch",
            31,
            8,
            share=0.03,
            elements=1.0,
            bytes_per_element=19_267_584.0,
            source="ds = ds.map(augment).batch(32)",
        ),
        stage(
            10,
            "prefetch",
            33,
            9,
            elements=1.0,
            bytes_per_element=19_267_584.0,
            buffered_bytes=38_535_168.0,
            source="ds = ds.prefetch(tf.data.AUTOTUNE)",
        ),
        suggestions=(UNPARALLEL, UNCACHED),
        remarks=("A cache behind `map` at train.py:29 would be legal and takes 1.4 GiB of the 7.6 GiB that are free.",),
        timeline=tuple((0.5 * number, 24.4 * (1 - 0.9 ** (2 * number)) + number % 3) for number in range(1, 25)),
    )
)
"""Images from shards, zipped with labels: an interleave with a pipeline inside, and random augmentation."""

_CACHED = (
    stage(0, "TFRecordDataset", 12, share=0.2, bound="io"),
    stage(1, "map", 13, 0, share=0.7, function="`decode`"),
    stage(2, "cache", 14, 1, share=0.0, buffered_bytes=1.4 * 2**30),
    stage(3, "batch", 15, 2, share=0.1),
)
CACHED = profile(
    pipeline(*_CACHED, epoch="first"),
    pipeline(
        *(replace(each, share=(1.0 if each.id == 3 else 0.0)) for each in _CACHED),
        epoch="later",
        batches_per_second=212.0,
        limit_batches_per_second=480.0,
        input_bound=0.0,
        step=StepProfile(seconds=0.041, period_seconds=0.041),
        bound="consumer",
        bottleneck=3,
    ),
)
"""A cache: its first and its later epochs."""

NOT_BOUND = profile(
    pipeline(
        stage(0, "Dataset.range", 3, share=0.4),
        stage(1, "batch", 4, 0, share=0.6),
        batches_per_second=166.0,
        limit_batches_per_second=170.0,
        spread=0.0,
        input_bound=0.01,
        step=StepProfile(seconds=0.041, period_seconds=0.0411),
        bound="consumer",
        remarks=("Nothing to speed up: the step does not wait for its input.",),
    )
)

PARTIAL = profile(
    pipeline(
        stage(0, "from_generator", 7, share=None, elements=None, bytes_per_element=None, parallelism=None),
        stage(1, "batch", 8, 0, share=None, elements=None, bytes_per_element=None, parallelism=None),
        batches_per_second=None,
        limit_batches_per_second=None,
        spread=0.0,
        input_bound=None,
        step=None,
        bound=None,
        memory_bytes=None,
        memory_forecast_bytes=None,
        cores_used=None,
        bottleneck=None,
        note="only 3 batches came before the dataset ended",
    ),
    error="train.py:7: the dataset raised ValueError: no such file: 'a.png'",
)

_EVIL = HOSTILE + TURNED
EVIL = profile(
    pipeline(
        stage(0, f"from_{_EVIL}", 1, path=f"{_EVIL}.py", source=f"x = '{_EVIL}'"),
        stage(
            1,
            "map|`x`|\nmap",
            2,
            0,
            share=0.9,
            path="a|`b`\n@me.py",
            function=f"`{_EVIL}`",
            bound=_EVIL,
            rewritten_by_tensorflow=_EVIL,
            source=f'"; digraph {{ }} \\ {_EVIL}',
        ),
        consumer=_EVIL,
        role=_EVIL,
        path=_EVIL,
        bound=_EVIL,
        note=_EVIL,
        remarks=(_EVIL, "ask @octocat | about #12"),
        suggestions=(replace(UNPARALLEL, message=f"{_EVIL} `{_EVIL}`", path=f"{_EVIL}.py", fix=_EVIL, name=_EVIL),),
        timeline=((0.5, 3.0), (1.0, float("nan")), (1.5, float("inf")), (2.0, 4.0)),
        spread=float("nan"),
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
            number,
            names[number % len(names)],
            number * 4 + 10,
            *([number - 1] if number else []),
            path=f"{folder}train_with_everything.py",
            share=0.7 if number == 20 else 0.3 / (stages - 1),
            function="`normalize_and_randomly_crop_with_padding`" if number % len(names) == 0 else "",
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
