"""Signing in: the door of the site, its log, and the tokens of programs."""
