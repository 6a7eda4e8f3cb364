"""What a director changes in a draw by hand, as a value that formats take into account after chance and rules."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class MoveKind(StrEnum):
    """What a director does to a draw: SWAP exchanges two entrants in its layout, PAIR fixes a pairing of a round."""

    SWAP = "swap"
    PAIR = "pair"


@dataclass(frozen=True, slots=True)
class Move:
    """One change by hand; ``number`` counts from 1 within the stage, and a later one comes after an earlier one.

    A swap exchanges the entrants ``a`` and ``b``, by id, wherever the draw itself has put them: lines of a bracket,
    places in groups or in a table. A pair lets the two meet in ``round``, or gives ``a`` the bye if ``b`` is None; the
    rest of that round is paired by the rules.
    """

    number: int
    kind: MoveKind
    a: int
    b: int | None
    reason: str
    round: int = 0
