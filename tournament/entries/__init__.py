"""Who plays: entries, attendance, and duplicates merged."""
