"""PIPE811 float64-compute: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "a policy": Case(
        """
        from tensorflow import keras

        keras.mixed_precision.set_global_policy("float64")  #! PIPE811 warning, unsafe fix
        model = keras.Sequential([keras.layers.LSTM(units=512), keras.layers.Dense(1)])
        model.fit(x, y)
        """,
        """
        from tensorflow import keras

        keras.mixed_precision.set_global_policy("float32")
        model = keras.Sequential([keras.layers.LSTM(units=512), keras.layers.Dense(1)])
        model.fit(x, y)
        """,
    ),
}
SILENT: Table = {
    "where somebody asks for it": """
        from tensorflow import keras

        if precise:
            keras.backend.set_floatx("float64")
        model = keras.Sequential([keras.layers.Dense(512)])
        model.fit(x, y)
    """,
    "minimised by scipy": """
        import scipy.optimize
        from tensorflow import keras

        keras.backend.set_floatx("float64")
        model = keras.Sequential([keras.layers.Dense(512)])
        model.fit(x, y)
        scipy.optimize.minimize(error, start)
    """,
    "double precision is named": """
        import tensorflow as tf

        tf.keras.backend.set_floatx("float64")
        grid = tf.linspace(tf.constant(0, tf.float64), 1, 100)
        model = tf.keras.Sequential([tf.keras.layers.Dense(512)])
        model.fit(grid, y)
    """,
    "small layers on a processor": """
        from tensorflow import keras

        keras.backend.set_floatx("float64")
        model = keras.Sequential([keras.layers.Dense(32), keras.layers.Dense(1)])
        model.fit(x, y)
    """,
    "moves in an environment": """
        import gymnasium as gym
        from tensorflow import keras

        keras.backend.set_floatx("float64")
        env = gym.make("CartPole-v1")
        model = keras.Sequential([keras.layers.Dense(512), keras.layers.Dense(2)])
        while True:
            state, reward, done, truncated, info = env.step(choose(model, state))
            model.fit(states, rewards)
    """,
    "nothing is trained": """
        from tensorflow import keras

        keras.backend.set_floatx("float64")
        model = keras.models.load_model("model.keras")
        model.predict(x)
    """,
}
