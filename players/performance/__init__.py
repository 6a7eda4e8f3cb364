"""Performance ratings: what programs say of how well players play, and the titles and norms for it. Pure functions."""
