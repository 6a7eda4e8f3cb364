"""The registry: federations and their members, by rows with dates of which none is overwritten."""
