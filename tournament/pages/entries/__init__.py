"""The pages of entries and of the door."""
