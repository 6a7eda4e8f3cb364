"""The API for series."""
