"""`python -m pipelint`."""

import sys

# Python has put the working directory first, where a `json.py` or the metadata of a rule pack may lie.
if __name__ == "__main__" and not getattr(sys.flags, "safe_path", False):
    del sys.path[0]

from pipelint.cli import main

if __name__ == "__main__":
    main()
