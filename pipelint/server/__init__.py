"""The language server: what `pipelint check` knows, in an editor while somebody types."""
