"""Attempts to sign in: the limits hold for those made at once, and nobody uses up somebody else's."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.http import HttpRequest
from django.test import Client
from django.urls import reverse
from rest_framework.parsers import FormParser
from rest_framework.request import Request
from rest_framework.views import APIView

from config.cache import ForgetfulFolder
from tests.builders import build_director
from tests.processes import ROOT, environment
from tournament.roles import counting
from tournament.roles.counting import COUNTS, attempt, count, counted
from tournament.roles.devices import cookie_name, device_for, make_device
from tournament.roles.throttling import CodeThrottle, SignInThrottle

PASSWORD = "long-enough-for-tests"
AT = 1_767_950_000.0
YEAR = 365 * 24 * 3600


@pytest.fixture
def folder(settings, tmp_path) -> None:
    """The cache of a single machine."""
    own = {"BACKEND": "config.cache.ForgetfulFolder", "LOCATION": str(tmp_path / "limits")}
    settings.CACHES = {**settings.CACHES, "limits": own}


def tried(name: str = "anna", address: str = "192.0.2.7", cookie: str = "", at: float | None = None) -> bool:
    """Whether an attempt to sign in with this name is admitted."""
    asked = HttpRequest()
    asked.method, asked.META["REMOTE_ADDR"] = "POST", address
    if cookie:
        asked.COOKIES[cookie_name()] = cookie
    request = Request(asked, parsers=[FormParser()])
    request._full_data = {"username": name}  # type: ignore[attr-defined] # as a parser leaves it
    throttle = SignInThrottle()
    if at is not None:
        throttle.timer = lambda: at  # type: ignore[method-assign, assignment]
    return throttle.allow_request(request, APIView())


def sign_in(client: Client, password: str = PASSWORD, name: str = "director"):
    return client.post(reverse("login"), {"username": name, "password": password})


def test_of_those_who_try_with_many_names_at_once_the_limit_admits_as_many_as_it_says(folder):
    with ThreadPoolExecutor(16) as pool:
        admitted = list(pool.map(lambda number: tried(f"name{number}", at=AT), range(120)))
    assert admitted.count(True) == 60


def test_ways_to_write_a_name_are_counted_as_one():
    ways = ["anna", " anna", "anna  ", "Anna", "ANNA", "\uff41nna", "ann\uff41", "\tanna\n", "aNna", "anNa"]
    assert [tried(way, at=AT) for way in ways] == [True] * 10
    assert not tried("anna", at=AT)
    assert tried("anne", at=AT)


def test_who_uses_up_the_attempts_of_a_name_does_not_use_up_those_of_its_device():
    own = make_device("anna")
    while tried("anna", at=AT):
        pass
    for number in range(60):
        tried(f"name{number}", at=AT)
    assert not tried("bert", at=AT)
    assert [tried("anna", cookie=own, at=AT) for _again in range(11)] == [True] * 10 + [False]
    assert not tried("bert", cookie=own, at=AT)


def test_guesses_from_many_addresses_are_few_and_an_address_that_the_name_knows_is_not_among_them(client, db):
    build_director("anna")
    assert client.login(username="anna", password=PASSWORD)  # from no address
    known = Client(REMOTE_ADDR="198.51.100.1")
    assert sign_in(known, name="anna").status_code == 302
    admitted = [tried("anna", f"203.0.113.{number}", at=AT) for number in range(60)]
    assert admitted == [True] * 30 + [False] * 30
    assert not tried("anna", "203.0.113.99", at=AT)
    assert tried("anna", "198.51.100.1", at=AT)


def test_addresses_of_one_network_count_as_one():
    assert sum(tried(address=f"2001:db8::{number:x}", at=AT) for number in range(1, 30)) == 10
    assert tried(address="2001:db8:0:1::1", at=AT)
    assert sum(tried("bert", address, at=AT) for address in ["192.0.2.9", "::ffff:192.0.2.9"] * 9) == 10


def test_the_limit_holds_for_each_span_of_its_length():
    start = AT - AT % 60
    assert [tried(at=start + 55) for _again in range(10)] == [True] * 10
    assert not tried(at=start + 65)
    assert tried(at=start + 59.9 + 60)


def test_a_clock_that_was_wrong_locks_nobody_out():
    while tried(at=AT + YEAR):
        pass
    assert tried(at=AT)
    while tried(at=AT):
        pass
    assert tried(at=AT - YEAR)


def test_one_who_is_refused_is_told_when_there_is_room_again():
    for _again in range(10):
        attempt("key", limit=10, seconds=60, at=AT)
    refused = attempt("key", limit=10, seconds=60, at=AT)
    assert (refused.is_within, refused.remaining) == (False, 0)
    assert attempt("key", limit=10, seconds=60, at=AT + refused.wait).is_within


@pytest.mark.parametrize("state", ["away", "full"])
def test_without_the_cache_each_process_counts_for_itself(folder, state, monkeypatch):
    if state == "away":
        monkeypatch.setattr(ForgetfulFolder, "add", lambda *args: None)
    if state == "full":
        monkeypatch.setattr(ForgetfulFolder, "_write_content", lambda *args: (_ for _ in ()).throw(OSError(28, "full")))
    asked = Request(HttpRequest())
    assert [CodeThrottle(7).allow_request(asked, APIView()) for _again in range(12)] == [True] * 10 + [False] * 2


def test_a_cache_that_does_not_answer_is_asked_again_after_a_while(folder, monkeypatch):
    asked = []
    monkeypatch.setattr(ForgetfulFolder, "add", lambda *args: asked.append(1))
    monkeypatch.setattr(counting.time, "monotonic", lambda: 100.0)
    for _again in range(5):
        count("key", 60)
    assert len(asked) == 1
    monkeypatch.setattr(counting.time, "monotonic", lambda: 105.0)
    count("key", 60)
    assert len(asked) == 2


def test_a_process_keeps_no_more_counts_than_it_has_room_for(monkeypatch):
    monkeypatch.setattr(counting, "MOST_KEPT", 100)
    COUNTS.heard_nothing()
    for number in range(1000):
        count(f"key-{number}", 60)
    assert (counted("key-999"), counted("key-0")) == (1, 0)


def test_processes_that_count_at_once_get_different_numbers(tmp_path):
    code = (
        "from django.core.cache import caches\n"
        "caches['limits'].add('key', 0, 60)\n"
        "for _ in range(50): print(caches['limits'].incr('key'))\n"
    )
    command = [sys.executable, "manage.py", "shell", "--no-imports", "--command", code]
    env = environment(VAR_DIR=tmp_path)
    started = [subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    numbers = [int(line) for one in started for line in one.communicate(timeout=60)[0].split()]
    assert sorted(numbers) == list(range(1, 101))


def test_a_device_gets_its_cookie_when_somebody_signs_in_there(client, db):
    build_director("director")
    assert cookie_name() not in sign_in(client, "wrong").cookies
    cookie = sign_in(client).cookies[cookie_name()]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert device_for(cookie.value, "director")
    assert "director" not in cookie.value
    assert cookie_name() not in sign_in(client).cookies


@pytest.mark.parametrize(
    "forge", ["", ".", "number.code", "{number}.", ".{code}", "{number}.{code}x", "x{number}.{code}"]
)
def test_a_cookie_that_was_not_given_is_no_device(forge):
    number, _dot, code = make_device("anna").partition(".")
    assert device_for(forge.format(number=number, code=code), "anna") == ""
    assert device_for(f"{number}.{code}", "bert") == ""
    assert device_for(f"{number}.{code}", "Anna ") == number


def test_a_device_stays_known_under_the_secret_before(settings):
    cookie, before = make_device("anna"), settings.SECRET_KEY
    settings.SECRET_KEY = "x" * 50
    assert device_for(cookie, "anna") == ""
    settings.SECRET_KEY_FALLBACKS = [before]
    assert device_for(cookie, "anna")


def test_the_owner_signs_in_beside_an_attacker_behind_the_same_address(db):
    build_director("director")
    own, attacker = Client(REMOTE_ADDR="192.0.2.7"), Client(REMOTE_ADDR="192.0.2.7")
    assert sign_in(own).status_code == 302
    own.post(reverse("logout"))
    statuses = [sign_in(attacker, "wrong").status_code for _again in range(12)]
    assert statuses[-1] == 429
    assert sign_in(own).status_code == 302
