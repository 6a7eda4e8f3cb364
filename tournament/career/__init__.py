"""What players have done over all events: results, places, titles, opponents, and the last winners."""
