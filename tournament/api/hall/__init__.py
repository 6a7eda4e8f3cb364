"""The API for the hall: tables, breaks, calls and the desk."""
