"""Rounds of drand as the public value of a draw: named ahead, fetched by a worker, or typed in."""

import json
from datetime import timedelta
from itertools import pairwise
from threading import Event as Signal

import pytest
from django.conf import LazySettings

from players.models import User
from tests.builders import AT, build_event
from tests.tournament.closed import LONG_AGO, RANDOMNESS, ROUND, SIGNATURE, refused
from tournament.draw import drand
from tournament.draw.beacon import enter_round, fetch_round, rounds_to_ask
from tournament.draw.close_entries import close_entries
from tournament.draw.public_value import public_value_of
from tournament.models import Closing, Event
from tournament.proof.drand import CHAIN_HASH, randomness_of, round_after, time_of

pytestmark = pytest.mark.django_db

DUE = time_of(ROUND)
SAID = {"round": ROUND, "randomness": RANDOMNESS, "signature": SIGNATURE}
MADE_UP = "b" + SIGNATURE[1:-1] + "8"


@pytest.fixture
def event(director: User) -> Event:
    return build_event(director, players=4, drawn=False, seed="", public_source="drand")


@pytest.fixture
def closing(director: User, event: Event) -> Closing:
    """Entries closed just before round 1000 of drand."""
    return close_entries(event, round=ROUND, by=director, at=LONG_AGO)


def saying(said: object):
    """Return what asks a beacon that always answers this."""
    return lambda host, path: said if isinstance(said, bytes) else json.dumps(said).encode()


def test_a_round_that_is_not_soon_ahead_is_not_named(director, event):
    now = round_after(AT)
    for round in (1, now, now + 19, 0, -5):
        refused("drand_round_not_ahead", close_entries, event, round=round, by=director, at=AT)
    for round in (round_after(AT + timedelta(days=32)), 10**12, 10**30):
        refused("drand_round_too_far", close_entries, event, round=round, by=director, at=AT)
    closing = close_entries(event, by=director, at=AT)
    assert time_of(closing.drand_round) - AT >= timedelta(seconds=60)
    assert time_of(closing.drand_round - 1) - AT < timedelta(seconds=60)


def test_a_round_is_typed_in_after_its_time_with_its_signature(director, event, closing):
    typed = {**SAID, "by": director}
    early = DUE - timedelta(seconds=1)
    refused("drand_round_not_yet", enter_round, event, **{**typed, "signature": "ab" * 48}, at=early)
    refused("drand_round_other", enter_round, event, **{**typed, "round": 1}, at=DUE)
    refused("drand_not_hex", enter_round, event, **{**typed, "randomness": "ab"}, at=DUE)
    refused("drand_not_proved", enter_round, event, **{**typed, "signature": "ab" * 48}, at=DUE)
    enter_round(event, **{**typed, "randomness": f" {RANDOMNESS.upper()} "}, at=DUE)
    assert public_value_of(event) == RANDOMNESS
    refused("public_value_known", enter_round, event, **typed, at=DUE)


def test_a_round_that_drand_has_signed_is_known_whatever_the_clock_says(director, event, closing):
    enter_round(event, **SAID, by=director, at=DUE - timedelta(seconds=1))
    assert public_value_of(event) == RANDOMNESS


@pytest.mark.parametrize("signature", ["", "xyz", "a", "ab", SIGNATURE[:-2], SIGNATURE + "00", "é" * 96, "ab" * 96])
def test_what_is_no_signature_is_refused(director, event, closing, signature):
    refused("drand_not_hex", enter_round, event, **{**SAID, "signature": signature}, by=director, at=DUE)


@pytest.mark.parametrize("signature", [MADE_UP, "ab" * 48, "c0" + "00" * 47, "00" * 48, "ff" * 48])
def test_a_value_that_somebody_made_up_is_refused(director, event, closing, signature):
    typed = {"round": ROUND, "randomness": randomness_of(signature), "signature": signature}
    refused("drand_not_signed", enter_round, event, **typed, by=director, at=DUE)
    assert event.closings.get().value == ""


def test_the_signature_of_another_round_is_refused(director, event):
    close_entries(event, round=ROUND + 1, by=director, at=LONG_AGO)
    typed = {**SAID, "round": ROUND + 1}
    refused("drand_not_signed", enter_round, event, **typed, by=director, at=DUE + timedelta(seconds=3))


def test_a_worker_fetches_the_round_once_it_is_due(event, closing):
    asked = []

    def answer(host: str, path: str) -> bytes:
        asked.append((host, path))
        if host == "api.drand.sh":
            raise OSError("no network")
        return json.dumps(SAID).encode()

    assert rounds_to_ask(DUE - timedelta(seconds=1)) == []
    fetch_round(event.pk, clock=lambda: DUE - timedelta(seconds=1), get=answer)
    assert asked == []
    assert rounds_to_ask(DUE) == [event.pk]
    fetch_round(event.pk, clock=lambda: DUE, get=answer)
    path = f"/{CHAIN_HASH}/public/{ROUND}"
    assert asked == [("api.drand.sh", path), ("drand.cloudflare.com", path)]
    assert public_value_of(event) == RANDOMNESS
    fetch_round(event.pk, clock=lambda: DUE, get=answer)
    assert (len(asked), rounds_to_ask(DUE)) == (2, [])


def test_where_nobody_answers_pauses_grow_and_end_after_a_day(event, closing):
    def is_asked(second: int) -> bool:
        return rounds_to_ask(DUE + timedelta(seconds=second)) == [event.pk]

    asked = [second for second in range(0, 7200, 20) if is_asked(second)]
    assert asked[:12] == [0, 20, 40, 60, 80, 100, 120, 140, 160, 200, 240, 280]
    assert len(asked) == 30
    assert all(later - sooner <= max(20, sooner / 4) for sooner, later in pairwise(asked))
    assert (is_asked(4096 * 20), is_asked(4320 * 20), is_asked(5120 * 20)) == (True, False, False)


def test_drand_is_not_asked_where_a_setting_says_so(event, closing, settings: LazySettings):
    settings.DRAND = False
    assert rounds_to_ask(DUE) == []
    fetch_round(event.pk, clock=lambda: DUE, get=saying(SAID))
    assert event.closings.get().value == ""


@pytest.mark.parametrize(
    "said",
    [
        *(b"", b"[]", b"{}", b"null", b'"round"', b"\xff", b"[" * 4096, b'{"round": 1e400}', b"NaN"),
        b'{"round": 1e400, "randomness": "ab", "signature": "ab"}',
        {"round": ROUND},
        {"round": "x", "randomness": 1, "signature": 2},
        {**SAID, "round": float(ROUND)},
        {**SAID, "round": ROUND + 1},
        {**SAID, "signature": None},
        {**SAID, "signature": "abcd"},
        {**SAID, "randomness": "0" * 64},
        {**SAID, "randomness": randomness_of(MADE_UP), "signature": MADE_UP},
    ],
)
def test_no_answer_of_the_network_breaks_anything_or_is_believed(event, closing, said):
    fetch_round(event.pk, clock=lambda: DUE, get=saying(said))
    refused("public_value_missing", public_value_of, event)
    fetch_round(10**9, clock=lambda: DUE, get=saying(said))


def test_a_host_that_lies_is_passed_over(event, closing):
    lie = {**SAID, "randomness": randomness_of(MADE_UP), "signature": MADE_UP}
    fetch_round(event.pk, clock=lambda: DUE, get=lambda host, path: saying(lie if "api" in host else SAID)(host, path))
    assert public_value_of(event) == RANDOMNESS


def test_a_host_that_never_answers_is_not_waited_for(event, closing, monkeypatch):
    never = Signal()

    class Silent:
        def __init__(self, host: str, timeout: float) -> None:
            self.request = lambda *args, **kwargs: never.wait()
            self.close = lambda: None
            self.getresponse = lambda: (_ for _ in ()).throw(OSError)

    monkeypatch.setattr(drand.http.client, "HTTPSConnection", Silent)
    monkeypatch.setattr(drand, "SECONDS_TO_ANSWER", 0.05)
    fetch_round(event.pk, clock=lambda: DUE)
    never.set()
    assert event.closings.get().value == ""
