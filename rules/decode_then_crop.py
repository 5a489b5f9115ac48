from __future__ import annotations

from pipelint.rule import Call, Evidence, Example, Findings, Program, Region, Related, Rule, Severity, Trace

_DECODES = frozenset({"tensorflow.io.decode_jpeg", "tensorflow.image.decode_jpeg"})
_CROPS = frozenset(
    f"tensorflow.image.{name}"
    for name in ("central_crop", "crop_to_bounding_box", "random_crop", "stateless_random_crop")
)
_ELEMENTWISE = frozenset({"tensorflow.image.convert_image_dtype"})
"""What does to a part of a picture what it does to all of it."""
_MOST = 0.75
"""A larger share of each side leaves more than half of the picture, and little to save."""


class DecodeThenCrop(Rule):
    """A JPEG picture is decoded as a whole, and then a part of it is cut out.

    ## What it finds
    A mapped function that calls `tf.io.decode_jpeg` and then, before any other work on the picture,
    `tf.image.random_crop`, `central_crop` or `crop_to_bounding_box`.

    ## Why it matters
    `tf.io.decode_and_crop_jpeg` takes the bytes and the window, and computes only the blocks of pixels that the window
    touches.

    ## When to ignore it
    When the window is nearly as large as the picture, or when the pictures are noisy: the compressed bytes before the
    window have to be read in any case, and for pictures of pure noise nothing was gained when it was measured. Pixels
    at the border of the window may differ by a few levels, since colours are interpolated there. Silent where the
    picture is resized or turned first, for `central_crop` of more than three quarters of each side, and for
    `decode_image`, which takes other formats too.

    The rule is off by default, since it finds nothing in the 14,000 public files that it was tried on.

    ## Fix safety
    No fix: the window has to be drawn before, from the size that `tf.io.extract_jpeg_shape` tells.

    ## References
    - https://www.tensorflow.org/api_docs/python/tf/io/decode_and_crop_jpeg
    """

    code = "PIPE504"
    name = "decode-then-crop"
    severity = Severity.ADVICE
    fix = "none"
    default = False
    words = ("decode_jpeg",)
    examples = (
        Example(
            "a part at random",
            """
            import tensorflow as tf

            def load(path):
                photo = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
                return tf.image.random_crop(photo, (224, 224, 3))

            ds = tf.data.Dataset.list_files("photos/*.jpg").map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(32)
            model.fit(ds)
            """,
        ),
        Example(
            "only what is needed",
            """
            import tensorflow as tf

            def load(path):
                return tf.io.decode_and_crop_jpeg(tf.io.read_file(path), [100, 100, 224, 224], channels=3)

            ds = tf.data.Dataset.list_files("photos/*.jpg").map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(32)
            model.fit(ds)
            """,
            silent=True,
        ),
        Example(
            "resized first",
            """
            import tensorflow as tf

            def load(path):
                photo = tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path), channels=3), (256, 256))
                return tf.image.random_crop(photo, (224, 224, 3))

            ds = tf.data.Dataset.list_files("photos/*.jpg").map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(32)
            model.fit(ds)
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="decode-then-crop")

    def check(self, program: Program) -> Findings:
        told: set[Region] = set()
        for pipeline in program.all_pipelines:
            for stage in pipeline.stages:
                for decode, crop in filter(None, map(_cropped, program.mapped_traces(stage))):
                    if crop.name not in told:
                        told.add(crop.name)
                        yield self.finding(
                            crop.name,
                            "all of the picture is decoded, and then a part is cut out of it: tf.io.decode_and_crop_jpeg decodes only "
                            "that part",
                            related=(Related(decode.name, "the picture is decoded here"),),
                            stage=stage,
                        )


def _cropped(trace: Trace) -> tuple[Call, Call] | None:
    """The call that decodes the only picture of a function and the one that cuts a part out of it, if that comes first."""
    calls = list(trace.calls)
    decodes = [call for call in calls if call.symbol in _DECODES]
    if len(decodes) != 1:
        return None
    for call in calls[calls.index(decodes[0]) + 1 :]:
        if call.symbol in _CROPS:
            return (decodes[0], call) if not (call.guards or _leaves_most(call)) else None
        if call.symbol.startswith("tensorflow.image.") and call.symbol not in _ELEMENTWISE:
            return None
    return None


def _leaves_most(call: Call) -> bool:
    share = call.positional[1] if call.last_name == "central_crop" and len(call.positional) > 1 else None
    share = share or call.keywords.get("central_fraction")
    return share is not None and isinstance(share.constant, float) and share.constant > _MOST
