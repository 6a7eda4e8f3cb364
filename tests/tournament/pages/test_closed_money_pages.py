"""The pages of side pools, lots and terms after play has begun: they show what a change moves, and ask for a reason."""

import pytest
from django.urls import reverse

from rules.score import Side
from tests.builders import build_event, fixture_of
from tests.tournament.money.closed import build_played_final
from tests.tournament.money.test_ledger import differences
from tests.tournament.pages.test_money_pages import TERMS, address
from tournament.models import Event, EventMoney

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(director) -> Event:
    return build_played_final(director, sold=Side.B)


def join(event: Event) -> tuple[str, dict[str, str]]:
    return address(event, "side-member", event.side_pools.get().pk, fixture_of(event, "M1-1").entry_a_id, "join"), {}


def lot(event: Event, sold: bool):
    return next(one for one in event.lots.all() if one.sales.exists() is sold)


def changes(event: Event) -> dict[str, tuple[str, dict[str, object]]]:
    loser = fixture_of(event, "M1-1").entry_b_id
    undone = event.log.get(verb="join_side_pool").pk
    return {
        "join": join(event),
        "leave": (address(event, "side-member", event.side_pools.get().pk, loser, "leave"), {}),
        "open": (address(event, "side-pools"), {"name": "Late", "fee": "10", "table": "winner", "values": ""}),
        "sell": (
            address(event, "sell-lot", lot(event, False).pk, "sell"),
            {"buyer": "Di", "price": "1,50", "base": "0"},
        ),
        "take back": (address(event, "sell-lot", lot(event, True).pk, "take-back"), {"base": "1"}),
        "split": (address(event, "sell-lot", lot(event, False).pk, "dissolve"), {}),
        "undo": (address(event, "undo", undone), {}),
    }


@pytest.mark.parametrize("name", ["join", "leave", "open", "sell", "take back", "split", "undo"])
def test_each_change_is_shown_first_and_made_with_the_reason_that_is_typed(as_director, event, name):
    path, sent = changes(event)[name]
    rows = event.log.count()
    asked = as_director.post(path, sent)
    assert asked.status_code == 409
    page = asked.content.decode()
    assert "What each player gets or gives back" in page
    assert dict(asked.context["sent"]) == sent
    digest = asked.context["moves"].digest
    bare = as_director.post(path, {**sent, "digest": digest, "reason": " "})
    assert "Give a reason." in bare.content.decode()
    assert event.log.count() == rows
    assert as_director.post(path, {**sent, "digest": digest, "reason": "Forgotten."}).status_code == 302
    assert event.log.first().detail["reason"] == "Forgotten."
    assert differences(event) == []


def test_the_page_says_who_pays_who_gets_and_who_gives_back_what(as_director, event):
    pool = event.side_pools.get().pk
    final = fixture_of(event, "M1-1")
    tap = {"key": "k", "amount": -700, "account": f"side-prize-{pool}-{final.entry_b_id}"}
    as_director.post(address(event, "settle", "desk"), tap)
    page = as_director.post(*join(event)).content.decode()
    for said in ("gives back 7.00\xa0EUR", "gets 14.00\xa0EUR", "pays 7.00\xa0EUR"):
        assert said in page
    assert page.count("gives-back") == 1


def test_what_has_changed_since_is_said_and_shown_again(as_director, event):
    path, _sent = join(event)
    digest = as_director.post(path).context["moves"].digest
    leave, _none = changes(event)["leave"]
    as_director.post(leave, {"digest": as_director.post(leave).context["moves"].digest, "reason": "Ill."})
    again = as_director.post(path, {"digest": digest, "reason": "Forgotten."})
    page = again.content.decode()
    assert (again.status_code, "Something has changed since you were asked" in page) == (409, True)
    assert 'value="Forgotten."' in page
    assert as_director.post(path, {"digest": again.context["moves"].digest, "reason": "Forgotten."}).status_code == 302


def test_terms_are_previewed_before_they_are_saved(as_director, event):
    path = address(event, "money-terms")
    sent = {**TERMS, "part_field": "100", "part_C": ""}
    asked = as_director.post(path, sent)
    assert asked.status_code == 409
    page = asked.content.decode()
    assert "Preview: nothing has been saved yet" in page
    assert "Kept by the house" in page
    assert EventMoney.objects.get(event=event).currency == "EUR"
    digest = asked.context["moves"].digest
    assert as_director.post(path, {**sent, "preview": "1"}).context["moves"].digest == digest
    other = as_director.post(path, {**sent, "fee": "251", "digest": digest, "reason": "A wrong fee."})
    assert "Something has changed since you were asked" in other.content.decode()
    assert as_director.post(path, {**sent, "digest": digest, "reason": "A wrong fee."}).status_code == 302
    assert EventMoney.objects.get(event=event).currency == "DKK"


@pytest.mark.parametrize("name", ["side-pools", "calcutta"])
def test_the_pages_say_that_they_are_closed_once_play_has_begun(as_director, director, event, name):
    sentence = "Closed, as play has begun."
    assert sentence in as_director.get(address(event, name)).content.decode()
    fresh = build_event(director, players=2, tournament=event.tournament, name="Fresh")
    assert sentence not in as_director.get(address(fresh, name)).content.decode()


def test_the_log_tells_what_was_moved(as_director, event):
    path, _sent = join(event)
    as_director.post(path, {"digest": as_director.post(path).context["moves"].digest, "reason": "Forgotten."})
    page = as_director.get(address(event, "event-log")).content.decode()
    assert "“Forgotten.”" in page
    assert "<del>7.00</del>" in page
    assert "<ins>14.00</ins>" in page
    public = as_director.get(reverse("history", args=[event.tournament.slug, event.slug])).content.decode()
    assert "<ins>14.00</ins>" not in public
