"""The API for the rules desk and for match records."""
