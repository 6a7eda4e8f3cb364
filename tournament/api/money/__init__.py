"""The API for money: terms, accounts, payments, pools and lots."""
