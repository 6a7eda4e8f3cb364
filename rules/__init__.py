"""The rules of backgammon as pure functions on frozen values. Standard library only."""
