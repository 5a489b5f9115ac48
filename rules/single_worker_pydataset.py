from __future__ import annotations

from pipelint.rule import (
    KERAS_3_SINCE,
    WORKERS,
    Evidence,
    Example,
    Findings,
    Program,
    Related,
    Rule,
    Severity,
    display,
)

from ._python_batches import measured_pydatasets, single_worker_feeds


class SingleWorkerPydataset(Rule):
    """A PyDataset reads files in a single thread.

    ## What it finds
    A subclass of `keras.utils.PyDataset` or `keras.utils.Sequence` whose `__getitem__` reads pictures, sounds or the like
    file by file (Pillow, OpenCV, ...), that is given to `fit` without `workers`: told once a class, before Keras 3 at each
    `fit`. `pipelint profile` measures what `__getitem__` does, and tells it of any that training waits for.

    ## Why it matters
    Keras asks for one batch after the other in one thread. Reading and decoding wait for the disk and mostly leave
    Python's lock alone, so that several threads read several batches at a time. Where Python itself computes, threads
    wait for each other, and only processes (`use_multiprocessing=True`) work at the same time.

    ## When to ignore it
    When the files are few or small, or the steps take much longer than the reading. Silent where `workers` is given, or
    may be given out of sight (`**kwargs`).

    ## Fix safety
    No fix: the class must hand `workers` on to its base (`super().__init__(workers=4)`), and `__getitem__` must bear to be
    called from several threads.

    ## References
    - https://keras.io/api/utils/python_utils/#pydataset-class
    """

    code = "PIPE502"
    name = "single-worker-pydataset"
    severity = Severity.WARNING
    fix = "none"
    words = ("Sequence", "PyDataset")
    examples = (
        Example(
            "pictures",
            """
            import numpy as np
            from PIL import Image
            from tensorflow import keras

            class Pictures(keras.utils.PyDataset):
                def __init__(self, paths, labels):
                    super().__init__()
                    self.paths, self.labels = paths, labels

                def __len__(self):
                    return len(self.paths) // 32

                def __getitem__(self, index):
                    paths = self.paths[index * 32 : (index + 1) * 32]
                    pictures = [np.asarray(Image.open(path)) for path in paths]
                    return np.stack(pictures), self.labels[index * 32 : (index + 1) * 32]

            model = keras.models.load_model("model.keras")
            model.fit(Pictures(paths, labels))
            """,
        ),
        Example(
            "four workers",
            """
            import numpy as np
            from PIL import Image
            from tensorflow import keras

            class Pictures(keras.utils.PyDataset):
                def __init__(self, paths):
                    super().__init__(workers=4)
                    self.paths = paths

                def __getitem__(self, index):
                    return np.stack([np.asarray(Image.open(path)) for path in self.paths[index]])

            model = keras.models.load_model("model.keras")
            model.fit(Pictures(paths))
            """,
            silent=True,
        ),
        Example(
            "arrays in memory",
            """
            from tensorflow import keras

            class Rows(keras.utils.PyDataset):
                def __getitem__(self, index):
                    return self.x[index * 32 : (index + 1) * 32], self.y[index * 32 : (index + 1) * 32]

            model = keras.models.load_model("model.keras")
            model.fit(Rows())
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="single-worker-pydataset")

    def check(self, program: Program) -> Findings:
        for stage, consumer in measured_pydatasets(program):
            keras_3 = program.target >= KERAS_3_SINCE and not consumer.takes_workers
            locked = stage.bound == "python"
            wanted = f"workers={WORKERS}{', use_multiprocessing=True' * locked}"
            how = f"super().__init__({wanted})" if keras_3 else f"fit(..., {wanted})"
            name = f"`{stage.function.name}`" if stage.function is not None else "the PyDataset"
            one = "one batch at a time, since it holds Python's lock: let processes do that" * locked
            one = one or "one batch after the other in one thread: let several workers do that"
            yield self.finding(stage, f"{name} makes {one}, `{how}`")
        for cls, places, read in single_worker_feeds(program):
            keras_3 = program.oldest >= KERAS_3_SINCE
            how = f"super().__init__(workers={WORKERS})" if keras_3 else f"fit(..., workers={WORKERS})"
            message = (
                f"`{cls.name}` reads its files ({display(read.symbol)}) in one thread, batch after batch: let several "
                f"workers do that, `{how}`"
            )
            related = (Related(cls.location, f"`{cls.name}` is defined here"), Related(read.name, "it reads here"))
            if keras_3:
                # One change of the class serves all who take it.
                more = (Related(place, "it is taken here, too") for place in places[1:])
                yield self.finding(places[0], message, related=(*related, *more))
            else:
                yield from (self.finding(place, message, related=related) for place in places)
