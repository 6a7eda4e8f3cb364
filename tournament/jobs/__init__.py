"""Long work of a worker, whose page shows how far it is."""
