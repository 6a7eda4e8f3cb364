"""The API for players and ranking lists."""
