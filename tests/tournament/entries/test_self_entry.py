"""Players enter themselves: by the public link, up to the limit in order of arrival, until the draw."""

from datetime import timedelta

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.errors import Conflict, Refusal
from players.models import Player
from players.registry.models import Alias
from tests.builders import AT, build_event, build_money_terms
from tests.meanwhile import before_transaction
from tests.tournament.api.client import CheckedClient
from tournament.draw.make import make_draw
from tournament.entries.attendance import set_door
from tournament.entries.links import link_of
from tournament.entries.lists import EntryLine
from tournament.entries.renew import renew_links
from tournament.entries.self_entry import enter_oneself, set_self_entry, take_back_self_entry
from tournament.hall.site import set_site_address
from tournament.models import Entry, Event, SelfEntry, Subscription
from tournament.money.services import set_money, settle_accounts
from tournament.past.event import find_moment, snapshot_at

pytestmark = pytest.mark.django_db

WHO = {"by": None, "at": AT}


@pytest.fixture(autouse=True)
def unthrottled():
    cache.clear()


@pytest.fixture
def event(director) -> Event:
    event = build_event(director, players=2, drawn=False)
    return set_self_entry(event, open=True, until=None, by=director, at=AT)


def enter(event: Event, name: str, key: str = "", **more: object) -> Entry:
    return enter_oneself(event, line=EntryLine(name=name), key=key or name, at=AT, **more)


def refused(code: str, act, *args: object, **more: object) -> None:
    with pytest.raises((Refusal, Conflict)) as raised:
        act(*args, **more)
    assert raised.value.code == code


def lists(event: Event) -> list[tuple[str, bool]]:
    return list(event.entries.order_by("number").values_list("player__name", "waiting"))


def here(event: Event, name: str) -> str:
    return reverse(name, args=[event.tournament.slug, event.slug])


def test_beyond_the_limit_players_wait_in_order_of_arrival_and_move_up(event):
    set_door(event, max_entries=3, check_in=False, late_minutes=None, **WHO)
    third, _fourth, _fifth = enter(event, "Anna"), enter(event, "Bo"), enter(event, "Cy")
    players = [("Player 1", False), ("Player 2", False)]
    assert lists(event) == [*players, ("Anna", False), ("Bo", True), ("Cy", True)]
    take_back_self_entry(third, at=AT)
    assert lists(event) == [*players, ("Bo", False), ("Cy", True)]


def test_of_two_who_come_at_once_for_the_last_place_one_waits(event):
    set_door(event, max_entries=3, check_in=False, late_minutes=None, **WHO)
    sent = {"name": "Anna", "club": "", "country": "", "key": "k"}
    answer = before_transaction(
        1, lambda: enter(event, "Bo"), lambda: Client().post(here(event, "enter-oneself"), sent)
    )
    assert answer is not None
    assert lists(event)[2:] == [("Bo", False), ("Anna", True)]


def test_the_same_form_sent_twice_enters_once_and_never_again_after_it_was_taken_back(event):
    first = enter(event, "Anna", "k")
    assert enter(event, "Anna", "k") == first
    refused("entry_twice", enter, event, "Anna", "other")
    take_back_self_entry(first, at=AT)
    refused("entry_gone", enter, event, "Anna", "k")
    assert lists(event) == [("Player 1", False), ("Player 2", False)]


def test_a_key_that_has_entered_somebody_enters_and_shows_nobody_else(event):
    enter(event, "Anna", "k")
    before = lists(event)
    refused("key_reused", enter, event, "Bo", "k")
    refused("key_reused", enter_oneself, event, line=EntryLine(name="Anna", club="Odense"), key="k", at=AT)
    address = reverse("api:self-entries", args=[event.pk])
    answer = CheckedClient().post(address, {"name": "Bo", "key": "k"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "key_reused")
    page = Client().post(here(event, "enter-oneself"), {"name": "Bo", "club": "", "country": "", "key": "k"})
    assert (page.status_code, "sent with other details" in page.content.decode(), lists(event)) == (409, True, before)
    again = {"name": "Bo", "club": "", "country": "", "key": page.context["form"]["key"].value()}
    assert Client().post(here(event, "enter-oneself"), again).status_code == 302
    assert lists(event) == [*before, ("Bo", False)]


def test_it_is_open_when_the_director_says_so_up_to_a_moment_and_the_draw(event, director):
    set_self_entry(event, open=True, until=AT + timedelta(hours=1), **WHO)
    enter_oneself(event, line=EntryLine(name="Anna"), key="a", at=AT + timedelta(hours=1))
    late = {"line": EntryLine(name="Bo"), "key": "b", "at": AT + timedelta(hours=1, seconds=1)}
    refused("self_entry_over", enter_oneself, event, **late)
    refused("self_entry_until_passed", set_self_entry, event, open=True, until=AT, by=None, at=AT)
    set_self_entry(event, open=False, until=AT + timedelta(days=1), **WHO)
    event.refresh_from_db()
    assert (event.self_entry, event.self_entry_until) == (False, None)
    refused("self_entry_closed", enter, event, "Bo")
    set_self_entry(event, open=True, until=None, **WHO)
    make_draw(event, by=director, at=AT)
    refused("self_entry_over", enter, event, "Bo")


def test_a_known_name_is_that_player_and_a_private_spelling_tells_nobody_whose_it_is(event):
    known = Player.objects.create(name="Dora Lind", folded_name="dora lind", created_at=AT)
    Alias.objects.create(player=known, spelling="Theodora Lindgren", folded="theodora lindgren", at=AT)
    refused("self_entry_by_director", enter, event, "Theodora Lindgren")
    assert enter(event, "Dora Lind").player == known


def test_only_the_player_who_made_the_entry_takes_it_back_unpaid_and_before_the_draw(event, director):
    refused("self_entry_of_director", take_back_self_entry, event.entries.first(), at=AT)
    entry = enter(event, "Anna")
    set_money(event, build_money_terms(), by=director, at=AT)
    settle_accounts(event, accounts=[f"entry-{entry.pk}"], amount=5000, key="paid", by=director, at=AT)
    refused("entry_has_paid", take_back_self_entry, entry, at=AT)
    other = enter(event, "Bo")
    renew_links(event, entries=[other.pk], by=director, at=AT)
    with pytest.raises(Exception, match="replaced"):
        take_back_self_entry(other, at=AT)
    make_draw(event, by=director, at=AT)
    other.refresh_from_db()
    refused("event_drawn", take_back_self_entry, other, at=AT)


def test_the_past_shows_whether_players_entered_themselves(event):
    row = event.log.first()
    set_self_entry(event, open=True, until=AT + timedelta(days=1), **WHO)
    set_self_entry(event, open=False, until=None, **WHO)
    then = snapshot_at(event.pk, find_moment(event, str(row.pk)))
    assert (then.self_entry, then.self_entry_until) == (True, None)


def test_a_player_enters_on_the_page_gets_their_own_and_is_asked_about_e_mails(event, settings):
    settings.EMAIL_HOST, settings.EMAIL_FROM = "127.0.0.1", "club@example.org"
    set_site_address(event.tournament, address="https://club.example.org", by=None, at=AT)
    set_door(event, max_entries=3, check_in=False, late_minutes=None, **WHO)
    phone = Client()
    assert here(event, "enter-oneself") in phone.get(here(event, "event")).content.decode()
    page = phone.get(here(event, "enter-oneself"))
    assert "2 of 3 places are taken." in page.content.decode()
    sent = {"name": "Anna Berg", "club": "", "country": "", "address": "anna@example.org", "key": "k"}
    answer = phone.post(here(event, "enter-oneself"), sent)
    entry = event.entries.get(player__name="Anna Berg")
    assert (answer.status_code, answer.url) == (302, link_of(entry))
    assert list(Subscription.objects.values_list("entry", "address", "confirmed_at")) == [
        (entry.pk, "anna@example.org", None)
    ]
    assert "Remove my entry" in phone.get(answer.url).content.decode()
    assert "You go on the waiting list" in phone.get(here(event, "enter-oneself")).content.decode()
    back = phone.post(reverse("my-entry-back", args=[answer.url.rstrip("/").rpartition("/")[2]]))
    assert (back.status_code, Entry.objects.filter(pk=entry.pk).exists()) == (302, False)
    assert mail.outbox == []  # the worker asks the address


def test_namesakes_are_asked_who_they_are(event):
    named = {"name": "Kim Falk", "folded_name": "kim falk", "created_at": AT}
    _first, second = (Player.objects.create(**named) for _one in range(2))
    sent = {"name": "Kim Falk", "club": "", "country": "", "key": "k"}
    answer = Client().post(here(event, "enter-oneself"), sent)
    assert (answer.status_code, "Who are you?" in answer.content.decode()) == (400, True)
    Client().post(here(event, "enter-oneself"), {**sent, "player": second.pk})
    assert SelfEntry.objects.get().entry.player == second


def test_api_enters_once_for_a_key_and_the_director_opens_and_closes(director, event):
    desk = CheckedClient()
    desk.force_authenticate(director)
    switch, address = reverse("api:self-entry", args=[event.pk]), reverse("api:self-entries", args=[event.pk])
    until = (timezone.now() + timedelta(days=1)).isoformat()
    assert desk.put(switch, {"open": True, "until": until}, format="json").json()["self_entry"] is True
    phone = CheckedClient()
    made = phone.post(address, {"name": "Anna", "key": "k"}, format="json")
    assert (made.status_code, made.json()["waiting"]) == (201, False)
    assert phone.post(address, {"name": "Anna", "key": "k"}, format="json").json() == made.json()
    desk.put(switch, {"open": False}, format="json")
    closed = phone.post(address, {"name": "Bo", "key": "b"}, format="json")
    assert (closed.status_code, closed.json()["code"]) == (409, "self_entry_closed")
    assert phone.put(switch, {"open": True}, format="json").status_code in {401, 403}
