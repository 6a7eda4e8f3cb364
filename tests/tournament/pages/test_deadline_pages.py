"""Deadlines on the pages of a match and of a player: told, moved by the director, extended and answered with offers."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.builders import build_event
from tests.tournament.pages.test_my_page import text_of
from tournament.entries.links import token_of
from tournament.models import Fixture, Offer
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db


@pytest.fixture
def fixture(director) -> Fixture:
    """A match whose round begins today, in a league in which offers decide."""
    options = {"starts_on": timezone.localdate().isoformat(), "days": 7, "unplayed": "offered", "extension": 3}
    event = build_event(director, players=2, format="league", options={**options, "grace": 1})
    return Fixture.objects.select_related("entry_a__player", "entry_b__player").get(stage__event=event)


def deadline(fixture: Fixture) -> str:
    return take_snapshot(fixture.stage.event_id).stage.fixtures[0].deadline.isoformat()


def day(days: int) -> str:
    return (timezone.localdate() + timedelta(days=days)).isoformat()


def test_a_player_extends_the_deadline_once_and_offers_days_that_the_opponent_sees(fixture):
    own, theirs = (reverse("my-entry", args=[token_of(one)]) for one in (fixture.entry_a, fixture.entry_b))
    page = text_of(Client().get(own))
    assert "wins if the other never did." in page
    assert "Extend the deadline by 3 days" in page
    extend, offer = (
        reverse(name, args=[token_of(fixture.entry_a), fixture.match_id]) for name in ("my-extension", "my-offer")
    )
    assert "The deadline has been extended." in text_of(Client().post(extend, follow=True))
    again = Client().post(extend)
    assert (again.status_code, "You have already extended the deadline of this match." in text_of(again)) == (409, True)
    assert deadline(fixture) == day(9)
    empty = Client().post(offer, {"day_1": ""})
    assert (empty.status_code, Offer.objects.count()) == (400, 0)
    late = Client().post(offer, {"day_1": day(11)})
    assert (late.status_code, "from today to the last day on which" in text_of(late)) == (400, True)
    assert "You offer to play on:" in text_of(Client().post(offer, {"day_1": day(2), "day_3": day(1)}, follow=True))
    Client().post(offer, {"no_answer": "on"})
    assert [one.days for one in Offer.objects.order_by("pk")] == [[day(1), day(2)], []]
    page = text_of(Client().get(theirs))
    assert f"{fixture.entry_a.name} offers to play on:" in page
    assert f"{fixture.entry_a.name} says that you do not answer." in page
    assert "Extend the deadline by 3 days" in page


def test_a_director_moves_the_deadline_and_sees_the_offers(fixture, director, client):
    Offer.objects.create(fixture=fixture, entry=fixture.entry_b, days=[day(1)], made_at=timezone.now())
    page, move = fixture.match.get_absolute_url(), reverse("move-deadline", args=[fixture.match_id])
    public = text_of(client.get(page))
    assert ("The last day to play is" in public, "offers to play on" in public) == (True, False)
    assert client.post(move, {"to": day(20), "reason": "Ill."}).status_code == 302  # to sign in
    client.force_login(director)
    assert f"{fixture.entry_b.name} offers to play on:" in text_of(client.get(page))
    refused = client.post(move, {"to": day(-1), "reason": "Ill."})
    assert (refused.status_code, "A deadline can be today" in text_of(refused)) == (400, True)
    assert client.post(move, {"to": day(20)}).status_code == 400
    assert deadline(fixture) == day(6)
    assert "It has been moved for this match." in text_of(
        client.post(move, {"to": day(20), "reason": "Ill."}, follow=True)
    )
    assert deadline(fixture) == day(20)
