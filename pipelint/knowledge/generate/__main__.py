"""The command: traces every public symbol, in some minutes, and writes the table into the package."""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")


def main() -> None:
    """Trace all, and write the table, into the package or into the file that is named."""
    from pipelint.knowledge import effect_table
    from pipelint.knowledge.generate import whole_table

    def progress(number: int, count: int) -> None:
        sys.stderr.write(f"\r{number} of {count} parts")

    text = whole_table.text_of(whole_table.all_entries(progress, os.cpu_count() or 1))
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else effect_table.FILE
    file.write_text(text, "utf-8")
    sys.stderr.write(f"\r{text.count(chr(10)) - 1} symbols in {file}\n")


if __name__ == "__main__":
    main()
