"""The hall: tables, breaks and calls, and the desk that says what there is to do."""
