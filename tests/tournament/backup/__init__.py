"""Backups: written while people play, read back into an empty installation, kept by the program itself."""
