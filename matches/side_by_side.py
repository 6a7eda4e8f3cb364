"""A dispute side by side: the claims from their first differing game on, and whose score the rule proposes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, zip_longest

from django.utils.translation import gettext as _

from matches.differences import differs, score_claimed
from matches.history import History
from matches.models import Scoresheet, SheetState
from matches.side_sheets import Told, ToldGame, tell
from rules.keeper import first_difference, games_alike
from rules.score import MatchScore, Side
from rules.written_scores import propose_score


@dataclass(frozen=True, slots=True)
class DisputedGame:
    """A game by its number, as each of the claims tells it; None where a claim does not have it."""

    number: int
    told: tuple[ToldGame | None, ...]


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Claims of which one is disputed, and all their games from the first on that they tell differently.

    ``ends`` are their scores. ``sentence`` is what the rule says of the two sides' scores, empty if only one side has
    told one, and ``proposed`` the number of the report that it proposes, 0 for none.
    """

    claims: tuple[Told, ...]
    ends: tuple[MatchScore, ...]
    games: tuple[DisputedGame, ...]
    sentence: str
    proposed: int


def lay_side_by_side(history: History) -> SideBySide | None:
    """Return the claims of a dispute; None if no two claims differ, or nothing that is claimed is disputed."""
    rows = history.claims
    if all(row.state != SheetState.DISPUTED for row in rows):
        return None
    if not any(differs(history.match, one, other) for one, other in combinations(rows, 2)):
        return None
    claims = tuple(tell(history, row) for row in rows)
    written = [claim.results for claim in claims if claim.final is None]
    found = (first_difference(one, other) for one, other in combinations(written, 2))
    first = min((number for number in found if number is not None), default=1)
    told = zip_longest(*(claim.games[first - 1 :] for claim in claims))
    sentence, proposed = _propose(history, dict(zip((row.side for row in rows), claims, strict=True)))
    return SideBySide(
        claims=claims,
        ends=tuple(score_claimed(history.match, row) for row in rows),
        games=tuple(DisputedGame(number, games) for number, games in enumerate(told, start=first)),
        sentence=sentence,
        proposed=proposed,
    )


def _propose(history: History, claims: dict[str, Told]) -> tuple[str, int]:
    """Return what the rule says of the scores of both sides, and the number of the report that it proposes.

    A score is written if it has games: when each was told stands beside it, for the director to judge.
    """
    sides = {side: claims[side] for side in Side if side in claims}
    if len(sides) < 2:
        return "", 0
    match = history.match
    same = games_alike(sides[Side.A].results, sides[Side.B].results)
    agreed = match.terms.scores(sides[Side.A].results[:same])[-1]
    proposal = propose_score([side for side, claim in sides.items() if claim.final is None], agreed)
    if proposal.side is None:
        return _(proposal.template), 0
    name = match.name_a if proposal.side is Side.A else match.name_b
    return _(proposal.template) % {"name": name}, sides[proposal.side].number


def start_of(history: History, number: int) -> Scoresheet | None:
    """Return the open report of a dispute that the desk goes on from; None if it is no longer open or not disputed."""
    is_disputed = any(report.state == SheetState.DISPUTED for report in history.reports)
    return next((report for report in history.reports if is_disputed and report.number == number), None)
