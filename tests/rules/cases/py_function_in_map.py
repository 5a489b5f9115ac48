"""PIPE503 py-function-in-map: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table


def mapped(function: str, severity: str) -> str:
    """A function behind tf.py_function, and how bad that is."""
    return f"""
        import PIL.Image, requests
        import numpy as np
        import tensorflow as tf
        from elsewhere import Thing
        ds = tf.data.Dataset.list_files("*").map(lambda path: tf.py_function({function}, [path], tf.uint8))  #! PIPE503 {severity}
        model.fit(ds.batch(32))
    """


def silent(function: str) -> str:
    """A function after tf.py_function of which there is nothing to say."""
    return mapped(function, "").replace("  #! PIPE503 ", "")


FOUND: Table = {
    "OpenCV in each of several functions that the settings choose from": """
        import cv2
        import tensorflow as tf
        import yaml

        def mirrored(image):
            return cv2.flip(image, 1)

        def small(image):
            return cv2.resize(image, (32, 32))

        FILTERS = {"mirrored": mirrored, "small": small}
        settings = yaml.safe_load(open("settings.yaml"))

        def filtered(image):
            return FILTERS.get(settings["filter"], mirrored)(image)

        ds = tf.data.Dataset.from_tensor_slices(images)
        ds = ds.map(lambda image: tf.numpy_function(filtered, [image], tf.float32))  #! PIPE503 warning
        model.fit(ds.batch(32))
    """,
    "a picture that Python reads, scales and hands on": """
        import cv2
        import numpy as np
        import tensorflow as tf

        def read(path, label):
            image = cv2.imread(path.numpy().decode("utf-8"))
            return tf.cast(np.array(image) / 255.0, tf.float32), tf.cast(label, tf.float32)

        def load(path, label):
            return tf.py_function(read, [path, label], [tf.float32, tf.float32])

        ds = tf.data.Dataset.from_tensor_slices((paths, labels))
        model.fit(ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(32), epochs=9)  #! PIPE503 warning
    """,
    "PIL decodes each image": """
        import numpy as np
        import tensorflow as tf
        from PIL import Image

        def read(path):
            return np.array(Image.open(path.numpy()).resize((224, 224)))

        def load(path):
            return tf.py_function(read, [path], tf.uint8)

        ds = tf.data.Dataset.list_files("*.jpg").map(load).batch(32)  #! PIPE503 warning
        model.fit(ds)
    """,
    "numpy arithmetic": """
        import numpy as np
        import tensorflow as tf

        def scale(x):
            return np.log(x + 1.0)

        ds = tf.data.Dataset.from_tensor_slices(images)
        ds = ds.map(lambda x: tf.numpy_function(scale, [x], tf.float32)).batch(32)  #! PIPE503 advice
        model.fit(ds)
    """,
    "PIL decodes": mapped("lambda path: PIL.Image.open(path)", "warning"),
    "an object that decodes when it is called": """
        import numpy as np
        import tensorflow as tf
        from PIL import Image

        class Thumbnails:
            def __init__(self, size):
                self.size = size

            def __call__(self, path):
                return self.shrunk(Image.open(path))

            def shrunk(self, image):
                return np.array(image.resize(self.size))

        thumbnails = Thumbnails((32, 32))
        ds = tf.data.Dataset.list_files("*.jpg")
        ds = ds.map(lambda path: tf.numpy_function(thumbnails, [path], tf.uint8))  #! PIPE503 warning
        model.fit(ds.batch(32))
    """,
    "one of two functions that both decode": """
        import cv2
        import tensorflow as tf

        def read(path):
            return cv2.imread(path)

        def read_small(path):
            return cv2.resize(cv2.imread(path), (32, 32))

        either = read if settings.large else read_small
        ds = tf.data.Dataset.list_files("*.jpg")
        model.fit(ds.map(lambda path: tf.numpy_function(either, [path], tf.uint8)).batch(32))  #! PIPE503 warning
    """,
    "Python behind the map that decodes": """
        import numpy as np
        import tensorflow as tf

        def load(path):
            return tf.io.decode_jpeg(tf.io.read_file(path))

        def mask(image):
            return np.where(image > 4, image, 0)

        ds = tf.data.Dataset.from_tensor_slices(paths).map(load)
        ds = ds.map(lambda image: tf.numpy_function(mask, [image], tf.uint8))  #! PIPE503 advice
        model.fit(ds.batch(32))
    """,
}

SILENT: Table = {
    "sound that is brought to another rate": """
        import librosa
        import tensorflow as tf

        def read(path):
            return librosa.load(path.numpy())[0]

        ds = tf.data.Dataset.list_files("*.wav").map(lambda path: tf.py_function(read, [path], tf.float32))
        model.fit(ds.batch(32))
    """,
    "frames of a video, for which TensorFlow has no operation": """
        import cv2
        import tensorflow as tf

        def frames(path):
            video = cv2.VideoCapture(path.numpy().decode())
            return video.read()[1]

        clips = tf.data.Dataset.list_files("*.mp4").map(lambda path: tf.py_function(frames, [path], tf.uint8))
        model.fit(clips.batch(2))
    """,
    "operations of TensorFlow behind a method": """
        import os
        import tensorflow as tf

        class Triples:
            def near(self, path):
                folder, name = os.path.split(path.numpy().decode())
                number = int(name.split(".")[0])
                files = [os.path.join(folder, f"{number + offset:06d}.png") for offset in (-1, 0, 1)]
                return tf.concat([tf.io.decode_png(tf.io.read_file(file)) for file in files], axis=2)

            def load(self, paths):
                ds = tf.data.Dataset.from_tensor_slices(paths)
                return ds.map(lambda path: tf.py_function(self.near, [path], tf.uint8))

        model.fit(Triples().load(paths).batch(32))
    """,
    "OpenCV behind a switch that nothing turns on": """
        import cv2
        import numpy as np
        import tensorflow as tf

        class Scenes:
            def __init__(self, size):
                self.size, self.with_depth = size, None

            def training(self, files):
                return self.made(files, with_depth=False)

            def validation(self, files, with_depth):
                return self.made(files, with_depth)

            def made(self, files, with_depth):
                self.with_depth = with_depth
                ds = tf.data.Dataset.from_tensor_slices(files)
                return ds.map(lambda file: tf.numpy_function(self.read, [file], tf.float32)).batch(8)

            def read(self, file):
                scene = np.load(file)
                if self.with_depth:
                    scene = cv2.resize(scene, self.size)
                return scene

        scenes = Scenes((64, 64))
        model.fit(scenes.training(files), validation_data=scenes.validation(held_out, args.depth))
    """,
    "OpenCV behind a switch that is on by default": """
        import cv2
        import numpy as np
        import tensorflow as tf

        def made(files, shrink=True):
            def read(file):
                scene = np.load(file)
                if shrink:
                    scene = cv2.resize(scene, (64, 64))
                return scene

            ds = tf.data.Dataset.from_tensor_slices(files)
            return ds.map(lambda file: tf.numpy_function(read, [file], tf.float32)).batch(8)

        model.fit(made(files))
    """,
    "texts that Python has to work on": """
        import tensorflow as tf

        def clean(text):
            return text.numpy().decode() + " " + text.numpy().decode()[::-1]

        ds = tf.data.TextLineDataset("reviews.txt")
        ds = ds.map(lambda text: tf.py_function(clean, [text], tf.string))
        model.fit(ds.batch(32))
    """,
    "numpy loads": silent("np.load"),
    "plain Python": silent("lambda path: path + 1"),
    "the network, for which calls wait side by side": silent("lambda path: requests.get(path)"),
    "texts are taken apart, whatever they come from": silent("lambda path: prefix.split('/')[-1].lower()"),
    "OpenCV throughout, of which TensorFlow has only a part": """
        import random

        import cv2
        import tensorflow as tf

        def turned(image):
            rows, columns = image.shape[:2]
            turn = cv2.getRotationMatrix2D((rows / 2, columns / 2), random.uniform(-9, 9), 1)
            return cv2.warpAffine(image, turn, (columns, rows))

        def load(path):
            return turned(cv2.imread(path.numpy().decode()))

        ds = tf.data.Dataset.from_tensor_slices(paths)
        model.fit(ds.map(lambda path: tf.py_function(load, [path], tf.uint8)).batch(32))
    """,
    "a reader that draws in Python what it does with the picture": """
        import random

        import cv2
        import tensorflow as tf

        def load(path):
            image = cv2.imread(path.numpy().decode())
            return image[:, ::-1] if random.random() < 0.5 else image

        ds = tf.data.Dataset.from_tensor_slices(paths)
        model.fit(ds.map(lambda path: tf.py_function(load, [path], tf.uint8)).batch(32))
    """,
    "a parser of texts that makes tensors bit by bit": """
        import numpy as np
        import tensorflow as tf

        def parsed(text):
            atoms = []
            for letter in text.numpy().decode():
                if letter.isalpha():
                    atoms.append(np.log(ord(letter)))
            return tf.convert_to_tensor(atoms)

        ds = tf.data.TextLineDataset("molecules.txt")
        model.fit(ds.map(lambda text: tf.py_function(parsed, [text], tf.float32)).batch(32))
    """,
    "a picture that Python reads, beside other work that stays in Python": """
        import cv2
        import imgaug.augmenters as iaa
        import tensorflow as tf

        blur = iaa.GaussianBlur()

        def load(path):
            return blur(image=cv2.resize(cv2.imread(path.numpy().decode()), (64, 64)))

        ds = tf.data.Dataset.from_tensor_slices(paths)
        ds = ds.map(lambda path: tf.py_function(load, [path], tf.uint8), num_parallel_calls=8)
        model.fit(ds.batch(32).prefetch(1))
    """,
    "OpenCV in one of several functions that the settings choose from": """
        import cv2
        import tensorflow as tf
        import yaml

        def smooth(image):
            return cv2.GaussianBlur(image, (5, 5), 0)

        def plain(image):
            return image * 2

        FILTERS = {"smooth": smooth, "plain": plain}
        settings = yaml.safe_load(open("settings.yaml"))

        def filtered(image):
            return FILTERS[settings["filter"]](image)

        ds = tf.data.Dataset.from_tensor_slices(images)
        ds = ds.map(lambda image: tf.numpy_function(filtered, [image], tf.float32))
        model.fit(ds.batch(32))
    """,
    "numbers that are looked up are what is fed": """
        import tensorflow as tf

        ds = tf.data.Dataset.range(1000)
        ds = ds.map(lambda i: tf.numpy_function(lambda i: images[i], [i], tf.float32))
        model.fit(ds.batch(32))
    """,
    "what is not known": silent("Thing"),
    "a tokeniser may well work outside of the interpreter": silent("lambda path: tokens.encode(path)"),
    "one of two functions, of which only the other decodes": """
        import cv2
        import tensorflow as tf

        def read(path):
            return cv2.imread(path)

        def blank(path):
            return [[0] * 32] * 32

        either = read if settings.large else blank
        ds = tf.data.Dataset.list_files("*.jpg")
        model.fit(ds.map(lambda path: tf.numpy_function(either, [path], tf.uint8)).batch(32))
    """,
    "a setting may ask for a cache": """
        import numpy as np
        import tensorflow as tf

        def make(paths, keep):
            ds = tf.data.Dataset.from_tensor_slices(paths)
            ds = ds.map(lambda path: tf.numpy_function(np.load, [path], tf.float32))
            if keep:
                ds = ds.cache()
            return ds.shuffle(1000).batch(32)

        model.fit(make(paths, args.keep))
    """,
    "a library that computes outside of the interpreter lock changes pictures at random": """
        import albumentations as A
        import tensorflow as tf

        class Loader:
            def __init__(self):
                self.transform = A.Compose([A.HorizontalFlip(p=0.5), A.RandomBrightnessContrast()])

            def change(self, image):
                return self.transform(image=image)["image"]

            def augment(self, image, label):
                return tf.numpy_function(self.change, [image], tf.float32), label

        ds = tf.data.TFRecordDataset(files).map(parse).map(Loader().augment, num_parallel_calls=tf.data.AUTOTUNE)
        model.fit(ds.batch(32).prefetch(1))
    """,
    "pictures that a cache keeps": """
        import cv2
        import tensorflow as tf

        def read(path):
            return cv2.imread(path.numpy().decode())

        ds = tf.data.Dataset.list_files("*.jpg").map(lambda path: tf.py_function(read, [path], tf.uint8))
        model.fit(ds.cache().batch(32), epochs=10)
    """,
    "what Python reads is cached": """
        import numpy as np
        import tensorflow as tf

        def read(path):
            return np.load(path)

        ds = tf.data.Dataset.from_tensor_slices(paths)
        ds = ds.map(lambda path: tf.numpy_function(read, [path], tf.float32))
        model.fit(ds.cache().shuffle(1000).batch(32), epochs=20)
    """,
    "a script gets to none of the functions that would": """
        import tensorflow as tf

        def decoded(record):
            return tf.py_function(lambda record: tokens.decode(record), [record], tf.int64)

        def dataset(files):
            return tf.data.TFRecordDataset(files).map(decoded).batch(32)

        def renamed(name):
            return name.replace("old", "new")

        for name in names:
            print(renamed(name))
    """,
    "a cache keeps what plain or unknown Python makes": """
        import tensorflow as tf
        from elsewhere import tokenizer

        ds = tf.data.TextLineDataset("lines.txt")
        ds = ds.map(lambda line: tf.py_function(lambda line: tokenizer.encode(line.numpy()), [line], tf.int64))
        ds = ds.map(lambda ids: tf.numpy_function(lambda ids: ids[::-1], [ids], tf.int64))
        model.fit(ds.cache().padded_batch(32))
    """,
    "the elements are written to a file, and no model waits for them": """
        import tensorflow as tf

        def packed(row):
            return encoder.pack(row.numpy())

        ds = tf.data.Dataset.from_tensor_slices(rows).map(lambda row: tf.py_function(packed, [row], tf.string))
        number = 0
        for record in ds:
            if number % 1000 == 0:
                writer = tf.io.TFRecordWriter(str(folder.joinpath(f"{number}.tfrecord")))
            writer.write(record.numpy())
            number += 1
    """,
    "Python looks up paths and draws some of them, and what reads them is not known": """
        import os
        import numpy as np
        import tensorflow as tf
        from elsewhere import parser

        def episodes(folders, shots, queries):
            def drawn(name):
                paths = folders[name.numpy().decode("utf-8")]
                some = np.random.choice(paths, size=shots + queries, replace=False)
                return some[:shots], [os.path.join(root, path) for path in some[shots:]]

            def draw(name):
                return tf.py_function(drawn, inp=[name], Tout=[tf.string, tf.string])

            ds = tf.data.Dataset.from_tensor_slices(sorted(folders)).map(draw, num_parallel_calls=tf.data.AUTOTUNE)
            return ds.batch(4).map(parser())

        model.fit(episodes(folders, 5, 15))
    """,
    "Python picks what the next map reads and decodes": """
        import numpy as np
        import tensorflow as tf

        def pick(paths):
            return paths[np.random.randint(len(paths))]

        def load(path):
            return tf.io.decode_jpeg(tf.io.read_file(path))

        ds = tf.data.Dataset.from_tensor_slices(tuples)
        ds = ds.map(lambda paths: tf.numpy_function(pick, [paths], tf.string))
        model.fit(ds.map(load).batch(32))
    """,
    "a sleep that stands for work": """
        import time
        import tensorflow as tf

        def parse(line):
            tf.py_function(lambda: time.sleep(0.001), [], ())
            return tf.strings.to_number(line)

        model.fit(tf.data.TextLineDataset("rows.csv").map(parse).batch(32))
    """,
    "a function of the graph": """
        import tensorflow as tf

        def load(path):
            return tf.image.resize(tf.io.decode_image(tf.io.read_file(path), expand_animations=False), (224, 224))

        ds = tf.data.Dataset.list_files("*.jpg").map(load).batch(32)
        model.fit(ds)
    """,
    "not in a pipeline": """
        import tensorflow as tf

        y = tf.py_function(lambda x: x + 1, [x], tf.float32)
    """,
    "evaluated once": """
        import tensorflow as tf

        ds = tf.data.TextLineDataset("test.txt").map(lambda line: tf.py_function(tokenizer.encode, [line], tf.int64))
        model.evaluate(ds.padded_batch(32))
    """,
}
