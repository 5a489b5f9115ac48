"""PIPE201 unparallelized-map: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table


def mapped(function: str, told: str = "") -> str:
    """A pipeline that maps one of several functions, and what is found at it, if anything."""
    mark = f"  #! PIPE201 {told}" if told else ""
    return f"""
        import functools
        import tensorflow as tf

        def jitter(image, amount):
            return tf.image.random_hue(image, amount)

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
            ds = tf.data.Dataset.from_tensor_slices(images).map({function}).batch(32).prefetch(1){mark}
            model.fit(ds)
    """


RANDOM = "warning, unsafe fix"
# TensorFlow 2.6 and later make a stateless function parallel by themselves.
STATELESS = "advice, safe fix"

FOUND: Table = {
    "tables that are asked in each epoch": """
        import tensorflow as tf

        words = tf.keras.layers.TextVectorization()
        letters = tf.keras.layers.StringLookup(vocabulary=alphabet)
        lines = tf.data.TextLineDataset(files)
        model.fit(lines.map(words).batch(32).prefetch(tf.data.AUTOTUNE), epochs=5)  #! PIPE201 advice, unsafe fix
        spelled = lines.map(lambda line: letters(tf.strings.unicode_split(line, "UTF-8")))  #! PIPE201 advice, unsafe fix
        model.fit(spelled.padded_batch(32).prefetch(tf.data.AUTOTUNE), epochs=5)
    """,
    "pictures of which a few are looked at, and that are gone through once": """
        import numpy as np
        import tensorflow as tf

        def load(path):
            return np.load(path)

        model = tf.keras.Sequential([tf.keras.layers.Conv2D(3, 3)])
        train = tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=tf.data.AUTOTUNE).batch(4).prefetch(1)
        test = tf.data.Dataset.list_files("*.npy").map(lambda path: tf.numpy_function(load, [path], tf.float32)).batch(4)  #! PIPE201 advice, unsafe fix
        for step, batch in train.repeat().enumerate():
            model.train_on_batch(batch)
            if step % 1000 == 0:
                for sample in test.take(3):
                    print(model(sample))
        for batch in test:
            results.append(model(batch))
    """,
    "layers that change pictures and their masks alike, by a seed that they share": """
        import tensorflow as tf

        class Augment(tf.keras.layers.Layer):
            def __init__(self):
                super().__init__()
                self.images = tf.keras.layers.RandomFlip(seed=42)
                self.masks = tf.keras.layers.RandomFlip(seed=42)

            def call(self, image, mask):
                return self.images(image), self.masks(mask)

        model.fit(tf.data.Dataset.from_tensor_slices((images, masks)).map(Augment()).batch(8).prefetch(1))  #! PIPE201 advice
    """,
    "draws for whole batches, which cost little, but not beside what is decoded": """
        import tensorflow as tf

        def load(path):
            return tf.image.random_flip_up_down(tf.io.decode_jpeg(tf.io.read_file(path)))

        lines = tf.data.TextLineDataset("train.txt").batch(32)
        noisy = lines.map(lambda batch: tf.random.normal([32]) + batch)
        model.fit(noisy.prefetch(1))
        pictures = tf.data.Dataset.list_files("*.jpg").map(load)  #! PIPE201 warning, unsafe fix
        model.fit(pictures.batch(32).prefetch(1))
    """,
    "pictures of which much is computed, unlike flips, and lookups of single words": """
        import keras
        import tensorflow as tf
        import tensorflow_datasets as tfds

        words = keras.layers.TextVectorization()

        def sized(example):
            return tf.image.resize(example["image"], (128, 128)), tf.image.resize(example["mask"], (128, 128))

        def flipped(image, mask):
            if tf.random.uniform(()) > 0.5:
                image, mask = tf.image.flip_left_right(image), tf.image.flip_left_right(mask)
            return image, mask

        def turned(image, mask):
            return tf.image.random_hue(image, 0.2), mask

        model.fit(tf.data.TextLineDataset("train.txt").map(words).batch(32).prefetch(1))  #! PIPE201 advice, unsafe fix
        pets = tfds.load("pets", split="train").map(sized, num_parallel_calls=tf.data.AUTOTUNE).cache()
        model.fit(pets.map(flipped).batch(64).prefetch(1))
        model.fit(pets.map(turned).batch(64).prefetch(1))  #! PIPE201 warning, unsafe fix
    """,
    "a function that is mapped in parallel elsewhere, so that this map looks forgotten": """
        import tensorflow as tf

        def load(path):
            return tf.io.decode_jpeg(tf.io.read_file(path))

        train = tf.data.Dataset.list_files("train/*").map(load, num_parallel_calls=tf.data.AUTOTUNE)
        more = tf.data.Dataset.list_files("more/*").map(load)  #! PIPE201 advice, safe fix
        test = tf.data.Dataset.list_files("test/*").map(load)
        model.fit(train.batch(32).prefetch(1), validation_data=test.batch(32).prefetch(1))
        model.fit(more.batch(32).prefetch(1))
    """,
    "a loop that saves arrays, for others to read": """
        import numpy as np
        import tensorflow as tf

        def augmented(path):
            return tf.image.random_flip_left_right(tf.io.decode_jpeg(tf.io.read_file(path)))

        for number, images in enumerate(tf.data.Dataset.list_files("*").map(augmented).batch(8)):  #! PIPE201 warning, unsafe fix
            np.save(f"{number}.npy", images.numpy())
    """,
    "a product of matrices, which may be small": """
        import tensorflow as tf

        def turned(points, angles):
            return tf.matmul(points, tf.random.uniform([3, 3])), angles

        clouds = tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        model.fit(clouds.map(turned).batch(32).prefetch(1), epochs=10)  #! PIPE201 advice, unsafe fix
    """,
    "the frames of a film are changed alike by a seed that they share": """
        import tensorflow as tf

        def augmented(first, second):
            first = tf.image.random_hue(first, 0.2, seed=7)
            return first, tf.image.random_hue(second, 0.2, seed=7)

        def shaken(frames):
            return tf.stack([tf.image.random_crop(frame, size, seed=SEED) for frame in tf.unstack(frames)])

        def apart(first, second):
            first = tf.image.random_hue(first, 0.2, seed=7)
            return first, tf.image.random_hue(second, 0.2, seed=8)

        films = tf.data.Dataset.from_tensor_slices((firsts, seconds))
        model.fit(films.map(augmented).batch(32).prefetch(1))  #! PIPE201 advice
        model.fit(films.map(apart).batch(32).prefetch(1))  #! PIPE201 warning, unsafe fix
    """,
    "a module that tries out one of its functions is there for those that import it": """
        import tensorflow as tf

        def augmented(path):
            return tf.image.random_flip_left_right(tf.io.decode_jpeg(tf.io.read_file(path)))

        def training(files):
            return tf.data.Dataset.list_files(files).map(augmented).batch(8).prefetch(1)  #! PIPE201 advice, unsafe fix

        def validation(files):
            return tf.data.Dataset.list_files(files).map(augmented).batch(8).prefetch(1)  #! PIPE201 advice, unsafe fix

        if __name__ == "__main__":
            for batch in validation("*.jpg").take(1):
                print(batch.shape)
    """,
    "the options ask for what TensorFlow does to stateless functions alone": """
        import tensorflow as tf

        options = tf.data.Options()
        options.experimental_optimization.map_parallelization = True
        ds = tf.data.Dataset.from_tensor_slices(images).map(tf.keras.layers.RandomFlip())  #! PIPE201 warning, unsafe fix
        model.fit(ds.batch(32).prefetch(4).with_options(options))
    """,
    "a batch now and then that trains": """
        import tensorflow as tf

        def augmented(path):
            return tf.image.random_flip_left_right(tf.io.decode_jpeg(tf.io.read_file(path)))

        more = iter(tf.data.Dataset.list_files("*").map(augmented).batch(8).prefetch(1).repeat())  #! PIPE201 warning, unsafe fix
        for step in range(100_000):
            critic.train_on_batch(images, labels)
            if step % 5 == 0:
                maker.train_on_batch(next(more))
    """,
    "gathered in a list, once and for each epoch": """
        import tensorflow as tf

        def noisy(x):
            return tf.image.random_hue(x, 0.2)

        rows = list(tf.data.Dataset.from_tensor_slices(x).map(noisy))  #! PIPE201 advice, unsafe fix
        for epoch in range(20):
            rows = list(tf.data.Dataset.from_tensor_slices(x).map(noisy))  #! PIPE201 warning, unsafe fix
            learn(rows)
    """,
    "the loop sleeps in each turn": """
        import time
        import tensorflow as tf

        def flip(image):
            return tf.image.random_hue(image, 0.1)

        ds = tf.data.Dataset.from_tensor_slices(images).map(flip).batch(32)  #! PIPE201 advice, unsafe fix
        for batch in ds:
            show(model(batch))
            time.sleep(5)
    """,
    "the loop sleeps where the device is hot": """
        import time
        import tensorflow as tf

        def flip(image):
            return tf.image.random_hue(image, 0.1)

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
            return tf.image.random_hue(image, 0.1)

        def train(model, images):
            ds = tf.data.Dataset.from_tensor_slices(images).map(augment).batch(32).prefetch(tf.data.AUTOTUNE)  #! PIPE201 warning, unsafe fix
            model.fit(ds)
        """,
        """
        import tensorflow as tf

        def augment(image):
            return tf.image.random_hue(image, 0.1)

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
    "a stateless function, which an older TensorFlow does not make parallel": Case(
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
        target=(2, 5),
    ),
    "random by a function that a lambda calls": mapped("lambda image: jitter(image, 0.1)", RANDOM),
    "random by a local function": mapped("local", RANDOM),
    "random by a method": mapped("Augment().method", RANDOM),
    "random by a partial": mapped("functools.partial(jitter, amount=0.1)", RANDOM),
    "random by a layer": mapped("tf.keras.layers.RandomFlip()", RANDOM),
    "random by a model of layers": mapped("augment", RANDOM),
    "random by a model in training": mapped("lambda image: augment(image, training=True)", RANDOM),
    "random by an object that is called": mapped("Augment()", RANDOM),
    "stateless by TensorFlow's own function": Case(mapped("tf.io.decode_jpeg", STATELESS), target=(2, 5)),
    "stateless by a lambda": Case(mapped("lambda image: tf.math.log(image)", STATELESS), target=(2, 5)),
    "texts are looked up in a vocabulary": """
        import tensorflow as tf
        import tensorflow_text

        tokenizer = tensorflow_text.BertTokenizer("vocabulary.txt")
        ds = tf.data.TextLineDataset("train.txt").map(lambda line: tokenizer.tokenize([line])[0])  #! PIPE201 warning, unsafe fix
        model.fit(ds.padded_batch(32).prefetch(4))
    """,
    "a function that is not known, before TensorFlow makes maps parallel": Case(
        """
        import tensorflow as tf

        model.fit(tf.data.TFRecordDataset("train").map(unknown_function).batch(32).prefetch(4))  #! PIPE201 advice, unsafe fix
        """,
        target=(2, 5),
    ),
    "holds the place of work that is to come": Case(
        """
        import numpy as np
        import tensorflow as tf

        def prepared(image):
            return image

        ds = tf.data.Dataset.from_tensor_slices(np.zeros((10_000, 128, 128, 3)))
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
        target=(2, 5),
    ),
    "evaluation that decodes": Case(
        """
        import tensorflow as tf

        model.fit(arrays, labels)
        ds = tf.data.Dataset.from_tensor_slices(files).map(lambda f: tf.io.decode_jpeg(tf.io.read_file(f)))  #! PIPE201 advice, safe fix
        model.evaluate(ds.batch(32).prefetch(4))
        """,
        target=(2, 5),
    ),
    "Python that decodes outside of the interpreter's lock, among what is not known": """
        import cv2
        import tensorflow as tf
        from elsewhere import cropped

        ds = tf.data.Dataset.list_files("*.png")
        ds = ds.map(lambda path: tf.py_function(lambda p: cropped(cv2.imread(p)), [path], tf.uint8))  #! PIPE201 warning, unsafe fix
        model.fit(ds.batch(32).prefetch(4))
    """,
    "Python of which nothing is known, beside what the graph decodes": """
        import tensorflow as tf
        from words import tokenize

        def parsed(path, caption):
            return tf.io.decode_jpeg(tf.io.read_file(path)), tf.py_function(tokenize, [caption], tf.int32)

        ds = tf.data.Dataset.from_tensor_slices((paths, captions)).map(parsed)  #! PIPE201 warning, unsafe fix
        model.fit(ds.batch(32).prefetch(4))
    """,
    "tests of tensors, which become part of the graph": Case(
        """
        import tensorflow as tf

        def chosen(image, label):
            if label > 3:
                image = tf.image.resize(image, (8, 8))
            return image, label

        ds = tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        model.fit(ds.map(chosen).batch(32).prefetch(4))  #! PIPE201 advice, safe fix
        """,
        target=(2, 5),
    ),
    "picks, and computes": Case(
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files)
        ds = ds.map(lambda d: tf.math.log(d["image"]))  #! PIPE201 advice, safe fix
        ds = ds.map(lambda d: d["tokens"][:, -d["length"]:])
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
        target=(2, 5),
    ),
}

SILENT: Table = {
    "a function that is not known": mapped("unknown_function"),
    "a model that is not known": mapped("model"),
    "flips, crops and noise, which take no longer than to hand a picture to a thread": """
        import tensorflow as tf
        import tensorflow_datasets as tfds

        def cropped(image, label):
            return tf.image.random_crop(tf.image.random_flip_left_right(image), (224, 224, 3)), label

        def noisy(image, label):
            return image + 0.1 * tf.random.normal(tf.shape(image)), label

        model.fit(tfds.load("flowers", split="train", as_supervised=True).map(cropped).batch(32).prefetch(1))
        model.fit(tfds.load("mnist", split="train", as_supervised=True).map(noisy).batch(32).prefetch(1))
    """,
    "what a cache keeps is made once, with the oldest TensorFlow as well": Case(
        """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(paths).map(tf.io.read_file)
        ds = ds.map(tf.io.decode_png, num_parallel_calls=tf.data.AUTOTUNE).cache("decoded")
        model.fit(ds.batch(32).prefetch(1), epochs=10)
        """,
        target=(2, 3),
    ),
    "random changes that a cache keeps, which is another mistake": """
        import tensorflow as tf

        def turned(path):
            return tf.image.random_hue(tf.io.decode_jpeg(tf.io.read_file(path)), 0.1)

        model.fit(tf.data.Dataset.list_files("*.jpg").map(turned).cache().batch(32).prefetch(1))
    """,
    "what TensorFlow makes parallel by itself, whatever it costs": """
        import tensorflow as tf

        def load(path):
            return tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path)), (224, 224))

        model.fit(tf.data.Dataset.list_files("*.jpg").map(load).batch(32).prefetch(1))
        model.fit(tf.data.TFRecordDataset(files).map(tf.io.parse_tensor).batch(32).prefetch(1))
    """,
    "a table for whole batches, or for what a cache keeps: parallel calls are no faster": """
        import keras
        import tensorflow as tf

        words = keras.layers.TextVectorization()
        lines = tf.data.TextLineDataset("train.txt")
        model.fit(lines.batch(32).map(words).prefetch(1), epochs=5)
        model.fit(lines.map(words).cache().batch(32).prefetch(1), epochs=5)
        reviews = keras.utils.text_dataset_from_directory("reviews")
        model.fit(reviews.map(lambda text, label: (words(text), label)).prefetch(1), epochs=5)
    """,
    "an unknown function of whole batches": """
        import tensorflow as tf
        from elsewhere import split

        model.fit(tf.data.TFRecordDataset(files).batch(32).map(split).prefetch(1))
    """,
    "what TensorFlow makes parallel by itself: trivial work, rows of a table, and all that a cache keeps": """
        import pandas as pd
        import tensorflow as tf

        records = tf.data.TFRecordDataset(files)
        model.fit(records.map(lambda line: (tf.one_hot(line, 10), tf.transpose(line))).batch(32).prefetch(1))
        model.fit(records.map(lambda line: tf.math.log(tf.strings.to_number(line))).cache().batch(32).prefetch(1), epochs=10)
        table = pd.read_csv("sales.csv")
        rows = tf.data.Dataset.from_tensor_slices(table.values).map(lambda row: tf.math.log(row))
        model.fit(rows.batch(32).prefetch(1), epochs=10)
    """,
    "only flattens, packs and names": """
        from collections import OrderedDict
        import tensorflow as tf

        def numbered(images, label):
            inputs = {}
            for place, image in enumerate(images):
                inputs[f"image_{place}"] = image
            return inputs, label

        def weighted(inputs, label, weight=None):
            inputs = tuple(tf.nest.flatten(inputs))
            return (inputs, label) if weight is None else (inputs, label, weight)

        ds = tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=tf.data.AUTOTUNE).map(weighted)
        ds = ds.map(lambda *parts: tuple(tf.nest.flatten(parts))).map(lambda *parts: tf.nest.pack_sequence_as(like, parts))
        ds = ds.map(lambda x, y: dict(zip(("x", "y"), (x, y)))).map(lambda d: [d[name] for name in ("x", "y")])
        ds = ds.map(lambda d: OrderedDict(d)).map(lambda x: {"part_%d" % i: part for i, part in enumerate(x)}).map(numbered)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
    """,
    "the options ask for it": """
        import tensorflow as tf

        options = tf.data.Options()
        options.experimental_optimization.map_parallelization = True
        ds = tf.data.TFRecordDataset(files).map(tf.io.parse_tensor).batch(32).prefetch(4)
        model.fit(ds.with_options(options))
    """,
    "a loop that saves pictures for somebody to look at": """
        import cv2
        import tensorflow as tf

        def augmented(path):
            return tf.image.random_flip_left_right(tf.io.decode_jpeg(tf.io.read_file(path)))

        ds = tf.data.Dataset.list_files("*.jpg").map(augmented).batch(8).prefetch(1)
        for number, images in enumerate(ds):
            cv2.imwrite(f"{number}.png", images[0].numpy())
    """,
    "a batch of the test set now and then": """
        import tensorflow as tf

        def augmented(path):
            return tf.image.random_flip_left_right(tf.io.decode_jpeg(tf.io.read_file(path)))

        test = iter(tf.data.Dataset.list_files("test/*").map(augmented).batch(8).prefetch(1).repeat())
        for step in range(100_000):
            model.train_on_batch(images, labels)
            if step % 1000 == 0:
                print(model.test_on_batch(next(test)))
    """,
    "a class that the program makes no object of": """
        import tensorflow as tf

        def augmented(path):
            return tf.image.random_flip_left_right(tf.io.decode_jpeg(tf.io.read_file(path)))

        class Old:
            def __init__(self, files):
                self.ds = tf.data.Dataset.list_files(files).map(augmented).batch(8).prefetch(1)

            def train(self):
                for batch in self.ds:
                    model.train_on_batch(batch)

        def main():
            model.fit(arrays, labels)

        if __name__ == "__main__":
            main()
    """,
    "Python of which nothing shows that it lets go of the interpreter": """
        import tensorflow as tf
        from words import tokenize

        ds = tf.data.TextLineDataset(files)
        ds = ds.map(lambda line: tf.py_function(tokenize, [line], tf.int32))
        model.fit(ds.batch(32).prefetch(4))
    """,
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
