"""PIPE702 eager-model-call-in-loop: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "a generator of a dataset embeds all pictures in each pass, with the model that its object was made with": """
        import keras
        import tensorflow as tf

        class Mining:
            def __init__(self, paths, network):
                self.paths, self.network = paths, network
                spec = tf.TensorSpec((), tf.string)
                self.hard = tf.data.Dataset.from_generator(self.mined, output_signature=spec).repeat().batch(32)

            def mined(self):
                pictures = tf.data.Dataset.from_tensor_slices(self.paths).map(load, num_parallel_calls=8).batch(64)
                embedded = []
                for batch in pictures.prefetch(2):
                    embedded.append(self.network(batch))  #! PIPE702 advice
                yield from hardest(self.paths, embedded)

        model = keras.applications.ResNet50()
        model.fit(Mining(paths, model).hard, steps_per_epoch=100, epochs=5)
    """,
    "a decoder for each word of a sentence, which an encoder has read: the calls that are made most often": """
        import tensorflow as tf

        def score(encoder, decoder, sentences):
            scores = []
            for words in sentences:
                state = encoder(words)
                for place in range(words.shape[1]):
                    guess, state = decoder(words[:, place], state)  #! PIPE702 advice
                    scores.append(judged(guess))
            return scores

        encoder = tf.keras.models.load_model("encoder.keras")
        decoder = tf.keras.models.load_model("decoder.keras")
        score(encoder, decoder, tf.data.TFRecordDataset("sentences").map(parse).batch(32))
    """,
    "a figure of what each pass measured": """
        import matplotlib.pyplot as plt
        import tensorflow as tf
        for name in range(kinds):
            model = tf.keras.models.load_model(f"{name}.keras")
            error = tf.keras.metrics.MeanSquaredError()
            for start in range(0, 60_000, 64):
                error.update_state(rows[start:start + 64], model(rows[start:start + 64]))  #! PIPE702 advice
            plt.bar(name, error.result())
    """,
    "under a tape whose gradients move the input": """
        import tensorflow as tf
        model = tf.keras.models.load_model("energy.keras")
        for _ in range(5000):
            with tf.GradientTape() as tape:
                tape.watch(images)
                energy = model(images)  #! PIPE702 advice
            images = images - 10 * tape.gradient(energy, images)
    """,
    "a window that slides": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        for _ in range(5000):
            token = tf.argmax(model(window)[:, -1:], axis=-1)  #! PIPE702 advice
            window = tf.concat([window[:, 1:], token], axis=1)
    """,
    "an object of which only `training=` tells that it is a model": """
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)

        def accuracy(network, batches, metric):
            for x, y in batches:
                metric.update_state(y, network(x, training=False))  #! PIPE702 advice

        for epoch in range(50):
            improve(net)
            accuracy(net, ds, tf.keras.metrics.Mean())
    """,
    "a model that calls the layers that it is given": """
        import tensorflow as tf

        class Chain(tf.keras.Model):
            def __init__(self, parts):
                super().__init__()
                self.parts = parts
            def call(self, x):
                for part in self.parts:
                    x = part(x)
                return x

        chain = Chain(parts)
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for epoch in range(50):
            for x in ds:
                seen.append(chain(x))  #! PIPE702 advice
    """,
    "two models in functions of one loop, told once": """
        import tensorflow as tf
        encoder = tf.keras.models.load_model("encoder.keras")
        decoder = tf.keras.models.load_model("decoder.keras")
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)

        def encode(x):
            return encoder(x)  #! PIPE702 advice

        def decode(code):
            return decoder(code)

        for epoch in range(50):
            for x in ds:
                errors.append(tf.reduce_mean(x - decode(encode(x))))
    """,
    "batches that hold all rows, or thousands": """
        import numpy as np
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        rows = tf.data.Dataset.from_tensor_slices(np.zeros((500, 8)))
        many = tf.data.Dataset.from_tensor_slices(data).batch(10000)
        for epoch in range(600):
            for x in rows.batch(500):
                scores.append(model(x))  #! PIPE702 advice
            for x in rows.batch(50):
                scores.append(model(x))  #! PIPE702 advice
            for x in many:
                scores.append(model(x))  #! PIPE702 advice
    """,
    "one pass that takes some hundred batches": """
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for x in ds.take(900):
            scores.append(model(x))  #! PIPE702 advice
    """,
    "a sum that ends the loop counts no turns": """
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        total = 0
        for x in ds:
            total += tf.reduce_mean(model(x))  #! PIPE702 advice
            if total >= 100:
                break
    """,
    "a hundred batches after each epoch": """
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        def measure():
            for x in ds.take(100):
                scores.append(model(x))  #! PIPE702 advice
        for epoch in range(50):
            measure()
    """,
    "a name that only holds the letters of a part for testing": """
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        latest = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for x, y in latest:
            scores.append(model(x))  #! PIPE702 advice
    """,
    "losses are measured beside the pictures": """
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        error = tf.keras.metrics.MeanSquaredError()
        held_out = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for step in range(100000):
            train_once()
            if step % 500 == 0:
                for x in held_out:
                    y = model(x)  #! PIPE702 advice
                    error.update_state(x, y)
                tf.summary.image("drawn", y, step=step)
    """,
    "the pictures are of something else": """
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        held_out = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for step in range(100000):
            train_once()
            if step % 500 == 0:
                right = 0
                for x in held_out:
                    right += tf.reduce_sum(tf.argmax(model(x)))  #! PIPE702 advice
                print(right)
                tf.summary.image("seen", x[:25], step=step)
    """,
    "under a tape whose gradients are kept": """
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        for images in tf.data.Dataset.from_tensor_slices(data).batch(64):
            with tf.GradientTape() as tape:
                tape.watch(images)
                score = model(images)  #! PIPE702 advice
            maps.append(tape.gradient(score, images))
    """,
    "over a dataset": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for x in ds:
            y = model(x)  #! PIPE702 advice
    """,
    "over an enumerated dataset": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for i, x in enumerate(ds):
            y = model(x)  #! PIPE702 advice
    """,
    "over a range": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        for i in range(1000):
            y = model(data[i])  #! PIPE702 advice
    """,
    "in a function that the loop calls": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        def forward(x):
            return model(x)  #! PIPE702 advice

        for x in ds:
            forward(x)
    """,
    "a class of its own": """
        import tensorflow as tf
        class Net(tf.keras.Model):
            pass
        n = Net()
        for i in range(999):
            n(x[i])  #! PIPE702 advice
    """,
    "over a range that a progress bar shows": """
        import tensorflow as tf
        from tqdm import tqdm
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        for i in tqdm(range(1000)):
            y = model(data[i])  #! PIPE702 advice
    """,
    "in each step of a loop that trains": """
        import gymnasium
        import tensorflow as tf
        actor = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        world = gymnasium.make("CartPole-v1")
        for move in range(10_000):
            action = tf.argmax(actor(seen)[0])  #! PIPE702 advice
            seen, reward, done, cut, _ = world.step(action.numpy())
            learner.train_on_batch(*memory.draw())
    """,
    "in a while loop that trains": """
        import tensorflow as tf
        class Agent:
            def __init__(self):
                self.actor = tf.keras.Sequential([tf.keras.layers.Dense(2)])
            def act(self, seen):
                return tf.argmax(self.actor(seen)[0])  #! PIPE702 advice
        agent = Agent()
        while not over:
            action = agent.act(seen)
            learner.train_on_batch(*memory.draw())
    """,
    "a short range in each turn of a loop that trains": """
        import tensorflow as tf
        actor = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        for episode in range(10_000):
            for move in range(50):
                memory.keep(actor(seen))  #! PIPE702 advice
            for _ in range(64):
                learner.train_on_batch(*memory.draw())
    """,
    "what a tape trains is a model": """
        import tensorflow as tf
        from nets import Net, optimizer
        batches = tf.data.Dataset.from_tensor_slices(data).batch(64)
        net = Net()
        for x in batches:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(net(x))
            weights = net.trainable_variables
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        for x in batches:
            scores.append(net(x))  #! PIPE702 advice
    """,
    "what the function beside trains is a model": """
        import tensorflow as tf
        from nets import Net, optimizer
        def learn(batches, net):
            for x in batches:
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(net(x))
                gradients = tape.gradient(loss, net.trainable_weights)
                optimizer.apply_gradients(zip(gradients, net.trainable_weights))
        def judge(batches, net):
            for x in batches:
                scores.append(net(x))  #! PIPE702 advice
        batches = tf.data.Dataset.from_tensor_slices(data).batch(64)
        made = Net()
        learn(batches, made)
        judge(batches, made)
    """,
    "an attribute whose weights a method trains": """
        import tensorflow as tf
        from nets import Net, optimizer
        class Learner:
            def __init__(self, batches):
                self.net = Net()
            @tf.function
            def learn(self, x):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(self.net(x))
                weights = self.net.trainable_variables
                optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
            def judge(self):
                for x in tf.data.Dataset.from_tensor_slices(data).batch(64):
                    scores.append(self.net(x))  #! PIPE702 advice
    """,
    "twice in one loop": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        for x in tf.data.Dataset.from_tensor_slices(data).batch(64):
            loss.update_state(x, model(x))  #! PIPE702 advice
            accuracy.update_state(x, model(x))
    """,
    "names that hold the letters of others": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for truncated, model_inputs in enumerate(ds):
            y = model(model_inputs)  #! PIPE702 advice
    """,
    "timed by itself, with nothing to compare it with": """
        import time
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        started = time.time()
        for x in ds:
            model(x)  #! PIPE702 advice
        print(time.time() - started)
    """,
    "a branch beside one that does something else": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        if mode == "score":
            for x in ds:
                model(x)  #! PIPE702 advice
        else:
            model.summary()
    """,
    "a game at whose end the model learns from it": """
        import tensorflow as tf
        from games import new_game
        net = tf.keras.Sequential([tf.keras.layers.Dense(4)])
        optimizer = tf.keras.optimizers.Adam()
        def learn(seen):
            for x, gain in seen:
                with tf.GradientTape() as tape:
                    loss = gain * tf.reduce_mean(net(x))
                optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
        for _ in range(900):
            game, over, seen = new_game(), False, []
            while not over:
                x, gain, over = game.play(net(game.board))  #! PIPE702 advice
                seen.append((x, gain))
                if over:
                    learn(seen)
    """,
    "a game that is left when the model has learnt from it": """
        import tensorflow as tf
        from games import new_game
        net = tf.keras.Sequential([tf.keras.layers.Dense(4)])
        optimizer = tf.keras.optimizers.Adam()
        def learn(seen):
            for x, gain in seen:
                with tf.GradientTape() as tape:
                    loss = gain * tf.reduce_mean(net(x))
                optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
        for _ in range(900):
            game, seen = new_game(), []
            for move in range(400):
                x, gain, over = game.play(net(game.board))  #! PIPE702 advice
                seen.append((x, gain))
                if over:
                    learn(seen)
                    break
    """,
    "in a loop of its own under the tape of a step, which is told alone": Case(
        """
        import tensorflow as tf
        net = tf.keras.Sequential([tf.keras.layers.Dense(4)])
        optimizer = tf.keras.optimizers.Adam()
        def total(pictures):
            parts = []
            for i in range(pictures.shape[0]):
                parts.append(tf.reduce_mean(net(pictures[i])))
            return tf.add_n(parts)
        for pictures in tf.data.Dataset.from_tensor_slices(data).batch(8):
            with tf.GradientTape() as tape:  #! PIPE701 advice
                loss = total(pictures)
            optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
        """,
        beside=("PIPE701",),
    ),
    "behind a test that ends the loop": """
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        for step, x in enumerate(tf.data.Dataset.from_tensor_slices(data).batch(64)):
            if step >= last:
                break
            kept.append(model(x))  #! PIPE702 advice
    """,
    "padded batches, but for one pass": """
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        padded = tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=tf.data.AUTOTUNE).padded_batch(8)
        for x in padded:
            write(model(x))
        for epoch in range(10):
            for x in padded:
                write(model(x))  #! PIPE702 advice
    """,
    "measured and drawn now and then": """
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        held = tf.data.Dataset.from_tensor_slices((small, large)).batch(64)
        for step in range(100000):
            train_once()
            if step % 500 == 0:
                for x, y in held:
                    drawn = model(x)  #! PIPE702 advice
                    figures.append(tf.image.psnr(drawn, y, max_val=1.0))
                tf.summary.image("drawn", drawn, step=step)
    """,
    "code of a step that is measured with as well, told with the step": Case(
        """
        import tensorflow as tf
        net = tf.keras.Sequential([tf.keras.layers.Dense(4)])
        optimizer = tf.keras.optimizers.Adam()
        def total(pictures):
            parts = []
            for i in range(pictures.shape[0]):
                parts.append(tf.reduce_mean(net(pictures[i])))
            return tf.add_n(parts)
        def measure(held):
            return [total(pictures) for pictures in held]
        for epoch in range(90):
            for pictures in tf.data.Dataset.from_tensor_slices(data).batch(8):
                with tf.GradientTape() as tape:  #! PIPE701 advice
                    loss = total(pictures)
                optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
            measure(held)
        """,
        beside=("PIPE701",),
    ),
}

SILENT: Table = {
    "a function out of sight that is given the model": """
        import tensorflow as tf
        from steps import *

        model = tf.keras.Sequential([tf.keras.layers.Conv2D(8, 3), tf.keras.layers.Dense(10)])
        for pictures, labels in tf.data.TFRecordDataset("test").map(parse).batch(32):
            losses.append(evaluate_batch(model, pictures, labels, training=False))
    """,
    "some batches at the end of each epoch, as the loop of steps counts them": """
        import tensorflow as tf
        from loaders import Loader

        net = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.Dense(2)])
        train, held = Loader("train"), Loader("held")

        @tf.function
        def learn(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(net(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.variables), net.variables))

        def measured(loader):
            turn = 0
            while turn < loader.steps:
                turn += 1
                scores.append(net(next(loader), training=False))

        turn = 0
        for x in train:
            turn += 1
            learn(x)
            if turn == train.steps:
                turn = 0
                measured(held)
    """,
    "beside steps that train a layer anew in each turn, op by op": """
        import tensorflow as tf

        encoder = tf.keras.models.load_model("encoder.keras")
        optimizer = tf.keras.optimizers.SGD()
        for x, y in tf.data.TFRecordDataset("tasks").map(parsed, num_parallel_calls=tf.data.AUTOTUNE).prefetch(2):
            features = encoder(x)
            head = tf.keras.layers.Dense(5)
            for _ in range(10):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(tf.square(head(features) - y))
                optimizer.apply_gradients(zip(tape.gradient(loss, head.variables), head.variables))
    """,
    "every tf.function of the program runs as plain Python": """
        import tensorflow as tf

        tf.config.run_functions_eagerly(True)
        model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
        for batch in tf.data.Dataset.from_tensor_slices(features).batch(64).prefetch(tf.data.AUTOTUNE):
            results.append(model(batch))
    """,
    "a model that hands all on to a tf.function": """
        import tensorflow as tf

        class Scorer(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.dense = tf.keras.layers.Dense(8)
            @tf.function
            def scores(self, x, **options):
                return self.dense(x)
            def call(self, *given, **options):
                return self.scores(*given, **options)

        scorer = Scorer()
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for epoch in range(50):
            for x in ds:
                keep(scorer(x, training=False))
    """,
    "a loop that is pinned to the processor": """
        import tensorflow as tf
        model = tf.keras.models.load_model("large.keras")
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        with tf.device("/CPU:0"):
            for epoch in range(50):
                for x in ds:
                    keep(model(x))
    """,
    "a comment turns the decorator off": """
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        # @tf.function
        def ask(x):
            return model(x)
        for epoch in range(50):
            for x in ds:
                keep(ask(x))
    """,
    "another shape in each turn": """
        import numpy as np
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        for width in range(32, 2000):
            print(width, model(np.zeros((1, 32, width, 3))).shape)
    """,
    "a loop that ends when the last word is found": """
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        for _ in range(512):
            word = tf.argmax(model(word), axis=-1)
            if word == END:
                break
    """,
    "who knows how many turns": """
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        for start in range(0, len(rows), 64):
            scores.append(model(rows[start:start + 64]))
    """,
    "a sentence that is written once an epoch": """
        import tensorflow as tf
        decoder = tf.keras.Sequential([tf.keras.layers.Dense(4)])
        @tf.function
        def train_step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(decoder(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, decoder.weights), decoder.weights))
        def sentence(word):
            while True:
                word = tf.argmax(decoder(word), axis=-1)
                if word == END:
                    break
        for epoch in range(30):
            for x in batches:
                train_step(x)
            sentence(START)
    """,
    "one pass over what is kept for validation": """
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        val_ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for x, y in val_ds:
            scores.append(model(x))
    """,
    "one pass that a counter ends": """
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        most = 900
        seen = 0
        for x in ds:
            scores.append(model(x))
            seen += 1
            if seen >= most:
                break
    """,
    "a search that predicts over and over for each batch": """
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        def best(model, x):
            for weights in candidates:
                model.set_weights(weights)
                rate(model.predict(x))
        for epoch in range(50):
            for x in ds:
                best(model, x)
                scores.append(model(x))
    """,
    "decorators that comments turn off, with a reason and without": """
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)

        # @tf.function  # fails with ragged inputs
        def score(x):
            return model(x)

        # @tf.function
        def rate(x):
            return model(x)

        for epoch in range(50):
            for x in ds:
                scores.append(score(x))
            for x in ds:
                scores.append(rate(x))
    """,
    "features that each turn saves": """
        import numpy as np
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for x, names in ds:
            features = model(x)
            for feature, name in zip(features, names):
                np.save(name.numpy(), feature.numpy())
    """,
    "a loop with a progress bar over what is out of sight, in each epoch": """
        import tensorflow as tf
        from tqdm import tqdm
        model = tf.keras.models.load_model("model.keras")
        loader = make_loader()
        for epoch in range(epochs):
            for x in tqdm(loader.validation):
                scores.append(model(x))
            for x in loader.examples:
                drawn.append(model(x))
    """,
    "a game that is played to be seen, drawn where that is asked for": """
        import gymnasium
        import tensorflow as tf
        from settings import options

        policy, world = tf.keras.models.load_model("policy.keras"), gymnasium.make("Walker2d-v4")
        seen, _ = world.reset()
        done = False
        while not done:
            if options["draw"]:
                world.render()
            seen, reward, done, cut, info = world.step(policy(seen[None]))
    """,
    "as many turns of a while loop as a counter allows": """
        import tensorflow as tf
        model, step, x = tf.keras.models.load_model("model.keras"), 0, tf.zeros((1, 8))
        while step < 150:
            x = model(x)
            step += 1
    """,
    "a model that is a tf.function, itself or by its base": """
        import tensorflow as tf

        class Net(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.dense = tf.keras.layers.Dense(1)
            @tf.function
            def call(self, x):
                return self.dense(x)

        class Wide(Net):
            pass

        net, wide = Net(), Wide()
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for epoch in range(50):
            for x in ds:
                seen.append(net(x))
            for x in ds:
                seen.append(wide(x))
    """,
    "a model without layers": """
        import tensorflow as tf

        class Line(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.slope = tf.Variable(tf.zeros((8, 1)))
            def features(self, x):
                return tf.concat([x, x ** 2], axis=-1)
            def call(self, x):
                return tf.matmul(self.features(x), self.slope)

        line = Line()
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for epoch in range(50):
            for x in ds:
                seen.append(line(x))
    """,
    "layers that only prepare pictures": """
        import tensorflow as tf
        turn = tf.keras.Sequential([tf.keras.layers.RandomFlip("horizontal"), tf.keras.layers.Rescaling(1 / 255)])
        ds = tf.data.Dataset.from_tensor_slices(pictures).batch(64)
        for epoch in range(50):
            for x in ds:
                seen.append(turn(x))
    """,
    "two hundred batches in all": """
        import numpy as np
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for x in ds.take(200):
            scores.append(model(x))
        for epoch in range(20):
            for x in tf.data.Dataset.from_tensor_slices(np.zeros((500, 8))).batch(50):
                scores.append(model(x))
    """,
    "one pass after a training of many": """
        import tensorflow as tf
        net = tf.keras.Sequential([tf.keras.layers.Dense(4)])
        optimizer = tf.keras.optimizers.Adam()
        data = tf.data.Dataset.from_tensor_slices(rows).batch(64)
        @tf.function
        def learn(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(net(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
        def collect(part):
            for x in part:
                outputs.append(net(x))
        for epoch in range(40):
            for x in data:
                learn(x)
        collect(data)
        for x in data:
            outputs.append(net(x))
    """,
    "a graph out of TensorFlow Hub with a layer behind it": """
        import tensorflow as tf
        import tensorflow_hub as hub
        def build():
            features = hub.KerasLayer("https://tfhub.dev/some/features/1", trainable=False)
            return tf.keras.Sequential([features, tf.keras.layers.Dense(5)])
        net = build()
        held = tf.data.Dataset.from_tensor_slices(rows).batch(64)
        for epoch in range(40):
            for x in held:
                scores.append(net(x))
    """,
    "layers that are tf.functions by themselves": """
        import tensorflow as tf
        class Affine(tf.keras.layers.Layer):
            @tf.function
            def call(self, x):
                return tf.matmul(x, self.w)
        class Stack(tf.keras.Model):
            def call(self, x):
                for layer in self.parts:
                    x = layer(x)
                return x
        net = Stack()
        held = tf.data.Dataset.from_tensor_slices(rows).batch(64)
        for epoch in range(40):
            for x in held:
                scores.append(net(x))
    """,
    "variables that the lesson changes by hand": """
        import tensorflow as tf
        net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        for turn in range(5000):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(net(x) - y))
            for variable, slope in zip(net.variables, tape.gradient(loss, net.variables)):
                variable.assign_add(-0.1 * slope)
    """,
    "nothing else on the clock than the call itself": """
        import time
        import tensorflow as tf
        net = tf.keras.applications.MobileNetV2()
        picture = tf.random.uniform((1, 224, 224, 3))
        started = time.perf_counter()
        for _ in range(1000):
            out = net(picture)
        print(time.perf_counter() - started)
    """,
    "once an epoch, in a loop that may be left before": """
        import tensorflow as tf
        from nets import optimizer, seeds, watch
        net = tf.keras.Sequential([tf.keras.layers.Dense(4)])
        @tf.function
        def step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(net(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
        for epoch in range(200):
            if watch.over:
                break
            for x in tf.data.Dataset.from_tensor_slices(data).batch(8):
                step(x)
            watch.keep(net(seeds))
    """,
    "layers are put together under two star imports": """
        from tensorflow.keras.layers import *
        from tensorflow.keras.models import *

        def residual(data, filters):
            x = BatchNormalization()(data)
            x = Conv2D(filters, 3, padding="same")(x)
            return Add()([x, data])

        def build(shape, depth):
            inputs = x = Input(shape)
            for _ in range(depth):
                x = residual(x, 64)
            return Model(inputs, x)
    """,
    "in a step that PIPE701 reports": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        teacher = tf.keras.models.load_model("teacher.keras")
        optimizer = tf.keras.optimizers.Adam()
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)

        def step(x):
            wanted = teacher(x)
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((model(x) - wanted) ** 2)
            optimizer.apply_gradients(
                zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables)
            )

        for x in ds:
            step(x)
    """,
    "an environment is drawn in each turn": """
        import gym
        import tensorflow as tf
        policy = tf.keras.models.load_model("policy.keras")
        env = gym.make("CartPole-v1")
        seen, over = env.reset(), False
        while not over:
            env.render()
            seen, reward, over, info = env.step(choose(policy(seen)))
    """,
    "an environment out of sight is drawn in each turn": """
        import tensorflow as tf
        policy = tf.keras.models.load_model("policy.keras")
        def play(world):
            seen, over = world.reset(), False
            while not over:
                seen, reward, over, info = world.step(choose(policy(seen)))
                world.render()
    """,
    "the loop sleeps": """
        import time
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        while running():
            model(measure())
            time.sleep(0.5)
    """,
    "the loop waits for a key": """
        import cv2
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        while running():
            model(frame())
            if cv2.waitKey(1) == 27:
                break
    """,
    "pictures for TensorBoard now and then": """
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        shown = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for step in range(100000):
            train_once()
            if step % 500 == 0:
                for x in shown:
                    tf.summary.image("drawn", model(x), step=step)
    """,
    "pictures that are gathered first": """
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        shown = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for step in range(100000):
            train_once()
            if step % 500 == 0:
                rows = []
                for x in shown:
                    styled = model(x)[0]
                    rows += [tf.concat([x, styled], axis=0)]
                wall = tf.concat(rows, axis=1)
                tf.summary.image("drawn", wall, step=step)
    """,
    "beside a step that is written out": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        for x in tf.data.Dataset.from_tensor_slices(data).batch(64):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            accuracy.update_state(x, model(x))
    """,
    "a sentence that grows": """
        import tensorflow as tf
        model = tf.keras.models.load_model("writer.keras")
        for _ in range(count):
            token = tf.argmax(model([question, written])[:, -1:], axis=-1)
            written = tf.concat([written, token], axis=-1)
    """,
    "a list that grows": """
        import tensorflow as tf
        model = tf.keras.models.load_model("writer.keras")
        while tokens[-1] != 2:
            padded = tf.constant([tokens])
            tokens.append(int(tf.argmax(model(padded)[0, -1])))
    """,
    "figures are drawn of it": """
        import matplotlib.pyplot as plt
        import tensorflow as tf
        model = tf.keras.models.load_model("painter.keras")
        def draw(x):
            drawn = model(x, training=True)
            plt.imshow(drawn[0])
            plt.show()
        for x in tf.data.Dataset.from_tensor_slices(data).batch(1):
            draw(x)
    """,
    "a function that the next cell defines again, in a graph": Case(
        (
            """
            import tensorflow as tf
            model = tf.keras.Sequential([tf.keras.layers.Dense(4)])
            held = tf.data.Dataset.from_tensor_slices(data).batch(64)
            def test_step(x):
                return tf.reduce_mean(model(x, training=False))
            for x in held:
                test_step(x)
            """,
            """
            @tf.function
            def test_step(x):
                return tf.reduce_mean(model(x, training=False))
            for x in held:
                test_step(x)
            """,
        )
    ),
    "under the tape of a step that is followed from two places": Case(
        """
        import tensorflow as tf
        net = tf.keras.Sequential([tf.keras.layers.Dense(4)])
        optimizer = tf.keras.optimizers.Adam()
        def run(batches):
            for x in batches:
                with tf.GradientTape() as tape:
                    loss = 0.0
                    for t in range(x.shape[1]):
                        loss += tf.reduce_mean(net(x[:, t]))
                optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
        run(batches)
        run(more)
        """
    ),
    "a step that Keras runs in a graph as well": """
        import tensorflow as tf
        painter = tf.keras.Sequential([tf.keras.layers.Dense(8)])
        critic = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        optimizer = tf.keras.optimizers.Adam()
        def critic_step(noise):
            drawn = painter(noise)
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(critic(drawn))
            optimizer.apply_gradients(zip(tape.gradient(loss, critic.weights), critic.weights))
        for noise in tf.data.Dataset.from_tensor_slices(numbers).batch(64):
            critic_step(noise)
        class Game(tf.keras.Model):
            def train_step(self, noise):
                critic_step(noise)
                return {}
        game = Game()
        game.compile()
        game.fit(numbers)
    """,
    "a model that is built out of models": """
        from tensorflow import keras

        block = keras.Sequential([keras.layers.Dense(8)])

        def build(depth):
            inputs = x = keras.Input((8,))
            for _ in range(depth):
                x = block(x)
            return keras.Model(inputs, x)
    """,
    "little beside predict and evaluate in the same turn": """
        import tensorflow as tf
        words = tf.keras.Sequential([tf.keras.layers.TextVectorization()])
        model = tf.keras.models.load_model("model.keras")
        for epoch in range(10):
            for i in range(number):
                y = words(lines[i * 64 : (i + 1) * 64])
                model.train_on_batch(x, y)
                figures.append(model.evaluate(x, y))
    """,
    "a hundred times": """
        import tensorflow as tf
        model = tf.keras.models.load_model("line.keras")
        for _ in range(100):
            assert close(interpreter(x), model(x))
    """,
    "it waits for a user": """
        import tensorflow as tf
        model = tf.keras.models.load_model("reader.keras")
        while True:
            print(model(encode(input("> "))))
    """,
    "an object of which nothing is known": """
        import tensorflow as tf
        from nets import Net
        net = Net()
        for x in tf.data.Dataset.from_tensor_slices(data).batch(64):
            scores.append(net(x))
    """,
    "a layer is no model": """
        import tensorflow as tf
        layer = tf.keras.layers.Dense(1)
        for i in range(1000):
            layer(data[i])
    """,
    "built before the loop": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        model(data[:1])
        for x in ds:
            print(x)
    """,
    "once an epoch": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        for turn in range(1000):
            trainer.fit(ds)
            y = model(seeds)
    """,
    "once for all the steps of a traced function": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        @tf.function
        def run_through():
            for x in ds:
                optimizer.apply_gradients(gradients_of(x))
        for turn in range(1000):
            run_through()
            y = model(seeds)
    """,
    "the model itself is traced": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        fast = tf.function(model)
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for x in ds:
            fast(x)
    """,
    "an eager branch beside one that calls fit": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        if flags.mode == "eager_tf":
            for x in ds:
                model(x)
        else:
            model.fit(ds)
    """,
    "an eager branch beside one in a graph": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        @tf.function
        def forward(x):
            return model(x)
        if flags.mode == "graph":
            for x in ds:
                forward(x)
        elif flags.mode == "plain":
            for x in ds:
                model(x)
    """,
    "timed beside the same model in a graph": """
        import time
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        fast = tf.function(model)
        started = time.time()
        for x in ds:
            model(x)
        print(time.time() - started)
        started = time.time()
        for x in ds:
            fast(x)
        print(time.time() - started)
    """,
    "a function that is traced as well": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        def forward(x):
            return model(x)
        def measure(function):
            for x in ds:
                function(x)
        measure(forward)
        measure(tf.function(forward))
    """,
    "every tenth step": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for i, x in enumerate(ds):
            if i % 10 == 0:
                model(x)
    """,
    "a few times": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        for i in range(3):
            y = model(data[i])
    """,
    "the first element": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for x in ds.take(1):
            model(x)
    """,
    "tried again only after it failed": """
        import tensorflow as tf
        def build(model: tf.keras.Model, shape):
            while True:
                try:
                    connect()
                    model(tf.zeros(shape))
                    break
                except tf.errors.UnavailableError:
                    continue
        build(tf.keras.Sequential([tf.keras.layers.Dense(1)]), (1, 8))
    """,
    "a class that is a module of PyTorch where a setting says so": """
        import os
        import tensorflow as tf
        import torch
        if os.environ["BACKEND"] == "torch":
            class Regressor(torch.nn.Module):
                def forward(self, x):
                    return x
        else:
            class Regressor(tf.keras.Model):
                def call(self, x):
                    return tf.keras.layers.Dense(1)(x)
        net = Regressor()
        optimizer = torch.optim.SGD(net.parameters())
        for x in tf.data.TFRecordDataset("rows").batch(64):
            loss = net(x)
            loss.backward()
            optimizer.step()
    """,
    "once for each game that is played": """
        import gym
        import tensorflow as tf
        critic = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        world = gym.make("Walker2d-v4")
        def play(choose):
            seen, over, rows = world.reset(), False, []
            while not over:
                rows.append(seen)
                seen, reward, over, _ = world.step(choose(seen))
            return tf.stack(rows)
        for game in range(5000):
            rows = play(policy)
            learn(rows, critic(rows))
    """,
    "a figure of what one loop makes, and the next": """
        import matplotlib.pyplot as plt
        import tensorflow as tf
        painter = tf.keras.models.load_model("painter.keras")
        def painted(number):
            pictures = []
            for index in range(number):
                pictures.append(painter(tf.random.normal([1, 64]))[0])
            return pictures
        def show(pictures, name):
            figure = plt.figure()
            for place, picture in enumerate(pictures):
                plt.subplot(5, 5, place + 1)
                plt.imshow(picture)
            plt.savefig(name)
        for page in range(pages):
            show(painted(rows), f"{page}.png")
    """,
    "left at the first element": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for x in ds:
            model(x)
            break
    """,
    "in traced code": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        @tf.function
        def run():
            for x in ds:
                model(x)

        run()
    """,
    "under the tape of a step": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for x in ds:
            with tf.GradientTape() as tape:
                y = model(x)
            optimizer.apply_gradients(zip(tape.gradient(y, model.variables), model.variables))
    """,
    "a functional model": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        def f():
            x = tf.keras.Input(1)
            for _ in range(30):
                x = model(x)
            return x
    """,
    "wrapped under a test, around a function of its own": """
        import tensorflow as tf
        def run(model: tf.keras.Model, strategy, batches, step_by_step=False):
            def measure(items):
                def on_replica(x):
                    return model(x, training=False)
                strategy.run(on_replica, args=(next(items),))
            if not step_by_step:
                measure = tf.function(measure)
            def all_of_it(items):
                for _ in range(5000):
                    measure(items)
            all_of_it(iter(batches))
    """,
    "a short evaluation every so many steps": """
        import tensorflow as tf

        _, (images, labels) = tf.keras.datasets.mnist.load_data()
        model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
        valid = tf.data.Dataset.from_tensor_slices((images, labels)).batch(128).prefetch(tf.data.AUTOTUNE)
        for step, (x, y) in enumerate(train):
            train_step(x, y)
            if step % 500 == 0:
                for x, y in valid:
                    accuracy.update_state(y, model(x))
    """,
}
