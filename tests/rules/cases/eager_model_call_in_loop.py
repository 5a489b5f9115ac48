"""PIPE702 eager-model-call-in-loop: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "over a dataset": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for x in ds:
            y = model(x)  #! PIPE702 warning
    """,
    "over an enumerated dataset": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for i, x in enumerate(ds):
            y = model(x)  #! PIPE702 warning
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
            return model(x)  #! PIPE702 warning

        for x in ds:
            forward(x)
    """,
    "a class of its own": """
        import tensorflow as tf
        class Net(tf.keras.Model):
            pass
        n = Net()
        for i in range(99):
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
            action = tf.argmax(actor(seen)[0])  #! PIPE702 warning
            seen, reward, done, cut, _ = world.step(action.numpy())
            learner.train_on_batch(*memory.draw())
    """,
    "names that hold the letters of others": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for truncated, model_inputs in enumerate(ds):
            y = model(model_inputs)  #! PIPE702 warning
    """,
    "timed by itself, with nothing to compare it with": """
        import time
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        started = time.time()
        for x in ds:
            model(x)  #! PIPE702 warning
        print(time.time() - started)
    """,
    "a branch beside one that does something else": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        if mode == "score":
            for x in ds:
                model(x)  #! PIPE702 warning
        else:
            model.summary()
    """,
}

SILENT: Table = {
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
    "under a tape": """
        import tensorflow as tf
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        ds = tf.data.Dataset.from_tensor_slices(data).batch(64)
        for x in ds:
            with tf.GradientTape() as tape:
                y = model(x)
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
}
