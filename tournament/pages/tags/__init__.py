"""The template tags and filters."""
