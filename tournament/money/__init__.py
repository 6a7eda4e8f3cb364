"""Every payer's and payee's balance, and the writers of terms, payments, side pools and lots."""
