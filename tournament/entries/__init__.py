"""Entries: how they are made, their attendance, and merged duplicates."""
