"""The pages on which anybody checks a draw."""
