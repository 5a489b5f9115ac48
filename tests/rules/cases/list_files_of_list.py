"""PIPE505 list-files-of-list: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "plain names": Case(
        """
        import tensorflow as tf
        model.fit(tf.data.Dataset.list_files(["a.csv", "b.csv"], shuffle=False).interleave(read))  #! PIPE505 advice, unsafe fix
        """,
        """
        import tensorflow as tf
        model.fit(tf.data.Dataset.from_tensor_slices(["a.csv", "b.csv"]).interleave(read))
        """,
    ),
    "files of TensorFlow": """
        import tensorflow as tf
        shards = tf.io.gfile.glob("gs://bucket/train-*")
        files = tf.data.Dataset.list_files(shards, shuffle=True)  #! PIPE505 advice
        model.fit(files.interleave(tf.data.TFRecordDataset).map(parse).batch(32))
    """,
}
SILENT: Table = {
    "what somebody gives": """
        import tensorflow as tf

        def build(files):
            return tf.data.Dataset.list_files(files).interleave(tf.data.TFRecordDataset).map(parse).batch(32)
    """,
    "a pattern for each directory": """
        import tensorflow as tf
        patterns = [f"{name}/*.jpg" for name in names]
        model.fit(tf.data.Dataset.list_files(patterns).map(load).batch(32))
    """,
}
