"""What the page of a match says of a record beside its sheet, and which games it offers to fill in."""

import re
from pathlib import Path

import pytest
from django.test import Client

from matches.models import Match
from players.models import User
from players.registry.people import show_as
from rules.records.replay import verify
from rules.score import Side
from tests.builders import AT, build_director, build_event, claim, fixture_of
from tournament.results.enter import enter_result
from tournament.results.evidence import attach_record

DATA = (Path(__file__).parents[2] / "data" / "records" / "gnubg-7pt.mat").read_bytes()
END = verify(DATA).score

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return build_director()


@pytest.fixture
def match(owner: User) -> Match:
    return fixture_of(build_event(owner, players=4, lengths=(7,)), "M1-1").match


@pytest.fixture
def desk(owner: User) -> Client:
    client = Client()
    client.force_login(owner)
    return client


def read(desk: Client, match: Match, **query: object) -> str:
    """Return the page of the match, without the marks that keep a score on one line."""
    page = desk.get(match.get_absolute_url(), query).content.decode()
    return re.sub(r'<span class="unbroken">([^<]*)</span>', r"\1", page)


@pytest.mark.parametrize("left", list(Side))
def test_a_final_score_that_is_not_the_records_is_said(desk, match, left):
    attach_record(match, DATA, name="one.mat", left=left, by=None, at=AT)
    ends = (END.a, END.b) if left is Side.A else (END.b, END.a)
    assert "The score sheet says" not in read(desk, match)
    enter_result(match, claim=claim(final=ends[::-1], confirmed=True), by=None, at=AT)
    said = f"The score sheet says {ends[1]}–{ends[0]}, the record {ends[0]}–{ends[1]}."
    assert said in read(desk, match)
    enter_result(match, claim=claim(final=ends, base=1, confirmed=True, reason="Misread."), by=None, at=AT)
    assert "The score sheet says" not in read(desk, match)


def test_an_incomplete_record_does_not_make_a_finished_match_unfinished(desk, match):
    held = attach_record(match, DATA.partition(b" Game 3")[0], name="one.mat", left=Side.A, by=None, at=AT)
    assert f"?record={held.pk}" in read(desk, match)
    enter_result(match, claim=claim(final=(7, 2), confirmed=True), by=None, at=AT)
    page = read(desk, match, record=held.pk)
    assert f"?record={held.pk}" not in page
    assert "tell the same games" not in page


def test_a_whole_record_is_offered_beside_a_finished_match(desk, match):
    held = attach_record(match, DATA, name="one.mat", left=Side.A, by=None, at=AT)
    enter_result(match, claim=claim(final=(7, 2), confirmed=True), by=None, at=AT)
    assert f"?record={held.pk}" in read(desk, match)


def test_the_form_says_that_it_has_the_records_games_and_nothing_is_stored(desk, match):
    held = attach_record(match, DATA, name="one.mat", left=Side.A, by=None, at=AT)
    page = read(desk, match)
    assert ("Fill in the record" in page, "These are the record" in page) == (True, False)
    assert "Nothing is stored until you press the button below." in read(desk, match, record=held.pk)
    assert not match.sheets.exists()


def named(left: str, right: str) -> bytes:
    return DATA.replace(b"gnubg :", f"{left} :".encode()).replace(b"south :", f"{right} :".encode())


def test_the_page_shows_the_names_in_a_record_that_are_not_the_players(desk, match):
    attach_record(match, named("charlot1", "charlot2"), name="one.mat", left=Side.A, by=None, at=AT)
    attach_record(match, named(match.name_b.upper(), match.name_a), name="two.mat", by=None, at=AT)
    page = read(desk, match)
    assert "one.mat (charlot1 – charlot2) <" in page
    assert "two.mat <" in page


def test_the_own_name_of_a_hidden_player_is_not_shown(desk, match):
    own, hidden = match.name_a, match.side_a
    attach_record(match, named(own, "charlot2"), name="one.mat", left=Side.A, by=None, at=AT)
    show_as(hidden, "hidden", by=None, at=AT)
    page = read(desk, match)
    assert f"one.mat (Player #{hidden.pk} – charlot2)" in page
    assert f"{own} –" not in page
