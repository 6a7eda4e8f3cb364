"""The API for whole events as files."""
