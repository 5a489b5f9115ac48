"""PIPE805 steps-per-execution: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "rows that are counted": """
        import numpy as np
        from tensorflow import keras
        model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
        model.compile(optimizer="sgd", loss="mse")  #! PIPE805 advice
        model.fit(np.zeros((100_000, 8)), np.zeros((100_000, 1)), epochs=5)
    """,
}
SILENT: Table = {
    "few rows": """
        import numpy as np
        from tensorflow import keras
        model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
        model.compile(optimizer="sgd", loss="mse")
        model.fit(np.zeros((100, 8)), np.zeros((100, 1)), epochs=5)
    """,
    "a callback at each batch": """
        import numpy as np
        from tensorflow import keras

        class Rates(keras.callbacks.Callback):
            def on_train_batch_end(self, batch, logs=None):
                self.model.optimizer.learning_rate *= 0.99

        model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
        model.compile(optimizer="sgd", loss="mse")
        model.fit(np.zeros((100_000, 8)), np.zeros((100_000, 1)), callbacks=[Rates()])
    """,
    "many layers": """
        import numpy as np
        from tensorflow import keras
        model = keras.Sequential([keras.Input((8,)), *[keras.layers.Dense(1) for _ in range(9)]])
        model.compile(optimizer="sgd", loss="mse")
        model.fit(np.zeros((100_000, 8)), np.zeros((100_000, 1)), epochs=5)
    """,
}
