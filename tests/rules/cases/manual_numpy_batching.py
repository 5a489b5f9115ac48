"""PIPE509 manual-numpy-batching: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

_STEP = """
        import tensorflow as tf

        strategy = tf.distribute.MirroredStrategy()

        @tf.function
        def step(rows, labels):
            with tf.GradientTape() as tape:
                loss = loss_fn(labels, model(rows))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
"""

FOUND: Table = {
    "blocks by number, in several epochs": f"""{_STEP}
        for epoch in range(20):
            for number in range(500):
                rows = x[number * 64 : (number + 1) * 64]
                labels = y[number * 64 : (number + 1) * 64]
                step(rows, labels)  #! PIPE509 advice
    """,
    "the end of a slice has a name": f"""{_STEP}
        size = 128
        for start in range(0, len(x), size):
            end = min(start + size, len(x))
            step(tf.convert_to_tensor(x[start:end]), y[start:end])  #! PIPE509 advice
    """,
    "a model of Keras, compiled with XLA": """
        from tensorflow import keras

        model = keras.models.load_model("digits.keras")
        model.compile("adam", "mse", jit_compile=True)
        for i in range(0, len(x), 64):
            model.train_on_batch(x[i : i + 64], y[i : i + 64])  #! PIPE509 advice
    """,
}
SILENT: Table = {
    "some hundred rows": f"""{_STEP}
        for i in range(0, 640, 64):
            step(x[i : i + 64], y[i : i + 64])
    """,
    "an evaluation takes no step": """
        from tensorflow import keras

        keras.mixed_precision.set_global_policy("mixed_float16")
        model = keras.models.load_model("digits.keras")
        for i in range(0, len(x), 64):
            model.test_on_batch(x[i : i + 64], y[i : i + 64])
    """,
    "two models in turns": """
        from tensorflow import keras

        keras.mixed_precision.set_global_policy("mixed_float16")
        judge, forger = keras.models.load_model("judge.keras"), keras.models.load_model("forger.keras")
        for i in range(0, len(x), 64):
            judge.train_on_batch(x[i : i + 64], real)
            forger.train_on_batch(noise(), real)
    """,
    "what was seen in an environment": """
        import gymnasium as gym
        import tensorflow as tf

        tf.config.experimental.set_memory_growth(card, True)
        env, model = gym.make("CartPole-v1"), tf.keras.models.load_model("values.keras")
        while True:
            states, targets = [], []
            for _ in range(5000):
                state, reward, done, truncated, info = env.step(choose(state))
                states.append(state)
                targets.append(reward)
            for i in range(0, 5000, 64):
                model.train_on_batch(states[i : i + 64], targets[i : i + 64])
    """,
    "a state that goes on from slice to slice": """
        from tensorflow import keras

        keras.mixed_precision.set_global_policy("mixed_float16")
        model = keras.models.load_model("series.keras")
        for i in range(0, len(x), 64):
            model.train_on_batch(x[i : i + 64], y[i : i + 64])
            model.reset_states()
    """,
    "placed on the processor": f"""{_STEP}
        with tf.device("/CPU:0"):
            for i in range(0, len(x), 64):
                step(x[i : i + 64], y[i : i + 64])
    """,
    "rows that are drawn": f"""{_STEP}
        for _ in range(10_000):
            chosen = numpy.random.randint(0, len(x), 64)
            step(x[chosen], y[chosen])
    """,
}
