"""The pages of an event: what everyone reads, its settings, its log and its printed sheets."""
