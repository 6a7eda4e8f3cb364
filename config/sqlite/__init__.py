"""Django's SQLite backend, in which a second writer waits no longer than it has to."""
