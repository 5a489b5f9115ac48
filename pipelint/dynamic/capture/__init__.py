"""From a live program to the stages of its datasets and their places in the source."""
