"""The only writers of tournaments. Each service is one transaction; one that changes an event locks and logs it."""
