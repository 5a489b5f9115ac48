"""PIPE803 predict-in-loop: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "a callback goes through the data that it was made with": """
        import tensorflow as tf

        class Scores(tf.keras.callbacks.Callback):
            def __init__(self, pictures):
                super().__init__()
                self.pictures = pictures

            def on_epoch_end(self, epoch, logs=None):
                for batch, labels in self.pictures:
                    self.score(self.model.predict(batch), labels)  #! PIPE803 advice

        pictures = tf.data.TFRecordDataset("pictures").map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        model = tf.keras.models.load_model("network.keras")
        model.fit(pictures.shuffle(1000).batch(32), epochs=10, callbacks=[Scores(pictures.take(500).batch(32))])
    """,
    "one row in the ways that rows are made": """
        import numpy as np
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        for i in range(5000):
            a = model.predict(np.array([rows[i]]))  #! PIPE803 warning
        for i in range(5000):
            b = model.predict(tf.expand_dims(rows[i], axis=0), verbose=0)  #! PIPE803 warning
        for i in range(5000):
            row = np.reshape(rows[i], (1, 28, 28))
            c = model.predict(row)  #! PIPE803 warning
    """,
    "two models in one loop, told once": """
        import numpy as np
        from tensorflow import keras
        encoder, decoder = keras.models.load_model("e.keras"), keras.models.load_model("d.keras")
        for i in range(5000):
            row = np.expand_dims(rows[i], 0)
            code = encoder.predict(row)  #! PIPE803 warning
            again = decoder.predict(np.expand_dims(code[0], 0))
    """,
    "an agent that now and then explores": """
        import random
        import gym
        from tensorflow import keras

        env = gym.make("MountainCar-v0")
        policy = keras.models.load_model("policy.keras")

        def act(state):
            if random.random() < 0.1:
                return env.action_space.sample()
            return policy.predict(state).argmax()  #! PIPE803 warning

        state, done = env.reset(), False
        while not done:
            state, reward, done, info = env.step(act(state))
    """,
    "a generator of pictures beside each step of the critic": """
        import numpy as np
        from tensorflow import keras
        generator, critic = keras.models.load_model("g.keras"), keras.models.load_model("c.keras")
        for step in range(20_000):
            noise = np.random.normal(size=(64, 100))
            pictures = generator.predict(noise)  #! PIPE803 warning
            critic.train_on_batch(pictures, zeros)
    """,
    "a camera, which takes its time too": """
        import numpy as np
        from tensorflow import keras
        model = keras.models.load_model("model.keras")
        while camera.isOpened():
            picture = np.expand_dims(camera.read(), 0)
            show(model.predict(picture))  #! PIPE803 advice
    """,
    "an average of what single batches give": """
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        ds = tf.data.TFRecordDataset("test.tfrecord").map(parse).batch(32)
        for x, y in ds:
            losses.append(model.evaluate(x, y, verbose=0))  #! PIPE803 advice
    """,
    "the patches of one picture, which are few": """
        import numpy as np
        from patchify import patchify
        from tensorflow import keras
        model = keras.models.load_model("model.keras")
        patches = patchify(scan, (256, 256, 3), step=256)
        for row in range(patches.shape[0]):
            for column in range(patches.shape[1]):
                mask = model.predict(np.expand_dims(patches[row, column], 0))  #! PIPE803 advice
                masks.append(mask[0])
    """,
    "the patches of many pictures": """
        import numpy as np
        from patchify import patchify
        from tensorflow import keras
        model = keras.models.load_model("model.keras")
        for number in range(len(scans)):
            patches = patchify(scans[number], (256, 256, 3), step=256)
            for row in range(patches.shape[0]):
                for column in range(patches.shape[1]):
                    masks.append(model.predict(np.expand_dims(patches[row, column], 0)))  #! PIPE803 warning
    """,
}
SILENT: Table = {
    "files, of which nobody knows how many, and which take as long to read": """
        import numpy as np
        from PIL import Image
        from tensorflow import keras
        model = keras.models.load_model("model.keras")
        for path in paths:
            picture = np.expand_dims(np.asarray(Image.open(path)), 0)
            kinds.append(model.predict(picture))
    """,
    "the predict of another kind of model, whose gradient is taken": """
        import tensorflow as tf
        from object_detection.builders import model_builder
        detector = model_builder.build(settings)
        for images, boxes in batches:
            with tf.GradientTape() as tape:
                loss = detector.loss(detector.predict(images, shapes), shapes)
            optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    """,
    "each turn sleeps for seconds, if only under a test": """
        import time
        import numpy as np
        from tensorflow import keras
        model = keras.models.load_model("model.keras")
        for i in range(len(rows)):
            scores.append(model.predict(np.expand_dims(rows[i], 0)))
            if polite:
                time.sleep(2)
    """,
    "a stateful layer goes on from where the row before left it": """
        import keras
        import numpy as np

        model = keras.Sequential([keras.layers.LSTM(64, stateful=True), keras.layers.Dense(30)])
        text = np.zeros((1, 1, 30))
        for _ in range(500):
            text = model.predict(text[:1])
    """,
    "each model of an ensemble, fetched by a function": """
        import numpy as np
        import tensorflow as tf

        def fetched(path):
            return tf.keras.models.load_model(path)

        row = np.expand_dims(first, 0)
        for path in paths:
            model = fetched(path)
            votes.append(model.predict(row))
    """,
    "batches that come in another order the next time": """
        import tensorflow as tf

        model = tf.keras.models.load_model("model.keras")
        pairs = tf.data.Dataset.from_tensor_slices((images, labels)).shuffle(1000)
        for x, y in pairs.batch(32):
            answers.append((y, model.predict(x)))
    """,
    "a batch in each turn, whose results go to files one by one": """
        import numpy as np
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        for batch in tf.data.TFRecordDataset("scans").map(parse).batch(4):
            for number, scan in enumerate(model.predict(batch)):
                if wanted(scan):
                    np.save(f"{number}.npy", scan)
    """,
    "folds": """
        from sklearn.model_selection import KFold
        from tensorflow import keras
        for train, test in KFold(5).split(x):
            model = keras.Sequential([keras.layers.Dense(1)])
            model.compile("adam", "mse")
            model.fit(x[train], y[train])
            errors.append(model.predict(x[test]) - y[test])
    """,
    "once an epoch": """
        import numpy as np
        from tensorflow import keras
        model = keras.models.load_model("model.keras")
        for epoch in range(500):
            model.fit(x, y)
            history.append(model.predict(np.expand_dims(x[0], 0)))
    """,
    "now and then": """
        import numpy as np
        from tensorflow import keras
        generator, critic = keras.models.load_model("g.keras"), keras.models.load_model("c.keras")
        for step in range(20_000):
            critic.train_on_batch(x, y)
            if step % 500 == 0:
                save(generator.predict(np.random.normal(size=(25, 100))))
    """,
    "once for many moves": """
        import gym
        from tensorflow import keras
        env = gym.make("MountainCar-v0")
        critic = keras.models.load_model("critic.keras")
        done = False
        while not done:
            state, reward, done, info = env.step(env.action_space.sample())
            states.append(state)
            if len(states) >= 64:
                values = critic.predict(states)
    """,
    "a handful of rows": """
        import numpy as np
        from tensorflow import keras
        model = keras.models.load_model("model.keras")
        for i in range(10):
            print(model.predict(np.expand_dims(rows[i], 0)))
    """,
    "a user is asked": """
        import numpy as np
        from tensorflow import keras
        model = keras.models.load_model("model.keras")
        while True:
            text = input("? ")
            print(model.predict(np.array([text])))
    """,
    "plotted one by one": """
        import matplotlib.pyplot as plt
        import numpy as np
        from tensorflow import keras
        model = keras.models.load_model("model.keras")
        for i in range(len(rows)):
            plt.imshow(model.predict(np.expand_dims(rows[i], 0))[0])
            plt.show()
    """,
    "a picture is written for each file": """
        import cv2
        import numpy as np
        from tensorflow import keras
        model = keras.models.load_model("model.keras")
        for path in paths:
            picture = np.expand_dims(cv2.imread(path), 0)
            cv2.imwrite(path + ".png", model.predict(picture)[0])
    """,
    "the whole dataset for each camera": """
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        for view in views:
            rays = tf.data.Dataset.from_tensor_slices(rays_of(view)).batch(4096)
            pictures.append(model.predict(rays))
    """,
    "a model of another library": """
        import numpy as np
        import tensorflow as tf
        from sklearn.linear_model import Ridge
        model = Ridge()
        for i in range(len(rows)):
            scores.append(model.predict(np.expand_dims(rows[i], 0)))
    """,
    "left when there are enough": """
        import tensorflow as tf

        model = tf.keras.models.load_model("model.keras")
        shown = []
        for images in tf.data.TFRecordDataset("test").map(parse).batch(32):
            scores = model.predict(images)
            shown.extend(zip(images, scores))
            if len(shown) >= 16:
                break
    """,
}
