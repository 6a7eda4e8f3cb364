"""Which format suits a field, and when the day will end."""
