"""The money of events: terms, accounts, payments, side pools and lots."""
