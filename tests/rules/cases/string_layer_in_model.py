"""PIPE808 string-layer-in-model: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "added to a model": """
        from tensorflow import keras

        keras.mixed_precision.set_global_policy("mixed_float16")
        split = keras.layers.TextVectorization(1000)
        model = keras.Sequential()
        model.add(split)  #! PIPE808 advice
        model.add(keras.layers.Embedding(1000, 8))
        model.fit(texts, labels)
    """,
}
SILENT: Table = {
    "on a processor, where nothing is gained": """
        from tensorflow import keras

        model = keras.Sequential([keras.layers.TextVectorization(1000), keras.layers.Embedding(1000, 8)])
        model.fit(texts, labels)
    """,
    "trained by nobody in sight": """
        from tensorflow import keras

        keras.mixed_precision.set_global_policy("mixed_float16")
        model = keras.Sequential([keras.layers.TextVectorization(1000), keras.layers.Embedding(1000, 8)])
        model.save("model.keras")
    """,
    "one of two models, and nobody knows which": """
        from tensorflow import keras

        keras.mixed_precision.set_global_policy("mixed_float16")
        words = keras.Input((1,), dtype="string")
        numbers = keras.layers.StringLookup(vocabulary=known)(words)
        inner = keras.Input((1,))
        model = keras.Model(inner, keras.layers.Dense(1)(inner))
        whole = keras.Model(words, model(numbers))
        model.fit(table)
    """,
}
