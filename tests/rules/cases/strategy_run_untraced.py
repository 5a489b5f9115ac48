"""PIPE708 strategy-run-untraced: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "in a function that a loop calls": """
        import tensorflow as tf

        strategy = tf.distribute.TPUStrategy()

        def score(x):
            return tf.reduce_sum(model(x))

        def evaluate(batches):
            for x in strategy.experimental_distribute_dataset(batches):
                total.append(strategy.run(score, args=(x,)))  #! PIPE708 advice

        evaluate(batches)
    """,
}
SILENT: Table = {
    "a training step": """
        import tensorflow as tf

        strategy = tf.distribute.MirroredStrategy()

        def train_step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))

        for epoch in range(100):
            for x in strategy.experimental_distribute_dataset(batches):
                strategy.run(train_step, args=(x,))
    """,
    "once": """
        import tensorflow as tf

        strategy = tf.distribute.MirroredStrategy()

        def score(x):
            return tf.reduce_sum(model(x))

        print(strategy.run(score, args=(x,)))
    """,
    "a few turns": """
        import tensorflow as tf

        strategy = tf.distribute.MirroredStrategy()

        def score(x):
            return tf.reduce_sum(model(x))

        for _ in range(3):
            strategy.run(score, args=(x,))
    """,
    "in a graph as well, for comparison": """
        import tensorflow as tf

        strategy = tf.distribute.MirroredStrategy()

        def score(x):
            return tf.reduce_sum(model(x))

        def eager(x):
            return strategy.run(score, args=(x,))

        traced = tf.function(eager)
        step = traced if arguments.graph else eager
        for x in batches:
            step(x)
    """,
    "eagerly on purpose": """
        import tensorflow as tf

        strategy = tf.distribute.MirroredStrategy()

        # A graph of this grows too large: run it eagerly.
        def score(x):
            return tf.reduce_sum(model(x))

        for x in batches:
            strategy.run(score, args=(x,))
    """,
    "another thing that runs": """
        import subprocess
        import tensorflow as tf

        for command in commands:
            subprocess.run(command)
    """,
}
