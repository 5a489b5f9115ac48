"""Rewrites of copies of the user's source: what is tried, whether the data stays the same, and what is kept."""
