"""The pages for money: prizes, payments, side pools and the calcutta."""
