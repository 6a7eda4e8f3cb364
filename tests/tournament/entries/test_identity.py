"""Another player in the place of an entry, and two players who turn out to be one person."""

import pytest

from matches.ratings import rate_matches
from players.errors import Conflict, Refusal
from players.models import Merge, Player, Rating
from players.registry.find import find_players
from players.services import create_player
from rules.score import Side
from tests.builders import AT, build_event, build_tournament, fixture_of, play_out, win
from tournament.audit import audit_event, audit_everything
from tournament.draw.make import make_draw
from tournament.draw.standings import store_standings
from tournament.entries.identity import merge_players, replace_player
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.events.services import finish_event
from tournament.models import LogEntry


def replace(entry, name, **line):
    return replace_player(entry, line=EntryLine(name=name, **line), by=None, at=AT)


def assert_audited(event):
    store_standings(event.pk)
    assert [str(difference) for difference in audit_event(event)] == []


def test_replaced_player_has_the_line_of_the_one_before(director):
    event = build_event(director, players=4, options={"protect": "club"})
    fixture = fixture_of(event, "M1-1")
    entry, before = fixture.entry_a, fixture.entry_a.name
    hash_of_draw = event.stages.get().draw_hash
    replace(entry, "Somebody Else", club="Aarhus")
    fixture = fixture_of(event, "M1-1")
    assert (fixture.entry_a.name, fixture.match.side_a.name) == ("Somebody Else", "Somebody Else")
    assert fixture.entry_a.drawn_as == [before, "", ""]
    assert event.stages.get().draw_hash == hash_of_draw
    assert LogEntry.objects.filter(verb="replace_player").get().detail["before"] == before
    win(fixture.match, Side.A)
    assert_audited(event)


def test_before_the_draw_a_replaced_player_leaves_no_trace_in_it(director):
    event = build_event(director, players=4, drawn=False)
    replace(event.entries.get(number=2), "Somebody Else")
    assert event.entries.get(number=2).drawn_as == []


def test_nobody_is_replaced_after_playing_or_by_somebody_who_is_entered(director):
    event = build_event(director, players=4)
    win(fixture_of(event, "M1-1").match, Side.A)
    with pytest.raises(Conflict) as begun:
        replace(fixture_of(event, "M1-1").entry_a, "Somebody Else")
    with pytest.raises(Refusal) as twice:
        replace(fixture_of(event, "M1-2").entry_a, fixture_of(event, "M1-1").entry_a.name)
    assert (begun.value.code, twice.value.code) == ("entry_has_begun", "entry_twice")


def test_one_player_of_a_pair_can_be_replaced(director):
    event = build_event(director, players=0, drawn=False, doubles=True)
    entry, _other = add_entries(
        event, lines=[EntryLine(name="Ann & Bo"), EntryLine(name="Cyd & Dee", line=2)], by=None, at=AT
    )
    assert replace(entry, "Ann & Eli").name == "Ann & Eli"


def build_two_nights(director):
    """One person as two players, each in an event that has ended."""
    first = build_event(director, players=4)
    second = build_event(director, players=0, drawn=False, tournament=build_tournament(director, "Next Friday"))
    lines = [EntryLine(name=name, line=line) for line, name in enumerate(["Plaeyr 1", "Player 2", "Nora"], start=1)]
    add_entries(second, lines=lines, by=None, at=AT)
    make_draw(second, by=None, at=AT)
    for event in (first, second):
        play_out(event)
        finish_event(event, by=director, at=AT)
    for system in ("fibs",):
        rate_matches(system, at=AT)
    return first, second


def test_merged_players_are_one_person_in_events_matches_and_ranking_lists(director):
    first, second = build_two_nights(director)
    kept, gone = Player.objects.get(name="Player 1"), Player.objects.get(name="Plaeyr 1")
    played = sum(
        Rating.objects.filter(player__in=[kept, gone], ranking_list__system="fibs").values_list("matches", flat=True)
    )
    hash_of_draw = second.stages.get().draw_hash
    merge_players(kept, gone, by=director, at=AT)
    rate_matches("fibs", at=AT)
    gone.refresh_from_db()
    merge = Merge.objects.get(gone=gone)
    assert (gone.merged_into, merge.kept, merge.by, merge.at) == (kept, kept, director, AT)
    assert second.entries.get(number=1).player == kept
    assert not Rating.objects.filter(player=gone).exists()
    assert Rating.objects.get(player=kept, ranking_list__system="fibs").matches == played
    assert second.entries.get(number=1).drawn_as == ["Plaeyr 1", "", ""]
    assert second.stages.get().draw_hash == hash_of_draw
    assert LogEntry.objects.filter(event=second, verb="merge_players").get().detail["before"] == "Plaeyr 1"
    assert find_players("Plaeyr") == []
    for event in (first, second):
        assert_audited(event)
    assert [str(difference) for difference in audit_everything()] == []


def test_an_entry_by_a_merged_id_is_of_the_player_who_was_kept(director):
    kept, gone = create_player(name="Ann", at=AT), create_player(name="Anne", at=AT)
    merge_players(kept, gone, by=None, at=AT)
    event = build_event(director, players=0, drawn=False)
    (entry,) = add_entries(event, lines=[EntryLine(name="Anne", player_id=gone.pk)], by=None, at=AT)
    assert entry.player == kept


def test_two_players_in_one_event_are_two_people(director):
    event = build_event(director, players=4, drawn=False)
    first, second = (entry.player for entry in event.entries.all()[:2])
    with pytest.raises(Conflict) as refused:
        merge_players(first, second, by=None, at=AT)
    assert refused.value.code == "both_in_one_event"


def test_nobody_is_merged_with_themselves_or_twice(director):
    ann, bo, cyd = (create_player(name=name, at=AT) for name in ("Ann", "Bo", "Cyd"))
    with pytest.raises(Conflict) as himself:
        merge_players(ann, ann, by=None, at=AT)
    merge_players(ann, bo, by=None, at=AT)
    with pytest.raises(Conflict) as twice:
        merge_players(cyd, bo, by=None, at=AT)
    assert (himself.value.code, twice.value.code) == ("merge_of_one", "player_merged")
    merge_players(cyd, ann, by=None, at=AT)
    bo.refresh_from_db()
    assert bo.merged_into == cyd
