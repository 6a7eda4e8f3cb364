"""Tables, breaks and calls: what is to be done in the hall, and the writers of it."""
