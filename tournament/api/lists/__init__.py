"""The API for official lists: what has been published, and how officers make and publish it."""
