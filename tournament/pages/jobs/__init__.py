"""The pages for long-running work: the format adviser and jobs."""
