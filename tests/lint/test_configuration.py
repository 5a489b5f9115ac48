"""A batch size that stands in the configuration of a project is known where the batches are made."""

from __future__ import annotations

import pytest

from tests.lint.trained_batches import found, train
from tests.workspace import Workspace

PARSER = """
import argparse

def options():
    parser = argparse.ArgumentParser()
    group = parser.add_argument_group("data")
    group.add_argument("-b", "--batch-size", type=int, default=2)
    return parser.parse_args()
"""
NESTED = """
from dataclasses import dataclass, field

@dataclass
class Data:
    batch_size: int = field(default=2)

@dataclass
class Config:
    name: str
    data: Data = field(default_factory=Data)
"""
EASYDICT = """
from easydict import EasyDict as edict

__C = edict()
cfg = __C
__C.TRAIN = edict()
__C.TRAIN.BATCH_SIZE = 2
"""
CONFIG_DICT = """
import ml_collections

def get_config():
    config = ml_collections.ConfigDict()
    config.train = ml_collections.ConfigDict({"epochs": 3})
    config.train.batch_size = 2
    return config
"""
FLAGS = "from absl import flags\nflags.DEFINE_integer('batch_size', 2, 'examples of a step')\n"
SETTINGS = "# for a small machine\ndata:\n  batch_size: 2  # it has no more memory\n  path: gs://bucket\n"
CALLS_MAIN = "from absl import app\nfrom data import main\ndef run(_):\n    main()\napp.run(run)\n"
FROM_FILE = (
    "from ml_collections import config_flags\nCONFIG = config_flags.DEFINE_config_file('config', 'configs/small.py')"
)
MUNCH = "from munch import Munch\ncfg = Munch()\ncfg['batch_size'] = 2\n"
NAMESPACE = "from types import SimpleNamespace\ncfg = SimpleNamespace(**{'batch_size': 2})\n"
DATACLASS = "from dataclasses import dataclass\n@dataclass\nclass Config:\n    batch_size: int = 2\n"
BY_HYDRA = train("import hydra", "cfg.data.batch_size", "cfg").replace(
    "def main", "@hydra.main(version_base=None, config_path='conf', config_name='config')\ndef main"
)

KNOWN = {
    "a constant": {"config.py": "BATCH = 2\n", "train.py": train("from config import BATCH", "BATCH")},
    "of a module": {"config.py": "BATCH = 2\n", "train.py": train("import config", "config.BATCH")},
    "of a class": {"config.py": "class C:\n    BATCH = 2\n", "train.py": train("from config import C", "C().BATCH")},
    "in a dict": {"config.py": "C = {'data': {'n': 2}}\n", "train.py": train("from config import C", "C['data']['n']")},
    "easydict": {"config.py": EASYDICT, "train.py": train("from config import cfg", "cfg.TRAIN.BATCH_SIZE")},
    "munch": {"config.py": MUNCH, "train.py": train("from config import cfg", "cfg.get('batch_size', 64)")},
    "a namespace": {"config.py": NAMESPACE, "train.py": train("from config import cfg", "cfg.batch_size")},
    "a field": {"config.py": DATACLASS, "train.py": train("from config import Config", "Config().batch_size")},
    "fields": {"config.py": NESTED, "train.py": train("from config import Config", "Config('a').data.batch_size")},
    "a tuple": {
        "config.py": "from typing import NamedTuple\nclass Config(NamedTuple):\n    batch_size: int = 2\n",
        "train.py": train("from config import Config", "Config().batch_size"),
    },
    "set from elsewhere": {
        "config.py": "BATCH = 64\n",
        "train.py": train("import config\nconfig.BATCH = 2", "config.BATCH"),
    },
}
BY_DEFAULT = {
    "argparse": {
        "options.py": PARSER,
        "train.py": train("from options import options", "args.batch_size", "args", "main(options())"),
    },
    "argparse as a dict": {
        "options.py": PARSER,
        "train.py": train("from options import options\nconfig = vars(options())", "config['batch_size']"),
    },
    "absl": {
        "train.py": train(f"{FLAGS}\nfrom absl import app", "flags.FLAGS.batch_size", "_", "app.run(main)"),
    },
    "absl, by the object": {
        "train.py": train(FLAGS.replace("flags.D", "SIZE = flags.D"), "SIZE.value"),
    },
    "absl, in another module": {
        "options.py": FLAGS,
        "train.py": train("from absl import flags\nimport options\nFLAGS = flags.FLAGS", "FLAGS.batch_size"),
    },
    "ml_collections": {
        "configs/small.py": CONFIG_DICT,
        "train.py": train("from configs import small\nconfig = small.get_config()", "config.train.batch_size"),
    },
    "ml_collections by a flag": {
        "configs/small.py": CONFIG_DICT,
        "train.py": train(FROM_FILE, "CONFIG.value.train.batch_size"),
    },
    "gin": {
        "train.py": train("import gin", "size", "size=2").replace("def main", "@gin.configurable\ndef main"),
    },
    "hydra": {"conf/config.yaml": SETTINGS, "train.py": BY_HYDRA},
    "hydra, of a group": {
        "conf/config.yaml": "defaults:\n  - _self_\n  - data: small\n\ndata:\n  batch_size: 64\n",
        "conf/data/small.yaml": "batch_size: 2\n",
        "train.py": BY_HYDRA,
    },
    "omegaconf": {
        "config.yml": SETTINGS,
        "train.py": train("from omegaconf import OmegaConf\nc = OmegaConf.load('config.yml')", "c.data.batch_size"),
    },
    "yaml": {
        "config.yaml": SETTINGS,
        "code/train.py": train(
            "import yaml\nwith open('config.yaml') as f:\n    c = yaml.safe_load(f)", "c['data']['batch_size']"
        ),
    },
    "json": {
        "config.json": '{"batch_size": 2}',
        "train.py": train("import json\nc = json.load(open('config.json'))", "c['batch_size']"),
    },
    "a file named by an option": {
        "config.json": '{"batch_size": 2}',
        "options.py": PARSER.replace("2", "'config.json'"),
        "train.py": train(
            "import json\nfrom options import options\nc = json.load(open(options().batch_size))", "c['batch_size']"
        ),
    },
    "a class whose attributes options may set": {
        "config.py": "class Config:\n    BATCH = 2\n",
        "options.py": PARSER,
        "train.py": train(
            "from config import Config\nfrom options import options\nconfig = Config()\n"
            "for name, value in vars(options()).items():\n    setattr(config, name, value)",
            "config.BATCH",
        ),
    },
    "a field that callers out of sight may set": {
        "config.py": DATACLASS,
        "train.py": train("import sys\nfrom config import Config\nC = Config(**read(sys.argv))", "C.batch_size"),
    },
}
OF_NO_DEFAULT = {
    "another argument": {
        "config.py": DATACLASS,
        "train.py": train("from config import Config", "Config(batch_size=64).batch_size"),
    },
    "set elsewhere": {
        "config.py": "BATCH = 2\n",
        "train.py": train("import config\nconfig.BATCH = 64", "config.BATCH"),
    },
    "set after it was read": {
        "options.py": PARSER,
        "train.py": train("from options import options\nargs = options()\nargs.batch_size = 64", "args.batch_size"),
    },
    "a command line that the program writes": {
        "options.py": PARSER.replace("parse_args()", "parse_args(['-b', '64'])"),
        "train.py": train("from options import options", "options().batch_size"),
    },
    "flags of two programs": {
        "data.py": train("from absl import flags", "flags.FLAGS.batch_size", run=""),
        "small.py": f"{FLAGS}{CALLS_MAIN}",
        "train.py": f"{FLAGS}{CALLS_MAIN}".replace("2", "64"),
    },
    "a file outside of the project": {
        "../config.json": '{"batch_size": 2}',
        "train.py": train("import json\nc = json.load(open('../config.json'))", "c['batch_size']"),
    },
    "a file that is no plain YAML": {
        "config.yaml": "base: &base\n  batch_size: 2\ndata:\n  <<: *base\n",
        "train.py": train("import yaml\nc = yaml.safe_load(open('config.yaml'))", "c['data']['batch_size']"),
    },
    "a file that another is composed of": {
        "conf/config.yaml": "defaults:\n  - _self_\n  - data: large\n\ndata:\n  batch_size: 2\n",
        "conf/data/large.yaml": "batch_size: 64\n",
        "train.py": BY_HYDRA,
    },
    "a file that nobody has": {
        "conf/config.yaml": "defaults:\n  - _self_\n  - data: large\n\ndata:\n  batch_size: 2\n",
        "train.py": BY_HYDRA,
    },
    "updated": {
        "config.py": EASYDICT,
        "train.py": train("from config import cfg\ncfg.TRAIN.update({'BATCH_SIZE': 64})", "cfg.TRAIN.BATCH_SIZE"),
    },
}


@pytest.mark.parametrize("files", KNOWN.values(), ids=KNOWN)
def test_what_nobody_overrides_is_the_value(workspace: Workspace, files: dict[str, str]) -> None:
    assert found(workspace, files) == [("warning", False)]


@pytest.mark.parametrize("files", BY_DEFAULT.values(), ids=BY_DEFAULT)
def test_what_users_may_override_is_advice_on_a_default(workspace: Workspace, files: dict[str, str]) -> None:
    assert found(workspace, files) == [("advice", True)]


@pytest.mark.parametrize("files", OF_NO_DEFAULT.values(), ids=OF_NO_DEFAULT)
def test_what_the_program_overrides_is_not_the_value(workspace: Workspace, files: dict[str, str]) -> None:
    assert found(workspace, files) == []
