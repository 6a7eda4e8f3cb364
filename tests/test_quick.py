"""Live parts that are answered before Django: only the newest, only to readers without a session, and byte for byte."""

from dataclasses import replace
from io import BytesIO

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

import config.quick
from config.quick import MOST_BYTES, PARTS, Parts, Sent, heard_of, quick
from config.wsgi import handler, wired
from rules.score import Side
from tests.builders import build_director, build_event, open_matches, win
from tests.fresh import forget_everything
from tournament.changes.topics import read_topics, written
from tournament.draw.standings import store_standings
from tournament.models import Event
from tournament.pages.answers import SharedResponse, under

pytestmark = pytest.mark.django_db


class WentFartherError(Exception):
    """The request went the whole way."""


def beyond(_environ, _start_response):
    raise WentFartherError


@pytest.fixture
def event() -> Event:
    forget_everything()
    return build_event(build_director(), players=8)


def part_of(event: Event, name: str = "pairings") -> str:
    return f"{reverse(name, args=[event.tournament.slug, event.slug])}?fragment"


def heard(event: Event) -> str:
    return f"{event.pk}={written(read_topics([str(event.pk)])[str(event.pk)])}"


def asked(path: str, **more: str) -> dict:
    path, _mark, query = path.partition("?")
    given = {"REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": query, "SERVER_NAME": "testserver"}
    given |= {"SERVER_PORT": "80", "wsgi.url_scheme": "http", "wsgi.input": BytesIO(), "HTTP_HOST": "testserver"}
    return given | more


def answered(path: str, application=handler, **more: str) -> tuple[str, dict[str, str], bytes]:
    return sent_by(quick(application), path, **more)


def sent_by(application, path: str, **more: str) -> tuple[str, dict[str, str], bytes]:
    told: list = []
    parts = application(asked(path, **more), lambda status, headers, *_rest: told.append((status, headers)))
    status, headers = told[0]
    return status, {name: value for name, value in headers if name != "X-Request-ID"}, b"".join(parts)


@pytest.mark.parametrize("packed", ["", "gzip"])
def test_what_was_sent_a_moment_ago_is_sent_again_byte_for_byte_without_a_query(event, packed):
    more = {"HTTP_ACCEPT_ENCODING": packed, "HTTP_LIVE": heard(event)}
    first = answered(part_of(event), **more)
    with CaptureQueriesContext(connection) as queries:
        assert answered(part_of(event), beyond, **more) == first
        etag = first[1]["ETag"]
        status, headers, content = answered(part_of(event), beyond, HTTP_IF_NONE_MATCH=etag, **more)
    assert (status, headers["ETag"], content) == ("304 Not Modified", etag, b"")
    assert len(queries) == 0


def test_news_that_change_nothing_here_are_looked_up_once_and_not_by_each_page(event):
    """All pages ask again when the standings are stored, and all have the pairings already."""
    etag = answered(part_of(event), HTTP_LIVE=heard(event))[1]["ETag"]
    before = heard(event)
    store_standings(event.pk)
    news = heard(event)
    assert news != before
    assert answered(part_of(event), HTTP_LIVE=news, HTTP_IF_NONE_MATCH=etag)[::2] == ("304 Not Modified", b"")
    with CaptureQueriesContext(connection) as queries:
        status, headers, content = answered(part_of(event), beyond, HTTP_LIVE=news, HTTP_IF_NONE_MATCH=etag)
    assert (status, headers["ETag"], content, len(queries)) == ("304 Not Modified", etag, b"", 0)
    assert "Content-Length" not in headers


def test_the_database_is_asked_again_only_when_something_was_written(event, monkeypatch):
    stamp: tuple[int, ...] | None = (1, 1, 1)
    asked_for = []
    monkeypatch.setattr(config.quick, "database_stamp", lambda: stamp)
    sent = Sent(0.0, {}, lambda: asked_for.append(stamp) or True, "200 OK", (), b"", '"tag"')
    for stamp in [(1, 1, 1), (1, 1, 1), (1, 2, 1), (2, 1, 1), (1, 2, 1), None, None]:  # noqa: B007 - the closures read it
        assert sent.is_still_current()
    assert asked_for == [(1, 1, 1), (1, 2, 1), (2, 1, 1), None, None]
    changed = replace(sent, stamps=set(), is_current=lambda: False)
    assert not changed.is_still_current()
    assert not changed.is_still_current()


def test_a_page_that_has_heard_of_more_gets_it(event):
    before = heard(event)
    old = answered(part_of(event), HTTP_LIVE=before)
    win(open_matches(event)[0], Side.A)
    with pytest.raises(WentFartherError):
        answered(part_of(event), beyond, HTTP_LIVE=heard(event))
    new = answered(part_of(event), HTTP_LIVE=heard(event))
    assert new[2] != old[2]
    assert answered(part_of(event), beyond, HTTP_LIVE=before) == new


@pytest.mark.parametrize(
    "more",
    [
        {"HTTP_COOKIE": "messages=x"},
        {"HTTP_COOKIE": "sessionid=x"},
        {"HTTP_COOKIE": "sessionid =x"},
        {"HTTP_COOKIE": "theme=dark;messages = x"},
        {"HTTP_ACCEPT_LANGUAGE": "da"},
        {"HTTP_COOKIE": "django_language=da"},
        {"HTTP_HOST": "elsewhere.example"},
        {"REQUEST_METHOD": "POST"},
        {"QUERY_STRING": "fragment&at=1"},
        {"HTTP_ACCEPT_ENCODING": "gzip"},
    ],
    ids=str,
)
def test_whatever_differs_goes_the_whole_way(event, more):
    answered(part_of(event), HTTP_LIVE=heard(event))
    with pytest.raises(WentFartherError):
        answered(part_of(event), beyond, HTTP_LIVE=heard(event), **more)


@pytest.mark.parametrize(
    "cookie", ["django_language =de", 'django_language="de"', "a;django_language= de", "django_language\xc2\xa0=de"]
)
def test_a_cookie_means_here_what_it_means_to_the_page(event, cookie):
    """Otherwise a page in one reader's language would be sent to the others."""
    german = answered(part_of(event), HTTP_COOKIE=cookie)
    assert german[1]["Content-Language"] == "de"
    with pytest.raises(WentFartherError):
        answered(part_of(event), beyond)
    assert answered(part_of(event), beyond, HTTP_COOKIE="django_language=de") == german


@pytest.mark.parametrize(
    ("asked", "alike"),
    [
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("no,nn;q=0.9,en;q=0.8", "nb"),
        ("nn-NO,nn;q=0.9", "nn-NO,nn;q=0.9"),
        ("fr", ""),
        ("tlh, en;q=0.1", "en-GB"),
    ],
)
def test_readers_of_one_language_are_sent_the_same(event, asked, alike):
    """However their browsers ask for it: nobody fills the memory with languages that there are not."""
    first = answered(part_of(event), HTTP_ACCEPT_LANGUAGE=asked)
    assert answered(part_of(event), beyond, HTTP_ACCEPT_LANGUAGE=alike) == first
    assert answered(part_of(event), beyond, HTTP_ACCEPT_LANGUAGE=asked) == first


def test_a_page_sent_as_https_is_not_sent_as_http(event, settings):
    """A page asked for as http is answered with the way to https."""
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    first = answered(part_of(event), HTTP_X_FORWARDED_PROTO="https")
    for told in ({}, {"HTTP_X_FORWARDED_PROTO": "http"}):
        with pytest.raises(WentFartherError):
            answered(part_of(event), beyond, **told)
    assert answered(part_of(event), beyond, HTTP_X_FORWARDED_PROTO="https") == first


def test_what_was_sent_is_sent_again_behind_a_proxy_too(event, settings):
    settings.HTTPS, settings.TRUSTED_PROXIES = True, ["127.0.0.1"]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    told = {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "10.0.0.7", "HTTP_X_FORWARDED_PROTO": "https"}
    first = sent_by(wired(handler), part_of(event), **told)
    assert first[0] == "200 OK"
    assert sent_by(wired(beyond), part_of(event), **told) == first


def test_only_so_much_is_kept_whoever_asks_and_for_whatever(event):
    """The host is the reader's own word."""
    parts = Parts()
    response = _response(kept_for(event))
    response.content = b"x" * 100_000
    for number in range(200):
        parts.keep(asked("/", HTTP_HOST=f"{number}.example"), response)
    assert len(parts) == MOST_BYTES // 101_000
    parts.clear()
    response.content = b""
    for number in range(200):
        parts.keep(asked("/", HTTP_HOST=f"{number}.{'x' * 100_000}"), response)
    assert 0 < len(parts) <= MOST_BYTES // 100_000


@pytest.mark.parametrize("told", ["", "nonsense", "999=1.1.1"])
@pytest.mark.parametrize("query", ["", "?fragment"])
def test_without_news_one_query_says_whether_it_is_still_current(event, told, query):
    page = part_of(event).partition("?")[0] + query
    more = {"HTTP_LIVE": told} if told else {}
    first = answered(page, **more)
    with CaptureQueriesContext(connection) as queries:
        assert answered(page, beyond, **more) == first
    assert len(queries) == 1
    win(open_matches(event)[0], Side.A)
    with pytest.raises(WentFartherError):
        answered(page, beyond, **more)


def test_a_player_who_was_renamed_is_not_shown_as_before(event):
    player = event.entries.first().player
    page = reverse("player", args=[player.pk])
    answered(page)
    player.name = "Renamed"
    player.save()
    assert b"Renamed" in answered(page)[2]


def test_nothing_that_belongs_to_a_reader_is_kept(event):
    director = Client()
    director.force_login(event.tournament.appointments.get().user)
    for page in (part_of(event), reverse("desk", args=[event.tournament.slug]) + "?fragment"):
        assert director.get(page, headers={"Live": heard(event)}).status_code == 200
    assert len(PARTS) == 0


def test_a_part_is_sent_again_for_a_few_seconds_only(event):
    now = 0.0
    parts = Parts(clock=lambda: now)
    sent = kept_for(event)
    environ = asked(part_of(event))
    parts.keep(environ, _response(sent))
    assert parts.find(environ, dict(sent.versions)) is not None
    now = 6.0
    assert parts.find(environ, dict(sent.versions)) is None


def kept_for(event: Event) -> Sent:
    """What is kept after one request for a live part of the event."""
    answered(part_of(event))
    sent = PARTS.find(asked(part_of(event)), {})
    assert sent is not None
    return sent


def _response(sent):
    return under(sent.etag, SharedResponse(sent.content, "tag", sent.versions, sent.is_current))


@pytest.mark.parametrize("told", ["", "3", "3=", "3=x", "3=1.1.1;4=2", "=1", "3=1," * 60, "3=" + "1" * 200])
def test_versions_that_cannot_be_read_are_none(told):
    assert heard_of({"HTTP_LIVE": told}) == {}
