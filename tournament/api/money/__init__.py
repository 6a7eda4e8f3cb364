"""The API of money: terms, accounts, payments, pools and lots."""
