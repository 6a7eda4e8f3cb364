"""Tournaments, events and stages: created, changed, ended and deleted."""
