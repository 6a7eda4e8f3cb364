"""Every payer's and payee's balance, and the services that write terms, payments, side pools and lots."""
