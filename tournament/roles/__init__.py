"""Roles: what their holders may do, and how often anyone may try."""
