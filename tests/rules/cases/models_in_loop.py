"""PIPE806 models-in-loop: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "a function makes it": Case(
        """
        from tensorflow import keras

        def build(rate):
            model = keras.Sequential([keras.layers.Dense(1)])
            model.compile(keras.optimizers.Adam(rate), "mse")
            return model

        for rate in rates:
            model = build(rate)
            model.fit(x, y, epochs=5)  #! PIPE806 advice
        """,
        target=(2, 10),
    ),
}
SILENT: Table = {
    "one model for all turns": Case(
        """
        from tensorflow import keras
        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile("adam", "mse")
        for x, y in parts:
            model.fit(x, y, epochs=5)
        """,
        target=(2, 10),
    ),
    "five folds": Case(
        """
        from tensorflow import keras
        for fold in range(5):
            model = keras.Sequential([keras.layers.Dense(1)])
            model.compile("adam", "mse")
            model.fit(x[fold], y[fold], epochs=5)
        """,
        target=(2, 10),
    ),
    "cleared in a function": Case(
        """
        from tensorflow import keras

        def forget():
            keras.backend.clear_session()

        for units in sizes:
            model = keras.Sequential([keras.layers.Dense(units)])
            model.compile("adam", "mse")
            model.fit(x, y, epochs=5)
            forget()
        """,
        target=(2, 10),
    ),
}
