import json
import re

import pytest
from django.test import Client

from players.models import User
from tests.tournament.api.client import CheckedClient, check_answer
from tournament.models import AccessToken, Tournament

PASSWORD = "long-enough-for-tests"
NEW = {"name": "Winter Open", "starts_on": "2026-01-09"}


def sign_in(client: CheckedClient, **body: object):
    return client.post("token/", {"username": "director", "password": PASSWORD, **body})


def test_a_token_signs_in(anonymous, director):
    token = sign_in(anonymous).json()["token"]
    response = anonymous.post("tournaments/", NEW, headers={"Authorization": f"Bearer {token}"})
    assert response.status_code == 201
    assert Tournament.objects.get().appointments.get().user == director


def test_a_token_that_was_revoked_signs_nobody_in(anonymous, director):
    headers = {"Authorization": f"Token {sign_in(anonymous).json()['token']}"}
    assert anonymous.delete("token/", headers=headers).status_code == 204
    assert not AccessToken.objects.exists()
    response = anonymous.post("tournaments/", NEW, headers=headers)
    assert (response.status_code, response.json()["code"]) == (401, "authentication_failed")


@pytest.mark.parametrize(
    "wrong", [{"password": "wrong"}, {"username": "nobody"}, {"username": "Ð"}, {"password": PASSWORD + " "}]
)
def test_wrong_names_and_passwords_look_alike(anonymous, director, wrong):
    response = sign_in(anonymous, **wrong)
    assert (response.status_code, response.json()["code"]) == (401, "credentials_wrong")
    assert response.headers["WWW-Authenticate"] == "Bearer"
    assert response.json()["detail"] == "User name and password do not match."


def test_a_user_who_may_no_longer_sign_in_gets_no_token(anonymous, director):
    User.objects.update(is_active=False)
    assert sign_in(anonymous).status_code == 401
    assert not AccessToken.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        *({"password": password} for password in ("", "a\0", "x" * 4097, ["x"], 5)),
        *({"username": username} for username in ("", "a\0", "x" * 151, None, True, 5)),
        {"remember": True},
    ],
)
def test_impossible_names_and_passwords_are_invalid(anonymous, director, wrong):
    response = sign_in(anonymous, **wrong)
    assert (response.status_code, response.json()["errors"][0]["field"]) == (400, next(iter(wrong)))


@pytest.mark.parametrize(
    "header",
    [
        "Bearer",
        "bearer x",
        "Token",
        "Token x",
        "Token a b",
        "Token \u00e6",
        "Token " + "x" * 41,
        "Token a\0b",
        "Token '",
    ],
)
def test_an_invalid_token_is_refused_even_for_reading(anonymous, header):
    response = anonymous.get("tournaments/", headers={"Authorization": header})
    assert (response.status_code, response.json()["code"]) == (401, "authentication_failed")


def test_guessing_a_password_is_slowed_down_whatever_the_client_claims_to_be(anonymous, director):
    for _attempt in range(10):
        assert sign_in(anonymous, password="wrong").status_code == 401
    response = anonymous.post(
        "token/", {"username": "director", "password": PASSWORD}, headers={"X-Forwarded-For": "10.0.0.9"}
    )
    assert (response.status_code, response.json()["code"]) == (429, "throttled")
    assert 0 < int(response.headers["Retry-After"]) <= 66
    assert sign_in(anonymous, username="somebody").status_code == 401


def test_guessing_names_is_slowed_down_too(anonymous, db):
    answers = [sign_in(anonymous, username=f"name{number}").status_code for number in range(61)]
    assert answers == [401] * 60 + [429]


def test_a_session_signs_in_and_needs_the_csrf_token(director):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(director)
    response = browser.post("/api/v1/tournaments/", NEW, content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (403, "permission_denied")
    check_answer("POST", "/api/v1/tournaments/", response)
    browser.get("/accounts/login/")
    token = browser.cookies["csrftoken"].value
    response = browser.post(
        "/api/v1/tournaments/", NEW, content_type="application/json", headers={"X-CSRFToken": token}
    )
    assert response.status_code == 201


def test_the_schema_is_public_and_the_documentation_shows_it(client, db):
    schema = client.get("/api/v1/schema/?format=json")
    assert json.loads(schema.content)["openapi"] == "3.1.0"
    page = client.get("/api/v1/docs/")
    assert page.status_code == 200
    assert "/api/v1/schema/" in client.get("/api/v1/docs/?script=").content.decode()


@pytest.mark.parametrize("address", ["schema", "docs"])
@pytest.mark.parametrize("query", ["version=%0d%0aa", "lang=../../x", "lang=" + "x" * 500])
def test_the_documentation_is_the_same_whatever_is_asked_for(client, db, address, query):
    assert client.get(f"/api/v1/{address}/?{query}").status_code == 200


@pytest.mark.parametrize("address", ["schema", "docs"])
def test_the_documentation_fails_with_problems_too(client, db, address):
    response = client.post(f"/api/v1/{address}/")
    assert (response.status_code, response.json()["code"]) == (405, "method_not_allowed")


def test_the_documentation_loads_nothing_from_elsewhere(client, db):
    page = client.get("/api/v1/docs/").content.decode()
    sources = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert len(sources) >= 4
    assert [source for source in sources if not source.startswith("/")] == []
