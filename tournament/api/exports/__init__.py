"""The API for tables, meant for spreadsheets and other programs."""
