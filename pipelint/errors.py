"""Mistakes that the person who runs pipelint can mend."""

from __future__ import annotations


class UserError(Exception):
    """What is wrong, where, and what to do about it, in one line: printed without a traceback, exit status 2."""
