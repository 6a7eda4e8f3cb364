"""A director's hand on a draw: what it changes and keeps, when it is refused, how it is undone and seen."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.errors import Conflict, Refusal
from rules.score import Side
from tests.builders import AT, build_director, build_event, claim, fixture_of, open_matches, win
from tournament.audit import audit_event
from tournament.corrections.undo import undo_step
from tournament.draw.chain import load_chain
from tournament.draw.hand import ChangedPairing, change_draw, end_changes, preview_change
from tournament.draw.make import cancel_draw, make_draw
from tournament.draw.standings import store_standings
from tournament.entries.identity import replace_player
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.events.services import finish_event
from tournament.formats.moves import MoveKind
from tournament.hall.calling import call_match, start_match
from tournament.hall.tables import add_tables
from tournament.log.words import tell
from tournament.models import HandChange
from tournament.past.event import find_moment, snapshot_at
from tournament.results.enter import enter_result, void_result
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db

WHO = {"by": None, "at": AT}


def knockout(director, players=8, **terms):
    return build_event(director, players=players, seed="", **terms)


def seats(event, number=1) -> dict[str, list[str]]:
    fixtures = take_snapshot(event.pk).stages[number - 1].fixtures
    return {fixture.key: [fixture.a.label, fixture.b.label] for fixture in fixtures}


def change(event, kind, a, b, reason="They came in one car.", number=1):
    return change_draw(event.stages.get(number=number), kind=kind, a=a, b=b, reason=reason, **WHO)


def swap(event, a, b, **more):
    return change(event, MoveKind.SWAP, a, b, **more)


def pair(event, a, b, **more):
    return change(event, MoveKind.PAIR, a, b, **more)


def entry(event, key, side="a"):
    return getattr(fixture_of(event, key), f"entry_{side}")


def why(event, key):
    return next(one for one in take_snapshot(event.pk).stage.fixtures if one.key == key).why


def audited(event):
    store_standings(event.pk)
    return audit_event(event)


def test_two_seats_are_swapped_and_the_pairings_say_so_for_good(director):
    event = knockout(director)
    before = seats(event)
    swap(event, entry(event, "M1-1"), entry(event, "M1-4", "b"))
    after = seats(event)
    assert after["M1-1"] == [before["M1-4"][1], before["M1-1"][1]]
    assert after["M1-4"] == [before["M1-4"][0], before["M1-1"][0]]
    assert {key: after[key] for key in ("M1-2", "M1-3")} == {key: before[key] for key in ("M1-2", "M1-3")}
    assert [why(event, key) for key in ("M1-1", "M1-4")] == ["Changed by the director: They came in one car."] * 2
    assert {one.key for one in take_snapshot(event.pk).stage.fixtures if one.is_by_hand} == {"M1-1", "M1-4"}
    win(fixture_of(event, "M1-1").match, Side.A)
    win(fixture_of(event, "M1-2").match, Side.A)
    assert why(event, "M1-1") == "Changed by the director: They came in one car."
    assert audited(event) == []


def test_a_change_is_kept_when_a_result_is_corrected_a_player_replaced_and_a_late_entry_takes_a_bye(director):
    event = knockout(director, players=7)
    (bye,) = [one.key for one in take_snapshot(event.pk).stage.fixtures if one.round == 1 and one.b.feed == "bye"]
    other = next(f"M1-{number}" for number in range(1, 5) if f"M1-{number}" != bye)
    swap(event, entry(event, bye), entry(event, other), reason="Arrives late.")
    changed = seats(event)
    assert why(event, bye) == "Changed by the director: Arrives late."
    replace_player(entry(event, other), line=EntryLine(name="Zoe"), **WHO)
    result = fixture_of(event, other).match
    win(result, Side.A)
    void_result(result, base=1, reason="Wrong table.", **WHO)
    add_entries(event, lines=[EntryLine(name="Late")], **WHO)
    assert seats(event)[bye] == [changed[bye][0], "Late"]
    assert seats(event)[other] == ["Zoe", changed[other][1]]
    assert audited(event) == []


def test_the_first_match_of_a_moved_bye_holder_says_so_too(director):
    event = knockout(director, players=5)
    fixtures = take_snapshot(event.pk).stage.fixtures
    byes = {one.key for one in fixtures if one.round == 1 and one.b.feed == "bye"}
    (played,) = {one.key for one in fixtures if one.round == 1} - byes
    free = "M2-1" if {"M1-1", "M1-2"} <= byes else "M2-2"
    holder = "M1-1" if free == "M2-1" else "M1-3"
    was = [why(event, key) for key in ("M2-1", "M2-2")]
    swap(event, entry(event, holder), entry(event, played))
    assert why(event, free) == "Changed by the director: They came in one car."
    marked = {one.key for one in take_snapshot(event.pk).stage.fixtures if one.is_by_hand}
    assert marked == {holder, played, free}
    assert audited(event) == []
    end_changes(event.stages.get(), numbers=[1], **WHO)
    assert [why(event, key) for key in ("M2-1", "M2-2")] == was


def test_a_pairing_is_set_by_moving_the_opponent_away(director):
    event = knockout(director, players=7)
    before = seats(event)
    (bye,) = [one.key for one in take_snapshot(event.pk).stage.fixtures if one.round == 1 and one.b.feed == "bye"]
    first, last = [f"M1-{number}" for number in range(1, 5) if f"M1-{number}" != bye][::2]
    pair(event, entry(event, first), entry(event, last))
    after = seats(event)
    assert set(after[first]) == {before[first][0], before[last][0]}
    assert set(after[last]) == {before[first][1], before[last][1]}
    pair(event, entry(event, bye), entry(event, first))
    assert {entry(event, key).name for key in (bye,)} <= set(after[first])
    assert before[bye][0] in seats(event)[first]
    assert audited(event) == []


def test_it_is_refused_once_a_match_that_would_lose_a_player_has_begun(director):
    event = knockout(director)
    first, last = entry(event, "M1-1"), entry(event, "M1-4")
    change_here = swap(event, first, last)
    win(fixture_of(event, "M1-1").match, Side.A)
    before = seats(event)
    with pytest.raises(Conflict, match="a match that has begun"):
        swap(event, entry(event, "M1-1"), entry(event, "M1-2"))
    with pytest.raises(Conflict, match="a match that has begun"):
        end_changes(event.stages.get(), numbers=[change_here[0].number], **WHO)
    swap(event, entry(event, "M1-2"), entry(event, "M1-3"))
    assert seats(event)["M1-1"] == before["M1-1"]
    add_tables(event.tournament, first=1, last=1, **WHO)
    match = fixture_of(event, "M1-3").match
    call_match(match, **WHO)
    start_match(match, **WHO)
    with pytest.raises(Conflict, match="a match that has begun"):
        swap(event, entry(event, "M1-3"), entry(event, "M1-2"))
    for match in open_matches(event):
        win(match, Side.A)
    while matches := open_matches(event):
        win(matches[0], Side.A)
    finish_event(event, **WHO)
    with pytest.raises(Conflict, match="has ended"):
        swap(event, entry(event, "M1-1"), entry(event, "M1-2"))


def test_a_match_that_was_called_is_called_again_with_its_new_players(director):
    event = knockout(director)
    add_tables(event.tournament, first=1, last=1, **WHO)
    call_match(fixture_of(event, "M1-1").match, **WHO)
    swap(event, entry(event, "M1-1"), entry(event, "M1-2"))
    called = {one.key: one.call.table for one in take_snapshot(event.pk).stage.fixtures if one.call}
    assert called == {"M1-1": 1}


def test_a_change_is_undone_and_taken_back_and_the_draw_is_as_it_was_drawn(director):
    event = knockout(director)
    before = seats(event)
    swap(event, entry(event, "M1-1"), entry(event, "M1-2"))
    undo_step(event.log.first(), **WHO)
    assert seats(event) == before
    (row,) = swap(event, entry(event, "M1-1"), entry(event, "M1-2"))
    assert row.number == 2
    end_changes(row.stage, numbers=[2], **WHO)
    assert seats(event) == before
    with pytest.raises(Conflict) as refusal:
        end_changes(row.stage, numbers=[2], **WHO)
    assert refusal.value.code == "draw_change_gone"
    assert [tell(one) for one in event.log.filter(verb__contains="change")][:2] == [
        f"Change of the draw taken back: {before['M1-1'][0]}, {before['M1-2'][0]}",
        f"By the director: {before['M1-1'][0]}, {before['M1-2'][0]} swapped (They came in one car.)",
    ]


def test_a_draw_that_is_cancelled_takes_the_changes_with_it(director):
    event = knockout(director)
    swap(event, entry(event, "M1-1"), entry(event, "M1-2"))
    cancel_draw(event, **WHO)
    make_draw(event, **WHO)
    assert not any(one.is_by_hand for one in take_snapshot(event.pk).stage.fixtures)
    assert HandChange.objects.get().ended_at is not None


def swiss(director, players=8, **options):
    return build_event(director, players=players, format="swiss", seed="", options={"rounds": 3, **options})


def test_a_swiss_round_is_changed_until_a_match_of_it_has_begun(director):
    event = swiss(director)
    before = seats(event)
    swap(event, entry(event, "S1-1"), entry(event, "S1-2"))
    meetings = [set(names) for names in seats(event).values()]
    assert {before["S1-1"][0], before["S1-2"][1]} in meetings
    assert {before["S1-2"][0], before["S1-1"][1]} in meetings
    assert sum(one.is_by_hand for one in take_snapshot(event.pk).stage.fixtures) == 2
    undo_step(event.log.first(), **WHO)
    assert seats(event) == before
    pair(event, entry(event, "S1-3"), entry(event, "S1-4"))
    changed = seats(event)
    row = event.log.first()
    win(fixture_of(event, "S1-1").match, Side.A)
    for refused in (lambda: pair(event, entry(event, "S1-2"), entry(event, "S1-3")), lambda: undo_step(row, **WHO)):
        with pytest.raises(Conflict) as refusal:
            refused()
        assert refusal.value.code in {"round_begun", "undo_depends"}
    for match in open_matches(event):
        win(match, Side.A)
    assert {key: seats(event)[key] for key in changed} == changed
    assert sum(one.is_by_hand for one in take_snapshot(event.pk).stage.fixtures) == 1
    pair(event, entry(event, "S2-1"), entry(event, "S2-3"), reason="For the stream.")
    second = [one.key for one in take_snapshot(event.pk).stage.fixtures if one.round == 2 and one.is_by_hand]
    assert len(second) == 1
    first = fixture_of(event, "S1-1").match
    enter_result(first, claim=claim(final=(0, first.length), base=1, reason="Wrong way."), may_repair=True, **WHO)
    assert sum(one.is_by_hand for one in take_snapshot(event.pk).stage.fixtures if one.round == 2) == 1
    assert audited(event) == []


def test_a_bye_of_a_swiss_round_is_given_by_hand(director):
    event = swiss(director, players=7)
    chosen = entry(event, "S1-1")
    pair(event, chosen, None, reason="Arrives at noon.")
    (free,) = [one for one in take_snapshot(event.pk).stage.fixtures if one.b.feed == "bye"]
    assert (free.a.label, free.why) == (chosen.name, "Changed by the director: Arrives at noon.")


def test_continuous_pairings_stand_and_the_next_one_is_set(director):
    options = {"mode": "continuous", "batch": 4}
    event = build_event(director, players=8, format="swiss-lives", seed="", options=options)
    with pytest.raises(Refusal) as refusal:
        swap(event, entry(event, "S1-1"), entry(event, "S1-2"))
    assert refusal.value.code == "draw_change_stands"
    a, b = entry(event, "S1-1"), entry(event, "S1-2")
    pair(event, a, b, reason="Both want to go home.")
    for key in ("S1-1", "S1-2"):
        win(fixture_of(event, key).match, Side.A)
    (made,) = [one for one in take_snapshot(event.pk).stage.fixtures if one.is_by_hand]
    assert (made.round, {made.a.label, made.b.label}) == (2, {a.name, b.name})


@pytest.mark.parametrize(
    ("format", "ask", "code"),
    [
        *(
            (
                "single-elimination",
                lambda e, r=r: swap(e, entry(e, "M1-1"), entry(e, "M1-2"), reason=r),
                "reason_missing",
            )
            for r in (" ", "\u200b", "–")
        ),
        (
            "single-elimination",
            lambda e: swap(e, entry(e, "M1-1"), entry(e, "M1-2"), reason="x" * 201),
            "reason_too_long",
        ),
        ("single-elimination", lambda e: swap(e, entry(e, "M1-1"), entry(e, "M1-1")), "draw_change_same"),
        ("single-elimination", lambda e: swap(e, entry(e, "M1-1"), entry(e, "M1-1", "b")), "draw_change_nothing"),
        ("single-elimination", lambda e: pair(e, entry(e, "M1-1"), entry(e, "M1-1", "b")), "draw_change_nothing"),
        ("single-elimination", lambda e: pair(e, entry(e, "M1-1"), None), "draw_change_no_bye"),
        ("round-robin", lambda e: pair(e, entry(e, "R1-1"), entry(e, "R1-2")), "draw_change_all_meet"),
        ("swiss", lambda e: swap(e, entry(e, "S1-1"), entry(e, "S1-1", "b")), "draw_change_nothing"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(director, format, ask, code):
    event = knockout(director, format=format)
    before = seats(event), event.version
    with pytest.raises(Refusal) as refusal:
        ask(event)
    event.refresh_from_db()
    assert (refusal.value.code, (seats(event), event.version)) == (code, before)
    assert not HandChange.objects.exists()


def test_two_entries_of_one_player_are_never_made_to_meet(director):
    event = build_event(director, players=8, format="swiss", drawn=False, seed="")
    make_draw(event, **WHO)
    a, b = entry(event, "S1-1"), entry(event, "S1-2")
    type(a).objects.filter(pk=b.pk).update(player=a.player, reentry=1)
    with pytest.raises(Refusal) as refusal:
        pair(event, a, b)
    assert refusal.value.code == "draw_change_impossible"


def test_a_change_is_shown_before_it_is_made_and_nothing_is_stored(director):
    event = knockout(director)
    before = seats(event)
    a, b = entry(event, "M1-1"), entry(event, "M1-2")
    found = preview_change(event.stages.get(), lambda: swap(event, a, b))
    (one, other), (three, four) = before["M1-1"], before["M1-2"]
    assert found == [
        ChangedPairing("M1-1", f"{one} – {other}", f"{three} – {other}"),
        ChangedPairing("M1-2", f"{three} – {four}", f"{one} – {four}"),
    ]
    assert (seats(event), HandChange.objects.count()) == (before, 0)


def test_the_past_shows_the_draw_as_it_was_before_and_after_a_change(director):
    event = knockout(director)
    a, b = entry(event, "M1-1"), entry(event, "M1-2")
    before = seats(event)
    later, last = AT + timedelta(minutes=5), AT + timedelta(minutes=9)
    change_draw(event.stages.get(), kind=MoveKind.SWAP, a=a, b=b, reason="One car.", by=None, at=later)
    after = seats(event)
    undo_step(event.log.first(), by=None, at=last)
    rows = event.log.filter(verb__in=["make_draw", "change_draw", "end_draw_change"]).order_by("id")
    moments = [find_moment(event, str(row.pk)) for row in rows]
    then = [snapshot_at(event.pk, moment).stage.fixtures for moment in moments]
    shown = [{one.key: [one.a.label, one.b.label] for one in fixtures} for fixtures in then]
    assert shown == [before, after, before]


@pytest.mark.parametrize("format", ["single-elimination", "swiss", "pools"])
def test_redraw_names_the_changes_and_finds_the_published_draw(director, format):
    event = knockout(director, format=format)
    first, second = {"single-elimination": "M", "swiss": "S", "pools": "G"}[format], take_snapshot(event.pk).stage
    keys = [one.key for one in second.fixtures if one.round == 1]
    assert keys[0].startswith(first)
    a, b = entry(event, keys[0]), entry(event, keys[-1])
    swap(event, a, b)
    out = StringIO()
    call_command("redraw", f"{event.tournament.slug}/{event.slug}", stdout=out)
    assert out.getvalue().splitlines()[-1] == "This is the published draw."
    assert "Changed by the director: " in out.getvalue()


def test_the_digest_of_the_draw_is_untouched(director):
    event = knockout(director)
    before = take_snapshot(event.pk).stage
    swap(event, entry(event, "M1-1"), entry(event, "M1-2"))
    after = take_snapshot(event.pk).stage
    assert (after.draw_hash, after.urns) == (before.draw_hash, before.urns)


def test_a_draw_without_changes_takes_no_further_query(director):
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            load_chain(event).at(event.stages.get()).plan  # noqa: B018  # what is counted is its making
        return len(captured)

    event = knockout(director)
    without = queries()
    swap(event, entry(event, "M1-1"), entry(event, "M1-2"))
    assert queries() == without + 1


def test_a_button_pressed_twice_does_not_swap_back(director):
    event = knockout(director)
    a, b = entry(event, "M1-1"), entry(event, "M1-2")
    asked = {"kind": MoveKind.SWAP, "a": a, "b": b, "reason": "One car.", "base": 0}
    change_draw(event.stages.get(), **asked, **WHO)
    after = seats(event)
    with pytest.raises(Conflict) as refusal:
        change_draw(event.stages.get(), **asked, **WHO)
    assert (refusal.value.code, seats(event)) == ("draw_changed", after)


def test_an_audit_finds_a_change_that_was_removed_from_the_database(director):
    event = knockout(director)
    swap(event, entry(event, "M1-1"), entry(event, "M1-2"))
    assert audited(event) == []
    HandChange.objects.all().delete()
    assert {difference.check for difference in audited(event)} == {"plan", "matches"}


def test_a_match_called_again_after_a_swap_names_who_swapped(director):
    event = knockout(director)
    add_tables(event.tournament, first=1, last=1, **WHO)
    call_match(fixture_of(event, "M1-1").match, by=build_director("caller", event.tournament), at=AT)
    change_draw(
        event.stages.get(),
        kind=MoveKind.SWAP,
        a=entry(event, "M1-1"),
        b=entry(event, "M1-4"),
        reason="They came in one car.",
        by=director,
        at=AT,
    )
    again = fixture_of(event, "M1-1").match.calls.get(left_at=None)
    assert (again.table.number, again.by) == (1, director)
