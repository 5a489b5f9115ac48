"""All that a front end knows of one program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pipelint.model.function import Operation, TracedFunction
from pipelint.model.locations import Region
from pipelint.model.pipeline import Dataset, Pipeline, Stage

Version = tuple[int, int]


@dataclass(frozen=True)
class Reference:
    """A place where a name of an imported library is used."""

    name: str
    region: Region
    imported: bool = False
    """Whether the place is a name in a `from ... import`."""


@dataclass(eq=False)
class Program:
    """The facts of one script, module or notebook that rules look at."""

    target: Version
    datasets: tuple[Dataset, ...] = ()
    discarded: tuple[Stage, ...] = ()
    """Transformations whose result is dropped."""
    traced: tuple[TracedFunction, ...] = ()
    operations: tuple[Operation, ...] = ()
    references: tuple[Reference, ...] = ()
    only_keras: bool = False
    """Whether the file uses Keras without tensorflow."""
    keras_backend: str = "tensorflow"
    op_determinism: bool = False
    legacy: bool = False
    """Whether the program is written for TensorFlow 1 (sessions, `tf.compat.v1`)."""
    large_inputs: bool = False
    """Whether the program handles volumes, or images of 512 pixels and more."""
    definitions: Mapping[str, Region] = field(default_factory=dict)
    """Where the functions are defined, as far as one name means one function: the name after `def`."""
    wrapped: frozenset[str] = frozenset()
    """The names of functions that are given to `tf.function`."""

    @property
    def uses_tensorflow(self) -> bool:
        """Whether any name of TensorFlow or Keras is used."""
        used = {reference.name for reference in self.references} | {operation.name for operation in self.operations}
        return any(name.startswith(("keras.", "tensorflow.")) for name in used)

    def takes_dataset(self, operation: Operation) -> bool:
        """Whether the call consumes a dataset."""
        return any(user.region == operation.region for dataset in self.datasets for user in dataset.consumers)

    @property
    def pipelines(self) -> Iterator[Pipeline]:
        """Every pipeline worth looking at, without the ones nested in a stage's function.

        A pipeline that only takes a few elements is left out, and so is one that is handed out before it is batched:
        who gets it may well batch, prefetch and parallelise it.
        """
        for dataset in self.datasets:
            for pipeline in dataset.variants:
                if not pipeline.is_peek and (pipeline.batched or not dataset.handed_out):
                    yield pipeline

    @property
    def all_pipelines(self) -> Iterator[Pipeline]:
        """The same, each followed by the pipelines nested in it."""
        for pipeline in self.pipelines:
            yield pipeline
            yield from pipeline.nested
