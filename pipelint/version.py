"""The version, in a module of its own: reports state it, and must not import the package that imports them."""

__version__ = "0.1.0"
