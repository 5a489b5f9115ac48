from __future__ import annotations

from pipelint.rule import (
    BATCHING,
    RETURNS_DATASETS,
    SHUFFLES,
    Example,
    Findings,
    Pipeline,
    Program,
    Purpose,
    Rule,
    Severity,
    Stage,
)

from ._batching import BatchSize, batch_sizes
from ._in_memory import comes_from_memory
from ._little_data import elements_of
from ._order_of_examples import reorders
from ._purpose import named_purpose, proven_purpose

_MIXES_WELL = 5000
"""More elements than that mix well by themselves, and are what this rule asks for, however large the batches are."""


class ShuffleBufferTooSmall(Rule):
    """The buffer of a `shuffle` holds no more than one batch, so that the elements stay about where they were.

    ## What it finds
    A `shuffle` before `batch` whose buffer is no larger than the batches, or holds one element, in both places a number that
    is written or a constant.

    ## Why it matters
    `shuffle` draws each element out of the next `buffer_size` ones, so that none comes much earlier than it would. With a
    buffer of one batch, each batch is made of the elements of about two: data that is sorted, by class or by time,
    gives batches of one class, and the same neighbours meet in every epoch. A buffer of one does nothing at all. Nothing in
    the output shows it. TensorFlow does what is written, in every version.

    ## When to ignore it
    When the data was shuffled before and its order may stay: silent for arrays where the program brings something into a
    random order, as `train_test_split` does. Silent for evaluation, with another shuffle in the same pipeline, where
    files are shuffled that a later stage reads, where the buffer holds all elements or more than 5000, where another branch
    has a larger one, and where a caller turns the shuffle of a function off with a buffer of one. Advice where the sizes are
    defaults that callers may override, and where nothing in sight takes the elements.

    ## Fix safety
    No fix: the buffer costs memory. Best it holds the whole data set, or some thousand elements of it.

    ## References
    - https://www.tensorflow.org/api_docs/python/tf/data/Dataset#shuffle
    - https://www.tensorflow.org/guide/data#randomly_shuffling_input_data
    """

    code = "PIPE402"
    name = "shuffle-buffer-too-small"
    severity = Severity.WARNING
    fix = "none"
    words = ("shuffle",)
    examples = (
        Example(
            "one batch",
            """
            import tensorflow as tf

            BATCH_SIZE = 32
            ds = tf.data.TFRecordDataset(files).map(parse).shuffle(BATCH_SIZE).batch(BATCH_SIZE)
            model.fit(ds, epochs=10)
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "a buffer of one",
            """
            import tensorflow as tf

            model.fit(tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1).batch(batch_size), epochs=10)
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "many batches",
            """
            import tensorflow as tf

            model.fit(tf.data.TFRecordDataset(files).map(parse).shuffle(10_000).batch(32), epochs=10)
            """,
            silent=True,
        ),
        Example(
            "files, which a shuffle of the examples follows",
            """
            import tensorflow as tf

            ds = tf.data.Dataset.list_files("*.tfrecord").shuffle(16).interleave(tf.data.TFRecordDataset)
            model.fit(ds.shuffle(10_000).batch(32), epochs=10)
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Findings:
        for pipeline in program.pipelines:
            shuffles = [stage for stage in pipeline.stages if stage.op in SHUFFLES]
            batches = batch_sizes(pipeline)
            for shuffle in shuffles if len(shuffles) == 1 else ():
                buffer = shuffle.argument("buffer_size")
                held = buffer.integer if buffer is not None else None
                batch = next((size for size in batches if size.stage in shuffle.downstream()), None)
                most = min(batch.examples if batch is not None else 1, _MIXES_WELL)
                # A caller that asks for one element turns the shuffle off.
                if buffer is None or held is None or held > most or (held <= 1 and buffer.is_parameter):
                    continue
                mixed = comes_from_memory(pipeline) and reorders(program.near(shuffle.name))
                if not mixed and _may_train(pipeline, shuffle) and not _has_reason(pipeline, shuffle, held):
                    assumed = buffer.is_assumed or (batch is not None and batch.assumed)
                    yield self.finding(
                        shuffle,
                        _message(held, batch),
                        severity=Severity.ADVICE if assumed else pipeline.graded(Severity.WARNING),
                    )


def _message(held: int, batch: BatchSize | None) -> str:
    if held <= 1 or batch is None:
        return "a buffer of one element does not shuffle at all: a buffer of some thousand elements, or of all, does"
    return (
        f"a buffer of {held} mixes elements with their neighbours alone, in batches of {batch.examples}: a buffer of many "
        "batches, or of all elements, mixes them"
    )


def _may_train(pipeline: Pipeline, shuffle: Stage) -> bool:
    proven = proven_purpose(pipeline)
    purpose = named_purpose(pipeline, shuffle) if proven is Purpose.UNKNOWN else proven
    return purpose is not Purpose.EVALUATION


def _has_reason(pipeline: Pipeline, shuffle: Stage, held: int) -> bool:
    """Whether files or whole batches are shuffled, the buffer holds them all, or another branch chooses a larger one."""
    if any(stage.op in RETURNS_DATASETS for stage in shuffle.downstream()):
        return True
    if any(stage.yields_batches or stage.op in BATCHING for stage in shuffle.upstream()):
        return True
    elements = elements_of(Pipeline(shuffle))
    if elements is not None and elements <= held:
        return True
    buffers = (other.argument("buffer_size") for other in pipeline.counterparts(shuffle))
    return any(buffer is None or buffer.integer is None or buffer.integer > held for buffer in buffers)
