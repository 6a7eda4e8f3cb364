"""The API of the hall: tables, breaks, calls and the desk."""
