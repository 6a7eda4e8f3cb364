"""Whose match an imported record is, and that no match is rated a second time by its record."""

from datetime import timedelta
from pathlib import Path

import pytest

from matches.accept_records import accept_record, namesakes
from matches.import_records import import_record
from matches.models import Match, Record, Verdict
from matches.services import current_sheet
from players.models import Player
from players.registry.people import add_alias
from players.services import create_player
from rules.records.replay import verify
from rules.score import Side
from tests.builders import AT, build_director, build_event, claim, fixture_of
from tournament.entries.identity import merge_players
from tournament.models import Event
from tournament.registry.people import show_as
from tournament.results.enter import enter_result
from tournament.results.evidence import attach_record, detach_record

DATA = (Path(__file__).parents[1] / "data" / "records" / "gnubg-7pt.mat").read_bytes()
LATER = AT + timedelta(minutes=5)

pytestmark = pytest.mark.django_db


def bring(data: bytes = DATA, name: str = "one.mat") -> Record:
    return import_record(data, name=name, at=LATER).record


def sides_of(record: Record) -> tuple[Player, Player]:
    return record.match.side_a, record.match.side_b


def test_a_match_is_that_of_the_player_into_whom_a_namesake_was_merged():
    kept, gone = (create_player(name="gnubg", at=AT) for _each in range(2))
    merge_players(kept, gone, by=None, at=AT)
    other, gone = (create_player(name=name, at=AT) for name in ("Sue South", "south"))
    merge_players(other, gone, by=None, at=AT)
    assert namesakes("gnubg") == [kept]
    assert sides_of(bring()) == (kept, other)


def test_a_name_is_also_that_of_whom_it_is_another_spelling_of():
    player = create_player(name="Sue South", at=AT)
    add_alias(player, "south", by=None, at=AT)
    assert sides_of(bring())[1] == player


def test_a_hidden_person_is_not_made_public_by_a_record():
    player = create_player(name="south", at=AT)
    show_as(player, "hidden", by=None, at=AT)
    assert sides_of(bring())[1] == player
    assert not Player.objects.filter(name="south").exists()


def test_two_names_of_one_player_make_no_match():
    player = create_player(name="gnubg", at=AT)
    add_alias(player, "south", by=None, at=AT)
    record = bring()
    assert (record.verdict, record.match) == (Verdict.QUARANTINED, None)
    assert "gnubg · south are one player." in record.finding["message"]


@pytest.fixture
def event() -> Event:
    made = build_event(build_director(), players=4, lengths=(7,))
    match = fixture_of(made, "M1-1").match
    for player, name in ((match.side_a, "south"), (match.side_b, "gnubg")):
        Player.objects.filter(pk=player.pk).update(name=name, folded_name=name)
    return made


def told(*, games: int | None = None) -> list:
    """The games of the record as side A sees them, which is in the right column."""
    found = verify(DATA).games
    return [type(game)(game.winner.other, game.cube, game.level, game.ending) for game in found][:games]


def test_a_record_of_a_match_whose_sheet_tells_its_games_makes_no_other_match(event):
    match = fixture_of(event, "M1-1").match
    enter_result(match, claim=claim(games=told(), confirmed=True), by=None, at=AT)
    record = bring()
    assert (record.verdict, record.match, record.finding["code"]) == (Verdict.QUARANTINED, None, "record_attached")
    assert f"The score sheet of match {match.pk} tells the games of this record" in record.finding["message"]


def test_another_match_of_the_same_people_is_a_match_of_its_own(event):
    games = told()
    first = type(games[0])(games[0].winner, 4 if games[0].cube == 1 else 1, games[0].level, games[0].ending)
    match = fixture_of(event, "M1-1").match
    enter_result(match, claim=claim(games=[first, *games[1:3]]), by=None, at=AT)
    assert bring().verdict == Verdict.PROVED
    assert Match.objects.filter(side_a__name="gnubg").count() == 1


def test_a_score_alone_says_so_of_a_match_to_which_the_record_was_attached(event):
    match = fixture_of(event, "M1-1").match
    score = verify(DATA).score
    attached = attach_record(match, DATA, name="one.mat", left=Side.B, by=None, at=AT)
    enter_result(match, claim=claim(final=(score.b, score.a), confirmed=True), by=None, at=AT)
    detach_record(match, attached.pk, by=None, at=AT)
    assert bring().verdict == Verdict.QUARANTINED
    assert current_sheet(match).state == "confirmed"


def test_the_same_bytes_are_judged_again_once_the_record_is_free(event):
    match = fixture_of(event, "M1-1").match
    attached = attach_record(match, DATA, name="one.mat", left=Side.B, by=None, at=AT)
    held = import_record(DATA, name="held.mat", at=AT)
    assert (held.known, held.record.verdict) == (False, Verdict.QUARANTINED)
    again = import_record(DATA, name="held.mat", at=AT)
    assert (again.known, again.record.pk) == (True, held.record.pk)
    detach_record(match, attached.pk, by=None, at=AT)
    free = import_record(DATA, name="free.mat", at=LATER)
    stored = Record.objects.get()
    assert (free.known, stored.pk, stored.name) == (False, held.record.pk, "free.mat")
    assert (stored.verdict, stored.match.side_a.name) == (Verdict.PROVED, "gnubg")
    assert import_record(DATA, name="one.mat", at=LATER).known


def test_a_record_that_was_accepted_meanwhile_stays_what_it_is(event):
    match = fixture_of(event, "M1-1").match
    attached = attach_record(match, DATA, name="one.mat", left=Side.B, by=None, at=AT)
    held = import_record(DATA, name="held.mat", at=AT).record
    detach_record(match, attached.pk, by=None, at=AT)
    accept_record(held, known={}, reason="Seen.", by=None, at=LATER)
    again = import_record(DATA, name="one.mat", at=LATER)
    assert (again.known, again.record.pk, again.record.finding) == (True, held.pk, held.finding)
