"""Official lists from rated matches: what counts, publications, and what has moved between two of them."""
