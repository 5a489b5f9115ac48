"""PIPE810 dataset-on-gpu-device: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "a loop over it in the block, told at the first stage": """
        import tensorflow as tf
        with tf.device("/device:GPU:1"):
            ds = tf.data.TFRecordDataset(files)  #! PIPE810 advice
            ds = ds.map(parse).batch(32)
            for batch in ds:
                step(batch)
    """,
    "a block on a card whose number is worked out": """
        import tensorflow as tf
        with tf.device(f"/GPU:{rank}"):
            ds = tf.data.Dataset.from_tensor_slices(x).batch(32)  #! PIPE810 advice
        model.fit(ds)
    """,
}
SILENT: Table = {
    "only further stages": """
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices(x)
        with tf.device("gpu:0"):
            model.fit(ds.batch(32))
    """,
    "a function that is called in the block builds it": """
        import tensorflow as tf

        def batches():
            return tf.data.Dataset.from_tensor_slices(x).batch(32)

        ds = batches()
        with tf.device("/GPU:0"):
            model.fit(ds)
    """,
    "copied to the card on purpose": """
        import tensorflow as tf
        with tf.device("/GPU:0"):
            ds = tf.data.Dataset.from_tensor_slices(x).batch(32)
            ds = ds.apply(tf.data.experimental.prefetch_to_device("/GPU:0"))
            model.fit(ds)
    """,
    "no device is named": """
        import tensorflow as tf
        with tf.device(device):
            model.fit(tf.data.Dataset.from_tensor_slices(x).batch(32))
    """,
}
