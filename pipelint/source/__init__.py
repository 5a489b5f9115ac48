"""Files in and out: discovery, encodings, notebooks, suppressions and edits."""
