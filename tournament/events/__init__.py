"""The writers of tournaments, events and stages."""
