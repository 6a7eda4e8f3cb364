"""The participants: entries, attendance and merged duplicates."""
