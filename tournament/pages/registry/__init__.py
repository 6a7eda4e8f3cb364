"""Pages of the registry: federations and clubs, and what is recorded of a person."""
