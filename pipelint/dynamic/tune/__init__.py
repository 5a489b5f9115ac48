"""Rewrites of the user's source that are tried on copies, verified, and kept where they gain: candidates, verdicts, search."""
