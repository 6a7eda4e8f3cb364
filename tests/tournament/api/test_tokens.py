"""A token signs in whom it belongs to, for as long as it and they are there."""

import pytest
from rest_framework.authtoken.models import Token
from rest_framework.test import APIClient

from players.models import User
from tests.builders import build_event, fixture_of


def send(match, key: str) -> tuple[int, str | None]:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {key}")
    body = {"key": "k", "base": 0, "final": [5, 1]}
    answer = client.post(f"/api/v1/matches/{match.pk}/result/", body, format="json")
    return answer.status_code, answer.json().get("code")


@pytest.fixture
def match(director):
    return fixture_of(build_event(director), "M1-1").match


def test_a_token_signs_in_until_it_is_replaced_or_its_user_may_no_longer(director, match):
    key = Token.objects.create(user=director).key
    other = Token.objects.create(user=User.objects.create_user("other")).key
    assert [send(match, one) for one in (key, key, other)] == [(201, None), (200, None), (403, "role_missing")]
    refused = (401, "authentication_failed")
    for unknown in (key[:-1], key + "0", key.upper(), "0", "1900000001", f"{key} "[:39] + "é"):
        assert send(match, unknown) == refused
    User.objects.filter(pk=director.pk).update(is_active=False)
    assert send(match, key) == refused
    User.objects.filter(pk=director.pk).update(is_active=True)
    assert send(match, key) == (200, None)
    Token.objects.filter(user=director).delete()
    assert send(match, key) == refused
