"""What the player behind a private link wants to know, read from the snapshot of the event; nothing is written."""
