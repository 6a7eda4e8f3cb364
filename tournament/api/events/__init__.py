"""The API for tournaments, events, stages and their past."""
