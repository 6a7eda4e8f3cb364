"""Rounds of drand as the public value of a draw: named ahead, fetched by a worker, or typed in."""

from datetime import timedelta

import pytest

from players.models import User
from tests.builders import AT, build_event
from tests.tournament.closed import RANDOMNESS, SIGNATURE, refused
from tournament.draw.beacon import enter_round, fetch_round, rounds_to_ask
from tournament.draw.close_entries import close_entries
from tournament.draw.public_value import public_value_of
from tournament.models import Event
from tournament.proof.drand_chains import CHAINS, DEFAULT, QUICKNET

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(director: User) -> Event:
    return build_event(director, players=4, drawn=False, seed="", public_source="drand")


def test_rounds_and_times():
    assert QUICKNET.round_after(AT.replace(year=2026, month=4, day=20, hour=0)) == 27946612
    assert QUICKNET.time_of(27946612) == AT.replace(year=2026, month=4, day=20, hour=0)
    for chain in CHAINS.values():
        for round in (1, 2, 1000, 10**7):
            assert chain.round_after(chain.time_of(round)) == round
            assert chain.round_after(chain.time_of(round) + timedelta(microseconds=1)) == round + 1
    assert (DEFAULT.time_of(2) - DEFAULT.time_of(1)).total_seconds() == 30


def test_a_round_in_the_past_is_not_named(director, event):
    now = QUICKNET.round_after(AT)
    for round in (1, now, now + 19, 10**13, 0, -5):
        refused("drand_round_not_ahead", close_entries, event, round=round, by=director, at=AT)
    refused("drand_chain_unknown", close_entries, event, chain="mine", by=director, at=AT)
    closing = close_entries(event, by=director, at=AT)
    assert QUICKNET.time_of(closing.drand_round) - AT >= timedelta(seconds=60)
    assert QUICKNET.time_of(closing.drand_round - 1) - AT < timedelta(seconds=60)


def test_a_round_is_typed_in_after_its_time_with_its_signature(director, event):
    closing = close_entries(event, chain="default", by=director, at=AT)
    due = DEFAULT.time_of(closing.drand_round)
    typed = {"round": closing.drand_round, "randomness": RANDOMNESS, "signature": SIGNATURE, "by": director}
    refused("drand_round_not_yet", enter_round, event, **typed, at=due - timedelta(seconds=1))
    refused("drand_round_other", enter_round, event, **{**typed, "round": 1}, at=due)
    refused("drand_not_hex", enter_round, event, **{**typed, "signature": "xyz"}, at=due)
    refused("drand_not_hex", enter_round, event, **{**typed, "randomness": "ab"}, at=due)
    refused("drand_not_proved", enter_round, event, **{**typed, "signature": "ab"}, at=due)
    enter_round(event, **{**typed, "randomness": f" {RANDOMNESS.upper()} "}, at=due)
    assert public_value_of(event) == RANDOMNESS
    refused("public_value_known", enter_round, event, **typed, at=due)


def test_a_worker_fetches_the_round_once_it_is_due(director, event):
    closing = close_entries(event, by=director, at=AT)
    due = QUICKNET.time_of(closing.drand_round)
    asked = []

    def answer(host: str, path: str) -> bytes:
        asked.append((host, path))
        if host == "api.drand.sh":
            raise OSError("no network")
        return b'{"round": %d, "randomness": "%s", "signature": "%s"}' % (
            closing.drand_round,
            RANDOMNESS.encode(),
            SIGNATURE.encode(),
        )

    assert rounds_to_ask(due - timedelta(seconds=1)) == []
    fetch_round(event.pk, clock=lambda: due - timedelta(seconds=1), get=answer)
    assert asked == []
    assert rounds_to_ask(due) == [event.pk]
    fetch_round(event.pk, clock=lambda: due, get=answer)
    path = f"/{QUICKNET.hash}/public/{closing.drand_round}"
    assert asked == [("api.drand.sh", path), ("drand.cloudflare.com", path)]
    assert public_value_of(event) == RANDOMNESS
    fetch_round(event.pk, clock=lambda: due, get=answer)
    assert (len(asked), rounds_to_ask(due)) == (2, [])


@pytest.mark.parametrize(
    "said", [b"", b"[]", b"{}", b'{"round": 1}', b"null", b'{"round": "x", "randomness": 1, "signature": 2}', b"\xff"]
)
def test_no_answer_of_the_network_breaks_anything(director, event, said):
    closing = close_entries(event, by=director, at=AT)
    due = QUICKNET.time_of(closing.drand_round)
    fetch_round(event.pk, clock=lambda: due, get=lambda host, path: said)
    refused("public_value_missing", public_value_of, event)
    fetch_round(10**9, clock=lambda: due, get=lambda host, path: said)


def test_an_answer_that_its_signature_does_not_prove_is_not_taken(director, event):
    closing = close_entries(event, by=director, at=AT)
    due = QUICKNET.time_of(closing.drand_round)
    said = b'{"round": %d, "randomness": "%s", "signature": "abcd"}' % (closing.drand_round, b"0" * 64)
    fetch_round(event.pk, clock=lambda: due, get=lambda host, path: said)
    assert event.closings.get().value == ""
