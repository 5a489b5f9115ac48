"""Sources whose lines say themselves where a rule about traced code must find something."""

from __future__ import annotations

import textwrap

from tests.linting import findings

PREAMBLE = """\
import random
import cv2
import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras.layers import Layer
from elsewhere import BaseLayer, Thing
"""
FIRST = PREAMBLE.count("\n") + 1


def marked(source: str, code: str) -> tuple[list[int], list[int]]:
    """The lines that end in `#!`, and the lines that the rule reports, counted without the preamble."""
    text = PREAMBLE + textwrap.dedent(source).lstrip("\n")
    expected = [number for number, line in enumerate(text.split("\n"), 1) if line.endswith("#!")]
    found = [int(line.partition(":")[2].partition(" ")[0]) for line in findings(text, code)]
    return [line - FIRST for line in expected], [line - FIRST for line in dict.fromkeys(found)]
