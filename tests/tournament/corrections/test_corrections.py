"""The rule of corrections: free until the next match begins, then with a reason; and the cost of each repair."""

from datetime import timedelta
from functools import partial

import pytest

from matches.models import Match, SheetState
from players.errors import Conflict, Refusal
from rules.score import Side
from tests.builders import AT, build_director, build_event, build_money_terms, claim, fixture_of, open_matches
from tests.tournament.money.test_ledger import settle
from tournament.audit import audit_event
from tournament.corrections.changes import EnterResult
from tournament.corrections.preview import preview_correction
from tournament.draw.reconcile import Repair, RepairNeeded
from tournament.draw.standings import store_standings
from tournament.entries.attendance import leave_event
from tournament.events.deletion import delete_event
from tournament.hall.calling import call_match, start_match
from tournament.hall.tables import add_tables
from tournament.models import Advance, Departure, Event, FormerMatch
from tournament.money.closing import Consent, MovesUnconfirmed
from tournament.money.services import set_money
from tournament.prizes import PayoutPlan, PrizeTable, Share
from tournament.results.enter import end_advance, enter_result, void_result
from tournament.snapshot import take_snapshot
from tournament.snapshot.states import MatchState

pytestmark = pytest.mark.django_db


class Clock:
    """A clock that puts every action a minute after the one before."""

    def __init__(self) -> None:
        self.at = AT

    def __call__(self):
        self.at += timedelta(minutes=1)
        return self.at


@pytest.fixture
def clock() -> Clock:
    return Clock()


def seats(event: Event, key: str) -> list[str | None]:
    fixture = fixture_of(event, key)
    return [entry.name if entry else None for entry in (fixture.entry_a, fixture.entry_b)]


def decide(event: Event, key: str, winner: Side, clock: Clock, **rest):
    match = fixture_of(event, key).match
    final = (match.length, 1) if winner is Side.A else (1, match.length)
    sheet = match.sheets.filter(state__in=["live", "confirmed"]).first()
    entered = claim(final=final, base=sheet.number if sheet else 0, reason=rest.pop("reason", ""))
    return enter_result(match, claim=entered, may_repair=True, by=None, at=clock(), **rest)


@pytest.fixture
def event(clock) -> Event:
    """Four players; the final has begun: the winners of both semifinals play it, and the first has won it."""
    event = build_event(build_director(), players=4)
    for key in ("M1-1", "M1-2", "M2-1"):
        decide(event, key, Side.A, clock)
    return event


def correction(event: Event, clock: Clock):
    match = fixture_of(event, "M1-1").match
    return EnterResult(match, claim(final=(2, match.length), base=1), by=None, at=clock.at)


def differences(event: Event) -> list:
    store_standings(event.pk)
    return audit_event(event)


def test_a_correction_is_open_until_a_player_has_begun_the_next_match(clock):
    event = build_event(build_director(), players=4)
    decide(event, "M1-1", Side.A, clock)
    assert decide(event, "M1-1", Side.B, clock).number == 2
    decide(event, "M1-2", Side.A, clock)
    decide(event, "M2-1", Side.A, clock)
    with pytest.raises(RepairNeeded) as refused:
        decide(event, "M1-2", Side.A, clock)
    assert refused.value.code == "correction_closed"
    assert "M2-1" in str(refused.value)
    assert decide(event, "M1-2", Side.A, clock, reason="Wrong points.").reason == "Wrong points."
    assert take_snapshot(event.pk).stage.fixtures[1].status == MatchState.LOCKED


def test_without_a_repair_a_correction_that_takes_a_player_out_changes_nothing(event, clock):
    with pytest.raises(RepairNeeded) as refused:
        decide(event, "M1-1", Side.B, clock, reason="Seen.")
    assert (refused.value.code, refused.value.status) == ("later_match_begun", 409)
    assert fixture_of(event, "M1-1").match.sheets.count() == 1


def test_the_preview_shows_what_each_repair_costs_and_stores_nothing(event, clock):
    loser, winner = seats(event, "M1-1")[1], seats(event, "M1-1")[0]
    costs = {cost.repair: cost for cost in preview_correction(event, correction(event, clock))}
    assert set(costs) == {Repair.REPLAY, Repair.STAND}
    replay, stand = costs[Repair.REPLAY], costs[Repair.STAND]
    assert [(match.key, match.score) for match in replay.matches] == [("M2-1", "5–1")]
    assert [(seat.key, seat.side, seat.before, seat.after) for seat in replay.seats] == [("M2-1", "A", winner, loser)]
    assert (stand.matches, stand.seats) == ((), ())
    assert {line.name for line in replay.placings} >= {winner, loser}
    assert {move.name for move in replay.ratings} >= {winner, loser}
    assert fixture_of(event, "M1-1").match.sheets.count() == 1
    assert (Advance.objects.count(), FormerMatch.objects.count()) == (0, 0)
    assert differences(event) == []


def test_an_event_that_is_deleted_meanwhile_has_no_preview(event, clock):
    director = event.tournament.appointments.get(role="owner").user
    delete_event(event, typed=event.name, by=director, at=clock())
    with pytest.raises(Conflict) as refused:
        preview_correction(event, correction(event, clock))
    assert refused.value.code == "event_deleted"


def test_a_correction_before_the_next_match_swaps_seats_and_nothing_else(clock):
    event = build_event(build_director(), players=4)
    for key in ("M1-1", "M1-2"):
        decide(event, key, Side.A, clock)
    costs = preview_correction(event, correction(event, clock))
    assert [cost.repair for cost in costs] == [Repair.SWAP, Repair.STAND]
    assert costs[0].matches == ()
    assert [seat.key for seat in costs[0].seats] == ["M2-1"]
    decide(event, "M1-1", Side.B, clock)
    assert seats(event, "M2-1")[0] == seats(event, "M1-1")[1]
    assert differences(event) == []


def test_cancel_and_replay_voids_later_matches_with_the_reason_and_keeps_them(event, clock):
    old = fixture_of(event, "M2-1").match
    decide(event, "M1-1", Side.B, clock, repair=Repair.REPLAY, reason="The loser was entered as winner.")
    assert seats(event, "M2-1")[0] == seats(event, "M1-1")[1]
    sheet = old.sheets.get()
    assert sheet.state == SheetState.VOID
    assert [change.state for change in sheet.changes.all()] == ["confirmed", "void"]
    assert sheet.changes.last().reason == "The loser was entered as winner."
    assert (old.former.key, old.former.entry_a.name) == ("M2-1", seats(event, "M1-1")[0])
    assert fixture_of(event, "M2-1").match != old
    decide(event, "M2-1", Side.B, clock)
    assert differences(event) == []


def test_a_repair_that_touches_played_matches_needs_a_reason(event, clock):
    for repair in (Repair.REPLAY, Repair.STAND):
        with pytest.raises(Refusal) as refused:
            decide(event, "M1-1", Side.B, clock, repair=repair)
        assert refused.value.code in {"reason_missing", "correction_closed"}
    assert fixture_of(event, "M1-1").match.sheets.count() == 1


def test_let_stand_corrects_the_score_and_keeps_who_advanced(event, clock):
    before = seats(event, "M2-1")
    decide(event, "M1-1", Side.B, clock, repair=Repair.STAND, reason="Found too late.")
    assert seats(event, "M2-1") == before
    snapshot = take_snapshot(event.pk)
    shown = snapshot.stage.fixtures[0]
    assert (shown.b.is_winner, shown.advanced.name) == (True, before[0])
    assert differences(event) == []
    store_standings(event.pk)
    wins = {line.entry.name: line.wins for line in take_snapshot(event.pk).stage.standings}
    assert wins[seats(event, "M1-1")[1]] == 1


def test_let_stand_can_be_taken_back_and_then_the_score_decides(clock):
    event = build_event(build_director(), players=4)
    for key in ("M1-1", "M1-2"):
        decide(event, key, Side.A, clock)
    decide(event, "M1-1", Side.B, clock, repair=Repair.STAND, reason="Agreed.")
    assert seats(event, "M2-1")[0] == seats(event, "M1-1")[0]
    match = fixture_of(event, "M1-1").match
    end_advance(match, reason="After all not.", may_repair=True, by=None, at=clock())
    assert seats(event, "M2-1")[0] == seats(event, "M1-1")[1]
    assert differences(event) == []
    with pytest.raises(Conflict) as refused:
        end_advance(match, reason="Again.", may_repair=True, by=None, at=clock())
    assert refused.value.code == "nobody_advanced"


def test_an_advance_by_ruling_ends_with_a_result_that_agrees_with_it(event, clock):
    decide(event, "M1-1", Side.B, clock, repair=Repair.STAND, reason="Found too late.")
    decide(event, "M1-1", Side.A, clock, reason="It was right at first.")
    assert Advance.objects.get().ended_at is not None
    assert differences(event) == []


def test_taking_a_result_back_can_replay_what_followed_but_not_let_it_stand(event, clock):
    match = fixture_of(event, "M1-1").match
    take_back = partial(void_result, match, base=1, reason="Never played.", may_repair=True, by=None, at=clock())
    for repair, code in ((None, "later_match_begun"), (Repair.STAND, "stand_without_result")):
        with pytest.raises(Refusal) as refused:
            take_back(repair=repair)
        assert refused.value.code == code
    take_back(repair=Repair.REPLAY)
    assert seats(event, "M2-1")[0] is None
    assert differences(event) == []


@pytest.mark.parametrize("format", ["swiss", "round-robin"])
def test_a_late_correction_in_which_nobody_loses_a_seat_changes_only_the_table(clock, format):
    event = build_event(build_director(), players=4, format=format)
    while ready := take_snapshot(event.pk).stage.in_state("ready"):
        decide(event, ready[0].key, Side.A, clock)
    first = take_snapshot(event.pk).stage.fixtures[0]
    match = Match.objects.get(pk=first.match_id)
    change = EnterResult(match, claim(final=(2, match.length), base=1), by=None, at=clock.at)
    cost = preview_correction(event, change)[0]
    assert (cost.repair, cost.matches, cost.seats) == (Repair.SWAP, (), ())
    assert cost.placings
    decide(event, first.key, Side.B, clock, reason="Points on the wrong side.")
    assert differences(event) == []


def test_a_match_being_played_at_a_table_closes_the_correction_of_the_one_before(clock):
    event = build_event(build_director(), players=4)
    decide(event, "M1-1", Side.A, clock)
    decide(event, "M1-2", Side.A, clock)
    add_tables(event.tournament, first=1, last=1, by=None, at=clock())
    final = fixture_of(event, "M2-1").match
    call_match(final, by=None, at=clock())
    assert decide(event, "M1-2", Side.A, clock).number == 2
    start_match(final, by=None, at=clock())
    with pytest.raises(RepairNeeded) as refused:
        decide(event, "M1-2", Side.A, clock)
    assert (refused.value.code, "M2-1" in str(refused.value)) == ("correction_closed", True)


def test_a_board_that_has_begun_closes_the_correction_of_the_boards_before_it(clock):
    event = build_event(build_director(), players=4, boards=3)
    for match in open_matches(event):
        win_board(match, Side.A, clock)
    before = fixture_of(event, "M1-1").boards.get(number=2).match
    assert win_board(before, Side.B, clock, base=1).number == 2
    win_board(fixture_of(event, "M2-1").boards.get(number=3).match, Side.A, clock)
    with pytest.raises(RepairNeeded) as refused:
        win_board(before, Side.A, clock, base=2)
    assert (refused.value.code, "M2-1 board 3" in str(refused.value)) == ("correction_closed", True)


def test_a_walkover_over_a_player_who_has_left_does_not_count_as_begun(clock):
    event = build_event(build_director(), players=4)
    decide(event, "M1-1", Side.A, clock)
    decide(event, "M1-2", Side.A, clock)
    leave_event(fixture_of(event, "M2-1").entry_b, kind=Departure.WITHDRAWN, by=None, at=clock())
    assert decide(event, "M1-1", Side.B, clock).number == 2
    assert seats(event, "M2-1")[0] == seats(event, "M1-1")[1]
    assert fixture_of(event, "M2-1").match.sheets.get(state="confirmed").awarded_to == "A"
    assert differences(event) == []


def win_board(match: Match, winner: Side, clock: Clock, base: int = 0):
    final = (match.length, 1) if winner is Side.A else (1, match.length)
    return enter_result(match, claim=claim(final=final, base=base), may_repair=True, by=None, at=clock())


def test_the_preview_shows_which_prizes_change_and_what_was_paid_out_already(event, clock):
    payouts = PayoutPlan((Share("", 10_000, PrizeTable("percent", values=(7000, 3000))),))
    terms = build_money_terms(payouts=payouts)
    with pytest.raises(MovesUnconfirmed) as asked:
        set_money(event, terms, by=None, at=AT)
    consent = Consent(reason="The prizes were forgotten.", digest=asked.value.moves.digest)
    set_money(event, terms, consent=consent, by=None, at=AT)
    winner, second = (fixture_of(event, "M2-1").entry_a, fixture_of(event, "M2-1").entry_b)
    third = fixture_of(event, "M1-1").entry_b
    settle(event, f"prize-field-{winner.pk}", f"prize-field-{second.pk}")
    costs = {cost.repair: cost for cost in preview_correction(event, correction(event, clock))}
    assert costs[Repair.STAND].prizes == ()
    assert {
        line.name: (line.before, line.after, line.paid, line.to_give_back) for line in costs[Repair.REPLAY].prizes
    } == {
        winner.name: (14_000, 0, 14_000, 14_000),
        second.name: (6000, None, 6000, 0),
        third.name: (0, None, 0, 0),
    }
    assert {line.currency.code for line in costs[Repair.REPLAY].prizes} == {"EUR"}
    assert differences(event) == []
