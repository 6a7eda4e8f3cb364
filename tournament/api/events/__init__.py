"""The API of tournaments, events, stages and their past."""
