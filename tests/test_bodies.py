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
    """A body of which the rest comes when ``goes_on`` is set."""

    def __init__(self, begun: bytes, rest: bytes) -> None:
        self.goes_on = threading.Event()
        self.pieces = [begun, rest]

    def read(self, _size: int = -1) -> bytes:
        if len(self.pieces) == 1:
            self.goes_on.wait(PATIENCE_SECONDS)
        return self.pieces.pop(0) if self.pieces else b""


def send(application, body, length: int, path: str = "/api/v1/token/") -> tuple[str, dict[str, str], bytes]:
    told: list[tuple[str, dict[str, str]]] = []
    environ = {"REQUEST_METHOD": "POST", "PATH_INFO": path, "wsgi.input": body, "CONTENT_LENGTH": str(length)}
    environ |= {"SERVER_NAME": "localhost", "SERVER_PORT": "80", "wsgi.url_scheme": "http"}
    said = b"".join(application(environ, lambda status, headers, *_rest: told.append((status, dict(headers)))))
    return *told[0], said


def echo(environ, start_response):
    start_response("200 OK", [])
    return [environ["wsgi.input"].read()]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config.bodies, "AT_ONCE_SECONDS", 0.01)
    monkeypatch.setattr(config.bodies, "SECONDS", 0.01)


def test_a_body_is_whole_before_the_program_begins():
    slow = Slow(b"first ", b"second")
    answers = []
    sending = threading.Thread(target=lambda: answers.append(send(whole(echo), slow, 12)))
    sending.start()
    slow.goes_on.set()
    sending.join(PATIENCE_SECONDS)
    assert answers == [("200 OK", {}, b"first second")]


def test_a_body_that_ends_early_is_handed_on_as_far_as_it_came():
    assert send(whole(echo), BytesIO(b"half"), 8) == ("200 OK", {}, b"half")


@pytest.mark.parametrize("path", ["/api/v1/token/", "/accounts/login/"])
def test_a_body_that_takes_too_long_is_answered_without_the_program(impatient, path):
    def never(_environ, _start_response):
        raise AssertionError("the program was asked")

    slow = Slow(b"{", b"}")
    status, headers, said = send(whole(never), slow, 2, path)
    slow.goes_on.set()
    assert (status, headers["Retry-After"]) == ("503 Service Unavailable", "10")
    assert b"The request did not arrive in time." in said
    if path.startswith("/api/"):
        assert json.loads(said)["code"] == "body_late"


def test_only_so_many_slow_bodies_are_waited_for(monkeypatch):
    monkeypatch.setattr(config.bodies, "AT_ONCE_SECONDS", 0.01)
    monkeypatch.setattr(config.bodies, "SECONDS", PATIENCE_SECONDS)
    application = whole(echo, places=1)
    bodies = [Slow(b"1", b"2"), Slow(b"1", b"2")]
    answers: Queue[str] = Queue()
    for body in bodies:
        threading.Thread(target=lambda body=body: answers.put(send(application, body, 2)[0])).start()
    assert answers.get(timeout=PATIENCE_SECONDS) == "503 Service Unavailable"
    for body in bodies:
        body.goes_on.set()
    assert answers.get(timeout=PATIENCE_SECONDS) == "200 OK"


def test_a_body_that_is_there_takes_no_place_of_the_slow_ones(monkeypatch):
    monkeypatch.setattr(config.bodies, "AT_ONCE_SECONDS", PATIENCE_SECONDS)
    assert send(whole(echo, places=0), BytesIO(b"at once"), 7) == ("200 OK", {}, b"at once")


@pytest.mark.parametrize(("path", "kind"), [("/api/v1/token/", "application/problem+json"), ("/", "text/plain")])
def test_a_body_beyond_all_limits_is_not_read(path, kind):
    status, headers, said = send(whole(echo), Slow(b"", b""), LARGEST + 1, path)
    assert (status, headers["Content-Type"].split(";")[0]) == ("413 Request Entity Too Large", kind)
    assert b"too long" in said
