"""Whatever is sent gets a problem or an answer as the schema says, never a 5xx, and a refusal changes nothing."""

import json
from pathlib import Path

import pytest
from django.conf import settings
from django.db import transaction

from rules.records.formats import MAX_BYTES
from tests.builders import build_event, fixture_of
from tests.fresh import forget_everything
from tests.tournament.api.client import database

NESTED = 200_000
BROKEN = {
    "empty": b"",
    "cut off": b"{",
    "a list": b"[]",
    "null": b"null",
    "a number": b"5",
    "a text": b'"x"',
    "a boolean": b"true",
    "NaN": b'{"base": NaN}',
    "Infinity": b"[-Infinity]",
    "invalid UTF-8": b'{"name": "\xff"}',
    "UTF-16": '{"name": "x"}'.encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf{}",
    "deep lists": b"[" * NESTED + b"]" * NESTED,
    "deep objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "an endless number": b'{"base": ' + b"9" * 5000 + b"}",
    "half a character": b'{"name": "\\ud83d"}',
    "half a character in a name": b'{"\\ud83d": 1}',
    "NUL": b"\0",
    "too long": b'"' + b"x" * 1_000_001 + b'"',
    "an unknown field": b'{"nonsense": 1}',
    "a field with a strange name": '{"\\u0000😀": 1}'.encode(),
}

WRONG = [
    *(True, False, None, 0, -1, 1.5, 1e300, 10**400, 2**31, 2**63, 2**64, -(2**70)),
    *("", " ", "5", "1", "\0", "a\0b", "\u202e", "😀", "\x1b[0m", "x" * 100_000, "DROP TABLE", "A ", "true"),
    *([], [[]], [None], ["x"], [1, 2, 3], [True, False], [10**400, 1], {}, {"a": 1}, [{}], [{"winner": "A"}] * 501),
]


@pytest.fixture
def places(director) -> dict[str, tuple[str, str, dict]]:
    """Every address that reads a JSON body, with a body that it accepts."""
    drawn = build_event(director, players=4, lengths=(5,))
    open_event = build_event(director, players=4, drawn=False, tournament=drawn.tournament)
    entry = open_event.entries.first()
    terms = {
        "name": "Side",
        "format": "round-robin",
        "options": {"lengths": [3]},
        "profile": "wbgf",
        "crawford": True,
        "tiebreaks": [],
    }
    match = fixture_of(drawn, "M1-1").match
    games = [{"winner": "A", "cube": 8, "level": 1, "ending": "bearoff"}]
    return {
        "token": ("POST", "token/", {"username": "director", "password": "long-enough-for-tests"}),
        "tournament": ("POST", "tournaments/", {"name": "Open", "place": "Odense", "starts_on": "2026-01-09"}),
        "event": ("POST", f"tournaments/{drawn.tournament_id}/events/", terms),
        "terms": ("PATCH", f"events/{open_event.pk}/", terms),
        "entry": (
            "POST",
            f"events/{open_event.pk}/entries/",
            {"name": "Bo", "club": "Odense", "country": "DK", "seed": 5},
        ),
        "list": ("POST", f"events/{open_event.pk}/entries/list/", {"entries": [{"name": "Bo"}]}),
        "text": ("POST", f"events/{open_event.pk}/entries/list/", {"text": "Bo"}),
        "seed": ("PUT", f"entries/{entry.pk}/seed/", {"seed": 1}),
        "result": (
            "POST",
            f"matches/{match.pk}/result/",
            {"key": "k", "base": 0, "games": games, "confirmed": True, "reason": "", "conclusion": "played"},
        ),
        "award": (
            "POST",
            f"matches/{match.pk}/result/",
            {"key": "k", "base": 0, "final": None, "conclusion": "walkover", "awarded_to": "A"},
        ),
        "void": ("POST", f"matches/{match.pk}/void/", {"base": 1, "reason": "wrong"}),
    }


PLACES = ["token", "tournament", "event", "terms", "entry", "list", "text", "seed", "result", "award", "void"]


@pytest.mark.parametrize("broken", BROKEN)
def test_a_body_that_is_not_a_request_changes_nothing(api, places, unchanged, broken):
    with unchanged():
        for method, address, _body in places.values():
            response = api.generic(method, address, BROKEN[broken], content_type="application/json")
            assert response.status_code == (413 if broken == "too long" else 400), address


@pytest.mark.parametrize("broken", ["half a character", "half a character in a name", "NaN", "deep lists", "null"])
def test_an_unreadable_body_is_distinguished_from_an_invalid_one(api, broken):
    response = api.generic("POST", "tournaments/", BROKEN[broken], content_type="application/json")
    assert response.json()["code"] == ("invalid" if broken == "null" else "parse_error")


@pytest.mark.parametrize("place", PLACES)
def test_a_field_of_another_type_is_refused_or_accepted_whole(api, places, place):
    method, address, body = places[place]
    before = _rows()
    for field in body:
        for value in WRONG:
            data = json.dumps({**body, field: value})
            with transaction.atomic():
                response = api.generic(method, address, data, content_type="application/json")
                transaction.set_rollback(response.status_code < 300)
            forget_everything()
            assert response.status_code < 500
            if not isinstance(value, type(body[field])) and value is not None and body[field] is not None:
                assert response.status_code == 400, (field, value)
    assert _rows() == before


def _rows() -> dict[str, list[dict]]:
    """Every row but those of the log of the door, which holds failures too."""
    rows = database()
    del rows["tournament.SignInEvent"]
    return rows


@pytest.mark.parametrize("field", ["winner", "cube", "level", "ending"])
@pytest.mark.parametrize("wrong", [None, "1", "2", 1.0, True, [1], {"A": 1}, "a", "", 1e300, "B" * 5000])
def test_a_game_is_strict_about_its_fields(api, places, unchanged, field, wrong):
    method, address, body = places["result"]
    game = {**body["games"][0], field: wrong}
    with unchanged():
        response = api.generic(method, address, json.dumps({**body, "games": [game]}), content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (400, "invalid")
    assert response.json()["errors"][0]["field"] == f"games.0.{field}"


def test_a_problem_names_every_field_that_is_wrong(api, places, unchanged):
    with unchanged():
        response = api.post("tournaments/", {"name": 5, "starts_on": "2026-02-30"})
    assert response.json() == {
        "type": "/api/v1/problems/invalid/",
        "title": "Bad Request",
        "status": 400,
        "detail": "name: Not a valid string. starts_on: Date has wrong format. "
        "Use one of these formats instead: YYYY-MM-DD.",
        "code": "invalid",
        "errors": [
            {"field": "name", "code": "invalid", "message": "Not a valid string."},
            {
                "field": "starts_on",
                "code": "invalid",
                "message": "Date has wrong format. Use one of these formats instead: YYYY-MM-DD.",
            },
        ],
    }


def test_a_problem_names_twenty_fields_at_most(api, places):
    method, address, body = places["result"]
    games = [{"winner": "C"}] * 100
    response = api.generic(method, address, json.dumps({**body, "games": games}), content_type="application/json")
    assert [error["field"] for error in response.json()["errors"]] == [f"games.{number}.winner" for number in range(20)]


@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "x", "text/csv"],
)
def test_another_media_type_is_refused(api, places, unchanged, content_type):
    with unchanged():
        for method, address, _body in places.values():
            response = api.generic(method, address, b"name=x", content_type=content_type)
            assert (response.status_code, response.json()["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize("charset", ["hex", "zlib", "utf-16", "undefined", "latin-1", "nonsense"])
def test_json_is_utf8_whatever_the_charset_claims(api, charset):
    data = '{"name": "Ærø", "starts_on": "2026-01-09"}'.encode()
    response = api.generic("POST", "tournaments/", data, content_type=f"application/json; charset={charset}")
    assert (response.status_code, response.json()["name"]) == (201, "Ærø")


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "image/*"])
def test_only_json_can_be_asked_for(api, places, unchanged, accept):
    with unchanged():
        for method, address, body in places.values():
            response = api.generic(
                method, address, json.dumps(body), content_type="application/json", headers={"Accept": accept}
            )
            assert (response.status_code, response.json()["code"]) == (406, "not_acceptable")


def test_the_frameworks_sentences_are_ours_and_translated(api):
    accept = api.get("formats/", headers={"Accept": "text/html"}).json()
    empty = api.generic("POST", "tournaments/", "null", content_type="application/json").json()
    assert (accept["code"], accept["detail"]) == (
        "not_acceptable",
        "The API answers in JSON: ask for it in the Accept header, or leave the header out.",
    )
    assert (empty["code"], empty["detail"]) == ("invalid", "The request is empty: send a JSON object.")
    assert [error["code"] for error in empty["errors"]] == ["null"]
    danish = api.get("formats/", headers={"Accept": "text/html", "Accept-Language": "da"}).json()
    assert danish["detail"].startswith("API'et svarer i JSON")


def test_other_methods_are_refused(api, places, unchanged):
    with unchanged():
        for _method, address, _body in places.values():
            response = api.generic("TRACE", address)
            assert (response.status_code, response.json()["code"]) == (405, "method_not_allowed")
            assert response.headers["Allow"]


MANY_FIELDS = "&".join(f"a{n}=1" for n in range(settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + 100))


@pytest.mark.parametrize("query", ["format=xml", "format=%00", MANY_FIELDS])
def test_an_unanswerable_query_is_a_problem(api, query):
    assert api.get(f"formats/?{query}").status_code in {400, 404}


def test_an_unreadable_query_is_a_problem_where_a_moment_can_be_asked_for(api, director):
    event = build_event(director, players=2)
    for address in (f"events/{event.pk}/", f"events/{event.pk}/log/"):
        assert api.get(f"{address}?{MANY_FIELDS}").status_code == 400


RECORD = Path(__file__).parents[2] / "data" / "records" / "galaxy-5pt.mat"


@pytest.mark.parametrize("content_type", ["text/plain", "application/octet-stream", "application/x-go-sgf"])
def test_a_record_is_verified_by_anybody_and_not_stored(anonymous, unchanged, content_type):
    with unchanged():
        response = anonymous.generic("POST", "records/verify/", RECORD.read_bytes(), content_type=content_type)
    assert response.status_code == 200
    body = response.json()
    assert (body["verdict"], body["length"], body["finding"]) == ("proved", 5, None)
    assert max(body["score"]) == 5


@pytest.mark.parametrize(
    ("name", "verdict", "finding"),
    [
        ("gnubg-3pt-analysed.sgf", "proved", None),
        ("gnubg-3pt-illegal.sgf", "quarantined", "illegal_play"),
        ("gnubg-3pt-illegal.txt", "quarantined", "illegal_play"),
    ],
)
@pytest.mark.parametrize("content_type", ["text/plain", "application/octet-stream", "application/x-go-sgf"])
def test_the_format_of_a_record_follows_from_its_content(anonymous, name, verdict, finding, content_type):
    data = (RECORD.parent / name).read_bytes()
    body = anonymous.generic("POST", "records/verify/", data, content_type=content_type).json()
    assert (body["verdict"], body["finding"] and body["finding"]["code"]) == (verdict, finding)


def test_a_tampered_record_is_refused_where_it_departs_from_the_rules(anonymous):
    data = RECORD.read_bytes()
    tampered = data.replace(b"Doubles => 2", b"Doubles => 4", 1)
    assert tampered != data
    body = anonymous.generic("POST", "records/verify/", tampered, content_type="text/plain").json()
    assert body["verdict"] == "refused"
    assert body["finding"]["game"] >= 1
    assert body["finding"]["row"] >= 1


@pytest.mark.parametrize(
    "data", [b"", b"\0", b"\xff\xfe", b" 5 point match\n", bytes(range(256)) * 100, b"(" * 100_000]
)
def test_a_file_that_is_not_a_record_is_refused_with_a_sentence(anonymous, data):
    body = anonymous.generic("POST", "records/verify/", data, content_type="text/plain").json()
    assert (body["verdict"], bool(body["finding"]["message"])) == ("refused", True)


def test_the_size_of_a_record_is_limited(anonymous):
    response = anonymous.generic("POST", "records/verify/", b"x" * (MAX_BYTES + 1), content_type="text/plain")
    assert (response.status_code, response.json()["code"]) == (413, "too_large")


def test_the_rate_of_verifying_is_limited(anonymous):
    def verify_one() -> int:
        return anonymous.generic("POST", "records/verify/", b"x", content_type="text/plain").status_code

    assert [verify_one() for _number in range(61)] == [200] * 60 + [429]
