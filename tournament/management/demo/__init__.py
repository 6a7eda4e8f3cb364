"""Invented players and tournaments in play, made through the services that people use."""
