"""The pages of long work: the format adviser and jobs."""
