"""What a correction would cost, and the undoing of steps."""
