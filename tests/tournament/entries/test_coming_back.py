"""Players who left and come back: what followed from their absence is taken back, unless somebody has played on."""

import pytest

from matches.models import SheetState
from players.errors import Conflict
from rules.score import Level, Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, claim, fixture_of, open_matches, win
from tests.tournament.entries.test_attendance import WHOLE, assert_audited, current, entry_of, leave, sides
from tournament.entries.attendance import put_to_wait, undo_leaving
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.models import Entry
from tournament.results.enter import enter_result, void_result

pytestmark = pytest.mark.django_db


def test_undone_departure_opens_the_match_again(director):
    event = build_event(director, players=8, format="consolation", options=WHOLE)
    before = sides(event)
    gone = entry_of(event, "M1-1")
    leave(gone, "no-show")
    undo_leaving(gone, by=None, at=AT)
    assert sides(event) == before
    assert current(event, "M1-1") is None
    assert_audited(event)


def test_undone_departure_takes_a_forfeit_back_to_the_games_that_were_played(director):
    event = build_event(director, players=4)
    match = fixture_of(event, "M1-1").match
    enter_result(match, claim=claim(games=(GameResult(Side.A, 2, Level.SINGLE),)), by=None, at=AT)
    gone = entry_of(event, "M1-1")
    leave(gone)
    undo_leaving(gone, by=None, at=AT)
    sheet = current(event, "M1-1")
    assert (sheet.state, sheet.awarded_to, sheet.lines.count()) == (SheetState.LIVE, "", 1)
    assert_audited(event)


def test_departure_stands_once_somebody_has_played_on_because_of_it(director):
    event = build_event(director, players=4)
    gone = entry_of(event, "M1-1")
    leave(gone, "no-show")
    win(fixture_of(event, "M1-2").match, Side.A)
    win(fixture_of(event, "M2-1").match, Side.A)
    with pytest.raises(Conflict) as refused:
        undo_leaving(gone, by=None, at=AT)
    assert refused.value.code == "later_match_begun"
    gone.refresh_from_db()
    assert gone.left_kind == "no-show"


def test_four_of_many_matches_in_the_way_of_a_change_are_named(director):
    """A late entry in a bye gave the consolation another loser; now most of its first round is being played."""
    event = build_event(director, players=24, format="consolation")
    (entry,) = add_entries(event, lines=[EntryLine(name="Late", line=1)], by=None, at=AT)
    for round in (1, 2):
        matches = [match for match in open_matches(event) if match.fixture.round == round]
        for match in matches:
            names = (match.side_a.name, match.side_b.name)
            if match.fixture.bracket == "M" and "Late" not in names:
                win(match, Side.A)
    begun = [match for match in open_matches(event) if match.fixture.bracket == "C"]
    for match in begun:
        enter_result(match, claim=claim(games=(GameResult(Side.A, 1, Level.SINGLE),)), by=None, at=AT)
    with pytest.raises(Conflict) as refused:
        put_to_wait(entry, by=None, at=AT)
    assert refused.value.message.count(" – ") == 4
    assert f" and {len(begun) - 4} more). " in refused.value.message


def test_walkover_of_an_absence_does_not_block_a_correction(director):
    event = build_event(director, players=4)
    win(fixture_of(event, "M1-1").match, Side.A)
    leave(entry_of(event, "M1-2"), "no-show")
    leave(entry_of(event, "M1-2", "b"), "no-show")
    assert fixture_of(event, "M2-1").feed_b == "bye"
    win(fixture_of(event, "M1-1").match, Side.B, base=1)
    final = fixture_of(event, "M2-1")
    assert (final.entry_a, final.feed_b) == (entry_of(event, "M1-1", "b"), "bye")
    assert_audited(event)


def test_a_walkover_that_followed_an_absence_does_not_block_a_correction(director):
    event = build_event(director, players=4)
    win(fixture_of(event, "M1-1").match, Side.A)
    win(fixture_of(event, "M1-2").match, Side.A)
    leave(entry_of(event, "M2-1", "b"))
    assert current(event, "M2-1").awarded_to == "A"
    win(fixture_of(event, "M1-1").match, Side.B, base=1)
    assert fixture_of(event, "M2-1").entry_a == entry_of(event, "M1-1", "b")
    assert current(event, "M2-1").awarded_to == "A"
    assert_audited(event)


def test_walkover_of_an_absence_goes_only_with_the_absence(director):
    event = build_event(director, players=4)
    leave(entry_of(event, "M1-1"), "no-show")
    with pytest.raises(Conflict) as refused:
        void_result(fixture_of(event, "M1-1").match, base=1, reason="", by=None, at=AT)
    assert refused.value.code == "walkover_of_absence"
    assert current(event, "M1-1").awarded_to == "B"


def test_swiss_player_who_comes_back_is_paired_again(director):
    event = build_event(director, players=6, format="swiss")
    first, *others = open_matches(event)
    win(others[0], Side.A)
    gone = Entry.objects.get(pk=first.fixture.entry_a_id)
    leave(gone)
    assert current(event, first.fixture.key).awarded_to == "B"
    undo_leaving(gone, by=None, at=AT)
    gone.refresh_from_db()
    assert (gone.presence, current(event, first.fixture.key)) == ([1], None)
    leave(gone)
    for match in open_matches(event):
        if match.fixture.round == 1:
            win(match, Side.A)
    win(next(match for match in open_matches(event) if match.fixture.round == 2), Side.A)
    undo_leaving(gone, by=None, at=AT)
    gone.refresh_from_db()
    assert gone.presence == [1, 2, 3]
    assert current(event, first.fixture.key).awarded_to == "B"
    assert_audited(event)
