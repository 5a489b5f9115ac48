"""How figures and text are shown to people."""
