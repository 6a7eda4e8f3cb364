"""The API for official lists: reports of events, approvals, rulings on rating, and policies."""
