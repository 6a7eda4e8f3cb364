"""A name that is not public is in no table and in no answer of the API, whichever there are."""

from collections.abc import Iterator
from datetime import date
from itertools import product

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from matches.models import Match
from matches.ratings import rate_matches
from players.registry.people import Person, create_person
from rules.score import Side
from tests.builders import AT, build_event, open_matches, win
from tests.matches.lists.playing import play, publish_by
from tests.players.registry.people import Registry, build_registry
from tests.tournament.exports.test_profiles import profile_of, written
from tests.tournament.money.test_ledger import give_money
from tests.tournament.pages.test_chances import addresses
from tests.tournament.reporting.lists import build_list
from tournament.draw.make import make_draw
from tournament.draw.standings import store_standings
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.events.services import finish_event
from tournament.exports.formats import write_csv
from tournament.exports.kinds import KINDS
from tournament.exports.tables import EXPORTS, Subject, make_table
from tournament.models import Event
from tournament.registry.people import show_as

pytestmark = pytest.mark.django_db
DAYS = (date(2026, 1, 1), date(2026, 7, 31))
HIDDEN, MINOR = "Holm", "Lundqvist"
ABOUT_DRAWS = {"api:draw-file", "api:event-interchange"}
"""They hold what a draw was made of, by which anybody checks it (docs/privacy.md)."""
LONG = {"None", "api:schema", "api:docs", "api:advice"}


@pytest.fixture
def registry() -> Registry:
    return build_registry()


@pytest.fixture
def event(director, registry) -> Event:
    """An event of three that has ended and counts for a published list: of Asta Holm, a minor, and somebody else."""
    official_list = build_list()
    minor = create_person(Person("Bo", MINOR, "DK", "Odense", "Odense", "2012", "m"), by=None, at=AT)
    event = build_event(director, players=1, drawn=False, rated_for=("dbf",))
    lines = [EntryLine(name=name, line=line) for line, name in enumerate((registry.holm.name, minor.name), start=4)]
    add_entries(event, lines=lines, by=director, at=AT)
    give_money(event)
    make_draw(event, by=director, at=AT)
    while found := open_matches(event):
        win(found[0], Side.A)
    finish_event(event, by=director, at=AT)
    store_standings(event.pk)
    Match.objects.update(rate_a=4350, rate_b=12001)
    play(registry.holm, minor, day=1)
    rate_matches("fibs", at=AT)
    publish_by(official_list, 30)
    show_as(registry.holm, "hidden", by=registry.officer, at=AT)
    show_as(minor, "minor", by=registry.officer, at=AT)
    store_standings(event.pk)
    return Event.objects.get(pk=event.pk)


def tables(registry: Registry, event: Event) -> Iterator[tuple[str, str]]:
    """Every table of the program by its name, for a reader who may read all."""
    for name in EXPORTS:
        yield name, write_csv(make_table(name, Subject(event, system="fibs", with_reasons=True)))
    for kind, one in KINDS.items():
        profile = profile_of(registry, kind, list="dbf" if one.needs_list else "")
        yield f"profile {kind}", written(profile, DAYS).decode()


def answers(client: Client, registry: Registry, event: Event) -> Iterator[tuple[str, str]]:
    """Everything the API answers where an address can be filled with what is about the event, its list and people."""
    match = Match.objects.order_by("pk")[0]
    known: dict[str, list[object]] = {
        "tournament_id": [event.tournament_id],
        "event_id": [event.pk],
        "match_id": [match.pk],
        "entry_id": [event.entries.get(player=registry.holm).pk],
        "player_id": [registry.holm.pk],
        "other_id": [match.side_a_id],
        "code": ["DBGF"],
        "club_id": [registry.club.pk],
        "number": [1],
        "moment": ["2030-01-01T00:00:00Z"],
        "system": ["fibs"],
        "slug": ["dbf"],
        "name": list(EXPORTS),
    }
    for name, held in addresses(get_resolver()):
        if name.startswith("api:") and name not in LONG and held <= known.keys():
            for values in product(*(known[key] for key in sorted(held))):
                answer = client.get(reverse(name, kwargs=dict(zip(sorted(held), values, strict=True))))
                if answer.status_code == 200:
                    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
                    yield name, body.decode(errors="replace")


def test_a_name_that_is_not_public_is_in_no_table_and_in_no_answer_of_the_api(client, director, registry, event):
    read = dict(tables(registry, event))
    assert {name for name, text in read.items() if HIDDEN in text or MINOR in text} == {"profile members"}
    shown = f"Player #{registry.holm.pk}"
    assert {name for name in ("standings", "order", "report", "entries", "profile ranking") if shown in read[name]} == {
        *("standings", "order", "report", "entries", "profile ranking")
    }
    client.force_login(director)
    found = list(answers(client, registry, event))
    assert len(found) > 60
    assert {name for name, text in found if HIDDEN in text or MINOR in text} <= ABOUT_DRAWS
