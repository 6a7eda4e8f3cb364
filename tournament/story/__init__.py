"""What happened in an event, told in sentences: its rounds, upsets, extremes and figures."""
