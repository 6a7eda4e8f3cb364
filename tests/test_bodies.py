"""A request that arrives slowly keeps nobody else waiting, and holds no lock."""

import json
import threading
from io import BytesIO
from queue import Queue

import pytest

import config.bodies
from config.bodies import LARGEST, SMALL, sender_of, whole
from tests.processes import PATIENCE_SECONDS


class Slow:
    """A body of which the rest comes when ``goes_on`` is set; ``is_read`` is set once somebody waits for it."""

    def __init__(self, begun: bytes, rest: bytes) -> None:
        self.goes_on, self.is_read = threading.Event(), threading.Event()
        self.pieces = [begun, rest]

    def read(self, _size: int) -> bytes:
        self.is_read.set()
        self.goes_on.wait(PATIENCE_SECONDS)
        said, self.pieces = b"".join(self.pieces), []
        return said


class Endless:
    def read(self, size: int) -> bytes:
        return b" " * size


def send(
    application, body, length: int | None, path: str = "/api/v1/token/", address: str = "10.0.0.1"
) -> tuple[str, dict[str, str], bytes]:
    """Send a body of this length, or in chunks; return status, headers and body of the answer."""
    told: list[tuple[str, dict[str, str]]] = []
    environ = {"REQUEST_METHOD": "POST", "PATH_INFO": path, "wsgi.input": body, "REMOTE_ADDR": address}
    environ |= {"HTTP_TRANSFER_ENCODING": "chunked"} if length is None else {"CONTENT_LENGTH": str(length)}
    environ |= {"SERVER_NAME": "localhost", "SERVER_PORT": "80", "wsgi.url_scheme": "http"}
    said = b"".join(application(environ, lambda status, headers, *_rest: told.append((status, dict(headers)))))
    return *told[0], said


def echo(environ, start_response):
    start_response("200 OK", [])
    return [environ["wsgi.input"].read()]


def told_length(environ, start_response):
    start_response("200 OK", [])
    return [f"{environ['CONTENT_LENGTH']} ".encode(), environ["wsgi.input"].read()]


def sending(application, body: Slow, length: int = 2, address: str = "10.0.0.1") -> Queue[str]:
    """Send the body from a thread of its own, and wait until it is waited for; the status is put into the queue."""
    answers: Queue[str] = Queue()
    threading.Thread(target=lambda: answers.put(send(application, body, length, address=address)[0])).start()
    body.is_read.wait(PATIENCE_SECONDS)
    return answers


def test_a_body_is_whole_before_the_program_begins():
    slow = Slow(b"a", b"b")
    answers = sending(whole(echo, places=1), slow)
    slow.goes_on.set()
    assert answers.get(timeout=PATIENCE_SECONDS) == "200 OK"
    assert slow.pieces == []


def test_a_body_that_ends_early_is_not_acted_upon():
    """What a form says up to there may be something else: a score of 1, where it was to be 11."""
    status, headers, said = send(whole(echo, places=1), BytesIO(b"score=1"), 8)
    assert (status, headers["Retry-After"], json.loads(said)["code"]) == ("503 Service Unavailable", "10", "body_late")


@pytest.mark.parametrize("path", ["/api/v1/token/", "/accounts/login/"])
def test_slow_bodies_keep_neither_readers_nor_more_threads_than_their_places(monkeypatch, path):
    monkeypatch.setattr(config.bodies, "PATIENCE_SECONDS", 0.01)
    application, slow = whole(echo, places=1), Slow(b"1", b"2")
    answers = sending(application, slow)
    status, headers, said = send(application, BytesIO(b"{}"), 2, path)
    assert (status, headers["Retry-After"]) == ("503 Service Unavailable", "10")
    assert b"Other requests arrive slowly." in said
    if path.startswith("/api/"):
        assert json.loads(said)["code"] == "body_late"
    assert send(application, BytesIO(), 0)[0] == "200 OK"
    slow.goes_on.set()
    assert answers.get(timeout=PATIENCE_SECONDS) == "200 OK"
    assert send(application, BytesIO(b"{}"), 2)[0] == "200 OK"


def test_a_body_in_chunks_is_read_to_its_end():
    assert send(whole(told_length, places=1), BytesIO(b"in chunks"), None) == ("200 OK", {}, b"9 in chunks")


@pytest.mark.parametrize(("path", "kind"), [("/api/v1/token/", "application/problem+json"), ("/", "text/plain")])
@pytest.mark.parametrize("length", [LARGEST + 1, None])
def test_a_body_beyond_all_limits_is_not_taken(path, kind, length):
    status, headers, said = send(whole(echo, places=1), Endless(), length, path)
    assert (status, headers["Content-Type"].split(";")[0]) == ("413 Request Entity Too Large", kind)
    assert b"too long" in said


def test_nobody_has_every_place_and_large_bodies_keep_no_small_one_waiting(monkeypatch):
    monkeypatch.setattr(config.bodies, "PATIENCE_SECONDS", 0.01)
    application, slow = whole(echo, places=3), [Slow(b"1", b"2") for _each in range(3)]
    held = [sending(application, slow[0]), sending(application, slow[1], SMALL + 1, "10.0.0.2")]
    assert send(application, BytesIO(b"{}"), 2)[0] == "503 Service Unavailable"
    assert send(application, BytesIO(b"{}"), 2, address="10.0.0.2")[0] == "200 OK"
    held.append(sending(application, slow[2], address="10.0.0.2"))
    assert send(application, BytesIO(b"{}"), 2, address="10.0.0.3")[0] == "200 OK"
    for each, answers in zip(slow, held, strict=True):
        each.goes_on.set()
        assert answers.get(timeout=PATIENCE_SECONDS)
    assert send(application, BytesIO(b"{}"), 2)[0] == "200 OK"


def test_the_addresses_of_one_home_count_as_one():
    assert sender_of("2001:db8:1:2:a::1") == sender_of("2001:db8:1:2:b::2") != sender_of("2001:db8:1:3::1")
    assert sender_of("10.0.0.1") != sender_of("10.0.0.2")
