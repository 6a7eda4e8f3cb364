"""The API for draws as files that anybody can check."""
