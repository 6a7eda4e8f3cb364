"""What every change has in common: the lock, the version, the log row, and who hears of it."""
