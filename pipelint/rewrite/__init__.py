"""Repairs to text edits in the user's own spelling."""
