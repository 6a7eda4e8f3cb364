"""Prints of an event: pairings, wall brackets, cards, score sheets, lists and badges."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import segno
from django.urls import reverse
from django.utils.translation import gettext_noop

from tournament.entries.links import link_of
from tournament.models.draw import place_of
from tournament.pictures.draw import Picture, draw_pictures, split_for_the_wall
from tournament.snapshot import BoardSnapshot, EntrySnapshot, EventSnapshot, FixtureSnapshot, FixtureState

Content = Mapping[str, object]

OPEN = (FixtureState.READY, FixtureState.LIVE)
BLANK_GAMES = 3
"""Spare rows of a blank score sheet, for games entered in error."""


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
    cards = _open_cards(event, site)
    rounds = {(card.fixture.bracket, card.fixture.round) for card in cards}
    byes = event.stage.in_state(FixtureState.BYE)
    free = [bye for bye in byes if bye.entry_ids and (bye.bracket, bye.round) in rounds]
    return {"cards": cards, "byes": free}


def _bracket(event: EventSnapshot, site: str) -> Content:
    pages: list[Picture] = []
    for picture in draw_pictures(event):
        pages.extend(split_for_the_wall(event, picture))
    return {"pictures": pages}


def _cards(event: EventSnapshot, site: str) -> Content:
    return {"cards": _open_cards(event, site)}


def _by_name(event: EventSnapshot) -> list[EntrySnapshot]:
    return sorted(event.entries, key=lambda entry: (entry.name.casefold(), entry.number))


def _players(event: EventSnapshot, site: str) -> Content:
    return {"entries": _by_name(event)}


def _player_cards(event: EventSnapshot, site: str) -> Content:
    """Make a card for every entry that has not left."""
    present = [entry for entry in _by_name(event) if not entry.has_left]
    return {"cards": [PlayerCard(entry, _code(site, link_of(entry))) for entry in present]}


SHEETS: dict[str, Sheet] = {
    "pairings": Sheet(gettext_noop("Pairings"), "A4", _pairings),
    "bracket": Sheet(gettext_noop("Wall bracket"), "A3", _bracket),
    "cards": Sheet(gettext_noop("Table cards"), "A4", _cards),
    "score-sheets": Sheet(gettext_noop("Score sheets"), "A4", _cards),
    "players": Sheet(gettext_noop("Player list"), "A4", _players),
    "badges": Sheet(gettext_noop("Badges"), "A4", _players),
    "player-cards": Sheet(gettext_noop("Player cards"), "A4", _player_cards, action="change_entries"),
}
