"""Brackets, crosstables, screens and printed sheets, drawn from a snapshot."""
