"""The log of a tournament as presented to readers."""
