"""Whose match a record is of: its names decide who is in the left column, and nobody says otherwise."""

from pathlib import Path

import pytest

from matches.evidence import Evidence
from matches.models import Match
from players.errors import Refusal
from rules.score import Side
from tests.builders import AT, build_director, build_event, fixture_of
from tournament.results.evidence import attach_record

DATA = (Path(__file__).parents[2] / "data" / "records" / "gnubg-7pt.mat").read_bytes()

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return fixture_of(build_event(build_director(), players=4, lengths=(7,)), "M1-1").match


def named(left: str, right: str) -> bytes:
    return DATA.replace(b"gnubg :", f"{left} :".encode()).replace(b"south :", f"{right} :".encode())


def attach(match: Match, left: str, right: str, said: Side | None = None) -> Evidence:
    return attach_record(match, named(left, right), name="one.mat", left=said, by=None, at=AT)


@pytest.mark.parametrize("other", ["charlot1", "Player 99"])
def test_one_name_of_the_match_does_not_tell_whose_record_it_is(match, other):
    for names in ((other, match.name_b), (match.name_a, other), (match.name_a, match.name_a)):
        with pytest.raises(Refusal) as refused:
            attach(match, *names)
        assert refused.value.code == "record_sides_unclear"
        assert str(refused.value) == (
            f"The record is of {names[0]} and {names[1]}, and this match is between {match.name_a} and {match.name_b}:"
            " say who is in its left column."
        )
    assert not Evidence.objects.exists()
    assert attach(match, other, match.name_b, Side.A).exchanged is False


def test_both_names_of_the_match_tell_who_is_in_the_left_column(match):
    assert attach(match, match.name_a, match.name_b).exchanged is False
    assert attach(match, match.name_b.upper(), match.name_a, Side.B).exchanged is True


def test_nobody_says_that_the_other_player_is_in_the_left_column_also_of_an_attached_record(match):
    attached = attach(match, match.name_b, match.name_a)
    for _again in range(2):
        with pytest.raises(Refusal) as refused:
            attach(match, match.name_b, match.name_a, Side.A)
        assert (refused.value.code, str(refused.value)) == (
            "record_sides_unclear",
            f"The record says that {match.name_b} is in the left column.",
        )
        Evidence.objects.filter(pk=attached.pk).delete()
    assert not Evidence.objects.exists()


def test_nicknames_are_turned_as_somebody_says(match):
    assert [attach(match, "charlot1", "charlot2", said).exchanged for said in Side] == [False, True]
    assert Evidence.objects.get().exchanged
