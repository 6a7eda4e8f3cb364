"""What the player behind a private link wants to know, read from the snapshot, and what the link does in the hall."""
