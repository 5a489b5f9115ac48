"""One check run: examine files, fix them to convergence, leave out what is known, gather results."""
