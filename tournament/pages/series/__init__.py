"""The pages of series."""
