"""The API for entries and the door."""
