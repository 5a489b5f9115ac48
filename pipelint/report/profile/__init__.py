"""One module per output format of a profile."""
