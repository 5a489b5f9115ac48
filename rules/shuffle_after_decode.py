from __future__ import annotations

from pipelint.rule import (
    SHUFFLES,
    Argument,
    Example,
    Finding,
    Findings,
    Fix,
    MoveAfter,
    Pipeline,
    Program,
    Region,
    Related,
    Rule,
    Severity,
    Stage,
)

from ._buffer_products import many_times
from ._decoding_maps import decoding_map_before
from ._little_data import elements_of
from ._purpose import only_evaluates

_LARGE = 1000
"""Pictures of 224 x 224 pixels in float32 take 600 MB then, which is felt."""


class ShuffleAfterDecode(Rule):
    """A large `shuffle` holds decoded pictures, where paths or records would do.

    ## What it finds
    A `shuffle` of 1000 elements and more, of a hundred batches, or of as many as there are, after a `map` that decodes
    pictures or sounds out of files or records, with nothing between them that needs that order.

    ## Why it matters
    The buffer holds what comes into it: a thousand decoded pictures of 224 x 224 in float32 take 600 MB, as JPEG 20 MB and
    as paths 100 kB. It is also filled before the first batch of an epoch comes out, so that the model waits while a
    thousand pictures are decoded. Before the `map` the buffer can be as large as the dataset, which also shuffles
    better. TensorFlow never moves a shuffle, in any version.

    ## When to ignore it
    When the decoded elements are small, or memory is no matter. Silent after a `cache`, which the shuffle must follow,
    for smaller buffers, for batches (PIPE401), for evaluation, and where the paths or records are shuffled as well.

    ## Fix safety
    Unsafe: the order differs, and random operations of the `map` meet other elements.

    ## References
    - https://www.tensorflow.org/guide/data_performance#reducing_memory_footprint
    """

    code = "PIPE404"
    name = "shuffle-after-decode"
    severity = Severity.ADVICE
    fix = "unsafe"
    words = ("shuffle",)
    examples = (
        Example(
            "pictures of records",
            """
            import tensorflow as tf

            def parse(record):
                return tf.io.decode_jpeg(tf.io.parse_single_example(record, features)["image"])

            ds = tf.data.TFRecordDataset(files).map(parse).shuffle(2048)
            model.fit(ds.batch(32), epochs=10)
            """,
            """
            import tensorflow as tf

            def parse(record):
                return tf.io.decode_jpeg(tf.io.parse_single_example(record, features)["image"])

            ds = tf.data.TFRecordDataset(files).shuffle(2048).map(parse)
            model.fit(ds.batch(32), epochs=10)
            """,
        ),
        Example(
            "as many as there are",
            """
            import tensorflow as tf

            ds = tf.data.Dataset.from_tensor_slices(paths)
            ds = ds.map(lambda path: tf.io.decode_png(tf.io.read_file(path)))
            ds = ds.shuffle(len(paths))
            model.fit(ds.batch(32), epochs=10)
            """,
            """
            import tensorflow as tf

            ds = tf.data.Dataset.from_tensor_slices(paths)
            ds = ds.shuffle(len(paths))
            ds = ds.map(lambda path: tf.io.decode_png(tf.io.read_file(path)))
            model.fit(ds.batch(32), epochs=10)
            """,
        ),
        Example(
            "a cache keeps the pictures",
            """
            import tensorflow as tf

            ds = tf.data.Dataset.from_tensor_slices(paths).map(lambda path: tf.io.decode_png(tf.io.read_file(path)))
            model.fit(ds.cache().shuffle(2048).batch(32), epochs=10)
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Findings:
        for pipeline in program.pipelines:
            for stage in pipeline.stages:
                decoding = decoding_map_before(stage) if stage.op in SHUFFLES else None
                if decoding is None or only_evaluates(pipeline, stage):
                    continue
                buffer = stage.argument("buffer_size")
                product = many_times(program, stage, least=_LARGE)
                if buffer is not None and _is_large(program, pipeline, buffer, product):
                    yield self._report(stage, decoding, f"{buffer.integer or product or 'all'}")

    def _report(self, shuffle: Stage, decoding: Stage, buffer: str) -> Finding:
        label = decoding.function.label if decoding.function is not None else "the map"
        return self.finding(
            shuffle,
            f"this shuffle holds {buffer} elements that {label} has decoded, and waits for them before the first "
            "comes out; before that map it would hold paths or records",
            fix=Fix.unsafe("shuffle before the elements are decoded", MoveAfter(shuffle, decoding.inputs))
            if shuffle.op == "shuffle"
            else None,
            related=(Related(decoding.name, "decodes"),),
        )


def _is_large(program: Program, pipeline: Pipeline, buffer: Argument, product: str) -> bool:
    """Whether a buffer is known to be large, or as large as something is long, and there is so much to fill it with."""
    elements = elements_of(pipeline)
    if elements is not None and 0 <= elements < _LARGE:
        return False
    if buffer.integer is not None:
        return buffer.integer >= _LARGE
    place = buffer.region if isinstance(buffer.region, Region) else None
    lengths = (call.region for call in program.calls if call.symbol == "builtins.len")
    return bool(product) or (place is not None and any(map(place.holds, lengths)))
