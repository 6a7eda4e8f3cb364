"""What federations' own programs are told: endpoints, an outbox of deliveries, and the worker's way of sending them."""
