"""PIPE801 tiny-batch: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "a comment that says it: whoever wrote that knows": """
        import keras

        ROWS = 1
        (pictures, labels), _ = keras.datasets.mnist.load_data()
        model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(10)])
        # The weights change with every picture (a batch size of one).
        model.fit(pictures, labels, epochs=20, batch_size=ROWS)  #! PIPE801 advice
    """,
    "a function that is called like a test and asserts nothing": """
        import tensorflow as tf

        def test_setup():
            model.fit(tf.data.Dataset.range(5000).batch(2))  #! PIPE801 warning
    """,
    "trained on now and then": """
        import numpy as np
        import tensorflow as tf

        rare = np.zeros((9000, 20))
        extra = iter(tf.data.Dataset.from_tensor_slices(rare).repeat().batch(2))  #! PIPE801 warning
        for step in range(50000):
            if step % 5 == 0:
                model.train_on_batch(next(extra))
    """,
    "few examples for networks that are trained against each other": """
        import numpy as np
        import tensorflow as tf

        drawings = np.zeros((9000, 28, 28))
        pictures = iter(tf.data.Dataset.from_tensor_slices(drawings).repeat().batch(2))  #! PIPE801 warning
        while True:
            with tf.GradientTape(persistent=True) as tape:
                drawn, told = losses(next(pictures))
            drawing.apply_gradients(zip(tape.gradient(drawn, painter.variables), painter.variables))
            telling.apply_gradients(zip(tape.gradient(told, critic.variables), critic.variables))
    """,
    "a reason beside the constant that a caller hands on, as advice": """
        import numpy as np
        import tensorflow as tf

        rows = np.zeros((9000, 20))

        def load(rows, size):
            return tf.data.Dataset.from_tensor_slices(rows).batch(size)  #! PIPE801 advice

        def train():
            number = 3  # more of them need another GPU
            model.fit(load(rows, number))
    """,
    "slices of ten rows in a loop": """
        from training import train_step

        import numpy as np
        import tensorflow as tf

        tf.random.set_seed(1)
        x, y = np.zeros((9000, 20)), np.zeros(9000)
        for i in range(0, 9000, 10):
            train_step(x[i:i + 10], y[i:i + 10])  #! PIPE801 advice
    """,
    "handed out, as advice": """
        import tensorflow as tf
        def training_set():
            return tf.data.Dataset.range(5000).batch(4)  #! PIPE801 advice
    """,
    "the last of two batches": """
        import tensorflow as tf
        ds = tf.data.Dataset.range(5000).batch(1)
        model.fit(ds.batch(6))  #! PIPE801 warning
    """,
    "names that hold the letters of others": """
        import tensorflow as tf
        demographics_test_scores = tf.data.Dataset.range(5000)
        retrieval = demographics_test_scores.batch(2)  #! PIPE801 warning
        for valence_batch in retrieval:
            save_latest(model.train_on_batch(valence_batch))
    """,
    "a default of the function that trains, as advice": """
        import tensorflow as tf
        (x, _), _ = tf.keras.datasets.mnist.load_data()
        def train(model, size=2):
            model.fit(tf.data.Dataset.from_tensor_slices(x).batch(size))  #! PIPE801 advice
    """,
    "a generator in a loop that changes weights": """
        import numpy as np
        from keras.preprocessing.image import ImageDataGenerator
        images = np.zeros((9000, 20, 20, 3))
        for x, y in ImageDataGenerator().flow(images, batch_size=4):  #! PIPE801 warning
            model.train_on_batch(x, y)
    """,
    "distributed, and trained in a loop": """
        import numpy as np
        import tensorflow as tf
        x = np.zeros((9000, 20))
        strategy = tf.distribute.MirroredStrategy()
        ds = strategy.experimental_distribute_dataset(tf.data.Dataset.from_tensor_slices(x).batch(4))  #! PIPE801 warning
        for batch in ds:
            strategy.run(train_step, args=(batch,))
            optimizer.apply_gradients(gradients)
    """,
    "a module constant that a function reads": """
        import tensorflow as tf
        batch_size = 2

        def train(model):
            model.fit(tf.data.Dataset.range(5000).batch(batch_size).prefetch(1))  #! PIPE801 warning
    """,
    "a class attribute": """
        import tensorflow as tf
        (x, _), _ = tf.keras.datasets.mnist.load_data()
        class Config:
            batch = 12
        model.fit(tf.data.Dataset.from_tensor_slices(x).padded_batch(Config.batch))  #! PIPE801 advice
    """,
    "slices by number, through variables": """
        import tensorflow as tf
        x, y = tf.keras.datasets.mnist.load_data()[0]
        model = tf.keras.Sequential([])
        for i in range(1000):
            part, goal = x[i * 8:(i + 1) * 8], y[i * 8:(i + 1) * 8]
            model.train_on_batch(tf.expand_dims(part, axis=-1), goal)  #! PIPE801 advice
    """,
    "a data set whose size is known, whatever functions make of it": """
        import tensorflow as tf

        (images, labels), _ = tf.keras.datasets.mnist.load_data()
        model.fit(tf.data.Dataset.from_tensor_slices(prepared(images, labels)).batch(2))  #! PIPE801 warning
    """,
    "slices whose number is written": """
        import numpy as np
        import tensorflow as tf

        rows = np.loadtxt("rows.csv")
        model = tf.keras.Sequential([tf.keras.Input((20,)), tf.keras.layers.Dense(1)])
        for i in range(5000):
            model.train_on_batch(rows[i * 4:(i + 1) * 4])  #! PIPE801 warning
    """,
    "a comment that gives a reason for few small pictures, as advice": """
        import tensorflow as tf
        (images, labels), _ = tf.keras.datasets.cifar10.load_data()
        # More does not fit into the memory of the card.
        model.fit(tf.data.Dataset.from_tensor_slices((images, labels)).batch(4))  #! PIPE801 advice
    """,
    "trained on, but for pictures that are drawn now and then": """
        import numpy as np
        import tensorflow as tf

        images = np.zeros((9000, 20))
        drawn = iter(tf.data.Dataset.from_tensor_slices(held_out).repeat().batch(1))
        batches = iter(tf.data.Dataset.from_tensor_slices(images).repeat().batch(2))  #! PIPE801 warning
        for step in range(50000):
            image = next(batches)
            model.train_on_batch(image)
            if step % 500 == 0:
                image = next(drawn)
                save(step, model(image))
    """,
    "arrays that are written to have many rows, beside those of a few hundred": """
        import numpy as np
        import tensorflow as tf

        table = np.load("other.npy")
        model.fit(np.random.rand(200, 3), batch_size=2, epochs=20)
        model.fit(tf.data.Dataset.from_tensor_slices(np.zeros((200, 3))).batch(2), epochs=20)
        model.fit(np.random.rand(20000, 3), batch_size=2, epochs=20)  #! PIPE801 warning
        model.fit(tf.data.Dataset.from_tensor_slices(np.zeros((20000, 3))).batch(2), epochs=20)  #! PIPE801 warning
    """,
    "fetched by scikit-learn": """
        import tensorflow as tf
        from sklearn.datasets import fetch_20newsgroups

        tf.keras.Sequential().fit(*prepared(fetch_20newsgroups()), batch_size=2)  #! PIPE801 warning
    """,
    "many steps out of an iterator": """
        import tensorflow as tf

        batches = iter(tf.data.Dataset.range(100000).batch(2))  #! PIPE801 warning
        for _ in range(50000):
            model.train_on_batch(next(batches))
    """,
    "groups of channels": """
        import numpy as np
        import tensorflow as tf

        images = np.zeros((9000, 20))
        norm = tf.keras.layers.GroupNormalization(groups=8)
        model.fit(tf.data.Dataset.from_tensor_slices(images).batch(1))  #! PIPE801 warning
    """,
    "a batch of four": """
        import tensorflow as tf

        (images, labels), _ = tf.keras.datasets.cifar10.load_data()
        BATCH = 4
        ds = tf.data.Dataset.from_tensor_slices((images, labels)).batch(BATCH).prefetch(tf.data.AUTOTUNE)  #! PIPE801 warning
        model.fit(ds)
    """,
    "one constant for two pipelines": """
        import numpy as np
        import tensorflow as tf

        images = np.zeros((9000, 20))
        BATCH = 4
        pictures = tf.data.Dataset.from_tensor_slices(images).batch(BATCH)  #! PIPE801 warning
        masks = tf.data.Dataset.from_tensor_slices(drawn).batch(BATCH)
        model.fit(pictures)
        model.fit(masks)
    """,
    "arrays given to fit": """
        from tensorflow import keras

        (x, y), _ = keras.datasets.cifar10.load_data()
        model = keras.Sequential([keras.layers.Dense(1)])
        model.fit(x, y, batch_size=1, epochs=10)  #! PIPE801 warning
    """,
    "a module constant": """
        import numpy as np
        import tensorflow as tf
        x = np.zeros((9000, 20))
        BATCH = 2
        model.fit(tf.data.Dataset.from_tensor_slices(x).batch(BATCH))  #! PIPE801 warning
    """,
    "the value that the caller of a builder gives": """
        import numpy as np
        import tensorflow as tf
        x, v = np.zeros((9000, 20)), np.zeros((1000, 20))
        def build(x, size=64):
            return tf.data.Dataset.from_tensor_slices(x).batch(size)  #! PIPE801 warning
        model.fit(build(x, size=6), validation_data=build(v, size=64))
    """,
    "a default that the only caller leaves alone": """
        import numpy as np
        import tensorflow as tf
        x = np.zeros((9000, 20))
        def build(x, size=4):
            return tf.data.Dataset.from_tensor_slices(x).batch(size)  #! PIPE801 warning
        model.fit(build(x))
    """,
    "both branches of a zip": """
        import tensorflow as tf
        (x, y), _ = tf.keras.datasets.mnist.load_data()
        a = tf.data.Dataset.from_tensor_slices(x).batch(1)  #! PIPE801 warning
        b = tf.data.Dataset.from_tensor_slices(y).batch(1)  #! PIPE801 warning
        model.fit(tf.data.Dataset.zip((a, b)))
    """,
    "a loop with a tape": """
        import tensorflow as tf
        (x, _), _ = tf.keras.datasets.mnist.load_data()
        ds = tf.data.Dataset.from_tensor_slices(x).batch(2)  #! PIPE801 warning
        for batch in ds:
            with tf.GradientTape() as tape:
                loss = model(batch)
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    """,
    "drawn by next in a loop that trains": """
        import tensorflow as tf
        from training import train_step
        (x, _), _ = tf.keras.datasets.mnist.load_data()
        draws = iter(tf.data.Dataset.from_tensor_slices(x).repeat().batch(2))  #! PIPE801 advice
        for step in range(1000):
            train_step(next(draws))
    """,
    "drawn by next in a loop that changes weights": """
        import tensorflow as tf
        (x, _), _ = tf.keras.datasets.mnist.load_data()
        draws = iter(tf.data.Dataset.from_tensor_slices(x).repeat().batch(2))  #! PIPE801 warning
        for step in range(1000):
            model.train_on_batch(*next(draws))
    """,
    "gradients applied in a function that the loop calls": """
        import tensorflow as tf
        (x, _), _ = tf.keras.datasets.mnist.load_data()
        def learn(batch):
            optimizer.apply_gradients(gradients_of(batch))
        for batch in tf.data.Dataset.from_tensor_slices(x).batch(2):  #! PIPE801 warning
            learn(batch)
    """,
    "many rows of a table, or who knows how many, beside a few hundred between constants": """
        import pandas as pd
        import tensorflow as tf
        from tensorflow.keras.preprocessing.sequence import TimeseriesGenerator

        table = pd.read_csv("prices.csv").to_numpy()
        FIRST = 300
        head = table[:FIRST]
        model.fit(TimeseriesGenerator(table[:300], goal[:300], length=12, batch_size=6), epochs=9)
        model.fit(table[100:500, 1:], goal, batch_size=2, epochs=9)
        model.fit(head, goal, batch_size=2, epochs=9)
        model.fit(tf.data.Dataset.from_tensor_slices(head).batch(2), epochs=9)
        model.fit(TimeseriesGenerator(table[300:], goal[300:], length=12, batch_size=6), epochs=9)
        model.fit(table[:9000], goal, batch_size=2, epochs=9)  #! PIPE801 warning
        model.fit(table[:-10], goal, batch_size=2, epochs=9)
        model.fit(tf.data.Dataset.from_tensor_slices(table).batch(2), epochs=9)
    """,
    "a size that is a dimension of a tensor too, as advice": """
        import numpy as np
        import tensorflow as tf

        rows_at_once = 1
        wide = 2
        table = np.zeros((9000, 8))

        def sampled(mean):
            return mean + tf.random.normal(shape=(rows_at_once, 8)) + tf.zeros((8, wider))

        model = tf.keras.Sequential([tf.keras.layers.Lambda(sampled)])
        model.fit(table, batch_size=rows_at_once)  #! PIPE801 advice
        model.fit(table, batch_size=wide)  #! PIPE801 warning
    """,
    "a comment that gives none": """
        import numpy as np
        import tensorflow as tf
        x = np.zeros((9000, 20))
        SIZE = 4  # examples in each batch, memories of an earlier run
        model.fit(tf.data.Dataset.from_tensor_slices(x).batch(SIZE))  #! PIPE801 warning
    """,
    "arrays, the model from a function out of sight": """
        import tensorflow as tf
        from nets import build
        (x, y), _ = tf.keras.datasets.cifar10.load_data()
        tf.random.set_seed(1)
        build().fit(x, y, batch_size=2)  #! PIPE801 warning
    """,
    "slices between named bounds": """
        import tensorflow as tf
        (x, y), _ = tf.keras.datasets.cifar10.load_data()
        model = tf.keras.Sequential([])
        size = 4
        for i in range(1000):
            start = i * size
            end = start + size
            model.train_on_batch(x[start:end], y[start:end])  #! PIPE801 warning
    """,
    "cut to a few rows only behind the training": """
        import tensorflow as tf

        (x, y), _ = tf.keras.datasets.cifar10.load_data()
        model.fit(x, y, batch_size=4, epochs=1)  #! PIPE801 warning
        x, y = x[:100], y[:100]
        model.fit(x, y, batch_size=4, epochs=1)
    """,
}

SILENT: Table = {
    "an image generator for fit": """
        from keras.preprocessing.image import ImageDataGenerator
        flow = ImageDataGenerator().flow_from_directory("data/train", target_size=(64, 64), batch_size=4)
        model.fit(flow)
    """,
    "a loader of pictures of which nobody knows how many there are": """
        from tensorflow import keras
        train_ds = keras.utils.image_dataset_from_directory("data", batch_size=8)
        model.fit(train_ds)
    """,
    "a generator that a function gives to fit": """
        from keras.preprocessing.image import ImageDataGenerator
        def flows(folder):
            images = ImageDataGenerator()
            first = images.flow_from_directory(folder, (64, 64), batch_size=4)
            return first, images.flow_from_directory(folder, batch_size=2)
        some, others = flows("data")
        model.fit(some, validation_data=others)
    """,
    "one picture of 256 pixels": """
        from tensorflow import keras
        x, y = load(keras.utils.get_file("pictures.zip", address, extract=True))
        model = keras.Sequential([keras.Input((256, 256, 3)), keras.layers.Conv2D(8, 3)])
        model.fit(x, y, batch_size=1)
    """,
    "windows of a hundred numbers": """
        import tensorflow as tf
        ds = tf.data.Dataset.range(100).window(64, shift=1).flat_map(lambda w: w.batch(64))
        model.fit(ds.batch(2))
    """,
    "a table that names pictures": """
        import cv2
        import numpy as np
        import pandas as pd
        import tensorflow as tf

        table = pd.read_csv("pictures.csv")
        pictures = np.stack([cv2.imread(name) for name in table["name"]])
        tf.keras.Sequential([]).fit(pictures, table["label"], batch_size=2)
    """,
    "records, of which nobody knows how many there are, for a model that takes rows": """
        import tensorflow as tf

        model = tf.keras.Sequential([tf.keras.Input((20,)), tf.keras.layers.Dense(1)])
        model.fit(tf.data.TFRecordDataset(files).map(parse).batch(2))
    """,
    "read by what is mapped, and made small": """
        import tensorflow as tf

        def read(path):
            return tf.image.resize(tf.io.decode_png(tf.io.read_file(path)), (64, 64))

        model.fit(tf.data.Dataset.from_tensor_slices(paths).map(read).batch(2))
    """,
    "data of which nothing tells how much there is": """
        import tensorflow as tf

        def train(model, x, y):
            model.fit(x, y, batch_size=2)
            for i in range(1000):
                model.train_on_batch(x[i * 4:(i + 1) * 4])

        model.fit([nodes, edges], graph_labels, batch_size=2)
        model.fit(tf.data.Dataset.from_generator(made_up, tf.float32).batch(2))
    """,
    "lists that grow, and sources of which it is not known what they hold": """
        import tensorflow as tf

        rows = [first]
        for row in table:
            rows.append(row)
        model.fit(tf.data.Dataset.from_tensor_slices(rows).batch(2))
        model.fit(tf.data.Dataset.from_tensor_slices([first] * 5000).batch(2))
        model.fit(tf.data.Dataset.from_tensor_slices(tf.zeros((5000, 3))).batch(2))
        model.fit(tf.data.Dataset.from_tensor_slices(tf.zeros((9, 5000))[0]).batch(2))
        files = tf.data.Dataset.from_tensor_slices(["a.txt", "b.txt"])
        model.fit(files.flat_map(tf.data.TextLineDataset).batch(2))
    """,
    "a generator whose examples make batches": """
        import h5py
        import tensorflow as tf

        def graphs():
            with h5py.File("graphs.h5") as file:
                yield from file["graphs"]

        model.fit(tf.data.Dataset.from_generator(graphs, tf.float32).batch(2))
    """,
    "records of pictures whose size is ensured": """
        import tensorflow as tf

        def parse(record):
            return tf.ensure_shape(tf.io.decode_png(record), (16, 16, 3))

        model.fit(tf.data.TFRecordDataset(files).map(parse).batch(4))
    """,
    "a data set whose size is known beside files that are trained on": """
        import numpy as np
        import tensorflow as tf

        (images, labels), _ = tf.keras.datasets.mnist.load_data()
        model.fit(tf.data.Dataset.from_tensor_slices(np.load("mine.npy")).batch(2))
    """,
    "a table of which nobody knows how long it is": """
        import pandas as pd
        import tensorflow as tf

        patients = pd.read_csv(tf.keras.utils.get_file("patients.csv", url))
        rows = tf.data.Dataset.from_tensor_slices((patients.values, outcome.values))
        tf.keras.Sequential([tf.keras.layers.Dense(1)]).fit(rows.batch(1), epochs=15)
    """,
    "records of a size that is not written": """
        import tensorflow as tf
        model.fit(tf.data.TFRecordDataset(files).map(parse).batch(2))
        model.fit(tf.data.Dataset.list_files("*.tfrecord").interleave(tf.data.TFRecordDataset).map(parse).batch(2))
        ds = tf.data.experimental.make_csv_dataset("sounds.csv", batch_size=4)
        model.fit(ds.map(lambda row: tf.py_function(listen, [row["name"]], tf.float32)))
    """,
    "sequences of any length": """
        import tensorflow as tf
        sounds = tf.keras.Input((None, 1))
        speaker = tf.keras.Input((1, 5))
        model = tf.keras.Model([sounds, speaker], layers(sounds, speaker))
        model.fit(tf.data.TFRecordDataset(files).map(parse).batch(4))
    """,
    "rows that are written out, whatever is made of them": """
        import numpy as np
        import tensorflow as tf
        from keras import ops
        rows = [[1.0], [2.0], [3.0]]
        x, y = ops.convert_to_tensor([[1.0], [2.0]]), np.expand_dims(np.array(rows), axis=-1) / 1000
        model.fit(x, goal, batch_size=2)
        model.fit(made_up, y, batch_size=2)
        model.fit([x, x[:, :1]], goal, batch_size=2)
        model.fit({"x": tf.cast(x, tf.int32)}, goal, batch_size=2)
        model.fit(tf.keras.utils.to_categorical([0, 1, 2]), goal, batch_size=2)
    """,
    "slices for a few hundred examples in all": """
        import tensorflow as tf
        (x, _), _ = tf.keras.datasets.mnist.load_data()
        model = tf.keras.Sequential([])
        for i in range(0, 400, 4):
            model.train_on_batch(x[i:i + 4])
    """,
    "a reason in a comment of several lines": """
        import tensorflow as tf
        files = tf.data.TFRecordDataset(paths).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        # We take a small batch because memory is short here.
        # Clouds of points are large.
        model.fit(files.batch(2))
    """,
    "a comment that gives the reason for few examples of which nothing tells how large they are": """
        import tensorflow as tf
        # More does not fit into the memory of the card.
        SIZE = 4
        model.fit(tf.data.Dataset.from_tensor_slices(x).batch(SIZE))
    """,
    "pictures of sizes that are not written, beside one that is": """
        import tensorflow as tf
        from settings import side

        def read(path):
            return tf.image.resize(tf.io.decode_png(tf.io.read_file(path)), side)

        def patch(features):
            return tf.image.resize(features, (27, 27))

        model.fit(tf.data.Dataset.from_tensor_slices(paths).map(read).batch(4))
    """,
    "one at a time, of which only names tell that something trains on it": """
        import tensorflow as tf
        def load():
            train_set = tf.data.Dataset.from_tensor_slices(rows).shuffle(100).batch(1)
            return train_set
    """,
    "each example is normalised by itself, by an addon": """
        import tensorflow as tf
        import tensorflow_addons as tfa

        norm = tfa.layers.InstanceNormalization()
        model.fit(tf.data.Dataset.from_tensor_slices(images).batch(1))
    """,
    "images of 512 pixels": """
        import tensorflow as tf

        def load(path):
            return tf.image.resize(tf.io.decode_png(tf.io.read_file(path)), (512, 512))

        files = tf.data.Dataset.from_tensor_slices(paths)
        model.fit(files.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(2).prefetch(tf.data.AUTOTUNE))
    """,
    "one example for networks that are trained against each other": """
        import tensorflow as tf

        pictures = iter(tf.data.TFRecordDataset(files).repeat().map(parse).batch(1))
        while True:
            with tf.GradientTape(persistent=True) as tape:
                drawn, told = losses(next(pictures))
            drawing.apply_gradients(zip(tape.gradient(drawn, painter.variables), painter.variables))
            telling.apply_gradients(zip(tape.gradient(told, critic.variables), critic.variables))
    """,
    "a generator may give one shape after another": """
        import h5py
        import tensorflow as tf

        def graphs():
            with h5py.File("graphs.h5") as file:
                yield from file["graphs"]

        model.fit(tf.data.Dataset.from_generator(graphs, tf.float32).batch(1))
    """,
    "eight pictures of 224 pixels": """
        from tensorflow import keras
        x, y = load(keras.utils.get_file("pictures.zip", address, extract=True))
        model = keras.Sequential([keras.Input((224, 224, 3)), keras.layers.Conv2D(8, 3)])
        model.fit(x, y, batch_size=8)
    """,
    "a hundred steps in all out of an iterator": """
        import tensorflow as tf
        records = iter(tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=tf.data.AUTOTUNE).batch(1).repeat())
        for epoch in range(5):
            for _ in range(20):
                train_step(next(records))
    """,
    "a few numbers that are counted or spaced": """
        import numpy as np
        import tensorflow as tf
        few = 60
        counted = tf.constant(range(few), dtype=tf.float32)
        model.fit(tf.data.Dataset.from_tensor_slices((counted, 2 * counted)).batch(2), epochs=500)
        model.fit(np.linspace(0, 1), y, batch_size=2, epochs=500)
        model.fit(np.arange(0, 60, 2), y, batch_size=2, epochs=500)
    """,
    "a loop that measures, whatever the functions below it are called": """
        import tensorflow as tf
        def training_mode(on):
            return on
        def predict(x):
            return model(x, training_mode(False))
        def measure(model, dataset):
            for x, y in dataset:
                metric.update_state(y, predict(x))
        measure(model, tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=tf.data.AUTOTUNE).batch(1))
    """,
    "each example is normalised by itself": """
        import tensorflow as tf

        def block(x):
            return tf.keras.layers.GroupNormalization(groups=-1)(tf.keras.layers.Conv2D(8, 3)(x))

        model.fit(tf.data.Dataset.from_tensor_slices(images).batch(1))
    """,
    "a large language model": """
        import keras
        import keras_hub
        keras.utils.set_random_seed(1)
        model = keras_hub.models.GemmaCausalLM.from_preset("gemma_2b_en")
        model.fit(x, batch_size=1)
    """,
    "volumes": """
        from tensorflow import keras
        model = keras.Sequential([keras.layers.Conv3D(8, 3)])
        model.fit(x, y, batch_size=2)
    """,
    "large pictures": """
        from tensorflow import keras
        model = keras.Sequential([keras.Input((512, 512, 3)), keras.layers.Conv2D(8, 3)])
        model.fit(x, y, batch_size=2)
    """,
    "handed out behind a shuffle": """
        import tensorflow as tf
        def load(files):
            return tf.data.TFRecordDataset(files).shuffle(1000).batch(4)
    """,
    "one state for each row": """
        from tensorflow import keras
        model = keras.Sequential([keras.layers.LSTM(8, stateful=True), keras.layers.Dense(1)])
        model.fit(x, y, batch_size=1)
    """,
    "one picture of 512 pixels": """
        from tensorflow import keras
        x, y = load(keras.utils.get_file("pictures.zip", address, extract=True))
        model = keras.Sequential([keras.Input((512, 512, 3)), keras.layers.Conv2D(8, 3)])
        model.fit(x, y, batch_size=1)
    """,
    "a test of pytest or unittest, whatever its file is called": """
        import unittest
        import tensorflow as tf

        def test_that_it_learns(tmp_path):
            (x, y), _ = tf.keras.datasets.cifar10.load_data()
            history = model.fit(x, y, batch_size=4)
            assert history.history["loss"][-1] < 1

        class LearnsFromFiles(unittest.TestCase):
            def test_files(self):
                history = model.fit(tf.data.TFRecordDataset(files).map(tf.io.parse_tensor).batch(2))
                self.assertLess(history.history["loss"][-1], 1)
    """,
    "a few hundred rows, however often they come": """
        import numpy as np
        import tensorflow as tf

        def train(epochs, **more):
            rows = np.zeros((300, 3))
            model.fit(rows, goal, batch_size=2, epochs=epochs)
            model.fit(rows, goal, batch_size=2, **more)
            for round in range(rounds):
                model.fit(rows, goal, batch_size=2)
            model.fit(tf.data.Dataset.from_tensor_slices(rows).repeat(9).batch(2))
    """,
    "what comes with scikit-learn is small": """
        import tensorflow as tf
        from sklearn.datasets import load_iris

        tf.keras.Sequential().fit(*prepared(load_iris()), batch_size=2)
    """,
    "a data set of a few hundred rows, whatever is made of them": """
        import numpy as np
        from tensorflow import keras

        (rows, prices), _ = keras.datasets.boston_housing.load_data()
        for fold in range(4):
            kept = np.concatenate([rows[:fold * 100], rows[(fold + 1) * 100:]])
            keras.Sequential([keras.layers.Dense(1)]).fit(kept, prices_of(kept), batch_size=1, epochs=100)
    """,
    "a comment above the statement says that it is asked for": """
        import tensorflow as tf
        from tensorflow.keras.preprocessing.image import ImageDataGenerator

        # You must use a batch size of 12 here.
        pictures = ImageDataGenerator(rescale=1 / 255).flow_from_directory(
            "pets",
            batch_size=12,
            target_size=(150, 150),
        )
        tf.keras.Sequential([tf.keras.layers.Flatten()]).fit(pictures)
    """,
    "a few hundred rows, and few epochs of them": """
        import numpy as np
        import pandas as pd
        import tensorflow as tf
        from tensorflow.keras.preprocessing.sequence import TimeseriesGenerator

        table = pd.read_csv("prices.csv").to_numpy()
        head = table[:120]
        model.fit(head, goal, batch_size=2, epochs=3)
        model.fit(head, goal, batch_size=2)
        model.fit(tf.data.Dataset.from_tensor_slices(np.zeros((300, 3))).batch(2), epochs=2)
        model.fit(TimeseriesGenerator(head, goal, length=12, batch_size=6), epochs=3)
    """,
    "a batch of one that only adds an axis": """
        import tensorflow as tf

        def training_set(batches):
            return tf.data.Dataset.from_generator(batches, tf.float32).batch(1)

        for parts in tf.data.TFRecordDataset("ready").map(parse).batch(1):
            image, label = [tf.squeeze(part, axis=0) for part in parts]
            model.train_on_batch(image, label)
    """,
    "a handful of examples": """
        import numpy as np
        import tensorflow as tf

        x, y = np.zeros((20, 3)), tf.ones([20, 1])
        model.fit(tf.data.Dataset.range(10).map(double).repeat(5).batch(2))
        model.fit(tf.data.Dataset.range(0, 100, 10).batch(2))
        model.fit(tf.data.Dataset.from_tensor_slices((x, labels)).batch(2))
        model.fit(tf.data.Dataset.from_tensor_slices({"in": inputs, "out": y}).batch(2))
        model.fit(tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0]).batch(1))
        model.fit(tf.data.Dataset.from_tensor_slices(np.array([[1, 2], [3, 4]])).batch(1))
        model.fit(x, labels, batch_size=2)
        model.fit(graphs, np.expand_dims(labels, axis=0), batch_size=1)
        model.fit(x=graphs, y=np.zeros((4, 2)), batch_size=2)
    """,
    "one example that is given an axis": """
        import numpy as np
        import tensorflow as tf

        graph = tf.expand_dims(nodes, axis=0)
        model.fit(tf.data.Dataset.from_tensor_slices((graph, labels)).batch(1))
        model.fit(tf.data.Dataset.from_tensor_slices(np.asarray(nodes)[np.newaxis, ...]).batch(1))
        model.fit(tf.data.Dataset.from_tensor_slices(tf.cast(nodes, tf.float32)[None]).batch(1))
    """,
    "a few of many": """
        import tensorflow as tf

        model.fit(tf.data.Dataset.from_tensor_slices(images).take(40).batch(4))
        model.fit(tf.data.Dataset.from_tensor_slices(images).batch(4).take(40))
    """,
    "a few steps out of an iterator": """
        import tensorflow as tf

        batches = iter(tf.data.Dataset.range(100000).batch(2))
        for _ in range(50):
            model.train_on_batch(next(batches))
    """,
    "sizes that one training call is given to be compared": """
        import tensorflow as tf

        def learn(ds):
            build().fit(ds)

        learn(tf.data.Dataset.from_tensor_slices(images).batch(1))
        learn(tf.data.Dataset.from_tensor_slices(images).batch(8))
        learn(tf.data.Dataset.from_tensor_slices(images).batch(32))
    """,
    "validation does not train": """
        import tensorflow as tf

        val_ds = tf.data.Dataset.from_tensor_slices((images, labels)).batch(1).prefetch(tf.data.AUTOTUNE)
        model.evaluate(val_ds)
    """,
    "pairs that the next stage merges": """
        import tensorflow as tf

        def mix(images):
            return 0.5 * images[0] + 0.5 * images[1]

        ds = tf.data.Dataset.from_tensor_slices(images).batch(2).map(mix, num_parallel_calls=tf.data.AUTOTUNE)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
    """,
    "multiplied by the number of replicas": """
        import tensorflow as tf

        strategy = tf.distribute.MirroredStrategy()
        ds = tf.data.Dataset.from_tensor_slices(images).batch(4 * strategy.num_replicas_in_sync)
        model.fit(ds.prefetch(tf.data.AUTOTUNE))
    """,
    "validation and evaluation": """
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices(x)
        model.fit(ds.batch(64), validation_data=ds.batch(1))
        model.evaluate(ds.batch(2))
        model.predict(ds.batch(1))
    """,
    "handed out for evaluation, by the variable": """
        import tensorflow as tf
        def load(files):
            ds = tf.data.TFRecordDataset(files)
            train_ds = ds.batch(64)
            val_ds = ds.batch(1)
            return train_ds, val_ds
    """,
    "handed out for evaluation, by the function": """
        import tensorflow as tf
        def make_test_set(files):
            return tf.data.TFRecordDataset(files).batch(1)
    """,
    "handed out for evaluation, by the split": """
        import tensorflow_datasets as tfds
        def load():
            return tfds.load("mnist", split="test").batch(1)
    """,
    "a default that callers out of sight override": """
        import tensorflow as tf
        def build(files, size=1):
            return tf.data.TFRecordDataset(files).batch(size)
    """,
    "a parameter that shadows a constant": """
        import tensorflow as tf
        batch_size = 2
        def train(model, x, batch_size):
            model.fit(tf.data.Dataset.from_tensor_slices(x).batch(batch_size))
    """,
    "a default that every caller overrides": """
        import tensorflow as tf
        def build(x, size=1):
            return tf.data.Dataset.from_tensor_slices(x).batch(size)
        model.fit(build(x, 256))
    """,
    "one size of several": """
        import tensorflow as tf
        SIZES = {64: 4, 128: 2}
        model.fit(tf.data.Dataset.from_tensor_slices(x).batch(SIZES[side]))
    """,
    "taken apart by unbatch": """
        import tensorflow as tf
        model.fit(tf.data.TFRecordDataset(files).batch(2).map(parse).unbatch().batch(64))
    """,
    "inner batches of a window": """
        import tensorflow as tf
        ds = tf.data.Dataset.range(100).window(5).flat_map(lambda w: w.batch(5))
        model.fit(ds.batch(64))
    """,
    "pairs that a lambda hands to a function": """
        import tensorflow as tf
        def mix(pair):
            first, second = tf.unstack(pair)
            return first + second
        model.fit(tf.data.Dataset.from_tensor_slices(x).batch(2).map(lambda pair: mix(pair)))
    """,
    "a batch axis that is squeezed away": """
        import tensorflow as tf
        model.fit(tf.data.Dataset.from_tensor_slices(x).batch(1).map(lambda e: tf.squeeze(e, 0)))
    """,
    "batches of batches": """
        import tensorflow as tf
        model.fit(tf.data.Dataset.from_tensor_slices(x).batch(8).batch(8))
    """,
    "one large branch of a zip": """
        import tensorflow as tf
        labelled = tf.data.Dataset.from_tensor_slices(x).batch(4)
        unlabelled = tf.data.Dataset.from_tensor_slices(y).batch(256)
        model.fit(tf.data.Dataset.zip((labelled, unlabelled)))
    """,
    "a look at the first elements": """
        import tensorflow as tf
        for batch in tf.data.Dataset.from_tensor_slices(x).batch(2).take(1):
            print(batch)
    """,
    "statistics for a layer": """
        import tensorflow as tf
        layer = tf.keras.layers.Normalization()
        layer.adapt(tf.data.Dataset.from_tensor_slices(x).batch(4))
    """,
    "one example with a batch axis": """
        import tensorflow as tf
        model.predict(tf.data.Dataset.from_tensors(x).batch(1))
    """,
    "a loop that only computes": """
        import tensorflow as tf
        for batch in tf.data.Dataset.from_tensor_slices(x).batch(4):
            histogram.add(batch)
    """,
    "under a switch for debugging": """
        import tensorflow as tf
        def train(model, x, debug):
            ds = tf.data.Dataset.from_tensor_slices(x)
            if debug:
                ds = ds.batch(2)
            else:
                ds = ds.batch(64)
            model.fit(ds)
    """,
    "a switch of the program makes larger ones": """
        import tensorflow as tf
        def train(model, x, quick):
            ds = tf.data.Dataset.from_tensor_slices(x)
            model.fit(ds.batch(2) if quick else ds.batch(256))
    """,
    "a default of a constructor that the program overrides": """
        import tensorflow as tf
        class Trainer:
            def __init__(self, model, size=2):
                self.model = model
                self.size = size
            def train(self, x):
                self.model.fit(tf.data.Dataset.from_tensor_slices(x).batch(self.size))
        def main(model, x):
            launch(Trainer(model, size=256), x)
    """,
    "handed out with nothing that tells of training": """
        import tensorflow as tf
        def load(files):
            return tf.data.TFRecordDataset(files).batch(4)
    """,
    "a generator that nothing in sight takes": """
        from keras.preprocessing.image import ImageDataGenerator
        train = ImageDataGenerator().flow_from_directory("data/train", batch_size=1)
        other.fit(images)
    """,
    "a generator whose name another value has in fit": """
        from keras.preprocessing.image import ImageDataGenerator
        def show(data):
            data = ImageDataGenerator().flow_from_directory(data, batch_size=1)
            plot(data)
        show("data")
        model.fit(data)
    """,
    "generators for validation": """
        from keras.preprocessing.image import ImageDataGenerator
        valid = ImageDataGenerator().flow_from_directory("data/valid", batch_size=1)
        model.fit(train, validation_data=valid)
    """,
    "a generator that writes pictures": """
        from keras.preprocessing.image import ImageDataGenerator
        for batch in ImageDataGenerator().flow(x, batch_size=1, save_to_dir="out"):
            break
    """,
    "other libraries that fit": """
        from sklearn.neural_network import MLPClassifier
        MLPClassifier().fit(x, y)
        from other import Model
        Model().fit(x, y, batch_size=2)
    """,
    "a user's own function called fit": """
        import tensorflow as tf
        def fit(x, batch_size):
            return tf.reduce_mean(x) / batch_size
        fit(x, batch_size=2)
    """,
    "slices that are predicted": """
        import tensorflow as tf
        for i in range(0, 100, 4):
            model.predict_on_batch(x[i:i + 4])
    """,
    "slices of no constant width": """
        import tensorflow as tf
        for i in range(100):
            model.train_on_batch(x[i:i + size], y[i:i + size])
    """,
    "multiplied by the number of replicas, in the call of fit": """
        import tensorflow as tf

        strategy = tf.distribute.MirroredStrategy()
        model.fit(tf.data.Dataset.from_tensor_slices(images).batch(4 * strategy.num_replicas_in_sync))
    """,
    "pairs that a map merges": """
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices(images).batch(2)
        ds = ds.map(lambda pair: 0.5 * pair[0] + 0.5 * pair[1], num_parallel_calls=tf.data.AUTOTUNE)
        model.fit(ds.batch(64).prefetch(1))
    """,
    "windows": """
        import tensorflow as tf
        ds = tf.data.Dataset.range(1000).window(5, shift=1, drop_remainder=True)
        ds = ds.flat_map(lambda window: window.batch(5))
        model.fit(ds.batch(32).prefetch(1))
    """,
    "a constant that a parameter or a variable shadows": """
        import tensorflow as tf
        batch_size = 2

        def make(files, batch_size):
            return tf.data.TFRecordDataset(files).batch(batch_size).prefetch(1)

        def train(model, files):
            batch_size = len(files)
            model.fit(tf.data.TFRecordDataset(files).batch(batch_size).prefetch(1))
    """,
    "a constant of a notebook as it is where it is read": Case(
        (
            """
            import tensorflow as tf
            def build(x, size):
                return tf.data.Dataset.from_tensor_slices(x).batch(size)
            """,
            """
            size = 5
            train_ds = build(x, size)
            for batch in train_ds.take(1):
                print(batch)
            """,
            """
            size = 32
            train_ds = build(x, size)
            """,
            "model.fit(train_ds)",
        )
    ),
}
