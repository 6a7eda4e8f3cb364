"""What every change has in common: the lock, the version, the log row, and the pages that are told."""
