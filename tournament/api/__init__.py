"""The API under /api/v1/: whatever the pages can do, for programs."""
