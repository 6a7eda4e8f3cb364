"""Match records: one module a format, and the replay that checks them."""
