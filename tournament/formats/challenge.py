"""The challenge: what a ladder is paired by."""

from __future__ import annotations

from dataclasses import dataclass

LADDER = "H"
"""The bracket of a ladder: its one round has all challenges."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge that was made and not withdrawn, between two entrants by id; ``number`` counts in order of making."""

    number: int
    challenger: int
    challenged: int

    @property
    def key(self) -> str:
        """The key of its pairing."""
        return f"{LADDER}1-{self.number}"
