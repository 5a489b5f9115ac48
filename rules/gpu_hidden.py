from __future__ import annotations

import re
from collections.abc import Iterator

from pipelint.rule import (
    CHOOSES_DEVICES,
    HIDES_DEVICES,
    NO_DEVICES,
    Call,
    Event,
    Evidence,
    Example,
    Findings,
    Literal,
    Program,
    Rule,
    Severity,
    Switch,
)

from ._devices import is_one_of_several, runs_on_gpu_too
from ._reached_training import leads_to_training

_COMMENT = re.compile(r"#[^\n]*\w")


class GpuHidden(Rule):
    """The program hides all GPUs from TensorFlow and then trains a model.

    ## What it finds
    `os.environ["CUDA_VISIBLE_DEVICES"] = "-1"` (or `""`) and `tf.config.set_visible_devices([], "GPU")`, where the same
    program gets to code that trains a model.

    ## Why it matters
    TensorFlow then runs on the processor alone, and nothing says so: training takes many times as long on a machine
    that has a GPU.

    ## When to ignore it
    When the model is so small that a GPU does not pay, or another program has the GPU: set the variable where the
    program is started, then, not in its source. Advice where a comment stands at the line. Silent under a test, where
    the program also names a GPU (it chooses or compares), where it sets
    `TF_CONFIG` or has a strategy for several workers, which cannot share a card, and where it trains nothing, though modules that it
    imports could.

    ## Fix safety
    No fix: the line may have been written for a reason.

    ## References
    - https://www.tensorflow.org/guide/gpu
    - https://docs.nvidia.com/cuda/cuda-programming-guide/05-appendices/environment-variables.html
    """

    code = "PIPE809"
    name = "gpu-hidden"
    severity = Severity.WARNING
    fix = "none"
    words = (*sorted(HIDES_DEVICES), "set_visible_devices")
    examples = (
        Example(
            "by the environment",
            """
            import os
            os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
            import tensorflow as tf

            model = tf.keras.applications.ResNet50(weights=None)
            model.compile("adam", "categorical_crossentropy")
            model.fit(images, labels)
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "by a call, with a word about it",
            """
            import tensorflow as tf
            tf.config.set_visible_devices([], "GPU")  # the card is busy
            model = tf.keras.models.load_model("model.keras")
            model.fit(images, labels)
            """,
            severity=Severity.ADVICE,
        ),
        Example(
            "where the user asks for it",
            """
            import os
            import tensorflow as tf
            if args.cpu:
                os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
            model = tf.keras.models.load_model("model.keras")
            model.fit(images, labels)
            """,
            silent=True,
        ),
        Example(
            "nothing is trained",
            """
            import os
            os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
            import tensorflow as tf
            tf.keras.models.load_model("model.keras").export("exported")
            """,
            silent=True,
        ),
    )
    evidence = Evidence(source="https://www.tensorflow.org/guide/gpu")

    def check(self, program: Program) -> Findings:
        for event, how in _hidings(program):
            near = program.near(event.region)
            if not leads_to_training(near, event) or runs_on_gpu_too(near, event) or is_one_of_several(near):
                continue
            yield self.finding(
                event.region,
                f"{how} hides every GPU, so that this program trains on the processor alone",
                severity=Severity.ADVICE if _has_comment(program, event) else Severity.WARNING,
            )


def _hidings(program: Program) -> Iterator[tuple[Event, str]]:
    """What leaves TensorFlow no GPU wherever the program runs, in the words of the user."""
    for event in program.events:
        match event:
            case _ if event.guards or event.doubtful or (event.function is not None and event.function.unused):
                continue
            case Switch(attribute=name, value=Literal(value=value, assumed=False, passed=False)) if (
                name in HIDES_DEVICES and value in NO_DEVICES
            ):
                yield event, f'{name}="{value}"'
            case Call() if event.symbol in CHOOSES_DEVICES:
                given = [argument.value for argument in event.arguments]
                if given == [Literal(()), Literal("GPU")]:
                    yield event, "set_visible_devices"


def _has_comment(program: Program, event: Event) -> bool:
    """Whether a comment stands behind the line of an event, or as a line of its own before it."""
    module = program.module_at(event.region)
    start = event.region.start - module.start
    line = module.text[start:].partition("\n")[0]
    before = module.text[:start].rpartition("\n")[0].rpartition("\n")[2]
    return bool(_COMMENT.search(line)) or before.lstrip().startswith("#")
