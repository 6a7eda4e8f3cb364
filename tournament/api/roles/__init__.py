"""The API for roles, the log and undoing."""
