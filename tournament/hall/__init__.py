"""Tables, breaks and calls: the work to be done in the hall, and the services that record it."""
