"""The rules of backgammon: pure functions on frozen values, standard library only."""
