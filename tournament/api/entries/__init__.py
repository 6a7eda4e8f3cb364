"""The API of entries and of the door."""
