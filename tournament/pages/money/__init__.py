"""The pages of money: prizes, payments, side pools and the calcutta."""
