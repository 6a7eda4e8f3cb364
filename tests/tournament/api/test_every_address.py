"""What holds for every address of the API: a key, a version, an ETag."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.urls import resolve
from pytest_django import DjangoDbBlocker

from players.models import User
from tests.builders import build_director, fixture_of
from tests.tournament.api.client import PREFIX, CheckedClient, database
from tests.tournament.api.routes import READING, WRITING, filled, named
from tests.tournament.pages.walk import build_walk
from tests.tournament.roles.addresses import API, PUBLIC
from tests.tournament.roles.sent import CHANGES, STORE_NOTHING, event_called, prepare
from tests.tournament.roles.test_permissions import ADDRESSES, undone

pytestmark = [pytest.mark.django_db, pytest.mark.long]

WRITTEN = [address for address in API if address.method != "get" and address.action != PUBLIC]
CHANGING = [address for address in WRITTEN if str(address) not in STORE_NOTHING]


@pytest.fixture(scope="module")
def built(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[User]:
    """Tournaments in which everything is going on, made once for all tests of this module; their owner."""
    with django_db_blocker.unblock(), undone():
        owner = build_director()
        build_walk(owner)
        prepare()
        yield owner


def client_of(user: User) -> CheckedClient:
    client = CheckedClient()
    client.force_authenticate(user)
    return client


def address_in_the_world(path: str) -> str:
    event = event_called("Main")
    entry = event.entries.first()
    match = fixture_of(event, "M1-1").match
    places = {
        "tournament_id": event.tournament_id,
        "event_id": event.pk,
        "entry_id": entry.pk,
        "player_id": entry.player_id,
        "other_id": event.entries.last().player_id,
        "match_id": match.pk,
        "name": "entries",
        "number": 1,
        "system": "fibs",
        "moment": event.log.first().pk,
    }
    for name, value in places.items():
        path = path.replace(f"{{{name}}}", str(value))
    return filled(path)


def test_every_answer_to_a_get_has_an_etag_and_is_empty_for_whoever_has_it(built):
    client, seen = client_of(built), 0
    for name, (_method, path, _operation) in zip(named(READING), READING, strict=True):
        address = address_in_the_world(path)
        answer = client.get(address)
        if answer.status_code != 200 or "no-store" in answer.headers.get("Cache-Control", ""):
            continue
        seen += 1
        etag = answer.headers["ETag"]
        for known in (etag, f"W/{etag}", f'"other", {etag}', "*"):
            again = client.get(address, headers={"If-None-Match": known})
            assert (again.status_code, again.content) == (304, b""), name
            assert again.headers["ETag"] == etag
        assert client.get(address, headers={"If-None-Match": '"other"'}).status_code == 200, name
    assert seen >= 30, seen


@pytest.mark.parametrize("address", CHANGING, ids=map(str, CHANGING))
def test_every_write_is_done_once_under_its_key(built, db, address):
    client = client_of(built)
    client.credentials(HTTP_IDEMPOTENCY_KEY="sent")
    with undone():
        sent = CHANGES[str(address)]()
        first = sent.to(client, address)
        assert first.status_code < 300
        after = database()
        again = sent.to(client, address)
        assert (again.status_code, again.content) == (first.status_code, first.content)
        assert again.headers["Idempotency-Replayed"] == "true"
        body = sent.data + b" " if isinstance(sent.data, bytes) else {**(sent.data or {}), "other": 1}  # type: ignore[dict-item]
        other = replace(sent, data=body).to(client, address)
        keeps_keys = resolve(other.request["PATH_INFO"]).func.cls.keeps_keys
        assert other.status_code == (400 if keeps_keys else 422)
        assert other.json()["code"] == ("invalid" if keeps_keys else "key_reused")
        assert database() == after


@pytest.mark.parametrize("address", WRITTEN, ids=map(str, WRITTEN))
def test_a_write_to_another_version_is_refused_everywhere(built, address):
    client = client_of(built)
    client.credentials(HTTP_IF_MATCH='"another"')
    with undone():
        sent = CHANGES.get(str(address))
        if sent is None:  # it stores nothing
            return
        sent, before = sent(), database()
        answer = sent.to(client, address)
        assert answer.status_code == 412
        assert answer.json()["code"] in {"version_changed", "no_version"}
        assert ("ETag" in answer.headers) == (answer.json()["code"] == "version_changed")
        assert database() == before


WITHOUT = {"post restore", "post restore-event"}
"""What has been deleted has no version."""


def test_everything_that_is_written_has_a_version(built):
    client = client_of(built)
    client.credentials(HTTP_IF_MATCH="*")
    for address in WRITTEN:
        sent = CHANGES.get(str(address))
        if sent is None:
            continue
        with undone():
            answer = sent().to(client, address)
            assert (answer.status_code == 412) == (str(address) in WITHOUT), str(address)


ELSEWHERE = {
    *("POST invitations/sign-up/", "POST invitations/accept/", "POST tournaments/"),
    *("POST events/{event_id}/page-requests/", "POST events/{event_id}/self-entries/"),
    "PUT links/{token}/matches/{match_id}/sheet/",
    *(f"POST links/{{token}}/matches/{{match_id}}/{last}/" for last in ("director", "sheet/confirm", "sheet/dispute")),
    *(f"POST links/{{token}}/matches/{{match_id}}/{last}/" for last in ("extension", "offers", "records")),
    *("POST handed-over/", "DELETE templates/{template_id}/", "POST jobs/{job_id}/cancel/"),
    *("POST token/", "DELETE token/"),  # they take no key
    *("POST records/verify/", "POST draw-files/verify/", "POST event-files/verify/"),  # they store nothing
    *("POST records/{record_id}/acceptance/", "POST records/{record_id}/acceptance/back/"),
    # Of official lists
    *(f"POST event-reports/{{report_id}}/{last}/" for last in ("decision", "answer")),
    *(f"{method} events/{{event_id}}/sanctions/{{slug}}/" for method in ("PUT", "DELETE")),
    *("POST matches/{match_id}/rated/", "PUT events/{event_id}/declaration/", "POST official-lists/{slug}/policies/"),
    *("POST official-lists/", "PATCH official-lists/{slug}/"),
    *(f"POST official-lists/{{slug}}/{last}/" for last in ("starts", "publications")),
    # Of series
    *("POST federations/{code}/series/", "PATCH federations/{code}/series/{slug}/"),
    "DELETE federations/{code}/series/{slug}/",
    "POST federations/{code}/series/{slug}/events/",
    *(f"{method} federations/{{code}}/series/{{slug}}/events/{{event_id}}/" for method in ("PATCH", "DELETE")),
    # Of exports and webhooks
    *(f"POST {owner}exports/profiles/" for owner in ("federations/{code}/", "")),
    "POST exports/profiles/{profile_id}/make/",
    *(f"{method} exports/profiles/{{profile_id}}/" for method in ("PUT", "DELETE")),
    *("POST federations/{code}/webhooks/", "DELETE webhooks/{webhook_id}/", "POST deliveries/{delivery_id}/again/"),
    # Of the registry
    *("POST federations/", "PUT federations/{code}/", "POST federations/{code}/officers/", "POST people/"),
    *("POST federations/{code}/members/import/", "POST imports/{import_id}/undo/", "POST clubs/"),
    *(f"POST federations/{{code}}/{last}/" for last in ("titles", "titles/tables")),
    *("PUT clubs/{club_id}/", "POST clubs/{club_id}/managers/", "DELETE registry-roles/{role_id}/"),
    *(f"PUT players/{{player_id}}/{last}/" for last in ("registry", "visibility", "memberships/{membership_id}")),
    *(f"POST players/{{player_id}}/{last}/" for last in ("memberships", "numbers", "titles", "norms", "aliases")),
    *(f"DELETE players/{{player_id}}/{last}/" for last in ("numbers/{number_id}", "aliases/{alias_id}")),
    *(f"POST players/{{player_id}}/{last}/" for last in ("norms/{norm_id}/void", "visibility/requests", "users")),
    "PUT players/{player_id}/visibility/requests/{wish_id}/",
}
"""Writes that are not in the table of addresses."""


def test_every_operation_that_writes_is_tried():
    tried = set()
    for address in WRITTEN:
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(ADDRESSES[f"api:{address.name}"].pattern.pattern))
        tried.add(f"{address.method.upper()} {path}")
    written = {f"{method} {path.removeprefix(PREFIX)}" for method, path, _operation in WRITING}
    assert written - tried == ELSEWHERE
