from __future__ import annotations

from pipelint.rule import DeviceBlock, Evidence, Example, Findings, Program, Region, Related, Rule, Severity, Stage

from ._devices import blocks_on_gpu


class DatasetOnGpuDevice(Rule):
    """A dataset is built in a block that is placed on a GPU.

    ## What it finds
    A source of `tf.data` in a block `with tf.device("/GPU:0")`.

    ## Why it matters
    tf.data runs on the processor, whatever the block says: it makes nothing faster. Tensors that are made of arrays in
    the block, as for `from_tensor_slices`, go to the memory of the GPU, and from there back to the processor.

    ## When to ignore it
    Silent for `prefetch_to_device`, which is made for this, and where the dataset is built before the block, also if
    further stages are in it.

    ## Fix safety
    No fix: build the dataset before the block, and leave the steps in it.

    ## References
    - https://www.tensorflow.org/guide/data_performance
    - https://www.tensorflow.org/api_docs/python/tf/data/experimental/prefetch_to_device
    """

    code = "PIPE810"
    name = "dataset-on-gpu-device"
    severity = Severity.ADVICE
    fix = "none"
    words = ("device",)
    examples = (
        Example(
            "with the steps",
            """
            import tensorflow as tf

            with tf.device("/GPU:0"):
                ds = tf.data.Dataset.from_tensor_slices((images, labels)).batch(32)
                model.fit(ds)
            """,
        ),
        Example(
            "before the steps",
            """
            import tensorflow as tf

            ds = tf.data.Dataset.from_tensor_slices((images, labels)).batch(32)
            with tf.device("/GPU:0"):
                model.fit(ds)
            """,
            silent=True,
        ),
        Example(
            "on the processor",
            """
            import tensorflow as tf

            with tf.device("/CPU:0"):
                ds = tf.data.Dataset.from_tensor_slices((images, labels)).batch(32)
            model.fit(ds)
            """,
            silent=True,
        ),
    )
    evidence = Evidence(source="https://www.tensorflow.org/guide/data_performance")

    def check(self, program: Program) -> Findings:
        stages = {
            stage.call: stage
            for dataset in program.datasets
            for pipeline in dataset.variants
            for stage in pipeline.stages
            if isinstance(stage.call, Region)
        }
        for block in blocks_on_gpu(program):
            inside = sorted((place for place in stages if block.region.holds(place)), key=lambda place: place.end)
            # Stages alone take no tensors there: the GPU has no part in them.
            sources = [stages[place] for place in inside if stages[place].is_source]
            if sources and not any("prefetch_to_device" in stages[place].op for place in inside):
                yield from self._built_in(block, sources[0])

    def _built_in(self, block: DeviceBlock, first: Stage) -> Findings:
        yield self.finding(
            first,
            f"this dataset is built under tf.device({block.device!r}), but tf.data runs on the processor: build it before the "
            "block, or its tensors are copied to the GPU and back",
            related=(Related(block.region, "the block"),),
        )
