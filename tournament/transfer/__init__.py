"""Whole events in and out: rows written as an event file, and an event file judged and stored as rows."""
