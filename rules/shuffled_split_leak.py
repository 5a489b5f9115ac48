from __future__ import annotations

from pipelint.rule import (
    SHUFFLES,
    CopyAfter,
    Example,
    Finding,
    Findings,
    Fix,
    Literal,
    Program,
    Purpose,
    Related,
    Rule,
    SetArgument,
    Severity,
    Stage,
    Together,
)

from ._splits import Split, is_shown_with_both, loads_in_any_order, reshuffling_stage, splits

_LEARNT = frozenset({Purpose.TRAINING, Purpose.EVALUATION})


class ShuffledSplitLeak(Rule):
    """A dataset that is shuffled anew in each pass is split by `take` and `skip`: the parts mix.

    ## What it finds
    `take` and `skip` of one dataset after a `shuffle`, `list_files` or `image_dataset_from_directory` (and its
    like for text and audio) that shuffles, one of them to train on and the other to evaluate with.

    ## Why it matters
    `shuffle` gives another order in every pass, and each part is a pass of its own: `take(800)` and `skip(800)` cut two
    different orders. Already in the first epoch they have examples in common, and after a few the model has been trained
    on nearly all of the validation data, so that its figures are too good. A `seed` changes nothing about that: it fixes the
    sequence of orders, not one order. A `cache` after each part keeps parts that overlap. TensorFlow does what is written,
    in every version.

    ## When to ignore it
    When the two parts need not be apart. Silent with `reshuffle_each_iteration=False` or a buffer of one, for parts that are
    both trained on, and for a cache between the shuffle and the split, which keeps one order from the second pass on. A warning
    where both parts evaluate, as validation and test, where nothing tells what they are for, and where a flag that nothing in sight
    decides turns the shuffle on.

    ## Fix safety
    Unsafe: the parts are others than before. What is trained on is shuffled again after the split, with the same buffer,
    unless it is already. None where elements are mapped or batched between, so that such a buffer would hold much more;
    and none for sources that shuffle: in the order of the files, a part may lack whole classes. List them with
    `shuffle=False`, and shuffle once before the split with `reshuffle_each_iteration=False`.

    ## References
    - https://www.tensorflow.org/api_docs/python/tf/data/Dataset#shuffle
    """

    code = "PIPE403"
    name = "shuffled-split-leak"
    severity = Severity.ERROR
    fix = "unsafe"
    words = ("shuffle", "list_files", "dataset_from_directory")
    examples = (
        Example(
            "validation data in the training",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).shuffle(10_000, seed=1)
            train, val = ds.take(8000).shuffle(8000).batch(32), ds.skip(8000).batch(32)
            model.fit(train, validation_data=val, epochs=10)
            """,
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).shuffle(10_000, seed=1, reshuffle_each_iteration=False)
            train, val = ds.take(8000).shuffle(8000).batch(32), ds.skip(8000).batch(32)
            model.fit(train, validation_data=val, epochs=10)
            """,
            severity=Severity.ERROR,
        ),
        Example(
            "a source that shuffles, and two parts that evaluate",
            """
            import tensorflow as tf

            held_back = tf.keras.utils.image_dataset_from_directory("photos/held_back")
            model.fit(train, validation_data=held_back.skip(20), epochs=10)
            model.evaluate(held_back.take(20))
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "one order for both",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).shuffle(10_000, reshuffle_each_iteration=False)
            model.fit(ds.skip(2000).batch(32), validation_data=ds.take(2000).batch(32), epochs=10)
            """,
            silent=True,
        ),
        Example(
            "shuffled after the split",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files)
            model.fit(ds.skip(2000).shuffle(2000).batch(32), validation_data=ds.take(2000).batch(32), epochs=10)
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Findings:
        for split in splits(program):
            shuffle = reshuffling_stage(split.whole)
            if shuffle is not None and split.ought_to_be_apart(program) and not is_shown_with_both(program, shuffle):
                yield self._report(split, shuffle)

    def _report(self, split: Split, shuffle: Stage) -> Finding:
        first, second = split.taken[0].stage, split.rest[0].stage
        sure = _LEARNT in split.purposes and shuffle.undecided <= second.undecided
        met = "what is trained on and what it is evaluated with" if _LEARNT in split.purposes else "the two parts"
        own = shuffle.op in SHUFFLES
        instead = (
            "say reshuffle_each_iteration=False" if own else "say shuffle=False there, shuffle once before the split"
        )
        if loads_in_any_order(shuffle):
            instead += ", shuffle_files=False where it is loaded"
        return self.finding(
            shuffle,
            f"each pass gets another order here, and `take` and `skip` cut two of them: {met} have examples in common; "
            f"{instead}, and shuffle the training part after the split",
            severity=Severity.ERROR if sure else Severity.WARNING,
            fix=_fix(split, shuffle) if shuffle.op == "shuffle" and not loads_in_any_order(shuffle) else None,
            related=(Related(first.name, "takes a part of one order"), Related(second.name, "and this of another")),
        )


def _fix(split: Split, shuffle: Stage) -> Fix | None:
    """One order for all passes, in which what is trained on would stay if nothing shuffled it again."""
    keep = SetArgument(shuffle, "reshuffle_each_iteration", Literal(False))
    frozen = {part.stage.call: part.stage for part in split.trained_as_they_come}
    if not frozen:
        return Fix.unsafe("keep one order for all passes", keep)
    if any(part.inputs[0].call != shuffle.call for part in frozen.values()):
        return None
    again = (CopyAfter(shuffle, part) for part in frozen.values())
    return Fix.unsafe("keep one order for all passes, and shuffle what is trained on", Together((keep, *again)))
