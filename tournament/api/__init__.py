"""The API under /api/v1/: everything that the pages can do, for programs."""
