"""Brackets say in words how a match was decided without play: on the page, on the screen in the hall and on paper."""

import pytest
from django.test import Client
from django.urls import reverse

from rules.score import Side
from tests.builders import AT, build_event, fixture_of, open_matches, win
from tournament.draw.standings import store_standings
from tournament.entries.attendance import leave_event
from tournament.models import Event
from tournament.results.walkovers import walk_over
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db


def pages(event: Event) -> list[str]:
    slugs = [event.tournament.slug, event.slug]
    addresses = [reverse(name, args=slugs) for name in ("bracket", "screen")]
    addresses.append(reverse("sheet", args=[*slugs, "bracket"]))
    return [Client().get(address).content.decode() for address in addresses]


def test_a_walkover_is_marked_in_every_bracket(director):
    event = build_event(director, players=4)
    walk_over(fixture_of(event, "M1-1").match, to=Side.A, key="k", by=None, at=AT)
    leave_event(fixture_of(event, "M1-2").entry_a, kind="no-show", by=None, at=AT)
    for page in pages(event):
        assert page.count(">walkover</text>") == 2
        assert page.count(">w/o</text>") == 2


def test_a_void_match_is_marked_in_every_bracket(director):
    event = build_event(director, players=4)
    walk_over(fixture_of(event, "M1-1").match, to=None, key="k", by=None, at=AT)
    for page in pages(event):
        assert page.count(">void</text>") == 1
        assert ">w/o<" not in page


def test_nobody_is_the_winner_of_a_final_to_which_neither_came(director):
    event = build_event(director, players=4)
    for key in ("M1-1", "M1-2"):
        win(fixture_of(event, key).match, Side.A)
    walk_over(fixture_of(event, "M2-1").match, to=None, key="k", by=None, at=AT)
    store_standings(event.pk)
    page = Client().get(reverse("pairings", args=[event.tournament.slug, event.slug])).content.decode()
    assert '<p class="winner">' not in page
    assert [line.place_to for line in take_snapshot(event.pk).stage.standings] == [2, 2, 4, 4]


@pytest.mark.parametrize("format", ["round-robin", "swiss"])
def test_a_walkover_is_marked_in_every_table(director, format):
    event = build_event(director, players=4, format=format)
    walk_over(open_matches(event)[0], to=Side.A, key="k", by=None, at=AT)
    for page in pages(event):
        assert page.count("w/o") == 2


def test_a_walkover_of_teams_is_marked_among_the_pairings(director):
    event = build_event(director, players=4, boards=3)
    walk_over(open_matches(event)[0], to=Side.A, key="k", by=None, at=AT)
    page = Client().get(reverse("pairings", args=[event.tournament.slug, event.slug])).content.decode()
    assert page.count('<span class="badge">walkover</span>') == 1
