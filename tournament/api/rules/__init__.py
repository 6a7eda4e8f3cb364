"""The API of the rules desk and of match records."""
