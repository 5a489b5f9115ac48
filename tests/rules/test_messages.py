"""What a message says, where it depends on the code."""

from __future__ import annotations

import textwrap

import pytest

from pipelint.project.projects import Overrides
from pipelint.rule import Version
from tests.linting import check


@pytest.mark.parametrize(
    ("generator", "named"),
    [
        ("rows", "`rows`"),
        ("lambda: rows()", "`rows`"),
        ("functools.partial(rows)", "`rows`"),
        ("Rows(path)", "`Rows`"),
        ("lambda: zip(x, y)", "this generator"),
        ("lambda: (x for x in table)", "this generator"),
    ],
)
def test_generator_per_element_names_the_generator(generator: str, named: str) -> None:
    source = f"""\
import functools
import cv2
import tensorflow as tf

def rows():
    for path in paths:
        yield cv2.imread(path)

class Rows:
    def __init__(self, path):
        self.path = path

    def __call__(self):
        return rows()

ds = tf.data.Dataset.from_generator({generator}, output_signature=tf.TensorSpec((None,), tf.int32))
model.fit(ds.map(mask).shuffle(1000).batch(32))
"""
    (found,) = check(source, Overrides(select=("PIPE501",))).diagnostics
    assert found.message.startswith(f"{named} makes one element at a time")


@pytest.mark.parametrize(
    ("target", "source", "use", "said"),
    [
        (
            (2, 16),
            "Dataset.from_tensor_slices(np.zeros((5000, 128, 128, 3))).map(tf.math.log).shuffle(9)",
            "scores.TopK(candidates=ds)",
            "`scores.TopK` is given batches with {}, so that it may wait for each",
        ),
        (
            (2, 8),
            "TFRecordDataset('a')",
            "scores.TopK(candidates=ds)",
            "`scores.TopK` is given batches with {}: TensorFlow 2.8 inserts none by itself",
        ),
        (
            (2, 8),
            "TFRecordDataset('a')",
            "def make():\n    return ds",
            "`make` hands out batches with {}: TensorFlow 2.8 inserts none by itself (2.11 and later do)",
        ),
    ],
)
def test_missing_prefetch_tells_who_hands_out_from_who_is_given(
    target: Version, source: str, use: str, said: str
) -> None:
    written = f"import numpy as np\nimport scores\nimport tensorflow as tf\n\nds = tf.data.{source}.batch(64)\n{use}\n"
    (found,) = check(written, Overrides(select=("PIPE101",), target_tensorflow=target)).diagnostics
    assert found.message == said.format("no prefetch after the last stage")


def test_missing_prefetch_names_the_other_places_of_the_same_dataset() -> None:
    source = """\
import tensorflow as tf

test = tf.data.TFRecordDataset("test").batch(64)
model.fit(test.filter(is_whole))
model.predict(test.filter(is_whole))
"""
    (found,) = check(source, Overrides(select=("PIPE101",), target_tensorflow=(2, 8))).diagnostics
    assert [note.span.start.line for note in found.related] == [5]
    assert found.fix is None


@pytest.mark.parametrize(
    ("function", "unknown"),
    [
        ("load", "`library.load`"),
        ("lambda path: load(path) + 1", "`library.load`"),
        ("lambda path: tokenizer.encode(path)", "`encode`"),
        ("lambda path: path.follow()", "`follow`"),
        ("choose(size)", "its function"),
    ],
)
def test_a_map_names_the_call_of_which_nothing_is_known(function: str, unknown: str) -> None:
    source = f"""
        import tensorflow as tf
        from library import load

        ds = tf.data.Dataset.range(1000).map({function}).batch(32)
        model.fit(ds)
    """
    [found] = check(textwrap.dedent(source), Overrides(select=("PIPE201",), target_tensorflow=(2, 5))).diagnostics
    assert f"what {unknown} does is not known" in found.message


@pytest.mark.parametrize(
    ("loop", "called", "said"),
    [
        ("for x in ds", "net(x)", "`net` is called from Python in a loop over a dataset"),
        ("for step in range(5000)", "nets[0](x)", "the model is called from Python in a loop over a range"),
    ],
)
def test_a_model_in_a_loop_goes_by_its_variable_and_is_given_the_whole_only_of_a_dataset(
    loop: str, called: str, said: str
) -> None:
    source = f"""\
import tensorflow as tf

net = tf.keras.models.load_model("net.keras")
nets = [net]
ds = tf.data.Dataset.from_tensor_slices(images).batch(64)
{loop}:
    {called}
"""
    (found,) = check(source, Overrides(select=("PIPE702",))).diagnostics
    assert found.message.startswith(said)
    assert found.message.endswith("predict or evaluate on the whole") == (loop == "for x in ds")


@pytest.mark.parametrize(
    ("judged", "said"),
    [
        (
            "read(loss)",
            "before you decorate it, see to this: `.numpy()` needs the value of a tensor (in `read`)",
        ),
        ("loss.numpy()", "before you decorate it, see to this: `.numpy()` needs the value of a tensor"),
        (
            "x.pop('loss')",
            "before you decorate it, see to this: `x.pop` changes what it is given, for which a tf.function raises an error: let it change a copy",
        ),
    ],
)
def test_missing_tf_function_says_what_has_to_change(judged: str, said: str) -> None:
    source = f"""\
import tensorflow as tf
from nets import batches, optimizer

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])

def read(loss):
    return loss.numpy()

def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
    return {judged}

for x in batches:
    step(x)
"""
    (found,) = check(source, Overrides(select=("PIPE701",))).diagnostics
    assert found.message.endswith(f"; {said}")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("keras.layers.Multiply()([x, x])", ""),
        ("keras.layers.Dropout(0.1)(x)", ""),
        ("keras.layers.Dense(4)(x)", "it makes `keras.layers.Dense` in each call"),
        (
            "tf.stack([x[:, turn] for turn in range(tf.shape(x)[1])])",
            "it counts with `range` up to the value of a tensor",
        ),
        ("tf.stack([x[:, turn] for turn in range(8)])", ""),
        ("tf.add_n(parts) if parts else x", ""),
        ("x if not parts else tf.add_n(parts)", ""),
        ("tf.add_n(parts) if LARGE and parts else x", ""),
        ("x if tf.reduce_sum(x) > 0 else -x", "it branches on the value of a tensor"),
        ("x if LARGE and tf.reduce_any(x > 0) else -x", "it branches on the value of a tensor"),
    ],
)
def test_missing_tf_function_names_only_what_is_in_the_way(body: str, said: str) -> None:
    source = f"""\
import tensorflow as tf
from tensorflow import keras
from nets import LARGE, batches, optimizer

class Block(keras.layers.Layer):
    def call(self, x):
        parts = []
        for scale in (1.0, 2.0):
            parts.append(x * scale)
        return {body}

model = keras.Sequential([keras.layers.Dense(8), Block(), keras.layers.Dense(1)])

def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))

for x in batches:
    step(x)
"""
    (found,) = check(source, Overrides(select=("PIPE701",))).diagnostics
    assert said in found.message
    assert ("see to this" in found.message) == bool(said)


def test_missing_tf_function_names_what_is_surely_in_the_way_before_what_may_be() -> None:
    source = """\
import random
import tensorflow as tf
from nets import batches, optimizer, size_of

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])

def step(x, most):
    shift = random.randint(0, int(most))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x + shift))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))

for x in batches:
    step(x, size_of(x))
"""
    (found,) = check(source, Overrides(select=("PIPE701",))).diagnostics
    assert found.message.endswith("see to this: `random.randint` would draw only while it is traced")


@pytest.mark.parametrize(
    ("under_tape", "said"),
    [
        ("loss = tf.reduce_mean(net(x))", "@tf.function"),
        ("loss = judge(net(x))", "@tf.function"),
        ("loss = pool.pick(detector(x)) + pool.size()", "@tf.function"),
        ("loss = gan.judged(gan(x))", "@tf.function"),
        ("loss = scored(net(x))", "@tf.function"),
        ("loss = read(net(x))", "see first to `read`: `.numpy()` needs the value of a tensor"),
        (
            "loss = tf.reduce_mean(printing(x))",
            "see first to `Printing.call`: `print` would run only while it is traced",
        ),
        (
            "loss = tf.reduce_mean(net(x)); tf.summary.scalar('loss', loss, step=number); print(loss.numpy())",
            "with `tf.summary.scalar()`, whose `step` is a Python number, and `.numpy()` left outside",
        ),
        ("loss = tf.reduce_mean(net(x)); tf.summary.scalar('loss', loss, step=optimizer.iterations)", "@tf.function"),
        ("w = tf.Variable(0.0); loss = w + net(x)", "with `tf.Variable()`, which a graph makes once, left outside"),
    ],
)
def test_a_step_in_a_loop_is_told_what_has_to_change_and_no_more(under_tape: str, said: str) -> None:
    source = f"""\
import tensorflow as tf
from nets import Detector, Gan, batches, judge, pool

class Printing(tf.keras.Model):
    def call(self, x):
        print("called")
        return x

def read(loss):
    return tf.constant(loss.numpy())

def scored(given):
    return judge(given)

net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
detector, gan, printing = Detector(), Gan(), Printing()
weights = detector.trainable_variables + gan.trainable_variables
for number, x in enumerate(batches):
    chosen = net(x).numpy()
    with tf.GradientTape() as tape:
        {under_tape}
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
"""
    (found,) = check(source, Overrides(select=("PIPE701",))).diagnostics
    assert found.message.endswith(said)
    assert found.fix is None


@pytest.mark.parametrize(
    ("stages", "target", "told"),
    [
        ("map(tf.math.log).batch(8)", (2, 21), "makes the last map parallel, which works ahead"),
        ("map(tf.math.log).take(4000).batch(8)", (2, 21), "insert one by themselves"),
        ("map(tf.math.log).take(4000).batch(8)", (2, 8), "makes the last map parallel, which works ahead"),
        ("map(lookup).batch(8)", (2, 21), "fuses the last map with batch, which works ahead"),
        ("map(lookup).batch(8).repeat()", (2, 21), "insert one by themselves"),
    ],
)
def test_only_the_very_last_stages_keep_tensorflow_from_inserting_a_prefetch(
    stages: str, target: Version, told: str
) -> None:
    rows = "np.zeros((5000, 128, 128, 3))"
    source = (
        f"import numpy as np\nimport tensorflow as tf\nmodel.fit(tf.data.Dataset.from_tensor_slices({rows}).{stages})\n"
    )
    (found,) = check(source, Overrides(select=("PIPE101",), target_tensorflow=target)).diagnostics
    assert told in found.message


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("cv2.imread(name.numpy().decode())", "it calls cv2.imread; tf.io.read_file and tf.io.decode_image do this in"),
        ("np.log(name)", "operations of TensorFlow in its place"),
    ],
)
def test_python_in_a_map_comes_with_what_to_do_about_it(body: str, told: str) -> None:
    source = (
        "import cv2\nimport numpy as np\nimport tensorflow as tf\n"
        f"def read(name):\n    return {body}\n"
        "def load(name):\n    return tf.py_function(read, [name], tf.int32)\n"
        "model.fit(tf.data.Dataset.from_tensor_slices(names).map(load).batch(8))\n"
    )
    (found,) = check(source, Overrides(select=("PIPE503",))).diagnostics
    assert told in found.message


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ((2, 8), "`padded_batch` after the only prefetch runs while the consumer waits"),
        ((2, 21), "this prefetch does nothing for `padded_batch` after it"),
    ],
)
def test_an_early_prefetch_keeps_the_consumer_waiting_only_where_nothing_works_ahead(
    target: Version, told: str
) -> None:
    source = "import tensorflow as tf\nmodel.fit(tf.data.TFRecordDataset('a').prefetch(1).padded_batch(8))\n"
    (found,) = check(source, Overrides(select=("PIPE102",), target_tensorflow=target)).diagnostics
    assert told in found.message


@pytest.mark.parametrize("order", [("cv2.imread", "smooth"), ("smooth", "cv2.imread")])
def test_one_of_several_python_functions_gives_the_text_and_the_place(order: tuple[str, str]) -> None:
    source = f"""\
import cv2
import tensorflow as tf

def smooth(pitch):
    return pitch[1:] - pitch[:-1]

def load(name):
    name = tf.numpy_function({order[0]}, [name], tf.float32)
    return tf.numpy_function({order[1]}, [name], tf.float32)

model.fit(tf.data.Dataset.from_tensor_slices(names).map(load).batch(8))
"""
    (found,) = check(source, Overrides(select=("PIPE503",))).diagnostics
    assert "tf.numpy_function of `cv2.imread`" in found.message
    assert "parallel calls do not help" not in found.message
    assert [note.span.start.line for note in found.related] == [8 + order.index("cv2.imread")]


@pytest.mark.parametrize(
    ("generator", "told"),
    [
        ("lambda: (row for row in rows)", "where `rows` is in memory, from_tensor_slices needs no generator"),
        ("lambda: iter(rows)", "where `rows` is in memory, from_tensor_slices needs no generator"),
        ("lambda: zip(rows, words)", "where `rows` and `words` are in memory, from_tensor_slices needs no generator"),
        (
            "pictures",
            "for `cv2.imread`, tf.io.read_file and tf.io.decode_image do this in the graph for JPEG, PNG, GIF and BMP, on all cores in a map",
        ),
    ],
)
def test_generator_per_element_names_a_cure_that_fits_the_generator(generator: str, told: str) -> None:
    source = f"""\
import cv2
import networkx as nx
import tensorflow as tf
from somewhere import rows, smooth, unseen

def drawn(size):
    return nx.to_numpy_array(nx.path_graph(size))

def graphs():
    while True:
        yield drawn(9)

def pictures():
    for path in rows:
        yield cv2.resize(cv2.imread(path), (64, 64))

ds = tf.data.Dataset.from_generator({generator}, output_signature=tf.TensorSpec((None,)))
model.fit(ds.batch(32))
"""
    (found,) = check(source, Overrides(select=("PIPE501",))).diagnostics
    assert told in found.message


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("first, *rest = batch", "`rest` is a list whose length is not known here"),
        ("rest = [part for part in batch]", "`rest` is a list whose length is not known here"),
        ("rest.append(batch)", "`rest` is a list that grows"),
        ("rest += [batch]", "`rest` is a list that grows"),
    ],
)
def test_missing_tf_function_calls_only_a_list_growing_that_turns_make_longer(given: str, said: str) -> None:
    source = f"""\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
rest = []

def train_step(rest):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(rest[0]))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))

for batch in batches:
    {given}
    train_step(rest)
"""
    (found,) = check(source, Overrides(select=("PIPE701",))).diagnostics
    assert said in found.message


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("model.fit(x)", "take @tf.function off `step` with it, as no graph can hold `fit`"),
        ("return np.sort(tf.abs(x))", "first `step`, a tf.function, has to do without `np.sort`"),
    ],
)
def test_debug_left_on_names_the_function_that_leans_on_the_switch(body: str, said: str) -> None:
    source = f"""\
import numpy as np
import tensorflow as tf

tf.config.run_functions_eagerly(True)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])

@tf.function
def step(x):
    {body}

step(x)
model.fit(x)
"""
    (found,) = check(source, Overrides(select=("PIPE901",))).diagnostics
    assert said in found.message
    assert found.fix is None


def test_a_step_on_models_that_a_loop_makes_needs_a_graph_for_each() -> None:
    source = """\
import tensorflow as tf
from nets import batches, rates
for rate in rates:
    net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.Adam(rate)
    for x in batches:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(net(x))
        optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
"""
    (found,) = check(source, Overrides(select=("PIPE701",))).diagnostics
    assert found.message.endswith("one for each model, layer or optimizer that the loop around makes anew")


def test_a_debugging_switch_is_quoted_as_it_is_written() -> None:
    source = """\
import tensorflow as tf

EAGER = True
model = tf.keras.Sequential()
model.compile("adam", "mse", run_eagerly=EAGER)
model.fit(x, y)
"""
    (found,) = check(source, Overrides(select=("PIPE901",))).diagnostics
    assert found.message.startswith("`run_eagerly=EAGER` is left on")


def test_missing_tf_function_names_no_constant_of_which_a_test_may_keep_it_from_a_step() -> None:
    source = """\
import tensorflow as tf
from nets import batches
net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
def mask_of(x):
    if x is None:
        mask = None
    else:
        mask = tf.cast(x > 0, tf.float32)
    return mask
def step(x, mask):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(net(x) * mask)
    optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
for x in batches:
    step(x, mask_of(x))
"""
    (found,) = check(source, Overrides(select=("PIPE701",))).diagnostics
    assert found.message.endswith("runs by itself from Python")
    assert found.fix is None


def test_a_step_with_a_layer_that_is_a_graph_already_says_so() -> None:
    source = """\
import tensorflow as tf

class Part(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)

    @tf.function
    def call(self, x):
        return self.dense(x)

class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.part = Part()

    def call(self, x):
        return self.part(x)

net = Net()
for x, y in batches:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(net(x) - y))
    optimizer.apply_gradients(zip(tape.gradient(loss, net.variables), net.variables))
"""
    (found,) = check(source, Overrides(select=("PIPE701",))).diagnostics
    assert found.message.endswith("what it computes in a tf.function runs in a graph already")


@pytest.mark.parametrize(
    ("decorator", "call", "said"),
    [
        (
            "",
            "np.sin(x)",
            "it raises when Keras traces the call, and run eagerly it stops the gradient; tf.sin does the same",
        ),
        ("", "np.eye(tf.shape(x)[0])", "it raises when Keras traces the call"),
        ("@tf.custom_gradient", "np.sort(x), print", "it raises when Keras traces the call; tf.sort does the same"),
    ],
)
def test_numpy_in_call_stops_a_gradient_where_there_is_one(decorator: str, call: str, said: str) -> None:
    source = f"""\
import numpy as np
import tensorflow as tf

class Fold(tf.keras.layers.Layer):
    {decorator}
    def call(self, x):
        return {call}
"""
    (found,) = check(source, Overrides(select=("PIPE604",))).diagnostics
    assert found.message.partition(": ")[2] == said


@pytest.mark.parametrize(
    ("sloppy", "target", "said"),
    [
        ("", (2, 8), "Dataset.interleave(..., num_parallel_calls=tf.data.AUTOTUNE) does the same"),
        (", sloppy=training", (2, 8), "tf.data.AUTOTUNE) does the same, with `deterministic` the opposite of `sloppy`"),
        ("", (2, 1), "Dataset.interleave(..., num_parallel_calls=tf.data.experimental.AUTOTUNE) does the same"),
    ],
)
def test_deprecated_tfdata_tells_what_becomes_of_the_order(sloppy: str, target: Version, said: str) -> None:
    source = f"""\
import tensorflow as tf

records = tf.data.experimental.parallel_interleave(tf.data.TFRecordDataset, 4{sloppy})
ds = tf.data.Dataset.list_files("*.tfrecord").apply(records)
"""
    (found,) = check(source, Overrides(select=("PIPE903",), target_tensorflow=target)).diagnostics
    assert found.message.endswith(said)


@pytest.mark.parametrize(("buffer", "held"), [(32, "617 MB"), (1024, "19.7 GB")])
def test_prefetch_counts_batches_tells_their_bytes(buffer: int, held: str) -> None:
    source = f"""\
import tensorflow as tf

def decode(path):
    return tf.image.resize(tf.io.decode_png(tf.io.read_file(path)), [224, 224])

model.fit(tf.data.Dataset.list_files("*.png").map(decode).batch(32).prefetch({buffer}), epochs=10)
"""
    (found,) = check(source, Overrides(select=("PIPE103",))).diagnostics
    said = (
        f"after `batch` the buffer counts batches: it holds up to {buffer} of them ready, {held} if there are as many"
    )
    assert found.message == said


@pytest.mark.parametrize(
    ("fitting", "held"),
    [
        ("tf.image.resize(picture, (256, 256))", "805 MB"),
        ("tf.image.resize(picture, (256, 128))", "403 MB"),
        ("tf.image.resize(tf.image.rgb_to_grayscale(picture), (512, 512))", "1.1 GB"),
        ("tf.image.random_crop(tf.image.resize(picture, (512, 512)), (256, 256, 3))", "805 MB"),
        ("tf.image.resize_with_crop_or_pad(picture, 512, 512)", "805 MB"),
        ("tf.ensure_shape(picture, [512, 512, 4])", "1.1 GB"),
        ("tf.image.resize(picture, (512, 512), method='nearest')", "805 MB"),
    ],
)
def test_the_bytes_of_pictures_follow_what_is_done_to_them(fitting: str, held: str) -> None:
    source = f"""\
import tensorflow as tf

def load(path):
    picture = tf.io.decode_png(tf.io.read_file(path))
    return {fitting}

model.fit(tf.data.Dataset.list_files("*.png").map(load).batch(32).prefetch(32), epochs=10)
"""
    (found,) = check(source, Overrides(select=("PIPE103",))).diagnostics
    assert found.message.endswith(f" {held} if there are as many")


_WRITING = """\
for number in range(400):
    asked = np.zeros((1, length, letters))
    for place, letter in enumerate(text):
        asked[0, place, number_of[letter]] = 1
    answer = model.predict(asked)[0]
    text = text[1:] + letter_of[answer.argmax()]
"""
_WALKING = """\
for number in range(400):
    point = model.predict(
        np.expand_dims(point, 0),  # where it is (so far
    )[0]
"""
_SCORING = """\
for number in range(400):
    row = np.expand_dims(rows[number], 0)
    row = row / 255
    answer = model.predict(row)
    answers.append(answer)
"""


@pytest.mark.parametrize(("loop", "fed_back"), [(_WRITING, True), (_WALKING, True), (_SCORING, False)])
def test_predict_in_loop_asks_for_all_rows_only_where_they_are_there(loop: str, fed_back: bool) -> None:
    start = "import numpy as np\nfrom tensorflow import keras\nmodel = keras.models.load_model('m.keras')\n"
    (found,) = check(start + loop, Overrides(select=("PIPE803",))).diagnostics
    assert ("give it all rows at once" in found.message) is not fed_back


@pytest.mark.parametrize(
    ("verbose", "target", "shown"),
    [("", (2, 9), True), ("", (2, 8), False), (", verbose=1", (2, 8), True), (", verbose=0", (2, 9), False)],
)
def test_predict_in_loop_knows_where_no_progress_bar_is_drawn(
    verbose: str, target: tuple[int, int], shown: bool
) -> None:
    source = f"""\
import numpy as np
from tensorflow import keras
model = keras.models.load_model("m.keras")
for number in range(len(rows)):
    answers.append(model.predict(np.expand_dims(rows[number], 0){verbose}))
"""
    (found,) = check(source, Overrides(select=("PIPE803",), target_tensorflow=target)).diagnostics
    assert ("progress bar" in found.message) is shown


@pytest.mark.parametrize(
    ("drawn", "said"),
    [
        (
            "tf.image.random_hue({}, 0.2, seed=7)",
            "keeps them alike only so: tf.image.stateless_random_* do in any order",
        ),
        ("flip(tf.image.adjust_hue({}, 0.2))", "its draws share a seed, which keeps them alike only so"),
        ("tf.random.shuffle(tf.io.decode_png({}), seed=7)", "so TensorFlow runs this map one element at a time"),
    ],
)
def test_unparallelized_map_speaks_of_seeds_where_images_are_changed_alike(drawn: str, said: str) -> None:
    source = f"""\
import tensorflow as tf

flip, flop = tf.keras.layers.RandomFlip(seed=7), tf.keras.layers.RandomFlip(seed=7)

def change(image, mask):
    return {drawn.format("image")}, {drawn.format("mask")}

model.fit(tf.data.Dataset.from_tensor_slices((images, masks)).map(change).batch(8))
"""
    (found,) = check(source, Overrides(select=("PIPE201",))).diagnostics
    assert found.message.endswith(said)
    assert found.fix is None


@pytest.mark.parametrize(("uses", "said"), [(1, ""), (2, "; this file has the old name 2 times")])
def test_deprecated_tfdata_counts_the_old_name(uses: int, said: str) -> None:
    source = "import tensorflow as tf\n" + "print(tf.data.experimental.AUTOTUNE)\n" * uses
    (found,) = check(source, Overrides(select=("PIPE903",), target_tensorflow=(2, 16))).diagnostics
    assert found.message == f"tf.data.experimental.AUTOTUNE is tf.data.AUTOTUNE since TensorFlow 2.4{said}"
