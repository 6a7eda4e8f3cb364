"""The pages for entries and the check-in desk."""
