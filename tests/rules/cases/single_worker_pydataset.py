"""PIPE502 single-worker-pydataset: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "by a function that a method calls, told once a class": """
        import cv2
        import numpy as np
        import tensorflow as tf

        def loaded(path):
            return cv2.resize(cv2.imread(path), (224, 224))

        class Frames(tf.keras.utils.Sequence):
            def __init__(self, paths):
                self.paths = paths

            def __getitem__(self, index):
                return self.pictures(self.paths[index])

            def pictures(self, paths):
                return np.stack([loaded(path) for path in paths])

        model = tf.keras.models.load_model("model.keras")
        model.fit(Frames(train))  #! PIPE502 warning
        model.fit(Frames(more))
    """,
    "a TensorFlow whose fit takes the workers": Case(
        """
        import tensorflow as tf
        from PIL import Image

        class Frames(tf.keras.utils.Sequence):
            def __getitem__(self, index):
                return Image.open(self.paths[index])

        model = tf.keras.models.load_model("model.h5")
        model.fit(Frames(), epochs=5)  #! PIPE502 warning
        """,
        target=(2, 10),
    ),
    "each fit that has to be told of the workers": Case(
        """
        import tensorflow as tf
        from PIL import Image

        class Frames(tf.keras.utils.Sequence):
            def __getitem__(self, index):
                return Image.open(self.paths[index])

        def small():
            tf.keras.models.load_model("small.h5").fit(Frames(), epochs=5)  #! PIPE502 warning

        def large(frames=Frames()):
            model = tf.keras.models.load_model("large.h5")
            model.fit(frames, workers=8)
            model.fit(frames)  #! PIPE502 warning

        small()
        large()
        small()
        """,
        target=(2, 10),
    ),
}
SILENT: Table = {
    "workers where it is made": """
        from PIL import Image
        from tensorflow import keras

        class Frames(keras.utils.PyDataset):
            def __init__(self, paths, **options):
                super().__init__(**options)
                self.paths = paths

            def __getitem__(self, index):
                return Image.open(self.paths[index])

        model = keras.models.load_model("model.keras")
        model.fit(Frames(paths, workers=4))
    """,
    "workers of fit": Case(
        """
        from PIL import Image
        from tensorflow import keras

        class Frames(keras.utils.Sequence):
            def __getitem__(self, index):
                return Image.open(self.paths[index])

        model = keras.models.load_model("model.h5")
        model.fit(Frames(), workers=8)
        """,
        target=(2, 10),
    ),
    "read once, when it is made": """
        from PIL import Image
        from tensorflow import keras

        class Frames(keras.utils.PyDataset):
            def __init__(self, paths):
                super().__init__()
                self.pictures = [Image.open(path) for path in paths]

            def __getitem__(self, index):
                return self.pictures[index]

        model = keras.models.load_model("model.keras")
        model.fit(Frames(paths))
    """,
    "only evaluated": """
        from PIL import Image
        from tensorflow import keras

        class Frames(keras.utils.PyDataset):
            def __getitem__(self, index):
                return Image.open(self.paths[index])

        model = keras.models.load_model("model.keras")
        print(model.evaluate(Frames()))
    """,
}
