"""The derivation of fixtures from their format's plan, and of standings from results."""
