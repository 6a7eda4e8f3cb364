"""Alerts: what players asked to be told, on their phone or by e-mail, each once."""
