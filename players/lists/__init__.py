"""Official lists: start values, runs of a rating system over what counts, and publications that anybody can check."""
