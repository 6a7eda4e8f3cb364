"""The pages of an event: what everyone reads, its settings, log and paper."""
