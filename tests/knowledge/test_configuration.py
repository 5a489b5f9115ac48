"""What is installed of the libraries that hold settings has the names of the table."""

from __future__ import annotations

import pytest

from pipelint.knowledge import configuration
from tests.knowledge.installed import resolve

INSTALLED = {"absl", "argparse", "builtins", "dataclasses", "io", "json", "types"}
NAMES = sorted(
    name
    for table in (configuration.RECORDS, configuration.FLAGS, configuration.DEFINES_FLAG, configuration.LOADS_TABLE)
    for name in (*table, configuration.PARSER, configuration.NAMESPACE, configuration.FIELD)
    if name.partition(".")[0] in INSTALLED or name.startswith("tensorflow.compat.")
)


@pytest.mark.parametrize("name", sorted({*NAMES, *configuration.OPENS_FILE}))
def test_a_name_is_there(name: str) -> None:
    assert resolve(name) is not None
