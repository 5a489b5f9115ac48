"""The abstract interpreter: statements, expressions, calls and functions."""
