"""The parts of the page behind an entry's private link, and the ways to it."""
