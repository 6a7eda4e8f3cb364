"""The log of a tournament as people read it."""
