"""pipelint's own rules: one module each."""
