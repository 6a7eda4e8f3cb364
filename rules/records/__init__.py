"""Match records: one module per format, and the replay that checks them."""
