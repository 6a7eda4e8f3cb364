"""Tournaments and events set up in one go: for an occasion, as last time, or from a template."""
