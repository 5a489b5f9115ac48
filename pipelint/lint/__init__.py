"""One run: check files, leave out what is known, fix to convergence, gather results."""
