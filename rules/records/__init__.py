"""Match records: one module for each format, and the replay that checks them."""
