"""The API of results, rulings and corrections."""
