"""PIPE807 rnn-without-cudnn: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

_GPU = """
        import tensorflow as tf
        from tensorflow.keras import layers

        tf.config.experimental.set_memory_growth(card, True)
"""

FOUND: Table = {
    "each argument": f"""{_GPU}
        model = tf.keras.Sequential([
            layers.LSTM(64, unroll=True, return_sequences=True),  #! PIPE807 warning
            layers.LSTM(64, use_bias=False, return_sequences=True),  #! PIPE807 warning
            layers.GRU(64, recurrent_activation="hard_sigmoid", return_sequences=True),  #! PIPE807 warning
            layers.GRU(64, reset_after=False),  #! PIPE807 warning
        ])
        model.fit(x, y)
    """,
}
SILENT: Table = {
    "written out as cuDNN has it": f"""{_GPU}
        model = tf.keras.Sequential([
            layers.LSTM(64, activation="tanh", recurrent_activation="sigmoid", recurrent_dropout=0, unroll=False),
            layers.GRU(64, reset_after=True, use_bias=True),
        ])
        model.fit(x, y)
    """,
    "what somebody gives": f"""{_GPU}
        def build(dropout=0.1):
            return tf.keras.Sequential([layers.LSTM(64, recurrent_dropout=dropout)])

        build(read()).fit(x, y)
    """,
    "nothing is trained": f"""{_GPU}
        model = tf.keras.Sequential([layers.LSTM(64, unroll=True)])
        model.predict(x)
    """,
}
