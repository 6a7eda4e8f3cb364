"""The pages of officers: reports of events, approvals, policies, and what stands out."""
