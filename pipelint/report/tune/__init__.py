"""One module per output format of what `pipelint tune` found."""
