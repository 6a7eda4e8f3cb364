"""Error rates that are still to be entered: until they are, or the director ends without them, no place is final."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from players.errors import Conflict
from rules.score import Side
from tests.builders import AT, build_event, build_money_terms, fixture_of, win
from tests.tournament.replay.replaying import Replay
from tournament.corrections.undo import undo_step
from tournament.draw.standings import store_standings
from tournament.events.services import finish_event, reopen_event
from tournament.log.words import tell
from tournament.models import Event
from tournament.money.ledger import take_ledger
from tournament.money.services import set_money
from tournament.prizes import PayoutPlan, PrizeTable, Share
from tournament.results.error_rates import set_error_rates

pytestmark = pytest.mark.django_db

OPEN = "1 match has no error rates yet: they can still change the places."


@pytest.fixture
def event(director) -> Event:
    """Two players in a round robin where the lower error rate counts; side A has won, and the rates are open."""
    event = build_event(director, players=2, format="round-robin", options={"rate_point": True}, tiebreaks=())
    win(fixture_of(event, "R1-1").match, Side.A)
    store_standings(event.pk)
    return event


def rate(event: Event) -> None:
    set_error_rates(fixture_of(event, "R1-1").match, rates=(4000, 5000), by=None, at=AT)
    store_standings(event.pk)


def text_of(client: Client, event: Event) -> str:
    page = client.get(reverse("standings", args=[event.tournament.slug, event.slug])).content.decode()
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def finish_on_the_page(client: Client, event: Event, **sent: str) -> bool:
    client.post(reverse("act", args=[event.tournament.slug, event.slug, "finish"]), sent)
    return Event.objects.get(pk=event.pk).finished_at is not None


def test_nobody_has_won_while_error_rates_are_open(client, director, event):
    winner = fixture_of(event, "R1-1").entry_a.name
    client.force_login(director)
    page = text_of(client, event)
    assert (f"Winner {winner}" in page, OPEN in page, "All matches have been played." in page) == (False, True, False)
    rate(event)
    page = text_of(client, event)
    assert (f"Winner {winner}" in page, OPEN in page, "All matches have been played." in page) == (True, False, True)


def test_no_prize_is_due_while_error_rates_are_open(director):
    event = build_event(director, players=2, format="round-robin", options={"rate_point": True}, tiebreaks=())
    plan = PayoutPlan((Share("", 10_000, PrizeTable("template", "winner")),))
    set_money(event, build_money_terms(payouts=plan), by=None, at=AT)
    win(fixture_of(event, "R1-1").match, Side.A)
    store_standings(event.pk)
    assert {found.due for found in take_ledger(event.pk).payouts} == {None}
    rate(event)
    assert None not in {found.due for found in take_ledger(event.pk).payouts}


def test_an_event_with_open_error_rates_ends_only_when_its_director_says_so(event):
    with pytest.raises(Conflict) as refused:
        finish_event(event, by=None, at=AT)
    assert (refused.value.code, str(refused.value)) == (
        "rates_open",
        "1 match has no error rates yet. Enter them, or confirm that the event ends without them.",
    )
    assert finish_event(event, confirmed=True, by=None, at=AT).finished_at == AT
    row = event.log.get(verb="finish_event")
    assert (row.detail, tell(row)) == ({"rates_open": 1}, "Event ended without the error rates of 1 match")
    again = Replay(Event.objects.get(pk=event.pk)).event
    assert Event.objects.get(pk=again.pk).finished_at is not None


def test_reopening_such_an_event_can_be_undone(event):
    finish_event(event, confirmed=True, by=None, at=AT)
    reopen_event(event, by=None, at=AT)
    undo_step(event.log.get(verb="reopen_event"), by=None, at=AT)
    assert Event.objects.get(pk=event.pk).finished_at is not None


def test_an_event_with_all_rates_ends_as_before(event):
    rate(event)
    finish_event(event, by=None, at=AT)
    row = event.log.get(verb="finish_event")
    assert (row.detail, tell(row)) == ({}, "Event ended")


def test_the_page_asks_for_a_tick_before_it_ends_without_rates(client, director, event):
    client.force_login(director)
    assert "End it without the missing error rates" in text_of(client, event)
    assert not finish_on_the_page(client, event)
    assert finish_on_the_page(client, event, confirmed="on")
