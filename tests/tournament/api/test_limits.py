"""How often one may ask: what is counted, for whom, and what answers say of it."""

import pytest

from players.models import User
from tests.builders import build_director, build_event, build_tournament, fixture_of
from tests.tournament.api.client import CheckedClient
from tournament.entries.links import token_of

pytestmark = pytest.mark.django_db

SITE = "https://club.example.org"


@pytest.fixture(autouse=True)
def few(settings, monkeypatch) -> None:
    """Three reads, two writes, and five of everything by one address; all in one minute of the clock."""
    settings.API_READS, settings.API_WRITES = 3, 2
    settings.API_READS_BY_ADDRESS = settings.API_WRITES_BY_ADDRESS = 5
    monkeypatch.setattr("tournament.api.limits.time.time", lambda: 1_767_950_000.0)


def client_of(user: User) -> CheckedClient:
    client = CheckedClient()
    client.force_authenticate(user)
    return client


def test_answers_say_how_many_more_there_may_be(api):
    told = [api.get("formats/").headers for _time in range(3)]
    assert [headers["RateLimit-Policy"] for headers in told] == ['"reads";q=3;w=60'] * 3
    assert [headers["RateLimit"].split(";")[:2] for headers in told] == [['"reads"', f"r={left}"] for left in (2, 1, 0)]


def test_beyond_the_limit_nothing_is_done_and_the_answer_says_when_it_may_be(api, unchanged):
    new = {"name": "Open", "starts_on": "2026-01-09"}
    assert [api.post("tournaments/", new).status_code for _time in range(2)] == [201, 201]
    with unchanged():
        refused = api.post("tournaments/", new)
    assert (refused.status_code, refused.json()["code"]) == (429, "throttled")
    assert 1 <= int(refused.headers["Retry-After"]) <= 90
    assert "r=0" in refused.headers["RateLimit"]
    assert api.get("formats/").status_code == 200  # reads are counted apart


def test_what_somebody_has_already_is_not_counted(api):
    etag = api.get("formats/").headers["ETag"]
    for _time in range(10):
        assert api.get("formats/", headers={"If-None-Match": etag}).status_code == 304
    assert api.get("formats/").status_code == 200


def test_each_user_is_counted_apart(api):
    for _time in range(4):
        last = api.get("formats/")
    assert last.status_code == 429
    assert client_of(build_director("other")).get("formats/").status_code == 200


def test_all_who_are_not_signed_in_at_one_address_are_counted_together(anonymous):
    def asked(address: str) -> int:
        return anonymous.get("formats/", REMOTE_ADDR=address).status_code

    assert [asked("192.0.2.7") for _time in range(6)] == [200] * 5 + [429]
    assert asked("192.0.2.8") == 200
    assert [asked(f"2001:db8::{last}") for last in range(1, 7)] == [200] * 5 + [429]  # one home


def test_each_private_link_is_counted_apart_whatever_address_its_phone_has(anonymous, director):
    fixture = fixture_of(build_event(director, players=2, lengths=(5,)), "M1-1")
    for entry in (fixture.entry_a, fixture.entry_b):
        address = f"links/{token_of(entry)}/matches/{fixture.match.pk}/sheet/"
        assert [anonymous.get(address).status_code for _time in range(4)] == [200] * 3 + [429]


def test_links_that_nobody_was_given_are_counted_by_address(anonymous):
    addresses = [f"links/1.{number}~{'x' * 43}/matches/1/sheet/" for number in range(6)]
    assert [anonymous.get(address).status_code for address in addresses] == [404] * 5 + [429]


def test_without_a_limit_nothing_is_counted(api, settings):
    settings.API_READS = 0
    answers = [api.get("formats/") for _time in range(5)]
    assert {answer.status_code for answer in answers} == {200}
    assert not any("RateLimit" in answer.headers for answer in answers)


def test_a_version_is_compared_without_a_read_being_counted(api, director, settings):
    settings.API_WRITES = 100
    address = f"tournaments/{build_tournament(director).pk}/"
    for _time in range(5):
        assert api.patch(address, {"place": "X"}, headers={"If-Match": '"x"'}).status_code == 412
    assert api.get(address).status_code == 200


def test_pages_of_a_named_site_may_use_the_api_and_others_may_not(anonymous, settings):
    settings.CORS_ALLOWED_ORIGINS = [SITE]
    answer = anonymous.get("formats/", headers={"Origin": SITE})
    assert answer.headers["Access-Control-Allow-Origin"] == SITE
    assert "ETag" in answer.headers["Access-Control-Expose-Headers"]
    assert "Access-Control-Allow-Credentials" not in answer.headers
    other = anonymous.get("formats/", headers={"Origin": "https://elsewhere.example.org"})
    assert "Access-Control-Allow-Origin" not in other.headers


def test_a_browser_is_told_before_it_sends(client, settings):
    settings.CORS_ALLOWED_ORIGINS = [SITE]
    asks = {"Origin": SITE, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "if-match"}
    told = client.options("/api/v1/tournaments/", headers=asks)
    assert told.headers["Access-Control-Allow-Origin"] == SITE
    assert {"idempotency-key", "if-match", "authorization"} <= set(
        told.headers["Access-Control-Allow-Headers"].split(", ")
    )


@pytest.mark.parametrize("path", ["/", "/accounts/login/", "/healthz"])
def test_pages_are_for_this_site_alone(client, settings, path):
    settings.CORS_ALLOWED_ORIGINS = [SITE]
    answer = client.get(path, headers={"Origin": SITE})
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_by_default_no_other_site_may(anonymous):
    assert "Access-Control-Allow-Origin" not in anonymous.get("formats/", headers={"Origin": SITE}).headers
