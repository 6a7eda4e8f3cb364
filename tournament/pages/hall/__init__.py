"""Pages of the hall: the desk, tables and breaks."""
