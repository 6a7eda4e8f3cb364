"""Players ask the desk for their page: bounded, answered once, and opened by nobody but the phone that asked."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.errors import Conflict
from tests.builders import AT, build_director, build_event
from tests.tournament.api.client import CheckedClient
from tournament.changes.versions import read_versions
from tournament.entries import page_requests
from tournament.entries.attendance import leave_event
from tournament.entries.links import link_of
from tournament.entries.page_requests import (
    MOST_OF_ENTRY,
    MOST_OF_EVENT,
    MOST_OF_REQUESTER,
    MOST_OF_REQUESTER_FOR_ENTRY,
    OPENS,
    WAITS,
    PageRequestState,
    answer_page_request,
    ask_for_page,
    request_by_token,
    state_of,
    token_of_request,
    waiting_requests,
)
from tournament.entries.renew import renew_links
from tournament.models import Entry, Event, PageRequest
from tournament.origin import Origin, Way, coming_from

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def unthrottled():
    cache.clear()


@pytest.fixture
def event(director) -> Event:
    return build_event(director, players=8)


def asked(event: Event, key: str = "k", place: int = 0, **more) -> PageRequest:
    return ask_for_page(event.entries.all()[place], key=key, at=AT, **more)


def state(request: PageRequest, at=AT) -> PageRequestState:
    return state_of(request_by_token(token_of_request(request)), at)


def shown(event: Event, at=AT) -> list[int]:
    return [one.pk for one in waiting_requests(event.tournament, at)]


def test_a_request_waits_on_the_desk_until_it_is_answered(event, director):
    hall = read_versions(event.tournament_id).hall
    request = asked(event)
    assert read_versions(event.tournament_id).hall == hall + 1
    assert (shown(event), state(request)) == ([request.pk], PageRequestState.WAITING)
    answer_page_request(request, yes=True, by=director, at=AT + MINUTE)
    assert (shown(event), state(request, AT + MINUTE)) == ([], PageRequestState.YES)
    assert state(request, AT + MINUTE + OPENS) is PageRequestState.ENDED
    row = event.log.get(verb="answer_page_request")
    assert (row.actor, row.detail["number"], row.detail["yes"]) == (director, request.number, True)


def test_after_a_no_the_phone_opens_nothing(event, director):
    request = asked(event)
    answer_page_request(request, yes=False, by=director, at=AT)
    assert state(request) is PageRequestState.NO


def test_the_same_key_is_the_same_request_and_numbers_differ(event):
    first = asked(event, pick=min)
    again = asked(event, pick=max)
    other = asked(event, "other", place=1, pick=min)
    assert (again, other.number) == (first, first.number + 1)
    assert event.tournament.log.filter(verb__contains="page").count() == 0


def test_requests_end_by_themselves(event, director):
    request = asked(event)
    assert shown(event, AT + WAITS) == []
    assert state(request, AT + WAITS) is PageRequestState.ENDED
    with pytest.raises(Conflict) as refused:
        answer_page_request(request, yes=True, by=director, at=AT + WAITS)
    assert refused.value.code == "page_request_ended"
    ask_for_page(event.entries.all()[1], key="later", at=AT + timedelta(days=2))
    assert not PageRequest.objects.filter(pk=request.pk).exists()


def asked_from(address: str | None, event: Event, key: str, place: int = 0) -> PageRequest:
    with coming_from(Origin(Way.API, address)):
        return asked(event, key, place)


def test_nobody_fills_the_desk(director):
    event = build_event(director, players=13)
    for number in range(MOST_OF_ENTRY):
        asked_from(f"192.0.2.{number}", event, f"k{number}")
    with pytest.raises(Conflict) as refused:
        asked_from("192.0.2.9", event, "one more")
    assert refused.value.code == "page_requests_too_many"
    for number in range(MOST_OF_EVENT - MOST_OF_ENTRY):
        asked_from(f"198.51.100.{number}", event, f"k{number}", place=1 + number // 2)
    with pytest.raises(Conflict):
        asked_from("192.0.2.9", event, "one more", place=12)
    assert ask_for_page(event.entries.all()[12], key="one more", at=AT + WAITS).pk


@pytest.mark.parametrize(
    ("router", "elsewhere"),
    [
        (["192.0.2.7"] * 9, "192.0.2.8"),
        ([f"2001:db8:0:1::{number}" for number in range(1, 10)], "2001:db8:0:2::1"),
        ([None] * 9, "192.0.2.8"),
    ],
)
def test_one_requester_leaves_room_for_players_elsewhere(event, router, elsewhere):
    for number in range(MOST_OF_REQUESTER):
        asked_from(router[number], event, f"k{number}", place=number)
    with pytest.raises(Conflict) as refused:
        asked_from(router[6], event, "one more", place=6)
    assert refused.value.code == "page_requests_too_many"
    assert asked_from(router[7], event, "k0", place=0).number == event.entries.all()[0].page_requests.get().number
    assert asked_from(elsewhere, event, "one more", place=6).pk


def test_one_requester_keeps_nobody_from_asking_for_their_own_name(event):
    for number in range(MOST_OF_REQUESTER_FOR_ENTRY):
        asked_from("192.0.2.7", event, f"k{number}")
    with pytest.raises(Conflict):
        asked_from("192.0.2.7", event, "one more")
    assert asked_from("192.0.2.8", event, "mine").pk


def test_the_api_counts_the_address_of_the_connection_and_no_claim_of_the_client(event):
    address = reverse("api:page-requests", args=[event.pk])
    entries = list(event.entries.all())
    claimed = {"HTTP_X_FORWARDED_FOR": "203.0.113.1"}
    answers = [
        CheckedClient(REMOTE_ADDR="192.0.2.7", **claimed).post(address, {"entry": one.pk, "key": "k"}, format="json")
        for one in entries[: MOST_OF_REQUESTER + 1]
    ]
    assert [answer.status_code for answer in answers] == [201] * MOST_OF_REQUESTER + [409]
    other = CheckedClient(REMOTE_ADDR="192.0.2.8").post(address, {"entry": entries[7].pk, "key": "k"}, format="json")
    assert other.status_code == 201


def test_the_second_director_learns_that_the_first_has_answered(event, director):
    request = asked(event)
    stale = PageRequest.objects.select_related("entry__event").get(pk=request.pk)
    answer_page_request(request, yes=False, by=director, at=AT)
    with pytest.raises(Conflict) as refused:
        answer_page_request(stale, yes=True, by=build_director("second", event.tournament), at=AT)
    assert refused.value.code == "page_request_answered"
    assert state(request) is PageRequestState.NO


@pytest.mark.parametrize("says_yes_before", [True, False])
def test_a_new_link_ends_requests_for_the_one_before(event, director, says_yes_before):
    request = asked(event)
    if says_yes_before:
        answer_page_request(request, yes=True, by=director, at=AT)
    renew_links(event, entries=[request.entry_id], by=director, at=AT)
    assert (shown(event), state(request)) == ([], PageRequestState.ENDED)
    if not says_yes_before:
        with pytest.raises(Conflict):
            answer_page_request(request, yes=True, by=director, at=AT)


def test_an_entry_that_has_left_is_not_asked_for(event, director):
    request = asked(event)
    leave_event(request.entry, kind="withdrawn", by=director, at=AT)
    assert (shown(event), state(request)) == ([], PageRequestState.ENDED)
    with pytest.raises(Conflict) as refused:
        asked(event, "again")
    assert refused.value.code == "entry_gone"


def test_a_token_belongs_to_one_request(event):
    request = asked(event)
    token = token_of_request(request)
    assert request_by_token(token) == request
    for wrong in ("", "no", f"{request.pk}.{request.number}", f"{token}x", token.replace(str(request.number), "1")):
        assert request_by_token(wrong) is None


# The pages


def here(event: Event, name: str, *more: object) -> str:
    return reverse(name, args=[event.tournament.slug, event.slug, *more])


def ask_on_page(event: Event, phone: Client, entry: Entry) -> str:
    answer = phone.post(here(event, "ask-for-page"), {"entry": entry.pk, "code": "", "key": "k"})
    assert answer.status_code == 302
    return answer.url


def test_the_phone_that_asked_opens_its_page_after_one_tap_on_the_desk(event, as_director):
    entry, phone = event.entries.first(), Client()
    page = ask_on_page(event, phone, entry)
    request = PageRequest.objects.get()
    waiting = phone.get(page).content.decode()
    assert f">{request.number}<" in waiting
    assert link_of(entry) not in waiting
    desk = as_director.get(reverse("desk", args=[event.tournament.slug])).content.decode()
    yes = reverse("answer-page-request", args=[event.tournament.slug, request.pk, "yes"])
    assert f'action="{yes}"' in desk
    assert f">{request.number}<" in desk
    assert link_of(entry) not in desk
    assert page not in desk
    assert as_director.post(yes).status_code == 302
    assert phone.get(f"{page}?fragment").headers["HX-Refresh"] == "true"
    answer = phone.get(page)
    assert (answer.status_code, answer.url) == (302, link_of(entry))
    assert "no-store" in answer.headers["Cache-Control"]
    assert as_director.post(yes).status_code == 409


def test_a_no_and_an_end_are_said_on_the_phone(event, as_director, director):
    entry, phone = event.entries.first(), Client()
    page = ask_on_page(event, phone, entry)
    request = PageRequest.objects.get()
    as_director.post(reverse("answer-page-request", args=[event.tournament.slug, request.pk, "no"]))
    assert "The director has said no" in phone.get(f"{page}?fragment").content.decode()
    renew_links(event, entries=[entry.pk], by=director, at=timezone.now())
    assert "This request has ended" in phone.get(page).content.decode()


def test_the_desk_of_somebody_who_may_not_change_entries_shows_no_requests(event):
    asker = ask_for_page(event.entries.first(), key="k", at=timezone.now())
    scorer = Client()
    scorer.force_login(build_director("scorer"))
    event.tournament.appointments.create(user=build_director("other scorer"), role="scorer", since=AT)
    scorer.force_login(event.tournament.appointments.get(role="scorer").user)
    desk = scorer.get(reverse("desk", args=[event.tournament.slug]))
    assert desk.status_code == 200
    assert f"page-request-{asker.pk}" not in desk.content.decode()


def test_too_many_requests_come_back_as_typed(event, monkeypatch):
    monkeypatch.setattr(page_requests, "MOST_OF_EVENT", 0)
    entry = event.entries.all()[2]
    answer = Client().post(here(event, "ask-for-page"), {"entry": entry.pk, "code": "abc", "key": "k"})
    assert answer.status_code == 409
    text = answer.content.decode()
    assert "Too many players wait" in text
    assert f'<option value="{entry.pk}" selected' in text
    assert 'value="abc"' in text


# The API


def test_the_api_asks_waits_and_gives_the_link_to_the_one_who_asked(event, director):
    phone, staff = CheckedClient(), CheckedClient()
    staff.force_authenticate(director)
    entry = event.entries.first()
    address = reverse("api:page-requests", args=[event.pk])
    made = phone.post(address, {"entry": entry.pk, "key": "k"}, format="json")
    assert (made.status_code, made.json()["state"], made.json()["link"]) == (201, "waiting", "")
    assert phone.get(address).status_code == 401
    (listed,) = staff.get(address).json()
    assert (listed["number"], listed["name"]) == (made.json()["number"], entry.name)
    yes = reverse("api:page-request-yes", args=[listed["id"]])
    assert staff.post(yes).status_code == 200
    assert staff.post(yes).json()["code"] == "page_request_answered"
    told = phone.get(reverse("api:page-request", args=[made.json()["token"]]))
    assert (told.json()["state"], told.json()["link"]) == ("yes", link_of(entry))
    assert phone.get(reverse("api:page-request", args=["no"])).status_code == 404
    assert phone.post(address, {"entry": 10**9, "key": "k"}, format="json").status_code == 404
