"""The only writers of tournaments. Each service is one transaction: it locks its event, changes it and logs who did."""
