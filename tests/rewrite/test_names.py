"""The names that fixes write: spelled as the file does, and imported where it does not."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from pipelint.project.projects import Overrides
from pipelint.rule import Version
from tests import linting
from tests.rewrite.fixing import TF, fixed

SPELLINGS = {
    "the module's variable": (
        "import tensorflow as tf\nAUTO = tf.data.AUTOTUNE\n",
        "AUTO",
    ),
    "an old variable is as good": (
        "import tensorflow as tf\nAUTOTUNE = tf.data.experimental.AUTOTUNE\n",
        "AUTOTUNE",
    ),
    "a constant that is given its value along with others": (
        "import tensorflow as tf\nsize, AUTO = 32, tf.data.AUTOTUNE\n",
        "AUTO",
    ),
    "an imported constant": (
        "import tensorflow as tf\nfrom tensorflow.data import AUTOTUNE as A\n",
        "A",
    ),
    "another alias": ("import tensorflow as flow\ntf = flow\n", "flow.data.AUTOTUNE"),
    "no alias": ("import tensorflow\ntf = tensorflow\n", "tensorflow.data.AUTOTUNE"),
    "the module data": ("from tensorflow import data as tfd\nimport tensorflow as tf\ntf = 3\n", "tfd.AUTOTUNE"),
    "a variable that changes": (
        "import tensorflow as tf\nAUTO = tf.data.AUTOTUNE\nAUTO = 4\n",
        "tf.data.AUTOTUNE",
    ),
    "a variable of one branch": (
        "import tensorflow as tf\nif fast:\n    AUTO = tf.data.AUTOTUNE\n",
        "tf.data.AUTOTUNE",
    ),
    "a variable of a class": (
        "import tensorflow as tf\nclass Config:\n    AUTO = tf.data.AUTOTUNE\n",
        "tf.data.AUTOTUNE",
    ),
    "a variable of a function": (
        "import tensorflow as tf\ndef f():\n    AUTO = tf.data.AUTOTUNE\n",
        "tf.data.AUTOTUNE",
    ),
    "an attribute of something else": (
        "import tensorflow as tf\nimport settings\nAUTO = settings.AUTOTUNE\n",
        "tf.data.AUTOTUNE",
    ),
    "an import that may fail": (
        "try:\n    import tensorflow as tf\nexcept ImportError:\n    tf = None\n",
        "tf.data.AUTOTUNE",
    ),
    "an import that must not fail": (
        "try:\n    import tensorflow as tf\nexcept ImportError:\n    raise SystemExit\n",
        "tf.data.AUTOTUNE",
    ),
    "imported in every cell": ("import tensorflow as tf\nimport tensorflow as tf\n", "tf.data.AUTOTUNE"),
}


@pytest.mark.parametrize(("head", "name"), SPELLINGS.values(), ids=SPELLINGS)
def test_a_name_is_spelled_as_the_file_does(head: str, name: str) -> None:
    source = head + "from tensorflow.data import TFRecordDataset as R\nmodel.fit(R(files).batch(32))\n"
    assert fixed("PIPE101", source) == source.replace(".batch(32)", f".batch(32).prefetch({name})")


UNSURE = {
    "where it may fail": "try:\n    AUTO = tf.data.AUTOTUNE\nexcept AttributeError:\n    pass\n",
    "where one of several failures is passed over": (
        "try:\n    AUTO = tf.data.AUTOTUNE\nexcept AttributeError:\n    raise\nexcept ValueError:\n    log()\n"
    ),
    "where nothing fails": "try:\n    check()\nexcept ValueError:\n    pass\nelse:\n    AUTO = tf.data.AUTOTUNE\n",
    "where something fails": "try:\n    check()\nexcept ValueError:\n    AUTO = tf.data.AUTOTUNE\n",
    "in two of three branches": (
        "if one:\n    AUTO = tf.data.AUTOTUNE\nelif two:\n    AUTO = tf.data.AUTOTUNE\nelse:\n    log()\n"
    ),
    "in a loop that may not run": "for item in items:\n    AUTO = tf.data.AUTOTUNE\n",
    "in a loop that may end before": "while True:\n    if ready():\n        break\n    AUTO = tf.data.AUTOTUNE\n",
    "in a case that may not match": "match mode:\n    case 'fast':\n        AUTO = tf.data.AUTOTUNE\n",
    "where failures are suppressed": "with suppress(AttributeError):\n    AUTO = tf.data.AUTOTUNE\n",
    "for a type checker": "if TYPE_CHECKING:\n    from tensorflow.data import AUTOTUNE as AUTO\n",
    "and deleted in a branch": "AUTO = tf.data.AUTOTUNE\nif done:\n    del AUTO\n",
    "and set to None in a branch": "AUTO = tf.data.AUTOTUNE\nif plain:\n    AUTO = None\n",
    "and set by a function": "AUTO = tf.data.AUTOTUNE\ndef reset():\n    global AUTO\n    AUTO = 4\nreset()\n",
    "and captured by a pattern": "AUTO = tf.data.AUTOTUNE\nmatch config:\n    case {'workers': _, **AUTO}:\n        log()\n",
}
SURE = {
    "in every branch": "if one:\n    AUTO = tf.data.AUTOTUNE\nelse:\n    AUTO = tf.data.experimental.AUTOTUNE\n",
    "or the program ends": "try:\n    AUTO = tf.data.AUTOTUNE\nexcept AttributeError:\n    sys.exit(1)\n",
    "whether it fails or not": (
        "try:\n    AUTO = tf.data.AUTOTUNE\nexcept AttributeError:\n    AUTO = tf.data.experimental.AUTOTUNE\n"
    ),
    "in the end": "try:\n    check()\nfinally:\n    AUTO = tf.data.AUTOTUNE\n",
    "before an endless loop is left": "while True:\n    AUTO = tf.data.AUTOTUNE\n    if ready():\n        break\n",
    "in every case": (
        "match mode:\n    case 'fast':\n        AUTO = tf.data.AUTOTUNE\n    case _:\n        raise ValueError(mode)\n"
    ),
    "inside of a context": "with timer():\n    AUTO = tf.data.AUTOTUNE\n",
    "after it was None": "AUTO = None\nAUTO = tf.data.AUTOTUNE\n",
    "or it would have failed before": "if fast:\n    AUTO = tf.data.AUTOTUNE\nprint(AUTO)\n",
}

EXPERIMENTAL = "import tensorflow as tf\nprint(tf.data.experimental.AUTOTUNE)\n"


class TestWaysThroughAProgram:
    """A name that stands for AUTOTUNE serves where it is bound on every way there, and only there."""

    @pytest.mark.parametrize("head", UNSURE.values(), ids=UNSURE)
    @pytest.mark.parametrize("indent", ["", "    "], ids=["module", "function"])
    def test_a_name_that_may_be_unbound_does_not_serve(self, head: str, indent: str) -> None:
        assert _spelled(head, indent) == "tf.data.AUTOTUNE"

    @pytest.mark.parametrize("head", SURE.values(), ids=SURE)
    @pytest.mark.parametrize("indent", ["", "    "], ids=["module", "function"])
    def test_a_name_that_is_bound_on_every_way_serves(self, head: str, indent: str) -> None:
        assert _spelled(head, indent) == "AUTO"

    @pytest.mark.parametrize(
        ("later", "name"),
        [
            ("", "AUTO"),
            ("AUTO = None\n", "tf.data.AUTOTUNE"),
            ("del AUTO\n", "tf.data.AUTOTUNE"),
            ("def AUTO():\n    pass\n", "tf.data.AUTOTUNE"),
        ],
        ids=["unchanged", "set to None", "deleted", "defined"],
    )
    def test_a_function_runs_with_what_the_module_has_then(self, later: str, name: str) -> None:
        source = (
            "import tensorflow as tf\nAUTO = tf.data.AUTOTUNE\n"
            "def train(model):\n    model.fit(tf.data.Dataset.list_files('*').batch(32))\n"
        ) + later
        assert fixed("PIPE101", source) == source.replace(".batch(32)", f".batch(32).prefetch({name})")

    @pytest.mark.parametrize(
        "head", ["if x:\n    break\n", "class A: break\n", "for i in x:\n    class A:\n        break\n"]
    )
    def test_a_break_outside_of_a_loop_ends_none(self, head: str) -> None:
        assert fixed("PIPE903", head + EXPERIMENTAL) == head + EXPERIMENTAL.replace(".experimental", "")

    def test_a_class_does_not_bind_for_its_methods(self) -> None:
        source = (
            "import tensorflow as tf\nif fast:\n    AUTO = tf.data.AUTOTUNE\n\nclass Trainer:\n"
            "    AUTO = tf.data.AUTOTUNE\n    def train(self, model):\n"
            "        model.fit(tf.data.Dataset.list_files('*').batch(32))\n"
        )
        assert fixed("PIPE101", source) == source.replace(".batch(32)", ".batch(32).prefetch(tf.data.AUTOTUNE)")


PARAMETERS = {
    "that other calls get": ("num_parallel_calls=8", "num_parallel_calls", "num_parallel_calls"),
    "that may be None": ("num_parallel_calls=None", "num_parallel_calls", "tf.data.AUTOTUNE"),
    "that other calls do not get": ("num_parallel_calls=8", "4", "tf.data.AUTOTUNE"),
}


@pytest.mark.parametrize(("parameter", "other", "name"), PARAMETERS.values(), ids=PARAMETERS)
def test_an_argument_may_be_a_parameter(parameter: str, other: str, name: str) -> None:
    source = (
        f"import tensorflow as tf\ndef make(files, {parameter}):\n"
        f"    ds = tf.data.TFRecordDataset(files).map(tf.io.parse_tensor, num_parallel_calls={other})\n"
        "    return ds.map(tf.math.sin).batch(32).prefetch(4)\nmodel.fit(make('a'))\n"
    )
    after = source.replace("tf.math.sin)", f"tf.math.sin, num_parallel_calls={name})")
    assert fixed("PIPE201", source) == after


def _spelled(head: str, indent: str) -> str:
    """How AUTOTUNE is written behind some statements, at the top or in a function."""
    body = head + "model.fit(R(files).batch(32))\n"
    if indent:
        body = "def train(model, files):\n" + textwrap.indent(body, indent)
    source = "import tensorflow as tf\nfrom tensorflow.data import TFRecordDataset as R\n" + body
    before, behind = source.split(".batch(32)")
    return fixed("PIPE101", source).removeprefix(f"{before}.batch(32).prefetch(").removesuffix(f"){behind}")


class TestImports:
    def test_an_import_is_added_behind_the_others(self) -> None:
        source = (
            '"""Trains."""\n\nfrom __future__ import annotations\nimport os  # for paths\n\n'
            "from tensorflow.data import Dataset\n\nmodel.fit(Dataset.list_files('*').batch(32))\n"
        )
        after = source.replace("import Dataset\n", "import Dataset\nimport tensorflow as tf\n")
        assert fixed("PIPE101", source) == after.replace(".batch(32)", ".batch(32).prefetch(tf.data.AUTOTUNE)")

    def test_an_import_further_down_lends_its_name(self) -> None:
        source = "from tensorflow.data import Dataset\nmodel.fit(Dataset.list_files('*').batch(32))\nimport tensorflow as tf\n"
        after = source.replace("import Dataset\n", "import Dataset\nimport tensorflow as tf\n")
        assert fixed("PIPE101", source) == after.replace(".batch(32)", ".batch(32).prefetch(tf.data.AUTOTUNE)")

    def test_its_line_is_the_next_even_behind_a_comment(self) -> None:
        source = "from tensorflow.data import Dataset  # noqa\r\n\r\nmodel.fit(Dataset.list_files('*').batch(32))\r\n"
        assert fixed("PIPE101", source) == (
            "from tensorflow.data import Dataset  # noqa\r\nimport tensorflow as tf\r\n\r\n"
            "model.fit(Dataset.list_files('*').batch(32).prefetch(tf.data.AUTOTUNE))\r\n"
        )

    def test_a_taken_alias_is_not_taken_again(self) -> None:
        source = "from tensorflow.data import Dataset\ntf = 3\nmodel.fit(Dataset.list_files('*').batch(32))\n"
        after = source.replace("import Dataset\n", "import Dataset\nimport tensorflow\n")
        assert fixed("PIPE101", source) == after.replace(".batch(32)", ".batch(32).prefetch(tensorflow.data.AUTOTUNE)")

    def test_an_optional_tensorflow_stays_optional(self) -> None:
        for guarded in (
            "try:\n    import tensorflow as tf\n    HAS_TF = True\nexcept ImportError:\n    HAS_TF = False\n",
            "try:\n    import tensorflow as tf\nexcept ImportError:\n    print('none')\nelse:\n    HAS_TF = True\n",
            "try:\n    import ours\n    import tensorflow as tf\nexcept ImportError:\n    pass\n",
            "from contextlib import suppress\nwith suppress(ImportError):\n    import tensorflow as tf\n",
            "if cond():\n    import tensorflow as tf\n",
        ):
            source = guarded + "\ndef train(model):\n    model.fit(tf.data.Dataset.list_files('*').batch(32))\n"
            assert fixed("PIPE101", source) == source.replace(".batch(32)", ".batch(32).prefetch(tf.data.AUTOTUNE)")

    def test_a_name_that_may_be_missing_is_imported_again(self) -> None:
        source = (
            "if cond():\n    import tensorflow as tf\n"
            "from tensorflow.data import Dataset\nmodel.fit(Dataset.list_files('*').batch(32))\n"
        )
        after = source.replace("import Dataset\n", "import Dataset\nimport tensorflow as tf\n")
        assert fixed("PIPE101", source) == after.replace(".batch(32)", ".batch(32).prefetch(tf.data.AUTOTUNE)")

    def test_it_serves_where_it_was_just_imported(self) -> None:
        source = (
            "try:\n    import tensorflow as tf\n    model.fit(tf.data.Dataset.list_files('*').batch(32))\n"
            "except ImportError:\n    pass\n"
        )
        assert fixed("PIPE101", source) == source.replace(".batch(32)", ".batch(32).prefetch(tf.data.AUTOTUNE)")

    def test_a_function_uses_its_own_import(self) -> None:
        source = (
            "def train(model):\n    import tensorflow as tf\n    model.fit(tf.data.Dataset.list_files('*').batch(32))\n"
        )
        assert fixed("PIPE101", source) == source.replace(".batch(32)", ".batch(32).prefetch(tf.data.AUTOTUNE)")

    def test_a_shadowed_alias_does_not_serve(self) -> None:
        source = (
            "import tensorflow as tf\nfrom tensorflow.data import Dataset\n\n"
            "def train(model, tf):\n    model.fit(Dataset.list_files('*').batch(32))\n"
        )
        after = source.replace("import Dataset\n", "import Dataset\nimport tensorflow\n")
        assert fixed("PIPE101", source) == after.replace(".batch(32)", ".batch(32).prefetch(tensorflow.data.AUTOTUNE)")

    def test_a_variable_bound_below_a_function_serves_only_where_no_other_does(self) -> None:
        source = (
            "import tensorflow as tf\n\ndef train(model):\n    model.fit(tf.data.Dataset.list_files('*').batch(32))\n\n"
            "AUTO = tf.data.AUTOTUNE\ntrain(m)\n"
        )
        assert fixed("PIPE101", source) == source.replace(".batch(32)", ".batch(32).prefetch(tf.data.AUTOTUNE)")

    def test_a_variable_bound_below_does_not_serve_at_the_top(self) -> None:
        source = TF + "model.fit(tf.data.Dataset.list_files('*').batch(32))\nAUTO = tf.data.AUTOTUNE\n"
        assert fixed("PIPE101", source) == source.replace(".batch(32)", ".batch(32).prefetch(tf.data.AUTOTUNE)")

    def test_an_old_target_gets_the_old_name(self) -> None:
        source = TF + "model.fit(tf.data.Dataset.list_files('*').batch(32))\n"
        after = source.replace(".batch(32)", ".batch(32).prefetch(tf.data.experimental.AUTOTUNE)")
        assert fixed("PIPE101", source, target=(2, 3)) == after

    @pytest.mark.parametrize("target", [(2, 3), (2, 8)])
    @pytest.mark.parametrize(
        "other",
        [
            "print(tf.data.experimental.AUTOTUNE)\n",
            "def test():\n    ahead = tf.data.experimental.AUTOTUNE\n    print(ahead)\n",
            "def test():\n    from tensorflow.data.experimental import AUTOTUNE\n    print(AUTOTUNE)\n",
        ],
    )
    def test_a_file_with_the_old_name_gets_it_again(self, target: Version, other: str) -> None:
        source = TF + other + "model.fit(tf.data.Dataset.list_files('*').shuffle(9).batch(32))\n"
        after = source.replace(".batch(32)", ".batch(32).prefetch(tf.data.experimental.AUTOTUNE)")
        assert fixed("PIPE101", source, target=target) == after

    def test_an_old_target_gets_the_name_that_the_file_uses(self) -> None:
        source = (
            TF + "ds = tf.data.Dataset.list_files('*').map(f, tf.data.AUTOTUNE)\nmodel.fit(ds.shuffle(9).batch(32))\n"
        )
        after = source.replace(".batch(32)", ".batch(32).prefetch(tf.data.AUTOTUNE)")
        assert fixed("PIPE101", source, target=(2, 3)) == after

    def test_a_file_that_uses_both_gets_the_new_name(self) -> None:
        both = TF + "print(tf.data.experimental.AUTOTUNE, tf.data.AUTOTUNE)\n"
        source = both + "model.fit(tf.data.Dataset.list_files('*').batch(32))\n"
        assert fixed("PIPE101", source) == source.replace(".batch(32)", ".batch(32).prefetch(tf.data.AUTOTUNE)")

    @pytest.mark.parametrize(
        ("file", "text"),
        [
            ("README.md", "Written with TensorFlow 2.2.\n"),
            ("readme.rst", "Networks in TensorFlow 2.0\n"),
            ("Dockerfile", "FROM tensorflow/tensorflow:2.0.0b1-gpu-py3\n"),
            ("extra.py", "from tensorflow.keras.utils import multi_gpu_model\n\n\ndef shared():\n    return 1\n"),
        ],
    )
    def test_a_version_that_the_project_shows_gets_a_name_that_it_has(
        self, tmp_path: Path, file: str, text: str
    ) -> None:
        loop = "    for x in tf.data.TFRecordDataset(files).batch(32):\n        train_step(x)\n"
        source = f"{TF}import extra\n\nextra.shared()\n\n@tf.function\ndef train():\n{loop}\ntrain()\n"
        after = source.replace(".batch(32)", ".batch(32).prefetch(tf.data.experimental.AUTOTUNE)")
        (tmp_path / file).write_text(text)
        assert linting.fixed(source, Overrides(select=("PIPE101",)), str(tmp_path / "train.py")) == after
