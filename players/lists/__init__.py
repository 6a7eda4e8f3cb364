"""The lists of federations: which matches count, by whose rules, and what is published."""
