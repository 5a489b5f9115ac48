"""Where programs keep their numbers: objects of settings, options of the command line, fields of classes."""

from __future__ import annotations

_OF_EXPERIMENTS = frozenset(
    {
        "ml_collections.ConfigDict", "ml_collections.FrozenConfigDict", "ml_collections.config_dict.ConfigDict",
        "ml_collections.config_dict.FrozenConfigDict", "ml_collections.config_dict.create",
        "omegaconf.DictConfig", "omegaconf.OmegaConf.create", "omegaconf.OmegaConf.structured", "yacs.config.CfgNode",
    }
)  # fmt: skip
RECORDS = _OF_EXPERIMENTS | {
    "addict.Dict", "argparse.Namespace", "attrdict.AttrDict", "attrdict.AttrMap", "box.Box", "dotmap.DotMap",
    "easydict.EasyDict", "munch.Munch", "munch.munchify", "types.SimpleNamespace",
}  # fmt: skip
"""What makes an object whose attributes are settings, of keywords or of a dict, with those in it the same."""
SET_FROM_OUTSIDE = _OF_EXPERIMENTS | {"argparse.Namespace"}
"""Those whose settings are defaults, which the command line or a file may override."""

NAMESPACE = "argparse.Namespace"
PARSER = "argparse.ArgumentParser"

_FLAG_MODULES = (
    "absl.flags",
    "tensorflow.app.flags",
    "tensorflow.compat.v1.flags",
    "tensorflow.compat.v1.app.flags",
    "tensorflow.flags",
)
FLAGS = frozenset(f"{module}.FLAGS" for module in _FLAG_MODULES)
"""The objects that have the options of the command line as attributes."""
DEFINES_FLAG = frozenset(
    f"{module}.DEFINE_{kind}"
    for module in _FLAG_MODULES
    for kind in ("bool", "boolean", "enum", "flag", "float", "integer", "list", "string")
)  # fmt: skip
"""What adds an option to these."""
DEFINES_CONFIG_FILE = frozenset(
    {"ml_collections.config_flags.DEFINE_config_file", "ml_collections.config_flags.config_flags.DEFINE_config_file"}
)
"""What adds one whose value is what `get_config` gives in the module that it names."""

FIELD = "dataclasses.field"

OPENS_FILE = frozenset({"builtins.open", "io.open", "tensorflow.io.gfile.GFile"})
LOADS_TABLE = frozenset({"json.load", "yaml.full_load", "yaml.load", "yaml.safe_load", "yaml.unsafe_load"})
"""What reads the settings of an open file into a dict."""
LOADS_RECORD = frozenset({"omegaconf.OmegaConf.load"})
"""The same into an object, of a file or a path."""
SETTINGS_FOR_MAIN = "hydra.main"
"""The decorator that reads them for the function that it decorates."""
SETTINGS_SUFFIXES = (".gin", ".json", ".yaml", ".yml")


def _of_gin(*names: str) -> frozenset[str]:
    return frozenset(f"{module}.{name}" for module in ("gin", "gin.config") for name in names)


CONFIGURABLE = _of_gin("configurable")
"""The decorator that lets files of gin override the defaults of a function's parameters; as of gin-config 0.5."""
REGISTERED = _of_gin("register")
"""The one that lets them do so only where a file has the function called; calls in the program stay as they are."""
EXTERNAL_CONFIGURABLE = _of_gin("external_configurable")
"""What makes such a function of another, which stays as it is."""
PARSES_GIN_FILE = _of_gin("parse_config_file")
PARSES_GIN_FILES = _of_gin("parse_config_files_and_bindings")
PARSES_GIN_TEXT = _of_gin("parse_config")
BINDS_PARAMETER = _of_gin("bind_parameter")
