"""What federations ask of an event: its results with what counts for their lists, and everybody's place.

Ids stand beside names: a person is known by the number that the federation of the list gave them, or else by ours; one
whose name is not public by ours alone.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from hashlib import sha256

from matches.claims import claim_as_dict, claim_of
from matches.models import Match, Scoresheet
from players.lists.models import OfficialList
from players.models import ExternalId, Federation, Visibility
from rules.score import Side
from tournament.exports.formats import Cell, Export
from tournament.models import Event
from tournament.models.team import matches_in
from tournament.money.accounts import Ledger
from tournament.prizes import as_decimal
from tournament.reporting.counting import Verdict, lists_of, verdicts
from tournament.reporting.facts import BRACKETS, decided_in, is_member_of
from tournament.snapshot import (
    BoardSnapshot,
    EntrySnapshot,
    EventSnapshot,
    FixtureSnapshot,
    FixtureState,
    StandingSnapshot,
)
from tournament.snapshot.ranking import last_lines

OWN_ISSUER = "sixprime"

PERSON = ("issuer", "no", "name", "nation", "member")
REPORTED_COLUMNS = (
    *("event_id", "event", "class", "stage", "bracket", "round", "match", "completed_at", "length"),
    *(f"p1_{name}" for name in PERSON),
    *(f"p2_{name}" for name in PERSON),
    *("score1", "score2", "winner", "outcome", "start1", "start2", "crawford", "rated", "why_not", "list", "weight"),
    "sheet_sha256",
)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in the event something was decided: a match, a bye, or a board."""

    stage: int
    bracket: str
    round: int
    key: str
    shown: FixtureSnapshot | BoardSnapshot


def reported_results(event: Event, snapshot: EventSnapshot, *, asked: Sequence[OfficialList] | None = None) -> Export:
    """Export every decided match and bye once for each list that the event declares, in rating order; byes come last.

    With lists that are ``asked`` for, once for each of these. Without a declaration the list is empty, and nothing is
    said of what counts. ``winner`` is 1 or 2. ``outcome`` is played, forfeit, walkover, void or bye, never two of them
    in one word. ``rated`` is 1 or 0, and ``why_not`` the code of the rule that keeps a match out. ``weight`` is in
    hundredths. ``sheet_sha256`` is that of the score sheet as the log keeps it.
    """
    lists: list[OfficialList | None] = [*(lists_of(event) if asked is None else asked)] or [None]
    places = {place.shown.match_id: place for place in _places(snapshot) if place.shown.match_id}
    matches = matches_in(event).select_related("side_a", "side_b").in_bulk()
    sheets = {one.match.pk: one for one in decided_in(Event.objects.filter(pk=event.pk))}
    rows: list[tuple[Cell, ...]] = []
    for official_list in lists:
        judged: Mapping[int, Verdict] = {}
        if official_list is not None:
            judged = {one.match: one for one in verdicts(official_list, Event.objects.filter(pk=event.pk))}
        people = _People(official_list, matches.values())
        for pk, decided in sheets.items():
            place, match = places.get(pk), matches[pk]
            if place is None:
                continue
            day, winner, claim = decided.day, decided.winner, decided.sheet
            sides = (
                people.cells(match.side_a_id, match.name_a, match.side_a.country, day),
                people.cells(match.side_b_id, match.name_b, match.side_b.country, day),
            )
            rows.append(
                (
                    *_head(event, snapshot, place),
                    *(claim.played_at, match.length, *sides[0], *sides[1]),
                    *(place.shown.a.points, place.shown.b.points, _number(winner), str(claim.conclusion)),
                    *(match.start_a, match.start_b, int(match.crawford)),
                    *_rated(judged.get(pk), official_list),
                    digest_of_sheet(match, claim),
                )
            )
        rows += [_bye(event, snapshot, place, people, official_list) for place in _byes(snapshot)]
    return Export("sixprime-results-2", REPORTED_COLUMNS, tuple(rows))


def digest_of_sheet(match: Match, sheet: Scoresheet) -> str:
    """Return SHA-256 of the sheet as canonical JSON: the match, the number of the sheet, and what it claims."""
    said = {"match": match.pk, "number": sheet.number, **claim_as_dict(claim_of(sheet))}
    return sha256(json.dumps(said, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _head(event: Event, snapshot: EventSnapshot, place: _Place) -> tuple[Cell, ...]:
    bracket = BRACKETS.get(place.bracket[:1])
    named = bracket.value if bracket is not None else place.bracket
    event_id = f"{snapshot.tournament_slug}/{snapshot.slug}"
    name = f"{snapshot.tournament_name}, {snapshot.name}"
    return event_id, name, event.event_class, place.stage, named, place.round, place.key


def _rated(verdict: Verdict | None, official_list: OfficialList | None) -> tuple[Cell, ...]:
    if verdict is None or official_list is None:
        return None, None, None, None
    return int(verdict.counts), verdict.why_not, official_list.slug, verdict.weight


def _bye(
    event: Event, snapshot: EventSnapshot, place: _Place, people: "_People", official_list: OfficialList | None
) -> tuple[Cell, ...]:
    seat = place.shown.a if place.shown.a.entry is not None else place.shown.b  # type: ignore[union-attr]
    entry = seat.entry  # type: ignore[union-attr]
    who = people.cells(entry.player_id, entry.name, entry.country, None) if entry is not None else (None,) * 5
    rated = (0, "bye", official_list.slug, None) if official_list is not None else (None, None, None, None)
    return (
        *_head(event, snapshot, place),
        *(None, place.shown.length, *who, *(None,) * len(PERSON), None, None, 1, "bye", None, None, None),
        *rated,
        None,
    )


def _number(winner: Side | None) -> int | None:
    return None if winner is None else 1 if winner is Side.A else 2


def _places(snapshot: EventSnapshot) -> Iterable[_Place]:
    for stage in snapshot.stages:
        for fixture in stage.fixtures if stage.drawn_at is not None else ():
            yield _Place(stage.number, fixture.bracket, fixture.round, fixture.key, fixture)
            for board in fixture.boards:
                key = f"{fixture.key}.{board.number}"
                yield _Place(stage.number, fixture.bracket, fixture.round, key, board)


def _byes(snapshot: EventSnapshot) -> list[_Place]:
    return [place for place in _places(snapshot) if place.shown.state is FixtureState.BYE]


class _People:
    """How a list knows the players of these matches: by number, and whether they were members on a day."""

    def __init__(self, official_list: OfficialList | None, matches: Iterable[Match]) -> None:
        federation = official_list.federation if official_list is not None else None
        self._issuer = federation.issuer if federation is not None else OWN_ISSUER
        players = {player for match in matches for player in (match.side_a_id, match.side_b_id)}
        self._numbers = numbers_by(self._issuer, players)
        self._members = is_member_of(federation, players)

    def cells(self, player: int, name: str, nation: str, day: date | None) -> tuple[Cell, ...]:
        number = self._numbers.get(player)
        known = (self._issuer, number) if number is not None else (OWN_ISSUER, str(player))
        return *known, name, nation, None if day is None else int(self._members(player, day))


def numbers_by(issuer: str, players: Collection[int]) -> dict[int, str]:
    """Return the first number that the issuer gave to each of these people whose name is public."""
    public = ExternalId.objects.filter(issuer=issuer, player__in=players, player__visibility=Visibility.PUBLIC)
    return dict(public.order_by("-pk").values_list("player", "value"))


STANDING_COLUMNS = (
    *("event_id", "bracket", "place", "place_to", "issuer", "no", "name", "nation", "club", "entries", "rebuys"),
    *("wins", "losses", "points", "entry_fee", "currency", "prize", "designated"),
)


def reported_standings(
    event: Event, snapshot: EventSnapshot, ledger: Ledger, *, federation: Federation | None = None
) -> Export:
    """Export the place of everybody who was drawn, each once, from the last stage that they reached; then each section.

    Numbers are those of the ``federation``, or else of that of the first list that the event declares.
    ``entries`` are how often the person entered, ``rebuys`` those after the first. ``points`` are the wins with half of
    each drawn match of teams. ``designated`` is 1 where a prize is due.
    """
    if federation is None:
        first = next(iter(lists_of(event)), None)
        federation = first.federation if first is not None else None
    issuer = federation.issuer if federation is not None else OWN_ISSUER
    players = {entry.player_id for entry in snapshot.entries}
    numbers = numbers_by(issuer, players)
    money = costs_and_winnings(ledger)
    times: dict[int, int] = {}
    for entry in snapshot.entries:
        times[entry.player_id] = times.get(entry.player_id, 0) + 1
    rows: list[tuple[Cell, ...]] = []
    for bracket, line in _lines(snapshot):
        number = None if line.entry.members else numbers.get(line.entry.player_id)
        known = (issuer, number) if number is not None else (OWN_ISSUER, str(_own_id(line.entry)))
        fee, prize = money.get(line.entry.id, (None, None)) if not bracket else (None, None)
        currency = None if fee is None else ledger.currency.code
        entered = times[line.entry.player_id]
        rows.append(
            (
                *(f"{snapshot.tournament_slug}/{snapshot.slug}", bracket or "main", line.place, line.place_to),
                *(*known, line.entry.name, line.entry.country, line.entry.club, entered, entered - 1),
                *(line.wins, line.losses, Decimal(f"{line.wins + line.draws / 2:g}")),
                *(fee, currency, prize, None if bracket else int(bool(prize))),
            )
        )
    return Export("sixprime-standings-2", STANDING_COLUMNS, tuple(rows))


def _own_id(entry: EntrySnapshot) -> int:
    """Return our id of a person, or of a team, which is no person."""
    return entry.id if entry.members else entry.player_id


def _lines(snapshot: EventSnapshot) -> Iterable[tuple[str, StandingSnapshot]]:
    for lines in last_lines(snapshot):
        yield from (("", line) for line in lines)
    for stage in reversed(snapshot.stages):
        if stage.drawn_at is not None:
            yield from ((bracket, line) for bracket, lines in stage.sections.items() for line in lines)


def costs_and_winnings(ledger: Ledger) -> dict[int, tuple[Cell, Cell]]:
    """Return each entry's cost and its winnings in the field or its group, by id; empty if the event has no money."""
    if not ledger.event.has_money:
        return {}
    terms, currency = ledger.terms, ledger.currency
    lists = [prizes for prizes in ledger.prize_lists if not prizes.section or terms.plan.is_by_group]
    won = {found.entry.id: found.prize for prizes in lists for found in prizes.accounts if found.entry}
    return {
        entry.id: (
            as_decimal(terms.reentry_fee if entry.reentry else terms.fee, currency),
            None if (prize := won.get(entry.id, 0)) is None else as_decimal(prize, currency),
        )
        for entry in ledger.event.entries
    }
