"""What every test of the tables begins with."""

from __future__ import annotations

import sys

import pytest


@pytest.fixture(autouse=True)
def _no_caching_devices() -> None:
    """A trace of map_fn or scan that raised leaves the scope of variables behind that no variable can be made in."""
    tensorflow = sys.modules.get("tensorflow")
    if tensorflow is not None:
        tensorflow.compat.v1.get_variable_scope()._caching_device = None
