"""Work that takes a while: a worker does it, and a page shows its progress."""
