"""The pages of the rules desk and of match records."""
