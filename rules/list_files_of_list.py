from __future__ import annotations

from pipelint.rule import Example, Findings, Fix, Literal, Program, ReplaceCall, Rule, Severity, Stage, Text

_WILDCARDS = frozenset("*?[{\\")
"""What makes a pattern of a name."""


class ListFilesOfList(Rule):
    """`list_files` is given names of files that are known already, and takes each for a pattern.

    ## What it finds
    `tf.data.Dataset.list_files(files)`, where `files` comes from `glob` or a listing, or is a list of plain names.

    ## Why it matters
    Each name is matched against the files on disk once more. A name with a bracket or another sign of patterns then
    matches nothing, and a file that is gone is left out, both without a word; and unless told otherwise, the names come
    shuffled. `from_tensor_slices(files)` gives the names as they are, in their order, and a missing file is an error
    where it is read.

    ## When to ignore it
    When files may go while the program runs, and shall be left out. It is no matter of speed: on a local disk 5,000
    names took as long either way. Silent for a pattern, for lists with patterns in them, and where nobody knows what is
    in the list.

    The rule is off by default, since it finds nothing in the 14,000 public files that it was tried on.

    ## Fix safety
    Unsafe: missing files are an error later on. Only with `shuffle=False`, which becomes part of the call no more; else
    write `from_tensor_slices(files).shuffle(len(files))`, to shuffle as before.

    ## References
    - https://www.tensorflow.org/api_docs/python/tf/data/Dataset#list_files
    """

    code = "PIPE505"
    name = "list-files-of-list"
    severity = Severity.ADVICE
    fix = "unsafe"
    default = False
    words = ("list_files",)
    examples = (
        Example(
            "names out of glob, in order",
            """
            import glob
            import tensorflow as tf

            files = sorted(glob.glob("scans/*.png"))
            ds = tf.data.Dataset.list_files(files, shuffle=False).map(load).batch(8)
            model.predict(ds)
            """,
            """
            import glob
            import tensorflow as tf

            files = sorted(glob.glob("scans/*.png"))
            ds = tf.data.Dataset.from_tensor_slices(files).map(load).batch(8)
            model.predict(ds)
            """,
        ),
        Example(
            "shuffled by default",
            """
            import glob
            import tensorflow as tf

            ds = tf.data.Dataset.list_files(glob.glob("photos/*.jpg")).map(load).batch(32)
            model.fit(ds)
            """,
        ),
        Example(
            "a pattern",
            """
            import tensorflow as tf

            model.fit(tf.data.Dataset.list_files("photos/*.jpg").map(load).batch(32))
            """,
            silent=True,
        ),
        Example(
            "several patterns",
            """
            import tensorflow as tf

            model.fit(tf.data.Dataset.list_files(["photos/*.jpg", "photos/*.png"]).map(load).batch(32))
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Findings:
        stages = (stage for dataset in program.datasets for way in dataset.variants for stage in way.stages)
        for stage in {stage.call: stage for stage in stages if stage.op == "list_files"}.values():
            if _are_names(stage):
                yield self.finding(
                    stage,
                    "list_files takes each of these names for a pattern: one with a bracket, or whose file is gone, is left out "
                    "without a word; from_tensor_slices takes them as they are",
                    fix=_as_they_are(program, stage),
                )


def _are_names(stage: Stage) -> bool:
    """Whether what is listed are the names that a listing gave, or plain ones that are written out."""
    given = stage.argument("file_pattern")
    if given is None:
        return False
    if isinstance(given.value, Text):
        return given.value.several
    names = given.constant
    return isinstance(names, tuple) and bool(names) and _WILDCARDS.isdisjoint("".join(map(str, names)))


def _as_they_are(program: Program, stage: Stage) -> Fix | None:
    files, shuffle = stage.argument("file_pattern"), stage.argument("shuffle")
    if files is None or shuffle is None or shuffle.value != Literal(False):
        return None
    for call in program.calls_at.get(stage.call, ()):
        return Fix.unsafe(
            "take the names as they are",
            ReplaceCall(call, "tensorflow.data.Dataset.from_tensor_slices", (("", files.region),), keeps_methods=True),
        )
    return None
