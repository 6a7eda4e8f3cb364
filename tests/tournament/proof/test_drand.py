"""The signatures of drand, and draw files whose public value is a round of it."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.builders import AT, build_event
from tests.tournament.closed import LONG_AGO, RANDOMNESS, ROUND, SIGNATURE, build_closed
from tournament.audit import audit_event
from tournament.draw.beacon import enter_round
from tournament.draw.make import make_draw
from tournament.models import Event
from tournament.past.draw_file import draw_file_of
from tournament.proof.check import check_file
from tournament.proof.drand import PUBLIC_KEY, is_signed, randomness_of, round_after, time_of
from tournament.proof.faults import FileFault
from tournament.proof.page_limits import MOST_ROUNDS, refuse_long_work
from tournament.proof.read import read_draw_file
from tournament.proof.write import write_draw_file

OTHER_ROUND = 657413
OTHER_SIGNATURE = "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"
OTHER_RANDOMNESS = "fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587"
"""As drand published them."""

BESIDE_THE_SUBGROUP = "80" + "00" * 46 + "04"
"""A point of the curve, but not of its subgroup."""


def tampered(text: str, place: int) -> str:
    return text[:place] + "0123456789abcdef"[(int(text[place], 16) + 1) % 16] + text[place + 1 :]


def test_rounds_and_times():
    assert round_after(AT.replace(year=2026, month=4, day=20, hour=0)) == 27946612
    assert time_of(27946612) == AT.replace(year=2026, month=4, day=20, hour=0)
    assert (time_of(2) - time_of(1)).total_seconds() == 3
    for round in (1, 2, 1000, 10**7):
        assert round_after(time_of(round)) == round
        assert round_after(time_of(round) + timedelta(microseconds=1)) == round + 1


@pytest.mark.parametrize(
    ("round", "signature", "randomness"),
    [(ROUND, SIGNATURE, RANDOMNESS), (OTHER_ROUND, OTHER_SIGNATURE, OTHER_RANDOMNESS)],
)
def test_published_rounds_are_signed(round, signature, randomness):
    assert randomness_of(signature) == randomness
    assert is_signed(round, signature)
    assert is_signed(round, signature.upper())
    assert not is_signed(round + 1, signature)
    # The same point on the other side of the axis.
    assert not is_signed(round, "9" + signature[1:])
    for place in (1, 40, 95):
        assert not is_signed(round, tampered(signature, place))


@pytest.mark.parametrize(
    "signature",
    [
        *("", "x", "é", "ab", SIGNATURE[:-1], SIGNATURE[:-2], SIGNATURE + "00", "00" * 48, "ff" * 48, "80" * 48),
        *("c0" + "00" * 47, "e0" + "00" * 47, "80" + "00" * 47, BESIDE_THE_SUBGROUP, PUBLIC_KEY, PUBLIC_KEY[:96]),
    ],
)
def test_what_is_no_point_of_the_subgroup_is_no_signature(signature):
    assert not is_signed(ROUND, signature)


def test_nested_brackets_are_refused_after_a_round_was_verified():
    """The library that verifies allows calls so deep that they end the process."""
    assert is_signed(ROUND, SIGNATURE)
    with pytest.raises(FileFault):
        read_draw_file(b"[" * 100_000)


@pytest.mark.parametrize("round", [-1, 0, 2**64, 10**40])
def test_no_round_is_too_odd(round):
    assert not is_signed(round, SIGNATURE)


@pytest.fixture
def event(db, director) -> Event:
    event = build_closed(build_event(director).tournament, "drand", name="Drand")
    enter_round(event, round=ROUND, randomness=RANDOMNESS, signature=SIGNATURE, by=None, at=time_of(ROUND))
    make_draw(event, by=None, at=time_of(ROUND))
    return event


def codes(event: Event) -> tuple[set[str], set[str]]:
    """Return the codes of what holds and of what is wrong in the event's draw file."""
    report = check_file(read_draw_file(write_draw_file(draw_file_of(event))))
    wrong = {finding.code for finding in report.wrong}
    return {finding.code for finding in report.findings} - wrong, wrong


def test_a_draw_file_and_an_audit_verify_the_round(event):
    holds, wrong = codes(event)
    assert "drand_signed" in holds
    assert wrong == set()
    assert [one for one in audit_event(event) if one.check == "rounds"] == []


def test_a_file_whose_value_was_made_up_does_not_hold(event):
    made_up = {"signature": OTHER_SIGNATURE, "value": OTHER_RANDOMNESS}
    event.closings.update(**made_up)
    assert "drand_not_signed" in codes(event)[1]
    assert [(one.check, one.what) for one in audit_event(event) if one.check == "rounds"] == [
        ("rounds", f"signature of round {ROUND}")
    ]


def test_a_file_whose_value_is_not_of_the_signature_does_not_hold(event):
    event.closings.update(signature=OTHER_SIGNATURE)
    assert "public_value_not_made" in codes(event)[1]
    assert {one.what for one in audit_event(event)} >= {"public value", f"signature of round {ROUND}"}


@pytest.mark.parametrize(("key", "value"), [("drand_round", ROUND + 1), ("drand_round", 10**12), ("drand_chain", "x")])
def test_another_round_or_chain_in_a_file_does_not_hold(event, key, value):
    file = json.loads(write_draw_file(draw_file_of(event)))
    file["public"][0][key] = value
    answer = Client().post(reverse("check-draw"), {"file": SimpleUploadedFile("draw.json", json.dumps(file).encode())})
    assert answer.status_code == 200
    assert "This draw does not hold" in answer.content.decode()


def test_a_page_verifies_a_few_rounds_and_no_more(event):
    file = draw_file_of(event)
    (public,) = file.public
    refuse_long_work(replace(file, public=(public,) * MOST_ROUNDS))
    with pytest.raises(FileFault) as fault:
        refuse_long_work(replace(file, public=(public,) * (MOST_ROUNDS + 1)))
    assert fault.value.code == "draw_file_too_long"


def test_a_round_may_not_be_known_when_entries_close(event):
    event.closings.update(closed_at=LONG_AGO + timedelta(minutes=3), known_at=LONG_AGO + timedelta(minutes=4))
    assert "value_before_closing" in codes(event)[1]
