"""Series: a federation's seasons and tours of events, and who leads them."""
