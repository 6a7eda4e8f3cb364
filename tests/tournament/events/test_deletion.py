"""What is deleted is hidden from everybody, and restored as it was."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from matches.ratings import rateable_sheets
from players.errors import Conflict, Refusal
from players.models import Player
from rules.score import Side
from tests.builders import AT, build_director, build_event, build_terms, fixture_of, win
from tests.tournament.api.client import CheckedClient, database
from tournament.changes.record import lock_event
from tournament.draw.standings import stale_event_ids, store_standings
from tournament.events.deletion import (
    delete_event,
    delete_tournament,
    reasons_to_keep,
    restore_event,
    restore_tournament,
)
from tournament.events.services import create_event
from tournament.models import Appointment, Event, Payment, Purpose, Role, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(director) -> Event:
    event = build_event(director, players=4)
    win(fixture_of(event, "M1-1").match, Side.A, by=director)
    return event


def client_of(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def pages_of(event: Event) -> list[str]:
    """Every page and address of the API that shows something of the event."""
    slugs = [event.tournament.slug, event.slug]
    names = ("event", "pairings", "bracket", "screen", "standings", "history", "entries", "paper")
    match = fixture_of(event, "M1-1").match
    return [
        *(reverse(name, args=slugs) for name in names),
        reverse("match", args=[match.pk]),
        *(f"/api/v1/events/{event.pk}/{part}" for part in ("", "entries/", "history/")),
        f"/api/v1/matches/{match.pk}/",
        f"/api/v1/matches/{match.pk}/rulings/",
    ]


def lists_with(event: Event) -> list[str]:
    """Every list that names the event or its tournament."""
    player = event.entries.first().player_id
    return [
        "/",
        f"/players/{player}/",
        "/api/v1/tournaments/",
        f"/api/v1/tournaments/{event.tournament_id}/events/",
        f"/api/v1/players/{player}/matches/",
    ]


def shown(client: Client, path: str) -> bytes:
    """What the page or answer shows, without the versions that it follows: those only grow."""
    return re.sub(rb'data-live-[a-z]+="[^"]*"', b"", client.get(path).content)


def statuses(client: Client, paths: list[str]) -> set[int]:
    return {client.get(path).status_code for path in paths}


@pytest.mark.parametrize("what", ["event", "tournament"])
def test_deleted_is_gone_from_all_pages_and_lists_and_comes_back_as_it_was(event, director, what):
    anybody = Client()
    pages, lists = pages_of(event), lists_with(event)
    before = [shown(anybody, path) for path in lists]
    assert statuses(anybody, pages) == {200}
    assert rateable_sheets().count() == 1
    if what == "event":
        delete_event(event, typed="Main", by=director, at=AT)
    else:
        delete_tournament(event.tournament, typed="Friday Club", by=director, at=AT)
    assert statuses(anybody, pages) == {404}
    assert statuses(client_of(director), pages) == {404}
    texts = [response.content.decode() for path in lists if (response := anybody.get(path)).status_code == 200]
    assert texts
    assert not any("Main" in text or f'"event":{event.pk}' in text for text in texts)
    assert rateable_sheets().count() == 0
    if what == "event":
        restore_event(event, by=director, at=AT)
    else:
        restore_tournament(event.tournament, by=director, at=AT)
    assert statuses(anybody, pages) == {200}
    assert [shown(anybody, path) for path in lists][1:3] == before[1:3]
    assert rateable_sheets().count() == 1


def test_deleting_removes_no_row(event, director):
    before = database()
    delete_tournament(event.tournament, typed="Friday Club", by=director, at=AT)
    restore_tournament(event.tournament, by=director, at=AT)
    after = database()
    assert len(after["tournament.LogEntry"]) == len(before["tournament.LogEntry"]) + 2
    for grows in ("tournament.LogEntry", "matches.Recount"):
        del before[grows], after[grows]
    assert after == before


@pytest.mark.parametrize("typed", ["", "main", "Main!", "Main Main"])
def test_name_has_to_be_typed(event, director, typed):
    with pytest.raises(Refusal) as refused:
        delete_event(event, typed=typed, by=director, at=AT)
    assert refused.value.code == "name_differs"
    response = client_of(director).post(
        reverse("delete-event", args=[event.tournament.slug, event.slug]), {"name": typed}
    )
    assert response.status_code == 400
    assert Event.objects.get() == event


def test_pages_delete_and_restore(event, director):
    owner = client_of(director)
    slugs = [event.tournament.slug, event.slug]
    owner.post(reverse("delete-event", args=slugs), {"name": " Main "})
    assert not Event.objects.exists()
    assert reverse("restore-event", args=slugs) in owner.get(reverse("log", args=slugs[:1])).content.decode()
    owner.post(reverse("restore-event", args=slugs))
    assert Event.objects.get() == event
    owner.post(reverse("delete-tournament", args=slugs[:1]), {"name": "Friday Club"})
    assert not Tournament.objects.exists()
    assert reverse("log", args=slugs[:1]) in owner.get("/").content.decode()
    owner.post(reverse("restore-tournament", args=slugs[:1]))
    assert Tournament.objects.get() == event.tournament


def test_api_deletes_and_restores(event, director):
    api = CheckedClient()
    api.force_authenticate(director)
    answer = api.post(f"/api/v1/events/{event.pk}/delete/", {"name": "Main"}, format="json")
    assert answer.json() == {"warnings": ["Main is under way: 1 match has a score."]}
    assert api.post(f"/api/v1/events/{event.pk}/restore/").json()["name"] == "Main"
    assert api.post(f"/api/v1/events/{event.pk}/restore/").json()["code"] == "not_deleted"
    path = f"/api/v1/tournaments/{event.tournament_id}"
    assert api.post(f"{path}/delete/", {"name": "Friday"}, format="json").json()["code"] == "name_differs"
    assert api.post(f"{path}/delete/", {"name": "Friday Club"}, format="json").status_code == 200
    assert api.post(f"{path}/restore/").json()["name"] == "Friday Club"


def test_event_in_play_says_so_before_it_is_deleted(event, director):
    assert reasons_to_keep(event) == ["Main is under way: 1 match has a score."]
    for name in ("delete-event", "delete-tournament"):
        slugs = [event.tournament.slug, event.slug][: 2 if name == "delete-event" else 1]
        assert (
            "Main is under way: 1 match has a score."
            in client_of(director).get(reverse(name, args=slugs)).content.decode()
        )


def test_event_with_payments_says_so_before_it_is_deleted(event, director):
    paid = {"purpose": Purpose.ENTRY, "account": "entry", "name": "Player 1", "at": AT, "by": director}
    for number, (amount, currency) in enumerate(
        [(5000, "DKK"), (2550, "EUR"), (-2000, "DKK"), (900, "SEK"), (-900, "SEK")]
    ):
        Payment.objects.create(event=event, amount=amount, currency=currency, key=f"k{number}", **paid)
    assert reasons_to_keep(event)[1:] == [
        "Money has been taken for Main: there is 30.00 DKK in its cash box.",
        "Money has been taken for Main: there is 25.50 EUR in its cash box.",
    ]


def test_deleted_tournament_is_seen_only_by_its_owners(event, director):
    delete_tournament(event.tournament, typed="Friday Club", by=director, at=AT)
    helper = build_director("helper")
    Appointment.objects.create(tournament=event.tournament, user=helper, role=Role.DIRECTOR, since=AT)
    log, roles, restore = (
        reverse(name, args=[event.tournament.slug]) for name in ("log", "roles", "restore-tournament")
    )
    assert [client_of(director).get(path).status_code for path in (log, roles)] == [200, 200]
    assert [client_of(helper).get(path).status_code for path in (log, roles)] == [404, 404]
    assert client_of(helper).post(restore).status_code == 404
    assert not Tournament.objects.exists()


def test_address_of_a_deleted_event_stays_taken(event, director):
    delete_event(event, typed="Main", by=director, at=AT)
    again = create_event(event.tournament, build_terms(format="round-robin"), by=director, at=AT)
    assert again.slug == "main-2"
    restore_event(event, by=director, at=AT)
    assert set(Event.objects.values_list("slug", flat=True)) == {"main", "main-2"}


def test_write_to_an_event_that_was_deleted_meanwhile_is_a_conflict(event, director):
    match = fixture_of(event, "M1-2").match
    delete_event(event, typed="Main", by=director, at=AT)
    with pytest.raises(Conflict) as refused:
        win(match, Side.A, by=director)
    assert refused.value.code == "event_deleted"
    with pytest.raises(Conflict):
        lock_event(event)
    store_standings(event.pk)
    assert stale_event_ids() == []


def test_an_event_that_is_deleted_while_a_page_is_made_is_there_or_gone(event, director):
    """Between any two queries: the answer is the page as it was, or 404."""
    slugs = [event.tournament.slug, event.slug]
    for client in (Client(), client_of(director)):
        for address in (*pages_of(event), reverse("prizes", args=slugs), reverse("tournament", args=slugs[:1])):
            for query in range(1, 60):
                seen, is_deleted = 0, False

                def delete_before(execute, sql, params, many, context, at=query):
                    nonlocal seen, is_deleted
                    seen += 1
                    if seen == at:
                        is_deleted = True
                        Event.everything.filter(pk=event.pk).update(deleted_at=AT)
                    return execute(sql, params, many, context)

                with connection.execute_wrapper(delete_before):
                    answer = client.get(address)
                Event.everything.filter(pk=event.pk).update(deleted_at=None)
                assert answer.status_code in (200, 404), (address, query)
                if not is_deleted:
                    break


def test_players_stay(event, director):
    delete_tournament(event.tournament, typed="Friday Club", by=director, at=AT)
    assert Player.objects.count() == 4
