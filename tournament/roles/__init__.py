"""Roles: what they permit their holders, and limits on the number of attempts."""
