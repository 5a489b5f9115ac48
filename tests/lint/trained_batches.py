"""Programs that train on batches of a size, and what pipelint says of that size."""

from __future__ import annotations

from tests.workspace import Workspace

TRAIN = """
import tensorflow as tf
{settings}

def main({parameters}):
    (images, labels), _ = tf.keras.datasets.mnist.load_data()
    records = tf.data.Dataset.from_tensor_slices((images, labels))
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.fit(records.batch({size}), epochs=5)

{run}
"""


def train(settings: str, size: str, parameters: str = "", run: str = "main()") -> str:
    """A program that trains on batches of this size."""
    return TRAIN.format(settings=settings, size=size, parameters=parameters, run=run)


def found(workspace: Workspace, files: dict[str, str]) -> list[tuple[str, bool]]:
    """The findings of a project: how severe, and whether they speak of a default."""
    workspace.configure(select="PIPE801")
    for name, text in files.items():
        workspace.write(name, text)
    findings = workspace.check(".", "--output-format", "json").json["findings"]
    return [(finding["severity"], "by default" in finding["message"]) for finding in findings]
