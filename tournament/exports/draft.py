"""The next publication of a list as a table, before it is one: for its officers."""

from collections.abc import Iterator
from decimal import Decimal

from matches.lists.draft import Draft
from players.lists.criteria import shown
from players.lists.facts import Known
from players.lists.values import Line
from tournament.exports.formats import Cell, Export

COLUMNS = (
    *("rank", "rank_to", "provisional", "person", "no", "title", "name", "club", "nation", "class"),
    *("rating", "change", "experience", "matches", "wins", "last_played", "listed", "why_not"),
)


def draft_table(draft: Draft) -> Export:
    """Return every line of the draft, and below them those who have a rating and are not listed, with the reason."""
    return Export("sixprime-draft-1", COLUMNS, (*_listed(draft), *_unlisted(draft)))


def _listed(draft: Draft) -> Iterator[tuple[Cell, ...]]:
    for line in draft.made.lines:
        yield _row(line, draft.known[line.player], "")


def _unlisted(draft: Draft) -> Iterator[tuple[Cell, ...]]:
    before = draft.head.before.values
    for player, why in draft.unlisted.items():
        if (known := draft.known.get(player)) is None:
            continue
        standing, held = draft.made.standings[player], draft.made.held.get(player)
        value = shown(standing.rating.value, draft.head.places)
        line = Line(
            player=player,
            rank=0,
            rank_to=0,
            value=value,
            delta=str(Decimal(value) - Decimal(before[player])) if player in before else None,
            experience=standing.rating.experience,
            matches=standing.rating.matches,
            wins=standing.rating.wins,
            last_played=standing.last_played[:10],
            provisional=False,
            class_name=held.name if held else "",
        )
        yield _row(line, known, why)


def _row(line: Line, known: Known, why: str) -> tuple[Cell, ...]:
    return (
        *(line.rank or None, line.rank_to or None, int(line.provisional), line.player, known.number or None),
        *(known.title, known.name, known.club, known.nation, line.class_name),
        *(Decimal(line.value), None if line.delta is None else Decimal(line.delta)),
        *(line.experience, line.matches, line.wins, line.last_played or None, int(not why), why),
    )
