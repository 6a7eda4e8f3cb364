"""A board is corrected after the next match has begun: by a replay, or the team that advanced continues by ruling."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from matches.audit import audit_free_matches
from matches.services import current_sheet
from players.errors import Conflict, Refusal
from rules.score import Side
from tests.builders import AT, build_director, build_event, claim, open_matches, win
from tests.tournament.entries.test_teams import boards_of, seats_of, shown
from tournament.audit import audit_event
from tournament.corrections.changes import EnterResult
from tournament.corrections.preview import preview_correction
from tournament.corrections.undo import undo_step
from tournament.draw.reconcile import Repair, RepairNeeded
from tournament.draw.standings import store_standings
from tournament.models import Advance, Event
from tournament.past.event import Moment, snapshot_at
from tournament.results.enter import end_advance, enter_result, void_result
from tournament.results.walkovers import walk_over
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db


class Clock:
    def __init__(self) -> None:
        self.at = AT

    def __call__(self) -> datetime:
        self.at += timedelta(minutes=1)
        return self.at


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def event(clock) -> Event:
    """Four teams: team A of each first match won 2–1, and a board of the final has been played."""
    event = build_event(build_director(), players=4, boards=3)
    for key in ("M1-1", "M1-2"):
        for number, winner in enumerate((Side.A, Side.A, Side.B), start=1):
            decide(event, key, number, winner, clock)
    decide(event, "M2-1", 1, Side.B, clock)
    return event


def decide(event: Event, key: str, number: int, winner: Side, clock: Clock, *, reason: str = "", **rest) -> None:
    match = boards_of(event, key)[number - 1]
    sheet = current_sheet(match)
    final = (5, 1) if winner is Side.A else (1, 5)
    said = claim(final=final, base=sheet.number if sheet else 0, reason=reason)
    enter_result(match, claim=said, may_repair=True, by=None, at=clock(), **rest)


def let_stand(event: Event, clock: Clock) -> None:
    decide(event, "M1-1", 1, Side.B, clock, repair=Repair.STAND, reason="Found too late.")


def differences(event: Event) -> list[str]:
    store_standings(event.pk)
    return [str(difference) for difference in audit_event(event)]


def test_let_stand_corrects_the_boards_and_keeps_who_advanced(event, clock):
    before = seats_of(event, "M2-1")
    let_stand(event, clock)
    assert seats_of(event, "M2-1") == before
    fixture = shown(event, "M1-1")
    assert (fixture.a.points, fixture.b.points, fixture.b.is_winner) == (1, 2, True)
    assert fixture.advanced.name == before[0]
    assert differences(event) == []
    wins = {line.entry.name: line.wins for line in take_snapshot(event.pk).stage.standings}
    assert wins[fixture.b.label] == 1


def test_a_correction_that_changes_no_winner_makes_no_ruling(event, clock):
    decide(event, "M1-1", 3, Side.A, clock, repair=Repair.STAND, reason="Wrong way round.")
    assert Advance.objects.count() == 0
    assert shown(event, "M1-1").advanced is None
    assert differences(event) == []


def test_the_preview_offers_a_ruling_besides_the_replay(event, clock):
    match = boards_of(event, "M1-1")[0]
    change = EnterResult(match, claim(final=(1, 5), base=1), by=None, at=clock.at)
    costs = {cost.repair: cost for cost in preview_correction(event, change)}
    assert set(costs) == {Repair.REPLAY, Repair.STAND}
    assert [fallen.key for fallen in costs[Repair.REPLAY].matches] == ["M2-1 board 1"]
    assert (costs[Repair.STAND].matches, costs[Repair.STAND].seats) == ((), ())
    assert Advance.objects.count() == 0


def test_the_ruling_is_taken_back_from_any_board_and_then_the_boards_decide(event, clock):
    winner = shown(event, "M1-1").b.label
    let_stand(event, clock)
    other = boards_of(event, "M1-1")[2]
    with pytest.raises(RepairNeeded) as refused:
        end_advance(other, reason="After all not.", may_repair=True, by=None, at=clock())
    assert refused.value.code == "later_match_begun"
    end_advance(other, reason="After all not.", repair=Repair.REPLAY, may_repair=True, by=None, at=clock())
    assert seats_of(event, "M2-1")[0] == winner
    assert differences(event) == []
    with pytest.raises(Conflict) as refused:
        end_advance(other, reason="Again.", may_repair=True, by=None, at=clock())
    assert refused.value.code == "nobody_advanced"


def test_the_ruling_ends_with_boards_that_agree_with_it(event, clock):
    let_stand(event, clock)
    decide(event, "M1-1", 3, Side.A, clock, reason="That one too.")
    assert Advance.objects.get().ended_at == clock.at
    assert shown(event, "M1-1").advanced is None
    assert differences(event) == []


def test_the_ruling_ends_when_a_board_is_taken_back(event, clock):
    let_stand(event, clock)
    match = boards_of(event, "M1-1")[1]
    take_back = {"base": 1, "reason": "Never played.", "by": None}
    with pytest.raises(Refusal) as refused:
        void_result(match, **take_back, repair=Repair.STAND, may_repair=True, at=clock())
    assert refused.value.code == "stand_without_result"
    void_result(match, **take_back, repair=Repair.REPLAY, may_repair=True, at=clock())
    assert Advance.objects.get().ended_at == clock.at
    assert seats_of(event, "M2-1")[0] == ""
    assert differences(event) == []


def test_the_ruling_ends_when_a_walkover_is_undone(clock):
    event = build_event(build_director(), players=4, boards=3)
    for number in (1, 2):
        decide(event, "M1-1", number, Side.B, clock)
    walk_over(boards_of(event, "M1-1")[0], to=Side.A, key="k", by=None, at=clock())
    walked = event.log.select_related("event").first()
    decide(event, "M1-1", 1, Side.A, clock, repair=Repair.STAND, reason="Agreed.")
    assert shown(event, "M1-1").advanced.name == shown(event, "M1-1").b.label
    undo_step(walked, by=None, at=clock())
    assert Advance.objects.get().ended_at == clock.at
    assert seats_of(event, "M2-1") == ("", "")
    assert differences(event) == []


def test_the_past_shows_which_team_went_on_then(event, clock):
    before = clock.at
    let_stand(event, clock)
    after = clock()
    end_advance(boards_of(event, "M1-1")[0], reason="No.", repair=Repair.REPLAY, may_repair=True, by=None, at=clock())
    for moment, went_on in ((before, None), (after, shown(event, "M1-1").a.label)):
        fixture = snapshot_at(event.pk, Moment(moment)).stage.fixtures[0]
        assert (fixture.advanced and fixture.advanced.name) == went_on


def test_the_audit_knows_the_boards_that_a_replayed_match_left_without_a_result(event, clock):
    left = boards_of(event, "M2-1")
    decide(event, "M1-1", 1, Side.B, clock, repair=Repair.REPLAY, reason="Found too late.")
    assert [match.sheets.count() for match in left] == [1, 0, 0]
    assert list(audit_free_matches()) == []


def test_the_page_of_a_board_offers_the_ruling_and_takes_it_back(event, clock):
    client = Client()
    client.force_login(event.tournament.appointments.get().user)
    match = boards_of(event, "M1-1")[0]
    said = {"key": "k", "base": 1, "final_a": 1, "final_b": 5, "reason": "Found too late."}
    offered = client.post(reverse("enter", args=[match.pk, "final"]), said)
    assert (offered.status_code, 'value="stand"' in offered.content.decode()) == (409, True)
    chosen = {"repair": "stand", "shown": offered.context["correction"]["shown"]}
    done = client.post(reverse("enter", args=[match.pk, "final"]), {**said, **chosen})
    assert done.status_code == 302
    page = client.get(boards_of(event, "M1-1")[1].get_absolute_url()).content.decode()
    assert reverse("end-advance", args=[boards_of(event, "M1-1")[1].pk]) in page


def test_entering_a_board_takes_the_same_queries_for_8_and_16_teams():
    counts = set()
    director = build_director()
    for teams in (8, 16):
        event = build_event(director, players=teams, boards=3)
        with CaptureQueriesContext(connection) as queries:
            win(open_matches(event)[0], Side.A)
        counts.add(len(queries))
    assert counts == {29}
