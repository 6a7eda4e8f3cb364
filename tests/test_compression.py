"""Compressed answers: what is packed, what is not, and that no length tells a secret."""

import gzip

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import RequestFactory
from django.urls import reverse

from config.compression import MEMORY, CompressionMiddleware, takes_gzip
from tests.builders import build_director, build_event
from tournament.pages.answers import SharedResponse

GZIP = {"Accept-Encoding": "gzip, deflate"}
TEXT = b"Bo plays Al at table 4. " * 200


def sent(response, **headers: str):
    request = RequestFactory().get("/", headers=headers)
    return CompressionMiddleware(lambda _request: response)(request)


@pytest.mark.parametrize(
    ("accepted", "takes"),
    [
        ("gzip", True),
        ("deflate, gzip;q=1.0, *;q=0.5", True),
        ("br;q=1.0, GZIP;q=0.8", True),
        ("*", True),
        ("", False),
        ("identity", False),
        ("gzip;q=0", False),
        ("gzip; q=0.0", False),
        ("x-gzip-like", False),
        ("*, gzip;q=0", False),
        ("*;q=0, gzip", True),
        ("gzip;q=0.001", True),
        ("identity;q=0.5, *;q=0", False),
    ],
)
def test_only_a_browser_that_can_unpack_gets_packed_answers(accepted, takes):
    assert takes_gzip(accepted) is takes
    answer = sent(HttpResponse(TEXT), **{"Accept-Encoding": accepted})
    assert answer.has_header("Content-Encoding") is takes
    assert answer["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize(
    "kind", ["text/html; charset=utf-8", "application/json", "application/problem+json", "image/svg+xml"]
)
def test_texts_are_packed(kind):
    answer = sent(HttpResponse(TEXT, content_type=kind, headers={"ETag": '"one"'}), **GZIP)
    assert gzip.decompress(answer.content) == TEXT
    assert (answer["Content-Encoding"], answer["ETag"]) == ("gzip", 'W/"one"')
    assert int(answer["Content-Length"]) == len(answer.content) < len(TEXT)


@pytest.mark.parametrize(
    "response",
    [
        HttpResponse(TEXT, content_type="image/png"),
        HttpResponse(TEXT, content_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        HttpResponse(gzip.compress(TEXT), headers={"Content-Encoding": "gzip"}),
        HttpResponse(b"short"),
        HttpResponse(status=304),
    ],
    ids=["picture", "workbook", "packed", "short", "unchanged"],
)
def test_what_is_packed_already_or_short_stays_as_it_is(response):
    before = response.content
    assert sent(response, **GZIP).content == before


def test_a_stream_stays_a_stream():
    answer = sent(StreamingHttpResponse([TEXT, TEXT]), **GZIP)
    assert answer.streaming
    assert b"".join(answer) == TEXT * 2


def test_the_length_of_an_answer_to_one_reader_differs_at_random():
    """Otherwise a secret could be guessed from the length of answers with guesses beside it (BREACH)."""
    assert len({len(sent(HttpResponse(TEXT), **GZIP).content) for _each in range(50)}) > 5


def test_what_everybody_gets_alike_is_packed_once():
    MEMORY.clear()
    first, again = (sent(SharedResponse(TEXT, "tag", {}, lambda: True), **GZIP).content for _each in range(2))
    assert first is again
    other = sent(SharedResponse(TEXT[:-1], "other", {}, lambda: True), **GZIP)
    assert gzip.decompress(other.content) == TEXT[:-1]


@pytest.mark.django_db
def test_a_page_that_a_browser_has_is_not_sent_again_though_it_was_packed(client):
    event = build_event(build_director(), players=16)
    page = reverse("pairings", args=[event.tournament.slug, event.slug])
    for address in (page, f"{page}?fragment"):
        first = client.get(address, headers=GZIP)
        assert (first.status_code, first["Content-Encoding"]) == (200, "gzip")
        again = client.get(address, headers={**GZIP, "If-None-Match": first["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert gzip.decompress(first.content) == client.get(address).content
