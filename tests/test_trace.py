"""The id of a request in the log and in the tasks it asks for, the access log, and what is secret in an address."""

import json
import logging
import re

import pytest
from celery import shared_task
from django.conf import settings as given
from django.test import Client
from django.urls import get_resolver

from config.access import observed
from config.celery import app
from config.logs import FieldFormatter, JSONFormatter, logging_config
from config.private_paths import SECRETS, names_in, routes, without_secrets
from config.trace import belonging_to, current_request_id
from config.wsgi import handler

NO_SECRETS = {
    *("code", "kind", "name", "slug", "system", "format", "action", "way", "back", "moment", "tournament_id"),
    *("tournament_slug", "event_slug"),
}
"""Parameters of our addresses that are no numbers, and that anybody may read."""

PLANTED = "pLanted_Secret-0123456789-abcdefghijklmnopqrs"


def asked(path: str = "/healthz", **more: str) -> tuple[str, dict[str, str]]:
    """Status and headers of the answer that the whole application gives."""
    told: list = []
    environ = Client()._base_environ(PATH_INFO=path, REQUEST_METHOD="GET", HTTP_HOST="testserver") | more
    list(observed(handler)(environ, lambda status, headers, *_rest: told.append((status, dict(headers)))))
    return told[0]


def lines(caplog: pytest.LogCaptureFixture) -> list[dict]:
    return [vars(record) for record in caplog.records if record.name == "config.access"]


@pytest.fixture
def access_log(settings, caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    settings.ACCESS_LOG = True
    caplog.set_level(logging.INFO, "config.access")
    return caplog


# Whose word is believed.


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("https", "address", "named", "is_kept"),
    [
        (True, "10.0.0.9", "abc-1", True),
        (True, "203.0.113.9", "abc-1", False),
        (False, "10.0.0.9", "abc-1", False),
        (True, "10.0.0.9", 'a b"', False),
        (True, "10.0.0.9", "x" * 65, False),
        (True, "", "abc-1", False),
    ],
)
def test_the_id_of_a_request_is_its_own_or_that_of_a_trusted_proxy(settings, https, address, named, is_kept) -> None:
    settings.HTTPS, settings.TRUSTED_PROXIES = https, ["10.0.0.0/8"]
    _status, headers = asked(REMOTE_ADDR=address, HTTP_X_REQUEST_ID=named)
    assert (headers["X-Request-ID"] == named) is is_kept
    assert is_kept or re.fullmatch("[0-9a-f]{16}", headers["X-Request-ID"])


# Where it is said.


def test_each_line_within_a_request_says_which_and_as_json_it_is_an_object() -> None:
    record = logging.makeLogRecord({"name": "desk", "msg": 'said "é"', "levelname": "INFO", "event": 3})
    with belonging_to("abc"):
        assert FieldFormatter().format(record).endswith(" event=3 request_id=abc")
        told = json.loads(JSONFormatter().format(record))
    assert (told["message"], told["event"], told["request_id"], told["logger"]) == ('said "é"', 3, "abc", "desk")
    assert "request_id" not in FieldFormatter().format(record)
    assert logging_config("INFO", "JSON")["formatters"]["lines"]["()"] == "config.logs.JSONFormatter"


@shared_task(name="tests.note_request")
def note_request() -> None:
    logging.getLogger("noted").warning("in the task %s", current_request_id())


def test_a_task_belongs_to_the_request_that_asked_for_it(caplog) -> None:
    sent: dict = {}
    app.conf.task_always_eager, before = False, app.conf.task_always_eager
    try:
        with belonging_to("abc"), app.connection_for_write() as broker:
            note_request.apply_async(connection=broker, queue="traced", exchange="", routing_key="traced")
            message = broker.SimpleQueue("traced").get(block=False)
            sent = message.headers
            message.ack()
    finally:
        app.conf.task_always_eager = before
    assert sent["sixprime_request"] == "abc"
    for headers in (sent, {}):
        note_request.push_request(headers=headers)
        try:
            note_request()
        finally:
            note_request.pop_request()
    texts = [record.getMessage() for record in caplog.records if record.name == "noted"]
    assert texts[0] == "in the task abc"
    assert re.fullmatch("in the task [0-9a-f]{16}", texts[1])


# The access log.


@pytest.mark.django_db
def test_the_access_log_has_a_line_for_each_request_without_its_query(access_log) -> None:
    asked("/players/", QUERY_STRING="token=hidden")
    [line] = lines(access_log)
    assert (line["method"], line["path"], line["status"]) == ("GET", "/players/", 200)
    assert "hidden" not in str(line)


@pytest.mark.django_db
def test_there_is_no_access_log_unless_it_is_asked_for(caplog) -> None:
    assert given.ACCESS_LOG is False
    caplog.set_level(logging.INFO, "config.access")
    asked("/players/")
    assert lines(caplog) == []


@pytest.mark.django_db
def test_what_a_proxy_asks_every_second_is_no_line_of_the_access_log(access_log) -> None:
    asked("/healthz")
    assert lines(access_log) == []


# What is secret.


def test_every_parameter_of_our_addresses_is_known_as_secret_or_as_none() -> None:
    """A new address whose parameter is not a number says here whether a log may show it."""
    plain = re.compile(r"<int:(\w+)>|\(\?P<(\w+)>(?:\\d|\[0-9\])")
    unknown = set()
    for route in routes(get_resolver().url_patterns):
        numbers = {name for pair in plain.findall(route) for name in pair if name}
        unknown |= set(names_in(route)) - numbers - SECRETS - NO_SECRETS
    assert unknown == set()


def filled(route: str) -> str:
    """An address of the route with the secret in its place."""

    def fill(found: re.Match[str]) -> str:
        return PLANTED if (found[1] or found[2]) in SECRETS else "7"

    return "/" + re.sub(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>(?:\[[^\]]*\]|[^()])*\)", fill, route).rstrip("$")


SECRET_ROUTES = sorted(route for route in routes(get_resolver().url_patterns) if SECRETS & {*names_in(route)})


@pytest.mark.django_db
@pytest.mark.parametrize("route", SECRET_ROUTES)
def test_no_secret_of_an_address_is_logged(access_log, route: str) -> None:
    for path in (filled(route), filled(route) + "no/such/page"):
        assert PLANTED in path
        assert PLANTED not in without_secrets(path)
        asked(path)
    text = "\n".join(FieldFormatter().format(record) for record in access_log.records)
    assert "…" in text
    assert PLANTED not in text


def test_addresses_without_a_secret_are_logged_as_they_are() -> None:
    assert len(SECRET_ROUTES) > 10
    for path in ("/", "/t/open/championship/", "/api/v1/events/3/", "/e/", "/static/css/base.css"):
        assert without_secrets(path) == path
