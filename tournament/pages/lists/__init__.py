"""Pages of official lists: what has been published, for everybody, and how officers make and publish it."""
