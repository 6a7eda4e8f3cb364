"""A token signs in whom it belongs to, for as long as it and they are there."""

import re
from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.urls import resolve
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient

from players.models import User
from tests.builders import AT, build_event, build_key, fixture_of
from tests.tournament.api.client import CheckedClient
from tournament.models import AccessToken, Happening, SignInEvent
from tournament.sign_in.tokens import make_token


def send(match, key: str, scheme: str = "Bearer") -> tuple[int, str | None]:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"{scheme} {key}")
    body = {"key": "k", "base": 0, "final": [5, 1]}
    answer = client.post(f"/api/v1/matches/{match.pk}/result/", body, format="json")
    return answer.status_code, answer.json().get("code")


@pytest.fixture
def match(director):
    return fixture_of(build_event(director), "M1-1").match


def test_a_token_signs_in_until_it_is_ended_or_its_user_may_no_longer(director, match):
    key, other = build_key(director), build_key(User.objects.create_user("other"))
    assert [send(match, one) for one in (key, key, other)] == [(201, None), (200, None), (403, "role_missing")]
    assert send(match, key, "Token") == (200, None)
    refused = (401, "authentication_failed")
    for unknown in (key[:-1], key + "0", key.upper(), "0", "1900000001", f"{key} "[:39] + "é"):
        assert send(match, unknown) == refused
    User.objects.filter(pk=director.pk).update(is_active=False)
    assert send(match, key) == refused
    User.objects.filter(pk=director.pk).update(is_active=True)
    assert send(match, key) == (200, None)
    AccessToken.objects.filter(user=director).delete()
    assert send(match, key) == refused


def test_the_database_does_not_hold_the_key(director):
    key = build_key(director)
    stored = AccessToken.objects.values().get()
    assert key not in str(stored)
    assert key.startswith(stored["prefix"])


def test_a_token_expires(director, match):
    now = timezone.now()
    made = {"name": "x", "scope": "write", "days": 3}
    _token, over = make_token(director, **made, at=now - timedelta(days=3, seconds=1))
    _token, valid = make_token(director, **made, at=now - timedelta(days=2))
    assert send(match, over) == (401, "authentication_failed")
    assert send(match, valid) == (201, None)


def test_a_token_that_reads_cannot_write(director, match):
    client = CheckedClient()
    headers = {"Authorization": f"Bearer {build_key(director, 'read')}"}
    answer = client.post(f"matches/{match.pk}/result/", {"key": "k", "base": 0, "final": [5, 1]}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "scope_missing")
    assert client.get(f"matches/{match.pk}/", headers=headers).status_code == 200
    assert client.delete("token/", headers=headers).status_code == 204
    assert not AccessToken.objects.exists()


def test_a_new_password_ends_the_tokens_of_its_user_alone(director):
    build_key(director)
    other = User.objects.create_user("other")
    build_key(other)
    director.set_password("a-new-one-for-tests")
    director.save()
    assert list(AccessToken.objects.values_list("user", flat=True)) == [other.pk]


def test_when_a_token_was_last_used_is_noted_about_once_an_hour(
    director, eager_tasks, django_capture_on_commit_callbacks
):
    client, headers = CheckedClient(), {"Authorization": f"Bearer {build_key(director)}"}
    with django_capture_on_commit_callbacks(execute=True):
        assert client.get("me/", headers=headers).status_code == 200
    first = AccessToken.objects.get().used_at
    assert abs(timezone.now() - first) < timedelta(minutes=1)
    with django_capture_on_commit_callbacks() as asked:
        client.get("me/", headers=headers)
    assert asked == []


def test_signing_in_pushes_out_the_token_unused_for_longest(director, monkeypatch):
    monkeypatch.setattr("tournament.sign_in.tokens.MOST", 2)
    old, used = (make_token(director, name=name, scope="read", days=None, at=AT)[0] for name in "ab")
    AccessToken.objects.filter(pk=used.pk).update(used_at=timezone.now())
    client = CheckedClient()
    body = {"username": "director", "password": "long-enough-for-tests", "name": "c", "scope": "read", "days": 2}
    answer = client.post("token/", body)
    assert (answer.status_code, answer.json()["scopes"]) == (200, ["read"])
    assert [token.name for token in AccessToken.objects.order_by("pk")] == ["b", "c"]
    assert not AccessToken.objects.filter(pk=old.pk).exists()


def test_me_says_who_it_is(director, anonymous):
    event = build_event(director)
    assert anonymous.get("me/").status_code == 401
    key = build_key(director, "read")
    me = anonymous.get("me/", headers={"Authorization": f"Bearer {key}"}).json()
    assert (me["user"], me["administrator"]) == ("director", False)
    assert [(role["tournament"], role["role"]) for role in me["roles"]] == [(event.tournament_id, "owner")]
    assert me["token"] == {"name": "test", "scopes": ["read"], "expires_at": None}
    session = CheckedClient()
    session.force_authenticate(director)
    assert session.get("me/").json()["token"] is None


def test_what_happens_with_tokens_is_written_down(director, anonymous):
    anonymous.post("token/", {"username": "director", "password": "wrong"})
    anonymous.post("token/", {"username": "wrong-as-well", "password": "wrong"})
    key = build_key(director)
    anonymous.delete("token/", headers={"Authorization": f"Bearer {key}"})
    rows = SignInEvent.objects.order_by("pk").values_list("what", "user", "address")
    assert list(rows) == [
        (Happening.FAILED, director.pk, "127.0.0.1"),
        (Happening.FAILED, None, "127.0.0.1"),
        (Happening.TOKEN_MADE, director.pk, None),
        (Happening.TOKEN_ENDED, director.pk, "127.0.0.1"),
    ]


def test_tokens_from_before_go_on_working(director, match):
    """Each user had one, stored as it is in a table of another app; it is stored as a hash from then on."""
    old = "0123456789abcdef0123456789abcdef01234567"
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE authtoken_token (key varchar(40) PRIMARY KEY, created timestamp, user_id bigint)")
        cursor.execute("INSERT INTO authtoken_token VALUES (%s, %s, %s)", [old, timezone.now(), director.pk])
        migration = import_module("tournament.migrations.0024_access_tokens_and_sign_in_events")
        migration.keep_tokens(apps, connection.schema_editor())
        cursor.execute("SELECT count(*) FROM authtoken_token")
        assert cursor.fetchone() == (0,)
    assert send(match, old, "Token") == (201, None)
    assert old not in str(AccessToken.objects.values().get())


HANDS_OUT = {"entries/{entry_id}/link/", "events/{event_id}/links/"}
"""What is read with a token that writes alone, because the answer holds a secret that writes."""
NO_SECRETS = {"PageRequest", "Urn"}
"""Read by the phone that holds the secret already; and a link of a chain of draws, which is published."""


def test_a_token_that_reads_gets_no_secret_that_writes(director):
    event = build_event(director)
    entry = event.entries.first()
    client = CheckedClient()
    for path in (f"entries/{entry.pk}/link/", f"events/{event.pk}/links/"):
        answers = [
            client.get(path, headers={"Authorization": f"Bearer {build_key(director, scope)}"})
            for scope in ("read", "write")
        ]
        assert [answer.status_code for answer in answers] == [403, 200]
        assert answers[0].json()["code"] == "scope_missing"
    client.force_authenticate(director)
    assert client.get(f"entries/{entry.pk}/link/").status_code == 200


def test_whatever_answers_with_a_secret_says_so():
    schema = SchemaGenerator(api_version="v1").get_schema(request=None, public=True)
    telling = {
        path.removeprefix("/api/v1/")
        for path, operations in schema["paths"].items()
        if "get" in operations and tells(schema, operations["get"]["responses"]["200"])
    }
    assert telling == HANDS_OUT
    for path in HANDS_OUT:
        assert resolve("/api/v1/" + re.sub(r"{\w+}", "1", path)).func.cls.tells_secrets, path


def tells(schema, part, seen=frozenset()) -> bool:
    """Whether the answer, or a part of it, has a link or a token."""
    if isinstance(part, list):
        return any(tells(schema, one, seen) for one in part)
    if not isinstance(part, dict):
        return False
    name = part.get("$ref", "").rpartition("/")[2]
    if name and name not in seen | NO_SECRETS:
        return tells(schema, schema["components"]["schemas"][name], seen | {name})
    properties = part.get("properties", {})
    if isinstance(properties, dict) and any(
        isinstance(properties.get(word), dict) and properties[word].get("type") == "string"
        for word in ("link", "token")
    ):
        return True
    return any(tells(schema, one, seen) for one in part.values())
