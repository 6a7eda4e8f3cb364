"""Naming what a director has changed in a draw by hand: the check plans with it, and a reader should know of it."""

from __future__ import annotations

from collections.abc import Iterator

from rules.errors import gettext_noop
from tournament.formats.moves import Move, MoveKind
from tournament.proof.findings import Finding, Place, note
from tournament.proof.values import FileDraw

SWAPPED = gettext_noop("The director swapped %(a)s and %(b)s in this draw by hand: %(reason)s")
PAIRED = gettext_noop("The director paired %(a)s with %(b)s in round %(round)s by hand: %(reason)s")
GIVEN_A_BYE = gettext_noop("The director gave %(a)s the bye of round %(round)s by hand: %(reason)s")


def name_moves(draw: FileDraw, place: Place) -> Iterator[Finding]:
    """Name each change by hand, with the reason that the director gave."""
    names = {entrant.number: entrant.name for step in draw.steps for entrant in step.entrants or ()}
    for move in draw.moves:
        a, b = (f"{number} ({names.get(number, '?')[:80]})" if number else "" for number in (move.a, move.b))
        yield note("moved_by_hand", place, _template(move), a=a, b=b, round=move.round, reason=move.reason[:200])


def _template(move: Move) -> str:
    if move.kind is MoveKind.SWAP:
        return SWAPPED
    return GIVEN_A_BYE if move.b is None else PAIRED
