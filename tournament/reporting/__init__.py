"""What events report to those who keep the official lists: what counts, and what officers decide about it."""
