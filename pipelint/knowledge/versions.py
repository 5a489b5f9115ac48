"""Which versions of TensorFlow pipelint knows."""

from __future__ import annotations

NEWEST_TENSORFLOW = (2, 21)
"""The newest whose behaviour the rules know; what is checked for where a project does not say."""
OLDEST_MEASURED = (2, 18)
"""The oldest that is measured on: its engine and its internals are the first that the tables of graph_ops describe."""
