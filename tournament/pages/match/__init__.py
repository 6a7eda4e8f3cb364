"""The pages of a match: its results, rulings and corrections, and a player's own page."""
