"""Losers placed when a round is over, in an event with its matches: while it is open, placed, corrected, played out."""

import pytest
from django.core.management import call_command

from players.errors import Conflict
from rules.score import Side
from tests.builders import AT, build_event, build_tournament, claim, fixture_of, open_matches, play_out, win
from tournament.audit import audit_event
from tournament.draw.reconcile import Repair
from tournament.draw.standings import store_standings
from tournament.entries.attendance import ways_to_leave
from tournament.hall.desk import take_desk
from tournament.models import Fixture
from tournament.results.enter import enter_result
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db

FORMATS = pytest.mark.parametrize("format", ["double-elimination", "consolation"])


def placed_event(director, format, players=8):
    return build_event(director, players=players, format=format, options={"placed": True})


def play(event, *prefixes):
    """Let side A win the open matches of these rounds."""
    for prefix in prefixes:
        for match in open_matches(event):
            if match.fixture.key.startswith(prefix):
                win(match, Side.A)


def differences(event):
    store_standings(event.pk)
    return audit_event(event)


def seats(event, bracket_round):
    fixtures = Fixture.objects.filter(stage__event=event, key__startswith=bracket_round).order_by("number")
    return [(fixture.entry_a_id, fixture.entry_b_id, fixture.feed_b) for fixture in fixtures]


@FORMATS
def test_seats_wait_for_the_round_and_are_filled_when_it_is_over(director, format):
    event = placed_event(director, format)
    play(event, "M1", "C1-1")
    assert {feed for _a, _b, feed in seats(event, "C2")} == {"round:2"}
    shown = next(fixture for fixture in take_snapshot(event.pk).stage.fixtures if fixture.key == "C2-1")
    assert shown.b.label == "Loser of round 2"
    assert "once that round is over" in shown.why
    assert "main" in ways_to_leave(fixture_of(event, "M2-1").entry_a)
    play(event, "M2")
    assert {feed for _a, _b, feed in seats(event, "C2")} == {"round:2"}
    play(event, "C1")
    assert {feed for _a, _b, feed in seats(event, "C2")} == {"loser:M2-1", "loser:M2-2"}
    shown = next(fixture for fixture in take_snapshot(event.pk).stage.fixtures if fixture.key == "C2-1")
    assert shown.why.startswith("Placed when round 2 of the main bracket was over")
    assert differences(event) == []


@FORMATS
def test_a_correction_moves_only_the_loser_whom_it_changes(director, format):
    event = placed_event(director, format)
    play(event, "M1", "C1", "M2")
    keys = {feed: f"C2-{number}" for number, (_a, _b, feed) in enumerate(seats(event, "C2"), start=1)}
    win(fixture_of(event, keys["loser:M2-2"]).match, Side.A)
    before = fixture_of(event, keys["loser:M2-2"])
    semifinal = fixture_of(event, "M2-1")
    win(semifinal.match, Side.B, base=1)
    moved = fixture_of(event, keys["loser:M2-1"])
    assert (moved.entry_b, moved.feed_b) == (semifinal.entry_a, "loser:M2-1")
    assert fixture_of(event, before.key).entry_b == before.entry_b
    assert differences(event) == []


@FORMATS
def test_a_correction_that_takes_a_placed_player_out_of_a_begun_match_is_refused(director, format):
    event = placed_event(director, format)
    play(event, "M1", "C1", "M2", "C2")
    before = seats(event, "C")
    with pytest.raises(Conflict) as refused:
        win(fixture_of(event, "M2-1").match, Side.B, base=1)
    assert refused.value.code == "later_match_begun"
    assert seats(event, "C") == before


@pytest.mark.parametrize("repair", [Repair.REPLAY, Repair.STAND])
@FORMATS
def test_a_repair_touches_only_the_way_of_the_two_whom_it_concerns(director, format, repair):
    event = placed_event(director, format, 16)
    play(event, "M1", "C1", "M2", "C2", "C3")
    before = {line[2]: line for line in seats(event, "C2")}
    match = fixture_of(event, "M2-3").match
    entered = claim(final=(1, match.length), base=1, reason="The scores were swapped.")
    enter_result(match, claim=entered, repair=repair, may_repair=True, by=None, at=AT)
    after = {line[2]: line for line in seats(event, "C2")}
    changed = {feed for feed in before if after[feed] != before[feed]}
    assert (after.keys(), changed) == (before.keys(), {"loser:M2-3"} if repair is Repair.REPLAY else set())
    play_out(event)
    assert differences(event) == []


@pytest.mark.parametrize("players", [5, 8, 11, 16])
@FORMATS
def test_an_event_is_played_to_its_end_audited_and_drawn_again(director, format, players, capsys):
    event = placed_event(director, format, players)
    play_out(event, seed=players)
    assert differences(event) == []
    call_command("redraw", f"{event.tournament.slug}/{event.slug}")
    assert "This is the published draw." in capsys.readouterr().out


def test_a_corrected_event_is_drawn_again_as_it_stands(director, capsys):
    event = placed_event(director, "consolation", 16)
    play(event, "M1", "C1", "M2", "C2-1")
    source = fixture_of(event, "C2-2").feed_b.removeprefix("loser:")
    win(fixture_of(event, source).match, Side.B, base=1)
    assert fixture_of(event, "C2-2").feed_b == f"loser:{source}"
    assert differences(event) == []
    call_command("redraw", f"{event.tournament.slug}/{event.slug}")
    assert "This is the published draw." in capsys.readouterr().out


def test_the_desk_sees_the_way_through_the_seats_that_wait(director):
    """A semifinal is as urgent as where losers have their seat from the draw on."""
    rests = []
    for placed in (True, False):
        event = build_event(
            director, format="double-elimination", options={"placed": placed}, tournament=build_tournament(director)
        )
        play(event, "M1", "C1")
        rests.append({match.key: match.rest for match in take_desk(event.tournament, at=AT).ready})
    assert rests[0] == rests[1]
    assert rests[0].keys() == {"M2-1", "M2-2"}
