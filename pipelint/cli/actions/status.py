"""Exit statuses."""

OK, FOUND, FAILED, INTERRUPTED = 0, 1, 2, 130
