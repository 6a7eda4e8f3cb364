"""A merge of two players is undone: each has their own again, unless something later stands in the way."""

import pytest
from django.db import connection
from django.db.models import Q
from django.test.utils import CaptureQueriesContext

from matches.models import Match
from matches.ratings import rate_matches
from players.errors import Conflict
from players.models import Merge, Player
from players.services import create_player
from rules.score import Side
from tests.builders import AT, build_event, build_tournament, fixture_of, open_matches, win
from tests.tournament.entries.merging import assert_audited, everybody, known, match_of
from tests.tournament.past.test_past import Scene, picture
from tests.tournament.past.test_team_past import TeamScene
from tournament.audit import audit_event
from tournament.draw.make import make_draw
from tournament.entries.attendance import leave_event
from tournament.entries.identity import merge_players, replace_player, undo_merge
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.events.deletion import delete_event, restore_event
from tournament.hall.calling import call_match
from tournament.hall.tables import add_tables
from tournament.models import Entry, Event, Seat
from tournament.past.event import snapshot_at

pytestmark = pytest.mark.django_db


@pytest.mark.usefixtures("administers")
def test_everything_is_as_it_was_after_a_merge_that_is_undone(director, life):
    before = everybody()
    anna, anne = known("Anna"), known("Anne")
    merge_players(anna, anne, by=director, at=AT)
    merged = known("Anna")
    assert (merged.club.name, merged.country, merged.merged_into) == ("Aarhus", "DK", None)
    assert not Seat.objects.filter(person=anne).exists()
    rate_matches("fibs", at=AT)
    assert everybody() != before
    assert undo_merge(anne, by=director, at=AT) == anne
    rate_matches("fibs", at=AT)
    assert everybody() == before
    assert_audited(*life)


@pytest.mark.usefixtures("administers")
def test_the_log_of_each_event_says_that_the_merge_is_undone(director, life):
    anna, anne = known("Anna"), known("Anne")
    merge_players(anna, anne, by=director, at=AT)
    undo_merge(anne, by=director, at=AT)
    for event in life[:4]:
        undone, merged = event.log.all()[:2]
        assert (merged.verb, undone.verb) == ("merge_players", "undo_merge")
        assert undone.detail["undoes"] == merged.pk
        assert (undone.detail["names"], undone.detail["before"]) == (["Anna"], "Anne")
    assert not life[4].log.filter(verb__in=["merge_players", "undo_merge"]).exists()
    merge = Merge.objects.get(kept=anna)
    assert (merge.gone, merge.by, merge.undone_by, merge.undone_at) == (anne, director, director, AT)


def test_results_of_a_players_entries_since_the_merge_go_back_with_them(director, life):
    singles, _pairs, teams, *_rest = life
    anna, anne = known("Anna"), known("Anne")
    merge_players(anna, anne, by=None, at=AT)
    make_draw(life[3], by=None, at=AT)
    add_tables(life[3].tournament, first=1, last=1, by=None, at=AT)
    for event in (singles, teams):
        win_all(event, event.entries.get(Q(player=anna) | Q(members__player=anna)))
        assert len(matches(event, anna)) == 2
    call = call_match(match_of(life[3], anna), by=None, at=AT)
    undo_merge(anne, by=None, at=AT)
    for event in (singles, teams):
        assert (len(matches(event, anna)), len(matches(event, anne))) == (0, 2)
    assert set(call.seats.values_list("person__name", flat=True)) == {"Anne", "Bo"}
    assert not Seat.objects.filter(person=anna).exists()
    assert_audited(*life)


def win_all(event: Event, entry: Entry) -> None:
    """Play every match; this entry wins all of its own."""
    while found := open_matches(event):
        fixture = found[0].board.fixture if event.has_teams else found[0].fixture
        win(found[0], Side.B if fixture.entry_b_id == entry.pk else Side.A)


def matches(event: Event, player: Player) -> list[Match]:
    path = "board__fixture" if event.has_teams else "fixture"
    played = Match.objects.filter(**{f"{path}__stage__event": event})
    return [match for match in played if player.pk in (match.side_a_id, match.side_b_id)]


def test_a_draw_that_was_made_since_stays_the_one_that_was_made(director, life):
    undrawn = life[3]
    anna, anne = known("Anna"), known("Anne")
    merge_players(anna, anne, by=None, at=AT)
    make_draw(undrawn, by=None, at=AT)
    drawn = undrawn.stages.get().draw_hash
    undo_merge(anne, by=None, at=AT)
    entry = undrawn.entries.get(player=anne)
    assert entry.drawn_as == ["Anna", "Aarhus", "DK"]
    assert undrawn.stages.get().draw_hash == drawn
    assert_audited(*life)


def test_a_club_that_was_changed_since_stays(director, life):
    anna, anne = known("Anna"), known("Anne")
    merge_players(anna, anne, by=None, at=AT)
    Player.objects.filter(pk=anna.pk).update(country="SE")
    undo_merge(anne, by=None, at=AT)
    anna.refresh_from_db()
    assert (anna.club, anna.country) == (None, "SE")


def test_a_player_who_was_replaced_or_left_since_is_not_in_the_way(director, life):
    singles, undrawn = life[0], life[3]
    anna, anne = known("Anna"), known("Anne")
    merge_players(anna, anne, by=None, at=AT)
    replace_player(undrawn.entries.get(player=anna), line=EntryLine(name="Jan"), by=None, at=AT)
    leave_event(singles.entries.get(player=anna), kind="withdrawn", by=None, at=AT)
    undo_merge(anne, by=None, at=AT)
    assert undrawn.entries.get(number=1).name == "Jan"
    assert singles.entries.get(player=anne).left_kind == "withdrawn"
    assert_audited(*life)


def test_an_entry_made_since_in_an_event_of_the_other_player_is_in_the_way(director, life):
    undrawn = life[3]
    anna, anne = known("Anna"), known("Anne")
    merge_players(anna, anne, by=None, at=AT)
    replace_player(undrawn.entries.get(player=anna), line=EntryLine(name="Jan"), by=None, at=AT)
    add_entries(undrawn, lines=[EntryLine(name="Anna", player_id=anna.pk)], by=None, at=AT)
    before = everybody()
    with pytest.raises(Conflict) as refused:
        undo_merge(anne, by=None, at=AT)
    assert (refused.value.code, everybody()) == ("entered_since", before)
    assert str(refused.value) == "Anna was entered in Main after the merge. Remove that entry first."


def test_merges_are_undone_in_their_order(director, life):
    last = create_player(name="Anna B.", at=AT)
    before = everybody()
    anna, anne, ana = known("Anna"), known("Anne"), known("Ana")
    merge_players(anna, anne, by=None, at=AT)
    merge_players(last, anna, by=None, at=AT)
    for gone, refusal in (
        (anne, "Anna and Anna B. have since been merged."),
        (ana, "Anne and Anna B. have since been merged."),
    ):
        with pytest.raises(Conflict) as refused:
            undo_merge(gone, by=None, at=AT)
        assert (refused.value.code, str(refused.value)) == ("merged_since", f"{refusal} Undo that merge first.")
    undo_merge(anna, by=None, at=AT)
    undo_merge(anne, by=None, at=AT)
    rate_matches("fibs", at=AT)
    assert everybody() == before
    undo_merge(ana, by=None, at=AT)
    ana.refresh_from_db()
    assert ana.merged_into is None


def test_two_players_merged_into_a_third_are_given_back_one_by_one(director, life):
    anna, anne, bo = known("Anna"), known("Anne"), create_player(name="Annika", at=AT)
    before = everybody()
    merge_players(anna, anne, by=None, at=AT)
    merge_players(anna, bo, by=None, at=AT)
    undo_merge(anne, by=None, at=AT)
    undo_merge(bo, by=None, at=AT)
    rate_matches("fibs", at=AT)
    assert everybody() == before


def test_a_player_who_is_not_merged_or_was_before_merges_were_kept_is_not_parted(director):
    ann, bo = create_player(name="Ann", at=AT), create_player(name="Bo", at=AT)
    with pytest.raises(Conflict) as never:
        undo_merge(bo, by=None, at=AT)
    merge_players(ann, bo, by=None, at=AT)
    Merge.objects.update(detail={})
    with pytest.raises(Conflict) as older:
        undo_merge(bo, by=None, at=AT)
    Merge.objects.update(detail={"moved": {}, "filled": {}, "events": [], "drawn": []})
    undo_merge(bo, by=None, at=AT)
    with pytest.raises(Conflict) as twice:
        undo_merge(bo, by=None, at=AT)
    codes = (never.value.code, older.value.code, twice.value.code)
    assert codes == ("not_merged", "merge_not_kept", "not_merged")


def test_a_merge_of_an_event_that_is_deleted_is_undone_and_the_event_restored(director, life):
    singles = life[0]
    before = everybody()
    anna, anne = known("Anna"), known("Anne")
    merge_players(anna, anne, by=None, at=AT)
    delete_event(singles, typed=singles.name, by=director, at=AT)
    undo_merge(anne, by=None, at=AT)
    restore_event(singles, by=director, at=AT)
    after = everybody()
    assert (after[0]["Entry", "player"], after[0]["Match", "side_a"]) == (
        before[0]["Entry", "player"],
        before[0]["Match", "side_a"],
    )
    assert_audited(*life)


# From the history of an event


def test_what_was_seen_between_a_merge_and_its_undoing_is_still_seen_for_that_time(director):
    event = build_event(director, players=4)
    scene = Scene(event)
    player = event.entries.get(number=1).player
    kept = create_player(name="Somebody Else", at=AT)
    scene.win("M1-1", Side.A)
    scene.do(merge_players, kept, player)
    scene.win("M1-2", Side.A)
    scene.do(undo_merge, player)
    scene.win("M2-1", Side.B)
    for moment, seen in scene.seen:
        assert picture(snapshot_at(event.pk, moment)) == seen


def test_members_of_teams_are_named_as_they_were_known_then(director):
    event = build_event(director, players=4, boards=3)
    scene = TeamScene(event)
    sitting = fixture_of(event, "M1-1").boards.get(number=2).match.side_a
    kept = create_player(name="Somebody Else", at=AT)
    scene.win_board("M1-1", 1, Side.A)
    scene.do(merge_players, kept, sitting)
    scene.win_board("M1-1", 2, Side.B)
    scene.seat("M1-1", 3, 3)
    scene.do(undo_merge, sitting)
    scene.win_board("M1-1", 3, Side.B)
    scene.check()
    assert audit_event(event) == []


# Size


def test_queries_of_undoing_a_merge_do_not_grow_with_the_matches(director):
    def queries(players: int) -> int:
        event = build_event(
            director, players=players, format="round-robin", tournament=build_tournament(director, f"{players}")
        )
        gone = event.entries.get(number=players).player
        kept = create_player(name="Somebody Else", at=AT)
        merge_players(kept, gone, by=None, at=AT)
        win(match_of(event, kept), Side.A)
        with CaptureQueriesContext(connection) as captured:
            undo_merge(gone, by=None, at=AT)
        return len(captured)

    assert queries(4) == queries(16)
