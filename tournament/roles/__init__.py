"""Who may do what, and how often somebody may try."""
