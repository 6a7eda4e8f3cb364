"""What every change shares: the lock, the version, the log row and the notification of open pages."""
