"""PIPE804 fit-in-loop: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "after each move": """
        import gymnasium as gym
        from tensorflow import keras

        env = gym.make("CartPole-v1")
        model = keras.models.load_model("values.keras")
        for game in range(500):
            state, _ = env.reset()
            done = False
            while not done:
                state, reward, done, truncated, info = env.step(choose(state))
                model.fit(state[None], reward, verbose=0)  #! PIPE804 warning
    """,
    "some times after each game": """
        import gym
        from tensorflow import keras

        class Agent:
            def __init__(self):
                self.model = keras.models.load_model("values.keras")

            def replay(self):
                for _ in range(10):
                    states, targets = memory.sample()
                    self.model.fit(states, targets, epochs=1, verbose=0)  #! PIPE804 warning

        env, agent = gym.make("CartPole-v1"), Agent()
        for game in range(500):
            done = False
            while not done:
                state, reward, done, info = env.step(choose())
            agent.replay()
    """,
}
SILENT: Table = {
    "once a game": """
        import gym
        from tensorflow import keras

        env, model = gym.make("CartPole-v1"), keras.models.load_model("values.keras")
        for game in range(500):
            done = False
            while not done:
                state, reward, done, info = env.step(choose())
            model.fit(states, targets, verbose=0)
    """,
    "all data in each turn": """
        from tensorflow import keras
        model = keras.models.load_model("model.keras")
        for epoch in range(500):
            model.fit(x, y)
            model.save("model.keras")
    """,
    "large parts of the data": """
        from tensorflow import keras
        model = keras.models.load_model("model.keras")
        for i in range(0, len(x), 50_000):
            model.fit(x[i : i + 50_000], y[i : i + 50_000])
    """,
    "several epochs for each": """
        from tensorflow import keras
        model = keras.models.load_model("model.keras")
        for i in range(0, len(x), 32):
            model.fit(x[i : i + 32], y[i : i + 32], epochs=20)
    """,
    "with a callback": """
        from tensorflow import keras
        model = keras.models.load_model("model.keras")
        for i in range(0, len(x), 32):
            model.fit(x[i : i + 32], y[i : i + 32], callbacks=[logger])
    """,
    "a handful of times": """
        from tensorflow import keras
        model = keras.models.load_model("model.keras")
        for i in range(0, 320, 32):
            model.fit(x[i : i + 32], y[i : i + 32])
    """,
}
