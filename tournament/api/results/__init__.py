"""The API for results, rulings and corrections."""
