"""The model's datasets: each way through a program is a pipeline with stages of its own."""

from __future__ import annotations

from textwrap import dedent

import pytest

from pipelint.model.pipeline import Dataset
from pipelint.static.analyse import analyse


def only_dataset(source: str) -> Dataset:
    (dataset,) = analyse(dedent(source).lstrip("\n"), target=(2, 21)).datasets
    return dataset


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(
            """
            import tensorflow as tf
            images = tf.data.Dataset.range(9)
            if augment:
                images = images.map(flip)
            labels = tf.data.Dataset.range(9).map(parse)
            if smooth:
                labels = labels.map(soften)
            model.fit(tf.data.Dataset.zip((images, labels)).batch(32))
            """,
            id="branches that are zipped in every combination",
        ),
        pytest.param(
            """
            import tensorflow as tf
            def read(path):
                ds = tf.data.TFRecordDataset(path)
                return ds.map(parse) if parsed else ds
            model.fit(tf.data.Dataset.list_files(p).interleave(read).batch(32))
            """,
            id="the ways through the function of an interleave",
        ),
    ],
)
def test_a_stage_belongs_to_one_pipeline(source: str) -> None:
    pipelines = list(only_dataset(source).all_pipelines)
    assert len(pipelines) > 1
    assert all(stage.pipeline is pipeline for pipeline in pipelines for stage in pipeline.stages)
    assert all(inner.nested_in is stage for each in pipelines for stage in each.stages for inner in stage.inner)


def test_a_stage_names_the_function_that_builds_it_and_the_class_that_has_it() -> None:
    dataset = only_dataset(
        """
        import tensorflow as tf
        class Loader:
            def make(self):
                return tf.data.Dataset.range(9)
        class ValidationLoader(Loader):
            pass
        def batched(ds):
            return ds.batch(3)
        model.fit(batched(ValidationLoader().make()).prefetch(1))
        """
    )
    assert [stage.built_in for stage in dataset.variants[0].stages] == ["ValidationLoader.make", "batched", ""]
