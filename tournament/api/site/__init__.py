"""The API for the site itself: signing in, documentation, jobs and the format adviser."""
