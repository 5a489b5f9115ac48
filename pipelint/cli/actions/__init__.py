"""What the commands do: from options to a run, and from its results to output and exit status."""
