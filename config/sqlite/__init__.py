"""Django's backend for SQLite, with a shorter wait of whoever comes second."""
