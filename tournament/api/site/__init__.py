"""The API of the site itself: signing in, documentation, jobs and the format adviser."""
