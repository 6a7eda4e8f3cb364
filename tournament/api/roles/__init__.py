"""The API of roles, the log and undoing."""
