"""The API of players and ranking lists."""
