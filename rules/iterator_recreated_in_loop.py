from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import (
    SHUFFLES,
    Evidence,
    Example,
    Findings,
    FirstElement,
    Loop,
    Program,
    Related,
    Rule,
    Severity,
)

from ._step_loops import is_named_step, training_loops


class IteratorRecreatedInLoop(Rule):
    """A loop that trains makes a new iterator in each turn, and takes one element of it.

    ## What it finds
    `next(iter(dataset))`, or a loop over `dataset.take(1)`, in each turn of a loop that takes training steps.

    ## Why it matters
    A new iterator starts the dataset from its beginning. Without a `shuffle`, every step gets the same first batch, and
    the rest is never trained on. With one, each step fills the whole shuffle buffer to take one batch out of it: files
    are opened, read and decoded again. Besides that, each iterator starts its own threads, and what `prefetch` has made
    ready is thrown away. TensorFlow does what is written, in every version.

    ## When to ignore it
    When a model shall learn one batch by heart, to see that it can: take the batch before the loop, then, which is also
    faster. Silent in loops over epochs and under a test (`if step % 100 == 0`), where something is shown or logged, in
    loops that turn a few times, where each turn has a dataset of its own, and for `take(1)` without a shuffle.

    ## References
    - https://www.tensorflow.org/guide/data#basic_mechanics
    """

    code = "PIPE507"
    name = "iterator-recreated-in-loop"
    severity = Severity.ERROR
    fix = "none"
    words = ("next", "take", "get_next")
    examples = (
        Example(
            "a batch for each step",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).shuffle(10_000).batch(32)
            for step in range(5000):
                model.train_on_batch(*next(iter(ds)))
            """,
            severity=Severity.ERROR,
        ),
        Example(
            "the same batch in every step",
            """
            import tensorflow as tf

            ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
            while not done():
                images, labels = next(iter(ds))
                model.train_on_batch(images, labels)
            """,
            severity=Severity.ERROR,
        ),
        Example(
            "one iterator for all steps",
            """
            import tensorflow as tf

            batches = iter(tf.data.TFRecordDataset(files).shuffle(10_000).batch(32).repeat())
            for step in range(5000):
                model.train_on_batch(*next(batches))
            """,
            silent=True,
        ),
        Example(
            "a look after each epoch",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).shuffle(10_000).batch(32)
            for epoch in range(50):
                for batch in ds:
                    model.train_on_batch(*batch)
                show(model.predict(next(iter(ds))))
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="iterator-recreated-in-loop")

    def check(self, program: Program) -> Findings:
        taken = [event for event in program.events if isinstance(event, FirstElement)]
        if not taken:
            return
        for event, trains in _in_steps(program, taken):
            shuffled = any(stage.op in SHUFFLES for pipeline in event.pipelines for stage in pipeline.stages)
            if event.looped and not shuffled:
                continue
            again = "fills the shuffle buffer again for one element" if shuffled else "starts the dataset again"
            loop = event.loops[-1].region
            around = loop.holds(event.region)
            # A loop over `take(1)` is one as well, of a single turn.
            which = "the loop that calls this" if not around else "the loop around it" if event.looped else "this loop"
            yield self.finding(
                event.region,
                f"each turn of {which} makes a new iterator, which {again}; "
                "make one before the loop, `iterator = iter(dataset.repeat())`, and take `next(iterator)` of it",
                severity=Severity.ERROR if trains else Severity.WARNING,
                related=() if around else (Related(loop, "this loop repeats it"),),
            )


def _in_steps(program: Program, taken: list[FirstElement]) -> Iterator[tuple[FirstElement, bool]]:
    """Those that happen in each step of a loop, and whether it is proven, not only named so, that the loop trains."""
    at_any_depth, of_steps = training_loops(program)
    named = {call.loops[-1] for call in program.calls if call.loops and call.trace is None and is_named_step(call)}
    for event in taken:
        loop = event.loops[-1]
        proven = loop in (at_any_depth if event.looped else of_steps)
        if event.pipelines and not event.anew and (proven or loop in named) and _is_for_each_step(event, loop):
            yield event, proven


def _is_for_each_step(event: FirstElement, loop: Loop) -> bool:
    """Whether it happens in every turn of a loop that turns often, and not under a test, as every so many steps."""
    return event.held <= loop.always and not (loop.few or loop.epochs or event.doubtful)
