"""A request that arrives slowly keeps nobody else waiting, and holds no lock."""

import json
import threading
from io import BytesIO
from queue import Queue

import pytest

import config.bodies
from config.bodies import LARGEST, whole
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


def send(application, body, length: int | None, path: str = "/api/v1/token/") -> tuple[str, dict[str, str], bytes]:
    """Send a body of this length, or in chunks; return status, headers and body of the answer."""
    told: list[tuple[str, dict[str, str]]] = []
    environ = {"REQUEST_METHOD": "POST", "PATH_INFO": path, "wsgi.input": body}
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


def sending(application, body: Slow) -> Queue[str]:
    """Send the body from a thread of its own; the status is put into the queue."""
    answers: Queue[str] = Queue()
    threading.Thread(target=lambda: answers.put(send(application, body, 2)[0])).start()
    return answers


def test_a_body_is_whole_before_the_program_begins():
    slow = Slow(b"a", b"b")
    answers = sending(whole(echo), slow)
    slow.goes_on.set()
    assert answers.get(timeout=PATIENCE_SECONDS) == "200 OK"
    assert slow.pieces == []


def test_a_body_that_ends_early_is_handed_on_as_far_as_it_came():
    assert send(whole(echo), BytesIO(b"half"), 8) == ("200 OK", {}, b"half")


@pytest.mark.parametrize("path", ["/api/v1/token/", "/accounts/login/"])
def test_slow_bodies_keep_neither_readers_nor_more_threads_than_their_places(monkeypatch, path):
    monkeypatch.setattr(config.bodies, "PATIENCE_SECONDS", 0.01)
    application, slow = whole(echo, places=1), Slow(b"1", b"2")
    answers = sending(application, slow)
    slow.is_read.wait(PATIENCE_SECONDS)
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
    assert send(whole(told_length), BytesIO(b"in chunks"), None) == ("200 OK", {}, b"9 in chunks")


@pytest.mark.parametrize(("path", "kind"), [("/api/v1/token/", "application/problem+json"), ("/", "text/plain")])
@pytest.mark.parametrize("length", [LARGEST + 1, None])
def test_a_body_beyond_all_limits_is_not_taken(path, kind, length):
    status, headers, said = send(whole(echo), Endless(), length, path)
    assert (status, headers["Content-Type"].split(";")[0]) == ("413 Request Entity Too Large", kind)
    assert b"too long" in said
