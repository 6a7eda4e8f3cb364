"""Few requests are answered at once, however many are taken in; and only these have a database connection."""

import threading
from io import BytesIO
from queue import Queue

from django.db import DEFAULT_DB_ALIAS, connections
from django.http import FileResponse, HttpResponse

from config.answering import Few
from config.bodies import whole
from config.sqlite.waiting import in_page
from config.wsgi import wired
from tests.processes import PATIENCE_SECONDS
from tests.test_bodies import Slow, send, sending
from tournament.exports.spool import spooled


def test_few_are_answered_at_once_with_as_many_connections_however_many_are_taken_in():
    begun, goes_on, waiting = Queue(), threading.Event(), []

    def answering(_environ, start_response):
        begun.put(connections[DEFAULT_DB_ALIAS])
        goes_on.wait(PATIENCE_SECONDS)
        start_response("200 OK", [])
        return []

    application = whole(Few(2)(answering), places=10)
    bodies = [Slow(b"1", b"2") for _each in range(3)]
    late = [sending(application, body) for body in bodies]
    for _each in range(5):
        waiting.append(threading.Thread(target=send, args=(application, BytesIO(b"{}"), 2, "/", "10.0.0.2")))
        waiting[-1].start()
    first = [begun.get(timeout=PATIENCE_SECONDS) for _each in range(2)]
    assert first[0] is not first[1]
    assert begun.empty()
    goes_on.set()
    for thread in waiting:
        thread.join(PATIENCE_SECONDS)
    for body in bodies:
        body.goes_on.set()
    assert [answers.get(timeout=PATIENCE_SECONDS) for answers in late] == ["200 OK"] * 3
    assert all(begun.get_nowait() in first for _each in range(6))


def test_an_answer_is_closed_while_it_has_its_connection_which_is_left_to_others():
    """Django looks after the connection of the thread that closes an answer."""
    made, closed, left = [], [], []

    class Answer(HttpResponse):
        def close(self) -> None:
            closed.append(connections[DEFAULT_DB_ALIAS])

    def answering(_environ, start_response):
        made.append(connections[DEFAULT_DB_ALIAS])
        start_response("200 OK", [])
        return Answer(b"made")

    def ask() -> None:
        assert list(Few(1)(answering)({}, lambda *_told: None)) == [b"made"]
        left.append(list(connections.all(initialized_only=True)))

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join(PATIENCE_SECONDS)
    assert (closed, left) == (made, [[]])


def test_a_file_is_received_slowly_without_a_place_and_without_a_connection():
    made, received, left = [], [], []

    def answering(_environ, _start_response):
        def pieces():
            made.append(connections[DEFAULT_DB_ALIAS])
            yield b"made"

        return FileResponse(spooled(pieces()))

    def ask() -> None:
        application = Few(1)(answering)
        slow, quick = (application({}, lambda *_told: None) for _each in range(2))
        for answer in (quick, slow):
            received.append(b"".join(answer))
            answer.close()
        left.append(list(connections.all(initialized_only=True)))

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(PATIENCE_SECONDS)
    assert (received, left, made[0] is made[1]) == ([b"made"] * 2, [[]], True)


def test_whatever_may_ask_the_database_is_one_of_the_few_and_waits_as_a_page_does():
    """Otherwise there would be a connection for each thread that takes requests in."""
    ran: list[tuple[str, bool]] = []

    def few(application):
        def noted(environ, start_response):
            ran.append((environ["PATH_INFO"], in_page.get()))
            return application(environ, start_response)

        return noted

    def page(_environ, start_response):
        start_response("200 OK", [])
        return []

    application = wired(page, few=few)
    for path in ("/", "/metrics"):
        send(application, BytesIO(b"{}"), 2, path)
    assert ran == [("/", True), ("/metrics", True)]
