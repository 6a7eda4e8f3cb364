"""The pages of the hall: the desk, the tables and the breaks."""
