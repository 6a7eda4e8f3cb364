"""The writers of results, reports, rulings and walkovers."""
