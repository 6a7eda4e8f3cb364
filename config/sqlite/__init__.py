"""Django's SQLite backend, changed so that a second writer waits no longer than necessary."""
