"""The services that write results, reports, rulings and walkovers."""
