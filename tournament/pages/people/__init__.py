"""The pages for players, roles and signing in."""
