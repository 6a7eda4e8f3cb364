"""Chances of winning a match in play are on no page, in no answer and in no file, unless its event shows them.

US Tournament Rules 1.5 forbid aids at the board. The calculator of the rules, which knows of no match, is no such page.
"""

import re
from collections.abc import Iterator
from itertools import product

import pytest
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse

from matches.models import Match
from rules.equity import win_tenths
from rules.score import MatchScore, Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, claim, open_matches
from tournament.draw.standings import store_standings
from tournament.entries.links import token_of
from tournament.exports.tables import EXPORTS
from tournament.hall.calling import call_match, start_match
from tournament.hall.tables import add_tables
from tournament.models import Entry, Event
from tournament.pages.rules.form import board_query
from tournament.results.enter import enter_result

pytestmark = pytest.mark.django_db

WHO = {"by": None, "at": AT}
GAMES = (GameResult(Side.A, 2), GameResult(Side.A, 2), GameResult(Side.B, 1))
"""4-1 in a match to 7."""
SCORE = MatchScore(7, 4, 1)
WORDS = re.compile(r'chance of winning|Match equity|class="chances"|"win_probability": ?\{')
NUMBERS = re.compile(r"(?<![\d.,])(71[.,]1|28[.,]9|0\.711|0\.289)(?![\d.,])")
"""The chances at that score."""


def addresses(
    resolver: URLResolver, space: str = "", held: frozenset[str] = frozenset()
) -> Iterator[tuple[str, frozenset]]:
    for one in resolver.url_patterns:
        names = held | set(one.pattern.regex.groupindex)
        if isinstance(one, URLPattern):
            yield f"{space}{one.name}", names - set(one.default_args)
        else:
            yield from addresses(one, f"{one.namespace}:" if one.namespace else space, names)


ELSEWHERE = {"None", "api:schema", "api:docs", "api:advice", "advice"}
"""Addresses that are about no match, and take long."""
ADDRESSES = [(name, held) for name, held in addresses(get_resolver()) if name not in ELSEWHERE]


def build(director, **terms: object) -> tuple[Event, Match, Entry]:
    event = build_event(director, players=4, lengths=(7,), **terms)
    add_tables(event.tournament, first=1, last=2, by=director, at=AT)
    match = open_matches(event)[0]
    call_match(match, table=1, **WHO)
    start_match(match, **WHO)
    enter_result(match, claim=claim(games=GAMES), **WHO)
    store_standings(event.pk)
    found = Entry.objects.select_related("player", "partner", "event__tournament")
    fixture = match.board.fixture if event.has_teams else match.fixture
    return event, match, found.get(pk=fixture.entry_a_id)


def pages(event: Event, match: Match, entry: Entry) -> Iterator[str]:
    """Every address that can be filled with what is about the match, with its fragment, and the board of the match."""
    known: dict[str, list[object]] = {
        "tournament_slug": [event.tournament.slug],
        "tournament_id": [event.tournament_id],
        "event_slug": [event.slug],
        "event_id": [event.pk],
        "match_id": [match.pk],
        "entry_id": [entry.pk],
        "player_id": [match.side_a_id],
        "other_id": [match.side_b_id],
        "token": [token_of(entry)],
        "number": [1],
        "moment": ["2030-01-01T00:00:00Z"],
        "system": ["fibs"],
        "slug": ["bracket", "matches", "standings", "cards"],
        "name": list(EXPORTS),
        "format": ["csv", "json"],
    }
    for name, held in ADDRESSES:
        if held <= known.keys():
            for values in product(*(known[key] for key in sorted(held))):
                try:
                    address = reverse(name, kwargs=dict(zip(sorted(held), values, strict=True)))
                except NoReverseMatch:
                    continue
                yield address
                if not name.startswith("api:"):
                    yield f"{address}?fragment"
    yield f"{reverse('rules')}?{board_query(match, SCORE)}"


def told_by(client: Client, address: str) -> bool:
    """Whether the answer tells a chance, in words or as the number itself."""
    answer = client.get(address)
    assert answer.status_code < 500, address
    if answer.streaming or answer.status_code != 200:
        return False
    if not answer["Content-Type"].startswith(("text/html", "application/json", "text/csv", "application/atom")):
        return False
    text = answer.content.decode()
    return WORDS.search(text) is not None or NUMBERS.search(text) is not None


@pytest.mark.parametrize("boards", [1, 3])
def test_no_chance_of_a_match_in_play_is_told_anywhere(client, director, boards):
    assert win_tenths(SCORE) == (711, 289)
    event, match, entry = build(director, boards=boards)
    asked = list(pages(event, match, entry))
    assert len(asked) > 150
    assert [address for address in asked if told_by(client, address)] == []


@pytest.mark.parametrize("boards", [1, 3])
def test_an_event_that_shows_them_tells_spectators_and_not_the_phones_of_its_players(client, director, boards):
    event, match, entry = build(director, boards=boards, shows_chances=True)
    found = [address for address in pages(event, match, entry) if told_by(client, address)]
    assert {address.partition("?")[0] for address in found} == {
        *(match.get_absolute_url(), f"/api/v1/matches/{match.pk}/", reverse("rules"))
    }
