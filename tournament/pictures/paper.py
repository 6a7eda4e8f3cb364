"""Prints of an event: pairings, wall brackets, cards, score sheets, lists and badges."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import segno
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from players.services import name_key
from rules.score import MatchScore
from tournament.entries.codes import code_of
from tournament.entries.links import link_of
from tournament.models import Table
from tournament.models.draw import place_of
from tournament.pictures.draw import Picture, draw_pictures, split_for_the_wall
from tournament.ranking.tiebreaks import TIEBREAKS
from tournament.snapshot import (
    BoardSnapshot,
    EntrySnapshot,
    EventSnapshot,
    FixtureSnapshot,
    FixtureState,
)

Content = Mapping[str, object]

OPEN = (FixtureState.READY, FixtureState.LIVE)
BLANK_GAMES = 3
"""Spare rows of a blank score sheet, for games entered in error."""

ROWS_ON_HALF, MOST_ON_HALF = 12, 18
"""How many rows of a usual height stand on half a sheet of A4, and how many of the lowest in which one can write."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One kind of print: ``template`` shows what ``content`` reads from the event, given the address of the site.

    The address is empty if it is not known; then nothing on the sheet has a code.

    ``action`` is the permission needed to see it; empty for a public print.
    """

    name: str
    paper: str
    content: Callable[[EventSnapshot, str], Content]
    action: str = ""

    def template(self, slug: str) -> str:
        return f"tournament/paper/{slug}.html"


@dataclass(frozen=True, slots=True)
class Card:
    """A match with the code that opens its page, and empty rows for as many games as it can have."""

    fixture: FixtureSnapshot
    match: FixtureSnapshot | BoardSnapshot
    place: str
    code: str
    rows: range

    @property
    def start(self) -> MatchScore | None:
        """The score before the first game."""
        claims = [self.match.sheet, *(report.sheet for report in self.match.reports)]
        return next((claim.scores[0] for claim in claims if claim is not None), self.match.score)

    @property
    def columns(self) -> tuple[range, ...]:
        """The rows in one column, or beside each other in two where one would be longer than half a sheet."""
        if len(self.rows) <= ROWS_ON_HALF:
            return (self.rows,)
        middle = (len(self.rows) + 1) // 2
        return self.rows[:middle], self.rows[middle:]

    @property
    def is_whole(self) -> bool:
        """Whether the match is so long that its score sheet takes a whole sheet of A4."""
        return len(self.columns[0]) > MOST_ON_HALF


@dataclass(frozen=True, slots=True)
class NameLine:
    """A player of an open match, for the list by name: whom they meet or wait for, and where.

    ``others`` are the player's own team, or the partner in a pair.
    """

    name: str
    others: str
    opponent: str
    table: int | None
    place: str
    length: int


def draw_code(address: str) -> str:
    """Draw a QR code of the address, as SVG without styles."""
    return segno.make(address, error="m", micro=False).svg_inline(omitsize=True, border=2)


def _code(site: str, path: str) -> str:
    """Draw the code of a path of the site; none for a site without an address."""
    return draw_code(f"{site}{path}") if site else ""


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """An entry with the code that opens its private page, where its player reports results; nobody else may have it."""

    entry: EntrySnapshot
    code: str


def _card(fixture: FixtureSnapshot, match: FixtureSnapshot | BoardSnapshot, site: str) -> Card:
    code = _code(site, reverse("match", args=[match.match_id]))
    # Every game is worth at least a point, so a match has at most 2 x length - 1 games.
    rows = range(1, 2 * match.length + BLANK_GAMES)
    place = fixture.key if isinstance(match, FixtureSnapshot) else place_of(fixture.key, match.number)
    return Card(fixture, match, place, code, rows)


def _open_cards(event: EventSnapshot, site: str) -> list[Card]:
    """Make a card for every match to be played now; for teams, one for each board."""
    return [
        _card(fixture, match, site)
        for fixture in event.stage.in_state(*OPEN)
        for match in fixture.boards or (fixture,)
        if match.match_id and match.state in OPEN
    ]


def _pairings(event: EventSnapshot, site: str) -> Content:
    """Return the open matches, and the byes of the rounds in which a match is open."""
    return {"cards": _open_cards(event, site), "byes": _byes_of_now(event)}


def _byes_of_now(event: EventSnapshot) -> list[FixtureSnapshot]:
    """Return the byes of the rounds in which a match is open."""
    rounds = {(fixture.bracket, fixture.round) for fixture in event.stage.in_state(*OPEN)}
    byes = event.stage.in_state(FixtureState.BYE)
    return [bye for bye in byes if bye.entry_ids and (bye.bracket, bye.round) in rounds]


def _by_table(event: EventSnapshot, site: str) -> Content:
    """Return the open matches, those with a table first, by its number; the boards of two teams stay together."""
    found = _pairings(event, site)
    if event.has_teams:
        return found
    return {**found, "cards": sorted(_open_cards(event, site), key=lambda card: _table_first(card.match))}


def _table_first(match: FixtureSnapshot | BoardSnapshot) -> tuple[bool, int]:
    table = match.call.table if match.call else None
    return table is None, table or 0


def _pairings_by_name(event: EventSnapshot, site: str) -> Content:
    """Return a line for everybody who plays now, waits for an opponent, or has only a bye, from A to Z."""
    lines = [line for fixture in event.stage.in_state(*OPEN) for line in _lines_of(event, fixture)]
    listed = {entry for fixture in event.stage.in_state(*OPEN) for entry in fixture.entry_ids}
    for fixture in (*event.stage.in_state(FixtureState.WAITING), *_byes_of_now(event)):
        for own, other in ((fixture.a, fixture.b), (fixture.b, fixture.a)):
            if own.entry is not None and own.entry.id not in listed and not own.entry.has_left:
                lines += _lines_of_seat(event, fixture, own.label, other.label, None)
    return {"lines": sorted(lines, key=lambda line: (name_key(line.name), line.place))}


def _lines_of(event: EventSnapshot, fixture: FixtureSnapshot) -> list[NameLine]:
    if not fixture.boards:
        table = fixture.call.table if fixture.call else None
        sides = ((fixture.a.label, fixture.b.label), (fixture.b.label, fixture.a.label))
        return [line for own, other in sides for line in _lines_of_seat(event, fixture, own, other, table)]
    lines = []
    for board in fixture.boards:
        if board.state not in OPEN:
            continue
        table = board.call.table if board.call else None
        place = place_of(fixture.key, board.number)
        for own, other, team in ((board.a, board.b, fixture.a), (board.b, board.a, fixture.b)):
            lines.append(NameLine(own.label, team.label, other.label, table, place, board.length))
    return lines


def _lines_of_seat(
    event: EventSnapshot, fixture: FixtureSnapshot, own: str, other: str, table: int | None
) -> list[NameLine]:
    """Return the line of an entry; for a pair, one for each of the two."""
    first, _and, second = own.partition(" & ") if event.doubles else (own, "", "")
    people = [(first, second), (second, first)] if second else [(own, "")]
    return [NameLine(name, others, other, table, fixture.key, fixture.length) for name, others in people]


def _standings(event: EventSnapshot, site: str) -> Content:
    lines = event.stage.standings
    slugs = [slug for slug, _value in lines[0].tiebreaks] if lines else event.tiebreaks
    return {"tiebreaks": [(slug, _(TIEBREAKS[slug].name)) for slug in slugs]}


def _bracket(event: EventSnapshot, site: str) -> Content:
    pages: list[Picture] = []
    for picture in draw_pictures(event):
        pages.extend(split_for_the_wall(event, picture))
    return {"pictures": pages}


def _cards(event: EventSnapshot, site: str) -> Content:
    return {"cards": _open_cards(event, site)}


def _by_name(event: EventSnapshot) -> list[EntrySnapshot]:
    return sorted(event.entries, key=lambda entry: (name_key(entry.name), entry.number))


def _players(event: EventSnapshot, site: str) -> Content:
    return {"entries": _by_name(event)}


def _player_cards(event: EventSnapshot, site: str) -> Content:
    """Make a card for every entry that has not left."""
    present = [entry for entry in _by_name(event) if not entry.has_left]
    return {"cards": [PlayerCard(entry, _code(site, link_of(entry))) for entry in present]}


@dataclass(frozen=True, slots=True)
class CodeBadge:
    """A name badge with the code that proves on a phone whose page to open, and a drawn one that leads there."""

    name: str
    team: str
    origin: str
    code: str
    picture: str


def _badges_with_codes(event: EventSnapshot, site: str) -> Content:
    """Make a badge for every player of every entry that has not left."""
    badges = []
    path = reverse("find-me", args=[event.tournament_slug, event.slug])
    for entry in _by_name(event):
        code, picture = code_of(entry), _code(site, f"{path}?entry={entry.id}")
        people = [(one.name, entry.name, one.club, one.country) for one in entry.members]
        for name, team, club, country in people or [(entry.name, "", entry.club, entry.country)]:
            origin = " · ".join(part for part in (club, country) if part)
            badges.append(CodeBadge(name, team, origin, f"{code[:3]}-{code[3:]}", picture))
    return {"badges": badges}


def _poster(event: EventSnapshot, site: str) -> Content:
    path = reverse("find-me", args=[event.tournament_slug, event.slug])
    return {"code": _code(site, path), "address": f"{site}{path}" if site else ""}


def _table_codes(event: EventSnapshot, site: str) -> Content:
    """Make a card for every table of the hall, whose code leads to the match that is called there."""
    numbers = Table.objects.filter(tournament=event.tournament_id).values_list("number", flat=True)
    cards = [(one, _code(site, reverse("table-here", args=[event.tournament_slug, one]))) for one in numbers]
    return {"cards": cards}


SHEETS: dict[str, Sheet] = {
    "pairings": Sheet(gettext_noop("Pairings"), "A4", _by_table),
    "pairings-by-name": Sheet(gettext_noop("Pairings from A to Z"), "A4", _pairings_by_name),
    "standings": Sheet(gettext_noop("Standings"), "A4", _standings),
    "bracket": Sheet(gettext_noop("Wall bracket"), "A3", _bracket),
    "cards": Sheet(gettext_noop("Table cards"), "A4", _cards),
    "score-sheets": Sheet(gettext_noop("Score sheets"), "A4", _cards),
    "players": Sheet(gettext_noop("Player list"), "A4", _players),
    "badges": Sheet(gettext_noop("Badges"), "A4", _players),
    "badges-with-codes": Sheet(gettext_noop("Badges with codes"), "A4", _badges_with_codes, action="change_entries"),
    "poster": Sheet(gettext_noop("Poster for the door"), "A4", _poster),
    "table-codes": Sheet(gettext_noop("Codes for the tables"), "A4", _table_codes),
    "player-cards": Sheet(gettext_noop("Player cards"), "A4", _player_cards, action="change_entries"),
}

ROUND: dict[str, bool] = {
    "pairings-by-name": True,
    "pairings": True,
    "score-sheets": True,
    "standings": True,
    "cards": False,
}
"""What can be printed in one go for a round, in this order, and whether it is unless somebody chooses otherwise."""
