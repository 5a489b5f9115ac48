"""PIPE201 unparallelized-map: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table


def mapped(function: str, told: str) -> str:
    """A pipeline that maps one of several functions, and what is found at it."""
    return f"""
        import functools
        import tensorflow as tf

        def jitter(image, amount):
            return tf.image.random_brightness(image, amount)

        class Augment:
            def __init__(self):
                self.flip = tf.keras.layers.RandomFlip()

            def method(self, image):
                return jitter(image, 0.1)

            def __call__(self, image):
                return self.flip(image)

        augment = tf.keras.Sequential([tf.keras.layers.Rescaling(1 / 255), tf.keras.layers.RandomRotation(0.1)])

        def train(model, images):
            def local(image):
                return tf.cast(jitter(image, 0.2), tf.float32)
            ds = tf.data.Dataset.from_tensor_slices(images).map({function}).batch(32).prefetch(1)  #! PIPE201 {told}
            model.fit(ds)
    """


RANDOM = "warning, unsafe fix"
# TensorFlow makes a stateless function parallel by itself; of one that is not known, nobody can tell.
STATELESS = "advice, safe fix"
UNKNOWN = "advice, unsafe fix"

FOUND: Table = {
    "gathered in a list, once and for each epoch": """
        import tensorflow as tf

        def noisy(x):
            return x + tf.random.normal(tf.shape(x))

        rows = list(tf.data.Dataset.from_tensor_slices(x).map(noisy))  #! PIPE201 advice, unsafe fix
        for epoch in range(20):
            rows = list(tf.data.Dataset.from_tensor_slices(x).map(noisy))  #! PIPE201 warning, unsafe fix
            learn(rows)
    """,
    "a table that is asked once, since a cache keeps the answers": """
        import tensorflow as tf

        words = tf.keras.layers.TextVectorization()
        lines = tf.data.TextLineDataset(files)
        model.fit(lines.map(words).cache().batch(32).prefetch(tf.data.AUTOTUNE), epochs=5)  #! PIPE201 advice, unsafe fix
        model.fit(lines.map(words).batch(32).prefetch(tf.data.AUTOTUNE), epochs=5)  #! PIPE201 warning, unsafe fix
    """,
    "the loop sleeps in each turn": """
        import time
        import tensorflow as tf

        def flip(image):
            return tf.image.random_flip_left_right(image)

        ds = tf.data.Dataset.from_tensor_slices(images).map(flip).batch(32)  #! PIPE201 advice, unsafe fix
        for batch in ds:
            show(model(batch))
            time.sleep(5)
    """,
    "the loop sleeps where the device is hot": """
        import time
        import tensorflow as tf

        def flip(image):
            return tf.image.random_flip_left_right(image)

        ds = tf.data.Dataset.from_tensor_slices(images).map(flip).batch(32)  #! PIPE201 warning, unsafe fix
        for batch in ds:
            train(model, batch)
            if too_hot():
                time.sleep(5)
    """,
    "a random function": Case(
        """
        import tensorflow as tf

        def augment(image):
            return tf.image.random_flip_left_right(image)

        def train(model, images):
            ds = tf.data.Dataset.from_tensor_slices(images).map(augment).batch(32).prefetch(tf.data.AUTOTUNE)  #! PIPE201 warning, unsafe fix
            model.fit(ds)
        """,
        """
        import tensorflow as tf

        def augment(image):
            return tf.image.random_flip_left_right(image)

        def train(model, images):
            ds = (
                tf.data.Dataset.from_tensor_slices(images)
                .map(augment, num_parallel_calls=tf.data.AUTOTUNE)
                .batch(32)
                .prefetch(tf.data.AUTOTUNE)
            )
            model.fit(ds)
        """,
    ),
    "a stateless function, which TensorFlow makes parallel by itself": Case(
        """
        import tensorflow as tf

        AUTO = tf.data.AUTOTUNE
        ds = tf.data.TFRecordDataset("train.tfrecord")
        ds = ds.map(  #! PIPE201 advice, safe fix
            lambda record: tf.io.decode_raw(record, tf.uint8),
        )
        model.fit(ds.batch(32).prefetch(AUTO))
        """,
        """
        import tensorflow as tf

        AUTO = tf.data.AUTOTUNE
        ds = tf.data.TFRecordDataset("train.tfrecord")
        ds = ds.map(
            lambda record: tf.io.decode_raw(record, tf.uint8),
            num_parallel_calls=AUTO,
        )
        model.fit(ds.batch(32).prefetch(AUTO))
        """,
    ),
    "random by a function that a lambda calls": mapped("lambda image: jitter(image, 0.1)", RANDOM),
    "random by a local function": mapped("local", RANDOM),
    "random by a method": mapped("Augment().method", RANDOM),
    "random by a partial": mapped("functools.partial(jitter, amount=0.1)", RANDOM),
    "random by a layer": mapped("tf.keras.layers.RandomFlip()", RANDOM),
    "random by a model of layers": mapped("augment", RANDOM),
    "random by a model in training": mapped("lambda image: augment(image, training=True)", RANDOM),
    "random by an object that is called": mapped("Augment()", RANDOM),
    "stateless by TensorFlow's own function": mapped("tf.io.decode_jpeg", STATELESS),
    "stateless by a lambda": mapped("lambda image: tf.cast(image, tf.float32)", STATELESS),
    "a function that is not known": mapped("unknown_function", UNKNOWN),
    "a model that is not known": mapped("model", UNKNOWN),
    "holds the place of work that is to come": Case(
        """
        import tensorflow as tf

        def prepared(image):
            return image

        ds = tf.data.TFRecordDataset(files)
        model.fit(ds.map(lambda image: prepared(image)).batch(32).prefetch(4))  #! PIPE201 advice, safe fix
        """,
    ),
    "evaluation of what comes from elsewhere": Case(
        """
        import tensorflow as tf

        def train(model, splits):
            model.fit(splits["train"].batch(32).prefetch(4))
            test = splits["test"].map(lambda image: tf.image.resize(image, (224, 224)))  #! PIPE201 advice, safe fix
            model.evaluate(test.batch(32).prefetch(4))
        """,
    ),
    "evaluation that decodes": Case(
        """
        import tensorflow as tf

        model.fit(arrays, labels)
        ds = tf.data.Dataset.from_tensor_slices(files).map(lambda f: tf.io.decode_jpeg(tf.io.read_file(f)))  #! PIPE201 advice, safe fix
        model.evaluate(ds.batch(32).prefetch(4))
        """,
    ),
    "Python of which nothing is known": Case(
        """
        import tensorflow as tf
        from words import tokenize

        ds = tf.data.TextLineDataset(files)
        ds = ds.map(lambda line: tf.py_function(tokenize, [line], tf.int32))  #! PIPE201 advice, unsafe fix
        model.fit(ds.batch(32).prefetch(4))
        """,
    ),
    "tests of tensors, which become part of the graph": Case(
        """
        import tensorflow as tf

        def chosen(image, label):
            if label > 3:
                image = label
            return image, label

        ds = tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        model.fit(ds.map(chosen).batch(32).prefetch(4))  #! PIPE201 advice, safe fix
        """,
    ),
    "picks, and computes": Case(
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files)
        ds = ds.map(lambda d: d["image"] / 255)  #! PIPE201 advice, safe fix
        ds = ds.map(lambda d: d["tokens"][:, -d["length"]:])  #! PIPE201 advice, safe fix
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
    ),
}

SILENT: Table = {
    "a list of all, where TensorFlow makes the map parallel": """
        import tensorflow as tf

        print(list(tf.data.TFRecordDataset("train").map(tf.io.decode_raw).batch(3).as_numpy_iterator()))
    """,
    "a function that the program never gets to, where TensorFlow makes the map parallel": """
        import tensorflow as tf

        def old(files):
            return tf.data.TFRecordDataset(files).map(tf.io.decode_jpeg).batch(32).prefetch(2)

        def main():
            model.fit(arrays, labels)

        if __name__ == "__main__":
            main()
    """,
    "arrays that evaluate beside the training, which TensorFlow maps in parallel": """
        import tensorflow as tf

        def scaled(x, y):
            return tf.cast(x, tf.float32) / 255, y

        train = tf.data.Dataset.from_tensor_slices((x, y)).map(scaled, num_parallel_calls=tf.data.AUTOTUNE)
        test = tf.data.Dataset.from_tensor_slices((x_test, y_test)).map(scaled)
        model.fit(train.batch(64), validation_data=test.batch(64))
    """,
    "only brings in constants and shapes": """
        import tensorflow as tf

        def shaped(image, label):
            image.set_shape([28, 28])
            return tf.expand_dims(tf.ensure_shape(image, [28, 28]), -1), label, tf.constant(1.0)

        def renamed(record):
            inputs, outputs = {}, {}
            for name, tensor in record.items():
                if name in ("start", "end"):
                    outputs[name] = tensor
                elif name == "ids":
                    inputs["words"] = tensor
            del record["length"]
            return inputs, outputs

        ds = tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(shaped).map(lambda x, y, z: (tf.reshape(x, [784]), y)).map(renamed)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
    """,
    "only repeats what it is given": """
        import tensorflow as tf

        ds = tf.data.Dataset.range(classes).map(lambda label: [[label] * each]).flat_map(slices)
        model.fit(ds.batch(32))
    """,
    "a loop that only prints": """
        import json
        import tensorflow as tf

        for raw in tf.data.TFRecordDataset("records").map(compressed):
            example = tf.train.Example()
            example.ParseFromString(raw.numpy())
            print(json.dumps({"example": str(example)}, indent=2))
    """,
    "only picks, renames or reorders components": """
        import tensorflow as tf

        def split(example):
            '''The image and its label.'''
            label = example.pop("label")
            return example["image"], label

        def swapped(x, y):
            return {"inputs": {"left": y, "right": x}}, (x, [y])

        ds = tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(split).map(lambda x, y: x).map(lambda d: d["image"]).map(lambda d: {"a": d["b"], "c": {**d["e"]}})
        ds = ds.map(lambda d: (d["tokens"][:, :-1], d["tokens"][:, -1])).map(lambda x, y: (x, (y, nothing)))
        ds = ds.map(swapped).map(lambda x, y: swapped(y, x)).map(lambda d: {k: d[k] for k in ("a", "b")})
        ds = ds.map(lambda d: dict(a=d["b"])).map(lambda *parts: parts[0])
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
    """,
    "handed out before it is batched: the caller decides": """
        import tensorflow as tf

        def records(path):
            return tf.data.TFRecordDataset(path).map(tf.io.parse_tensor)
    """,
}
