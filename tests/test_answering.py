"""Few threads answer, however many take requests in; and only these ask the database."""

import threading
from io import BytesIO
from queue import Queue

from django.http import HttpResponse

from config.answering import few_threads
from config.bodies import whole
from config.sqlite.waiting import in_page
from config.wsgi import wired
from tests.processes import PATIENCE_SECONDS
from tests.test_bodies import Slow, send, sending


def test_those_who_answer_are_few_however_many_listen():
    begun, goes_on, waiting = Queue(), threading.Event(), []

    def answering(_environ, start_response):
        begun.put(threading.get_ident())
        goes_on.wait(PATIENCE_SECONDS)
        start_response("200 OK", [])
        return []

    application = whole(few_threads(2)(answering), places=10)
    bodies = [Slow(b"1", b"2") for _each in range(3)]
    late = [sending(application, body) for body in bodies]
    for _each in range(5):
        waiting.append(threading.Thread(target=send, args=(application, BytesIO(b"{}"), 2, "/", "10.0.0.2")))
        waiting[-1].start()
    first = {begun.get(timeout=PATIENCE_SECONDS) for _each in range(2)}
    goes_on.set()
    for thread in waiting:
        thread.join(PATIENCE_SECONDS)
    for body in bodies:
        body.goes_on.set()
    assert [answers.get(timeout=PATIENCE_SECONDS) for answers in late] == ["200 OK"] * 3
    assert {*first, *(begun.get_nowait() for _each in range(6))} == first


def test_an_answer_is_closed_by_the_thread_that_made_it():
    """Django looks after the database connection of the thread that closes it."""
    closed: list[int] = []
    made: list[int] = []

    class Answer(HttpResponse):
        def close(self) -> None:
            closed.append(threading.get_ident())

    def answering(_environ, start_response):
        made.append(threading.get_ident())
        start_response("200 OK", [])
        return Answer(b"made")

    assert list(few_threads(1)(answering)({}, lambda *_told: None)) == [b"made"]
    assert closed == made != [threading.get_ident()]


def test_whatever_may_ask_the_database_runs_in_those_threads_and_waits_as_a_page_does():
    """Otherwise there would be a connection for each thread that takes requests in."""
    ran: list[tuple[str, bool]] = []

    def threads(application):
        def noted(environ, start_response):
            ran.append((environ["PATH_INFO"], in_page.get()))
            return application(environ, start_response)

        return noted

    def page(_environ, start_response):
        start_response("200 OK", [])
        return []

    application = wired(page, threads=threads)
    for path in ("/", "/metrics"):
        send(application, BytesIO(b"{}"), 2, path)
    assert ran == [("/", True), ("/metrics", True)]
