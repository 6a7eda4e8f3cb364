"""The tables that pages offer as files."""
