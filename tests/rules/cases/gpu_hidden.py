"""PIPE809 gpu-hidden: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "an empty list of cards, and a step written out": """
        import os
        os.environ["CUDA_VISIBLE_DEVICES"] = ""  #! PIPE809 warning
        import tensorflow as tf
        with tf.GradientTape() as tape:
            loss = loss_of(model(x))
        optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    """,
    "by the name that the function had before": """
        import tensorflow as tf

        def main():
            tf.config.experimental.set_visible_devices([], "GPU")  #! PIPE809 warning
            model = tf.keras.models.load_model("model.keras")
            model.fit(x, y)

        main()
    """,
    "a word about it in the line before": """
        import os
        # The driver of this machine is too old.
        os.environ["CUDA_VISIBLE_DEVICES"] = "-1"  #! PIPE809 advice
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        model.fit(x, y)
    """,
    "a function that a library calls trains": """
        import tensorflow as tf
        from absl import app

        def main(_):
            tf.config.set_visible_devices([], "GPU")  #! PIPE809 warning
            model = tf.keras.models.load_model("model.keras")
            Runner(model).run()

        class Runner:
            def __init__(self, model):
                self.model = model

            def run(self):
                self.model.fit(x, y)

        app.run(main)
    """,
    "those that import it call what trains": """
        import tensorflow as tf

        tf.config.set_visible_devices([], "GPU")  #! PIPE809 warning

        def train(model):
            model.compile("adam", "mse")
            model.fit(x, y)
    """,
}
SILENT: Table = {
    "the script evaluates what another one trains": """
        import tensorflow as tf

        class Judge:
            def __init__(self):
                self.model = tf.keras.models.load_model("model.keras")

            def train(self):
                self.model.compile("adam", "mse")
                self.model.fit(x, y)

            def judge(self):
                return self.model.evaluate(x, y)

        if __name__ == "__main__":
            tf.config.set_visible_devices([], "GPU")
            Judge().judge()
    """,
    "the script ends before it": """
        import os
        import sys
        import tensorflow as tf

        print(tf.keras.models.load_model("model.keras").summary())
        sys.exit()

        os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
        model = tf.keras.models.load_model("model.keras")
        model.fit(x, y)
    """,
    "several processes on one machine, told by the environment": """
        import json
        import os
        os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        model.fit(x, y)
        os.environ["TF_CONFIG"] = json.dumps({"cluster": {"worker": workers}, "task": {"type": "worker", "index": 0}})
    """,
    "a strategy for several processes": """
        import os
        os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
        import tensorflow as tf
        with tf.distribute.MultiWorkerMirroredStrategy().scope():
            model = tf.keras.models.load_model("model.keras")
        model.fit(x, y)
    """,
    "who calls the function says which card": """
        import os
        import tensorflow as tf

        def train(card):
            os.environ["CUDA_VISIBLE_DEVICES"] = card
            model = tf.keras.models.load_model("model.keras")
            model.fit(images, labels)

        train("")
    """,
    "one card is chosen": """
        import os
        os.environ["CUDA_VISIBLE_DEVICES"] = "0"
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        model.fit(x, y)
    """,
    "the user chooses": """
        import os
        os.environ["CUDA_VISIBLE_DEVICES"] = args.gpu
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        model.fit(x, y)
    """,
    "the user chooses, and none is the default": """
        import argparse
        import os
        parser = argparse.ArgumentParser()
        parser.add_argument("--gpu", default="")
        args = parser.parse_args()
        os.environ["CUDA_VISIBLE_DEVICES"] = args.gpu
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        model.fit(x, y)
    """,
    "a comment": """
        import os
        # os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        model.fit(x, y)
    """,
    "the card of each process": """
        import tensorflow as tf
        import horovod.tensorflow as hvd
        gpus = tf.config.list_physical_devices("GPU")
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
        model = tf.keras.models.load_model("model.keras")
        model.fit(x, y)
    """,
    "devices are compared": """
        import os
        import tensorflow as tf
        model = tf.keras.models.load_model("model.keras")
        with tf.device("/GPU:0"):
            model.fit(x, y)
        tf.config.set_visible_devices([], "GPU")
        model.fit(x, y)
    """,
    "a model is only evaluated": """
        import os
        os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
        import tensorflow as tf
        print(tf.keras.models.load_model("model.keras").evaluate(x, y))
    """,
    "another library computes": """
        import os
        os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
        import tensorflow as tf
        from sklearn.linear_model import LogisticRegression

        features = tf.keras.models.load_model("model.keras").predict(x)
        LogisticRegression().fit(features, y)
    """,
}
