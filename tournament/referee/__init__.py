"""Answers about rules and records in the reader's language."""
