"""Walkovers at the desk: one tap says who came, for players, pairs and teams."""

import pytest
from django.test import Client
from django.urls import reverse

from matches.models import Match
from rules.score import Level, Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, claim, fixture_of, open_matches
from tournament.draw.make import make_draw
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.hall.desk import take_desk
from tournament.models import Event
from tournament.models.team import matches_in
from tournament.results.enter import enter_result

pytestmark = pytest.mark.django_db


def act(client: Client, event: Event, match: Match, action: str, **said: object):
    return client.post(reverse("desk-act", args=[event.tournament.slug, match.pk, action]), {"key": "k", **said})


@pytest.mark.parametrize(("to", "decided"), [("A", ("walkover", "A")), ("B", ("walkover", "B")), ("", ("void", ""))])
@pytest.mark.parametrize("kind", ["singles", "pairs", "teams"])
def test_who_came_is_said_at_the_desk(director, kind, to, decided):
    event = build_event(director, players=4, boards=3) if kind == "teams" else build_event(director, players=4)
    if kind == "pairs":
        event = build_event(director, players=0, drawn=False, doubles=True)
        add_entries(event, lines=[EntryLine(name=name) for name in ("A & B", "C & D", "E & F")], by=None, at=AT)
        make_draw(event, by=None, at=AT)
    match = open_matches(event)[0]
    client = Client()
    client.force_login(director)
    page = client.get(reverse("desk", args=[event.tournament.slug])).content.decode()
    assert reverse("desk-act", args=[event.tournament.slug, match.pk, "walkover"]) in page
    answer = act(client, event, match, "walkover", to=to)
    assert answer.status_code == 302
    together = matches_in(event).filter(board__fixture=match.board.fixture) if kind == "teams" else [match]
    for one in together:
        assert [(sheet.conclusion, sheet.awarded_to) for sheet in one.sheets.all()] == [decided]
    assert match.pk not in [found.id for found in take_desk(event.tournament, at=AT).matches]
    assert act(client, event, match, "walkover", to=to).status_code == 302
    assert act(client, event, match, "walkover", to="C").status_code == 400


def test_a_match_with_a_score_has_no_walkover_at_the_desk(director):
    singles = build_event(director, players=4)
    match = fixture_of(singles, "M1-1").match
    enter_result(match, claim=claim(games=(GameResult(Side.A, 2, Level.SINGLE),)), by=None, at=AT)
    client = Client()
    client.force_login(director)
    address = reverse("desk-act", args=[singles.tournament.slug, match.pk, "walkover"])
    assert address not in client.get(reverse("desk", args=[singles.tournament.slug])).content.decode()
    refused = act(client, singles, match, "walkover", to="A")
    assert (refused.status_code, match.sheets.count()) == (409, 1)
