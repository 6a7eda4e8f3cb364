"""What repairs of an event on paper do to the ratings: all of them are compared with one reading of other matches."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from matches.models import Match
from matches.rateable import rated_as_read
from matches.rating_moves import Move, moves_to_each
from matches.services import prefetched_sheet
from players.models import Player
from tournament.corrections.picture import Change
from tournament.models import Fixture


@dataclass(frozen=True, slots=True)
class RatingMove:
    """A player's rating before and after; None if the player is not on the list."""

    system: str
    name: str
    before: Decimal | None
    after: Decimal | None

    @property
    def size(self) -> Decimal:
        nothing = Decimal(0)
        return abs((self.after or nothing) - (self.before or nothing))


def rating_moves(repairs: Sequence[Sequence[Change]]) -> list[tuple[RatingMove, ...]]:
    """Return for the changes of each repair the ratings that move with the event's rated results, the largest first."""
    befores, afters = [], []
    for changes in repairs:
        before, after = matches_in(one.before for one in changes), matches_in(one.after for one in changes)
        differing = [pk for pk, match in before.items() if not _has_same_sheet(match, after.get(pk))]
        befores.append({pk: before[pk] for pk in differing})
        afters.append([after[pk] for pk in differing if pk in after])
    if not any(befores):
        return [() for _repair in repairs]
    all_before = {pk: match for before in befores for pk, match in before.items()}
    old, *new = rated_as_read([all_before.values(), *afters])
    each = [
        [*(match for match in old if match.match_id not in before), *rated]
        for before, rated in zip(befores, new, strict=True)
    ]
    return _named(moves_to_each(old, each))


def matches_in(fixtures: Iterable[Fixture | None]) -> dict[int, Match]:
    """Return the matches of these fixtures, by id."""
    return {match.pk: match for one in fixtures if one is not None for match in one.matches.values()}


def _has_same_sheet(match: Match, other: Match | None) -> bool:
    return prefetched_sheet(match) is prefetched_sheet(other)


def _named(each: Sequence[dict[str, dict[int, Move]]]) -> list[tuple[RatingMove, ...]]:
    moved = {player for found in each for moves in found.values() for player in moves}
    names = dict(Player.objects.filter(pk__in=moved).values_list("pk", "name")) if moved else {}
    return [
        tuple(
            sorted(
                (
                    RatingMove(system, names[player], *move)
                    for system, moves in found.items()
                    for player, move in moves.items()
                ),
                key=lambda move: (move.system, -move.size, move.name),
            )
        )
        for found in each
    ]
