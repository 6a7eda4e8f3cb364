"""What each payer and payee owes and is owed, and the writers of terms, payments, side pools and lots."""
