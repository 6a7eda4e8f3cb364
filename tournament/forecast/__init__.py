"""Which format fits a field, and when the day ends."""
