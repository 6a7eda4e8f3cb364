"""The pages of players, roles and signing in."""
