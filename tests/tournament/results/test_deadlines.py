"""A match that nobody began by its deadline is decided once, by the rule that the event had before its draw."""

from datetime import date, datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from matches.claims import Claim
from matches.models import Conclusion, Match, SheetState
from players.errors import Refusal
from rules.score import Side
from tests.builders import AT, build_event, claim, fixture_of, win
from tests.meanwhile import before_transaction
from tests.tournament.ladders import at_rung
from tests.tournament.pages.test_my_page import text_of
from tournament.audit import audit_event
from tournament.corrections.undo import undo_step
from tournament.draw.challenges import challenge
from tournament.draw.standings import store_standings
from tournament.entries.attendance import leave_event
from tournament.events.deletion import delete_event
from tournament.hall.calling import call_match
from tournament.log.words import tell
from tournament.models import Event, Fixture
from tournament.past.event import find_moment, snapshot_at
from tournament.results.by_rule import reason_of
from tournament.results.deadlines import extend_deadline, move_deadline, offer_to_play
from tournament.results.enter import void_result
from tournament.results.reports import report_result, withdraw_result
from tournament.results.unplayed import decide_unplayed, unplayed_matches, why_undecided
from tournament.results.walkovers import walk_over
from tournament.snapshot import take_snapshot
from tournament.tasks import decide_match, heal

A, B = Side.A, Side.B
FIRST, LAST = date(2026, 3, 6), date(2026, 3, 12)
ZONE = ZoneInfo("UTC")
pytestmark = pytest.mark.django_db


def at(day: date, hour: int = 12) -> datetime:
    return datetime(day.year, day.month, day.day, hour, tzinfo=timezone.get_default_timezone())


def later(days: int) -> datetime:
    """Noon, so many days after the deadline."""
    return at(LAST + timedelta(days=days))


def league(director, unplayed: str = "neither", players: int = 2, **options) -> Event:
    """A league of a week for each round from 6 March 2026."""
    options = {"starts_on": FIRST.isoformat(), "days": 7, "unplayed": unplayed, **options}
    return build_event(director, players=players, format="league", options=options)


def only_match(event: Event) -> Match:
    return event.stages.get().fixtures.get(round=1).match


def shown(event: Event):
    return take_snapshot(event.pk).stage.fixtures[0]


def test_the_rule_decides_after_the_days_of_grace_and_only_once(director):
    event = league(director, grace=2)
    match = only_match(event)
    for day in (0, 1, 2):
        assert (list(unplayed_matches(later(day))), decide_unplayed(match.pk, at=later(day))) == ([], False)
    assert list(unplayed_matches(later(3))) == [match.pk]
    assert decide_unplayed(match.pk, at=later(3))
    assert (list(unplayed_matches(later(3))), decide_unplayed(match.pk, at=later(3))) == ([], False)
    (sheet,) = match.sheets.all()
    assert (sheet.state, sheet.conclusion, sheet.claimed_by) == (SheetState.CONFIRMED, Conclusion.VOID, None)
    row = event.log.first()
    assert (row.verb, row.actor, row.detail["rule"]) == ("enter_result", None, "neither")
    assert tell(row).endswith("neither side came, by the rule of the event: not begun by its deadline, 12 March 2026")
    store_standings(event.pk)
    assert audit_event(Event.objects.get()) == []


def test_the_deadline_ends_with_the_day_in_the_zone_of_the_tournament(director):
    event = league(director)
    event.tournament.time_zone = "Pacific/Kiritimati"  # 14 hours ahead of UTC
    event.tournament.save()
    match, midnight = only_match(event), datetime(2026, 3, 13, tzinfo=ZoneInfo("Pacific/Kiritimati"))
    assert not decide_unplayed(match.pk, at=midnight - timedelta(seconds=1))
    assert decide_unplayed(match.pk, at=midnight)


def test_without_a_rule_or_a_day_the_director_decides(director):
    event = league(director, "director")
    dateless = build_event(
        director, players=2, format="league", options={"unplayed": "neither"}, tournament=event.tournament, name="B"
    )
    assert list(unplayed_matches(later(99))) == []
    assert not any(decide_unplayed(only_match(one).pk, at=later(99)) for one in (event, dateless))


@pytest.mark.parametrize(("offers", "winner"), [([A], A), ([B], B), ([A, A], A), ([A, B], None), ([], None)], ids=str)
def test_the_side_that_offered_wins_against_one_that_did_not(director, offers, winner):
    event = league(director, "offered")
    match = only_match(event)
    for side in offers:
        offer_to_play(match, side=side, days=[LAST], at=AT)
    assert list(unplayed_matches(later(1))) == ([match.pk] if winner else [])
    assert decide_unplayed(match.pk, at=later(1)) == (winner is not None)
    assert [(one.conclusion, one.awarded_to) for one in match.sheets.all()] == (
        [(Conclusion.WALKOVER, winner)] if winner else []
    )


@pytest.mark.parametrize(
    "act",
    [
        lambda match, by: win(match, A),
        lambda match, by: report_result(match, claim=claim(final=(5, 0)), side=A, by=None, at=AT),
        lambda match, by: call_match(match, by=by, at=AT),
        lambda match, by: leave_event(fixture_of(Event.objects.get(), "R1-1").entry_a, kind="withdrawn", by=by, at=AT),
        lambda match, by: Event.objects.update(finished_at=AT),
        lambda match, by: delete_event(Event.objects.get(), typed="Main", by=by, at=AT),
        lambda match, by: move_deadline(match, to=LAST + timedelta(days=1), reason="Ill.", by=by, at=AT),
        lambda match, by: Match.objects.update(created_at=later(1)),
    ],
    ids=["result", "report", "called", "left", "ended", "deleted", "moved", "made too late"],
)
def test_whatever_happens_between_the_sweep_and_the_lock_it_is_asked_again(director, act):
    match = only_match(league(director))
    assert list(unplayed_matches(later(1))) == [match.pk]
    act(match, director)
    before = match.sheets.count()
    assert list(unplayed_matches(later(1))) == []
    assert not decide_unplayed(match.pk, at=later(1))
    assert match.sheets.count() == before


def withdrawn_report(match: Match, *, made: datetime = AT, back: datetime = AT) -> None:
    report_result(match, claim=claim(final=(5, 0)), side=A, by=None, at=made)
    withdraw_result(match, base=1, side=A, at=back)


@pytest.mark.parametrize(
    "act",
    [
        withdrawn_report,
        lambda match: void_result(match, base=win(match, A).number, reason="Wrong.", by=None, at=AT),
        lambda match: void_result(match, base=twice(match), reason="Wrong.", by=None, at=AT),
    ],
    ids=["report", "result", "corrected result"],
)
def test_a_match_whose_sheets_have_all_been_taken_back_counts_as_not_begun(director, act):
    event = league(director, "offered", grace=1)
    match = only_match(event)
    act(match)
    sheets = match.sheets.count()
    offer_to_play(match, side=A, days=[LAST], at=later(0))
    assert list(unplayed_matches(later(2))) == [match.pk]
    assert decide_unplayed(match.pk, at=later(2))
    assert match.sheets.count() == sheets + 1


def twice(match: Match) -> int:
    win(match, A)
    return win(match, B, base=1).number


def test_a_sheet_taken_back_once_the_rule_could_decide_leaves_the_match_to_the_director(director):
    event = league(director, grace=1)
    match = only_match(event)
    withdrawn_report(match, made=later(1), back=later(1))
    assert list(unplayed_matches(later(2))) == [match.pk]
    withdrawn = win(match, A)
    void_result(match, base=withdrawn.number, reason="Wrong.", by=None, at=later(2))
    assert list(unplayed_matches(later(2))) == []
    assert not decide_unplayed(match.pk, at=later(2))
    move_deadline(match, to=LAST + timedelta(days=4), reason="Ill.", by=director, at=later(3))
    assert list(unplayed_matches(later(6))) == [match.pk]


def test_a_key_that_a_player_chooses_does_not_stop_the_rule(director):
    match = only_match(league(director))
    report_result(match, claim=Claim(key=f"unplayed-{LAST}", final=(5, 0)), side=A, by=None, at=AT)
    withdraw_result(match, base=1, side=A, at=AT)
    assert decide_unplayed(match.pk, at=later(1))


WHY = "The rule of the event leaves this match to the director: "


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (lambda match, by: report_result(match, claim=claim(final=(5, 0)), side=A, by=None, at=AT), "it has begun"),
        (lambda match, by: call_match(match, by=by, at=AT), "it has been called"),
        (lambda match, by: Match.objects.update(created_at=later(1)), "it was drawn after its deadline"),
        (lambda match, by: withdrawn_report(match, back=later(1)), "was taken back after the days of grace"),
        (lambda match, by: None, "neither side has offered"),
        (lambda match, by: offer_to_play(match, side=A, days=[], at=later(0)), "too late to be answered"),
        (lambda match, by: [offer_to_play(match, side=side, days=[], at=AT) for side in Side], "both sides"),
        (lambda match, by: undone(match, by), "the decision by the rule has been taken back"),
    ],
    ids=["begun", "called", "made late", "taken back", "no offer", "late offer", "both", "undone"],
)
def test_the_page_of_the_match_says_to_its_director_why_the_rule_does_not_decide_it(
    director, client, monkeypatch, act, why
):
    match = only_match(league(director, "offered"))
    act(match, director)
    client.force_login(director)
    monkeypatch.setattr(timezone, "now", lambda: later(0))
    assert WHY not in text_of(client.get(match.get_absolute_url()))
    monkeypatch.setattr(timezone, "now", lambda: later(1))
    assert why in text_of(client.get(match.get_absolute_url())).partition(WHY)[2].partition(".")[0]
    client.logout()
    assert WHY not in text_of(client.get(match.get_absolute_url()))


def undone(match: Match, by) -> None:
    offer_to_play(match, side=A, days=[], at=AT)
    decide_unplayed(match.pk, at=later(1))
    undo_step(Event.objects.get().log.first(), by=by, at=later(1))


def test_nothing_is_said_of_a_match_that_the_rule_is_about_to_decide(director):
    event = league(director)
    match = only_match(event)
    assert (why_undecided(fixture_of(event, "R1-1"), at=later(1)), decide_unplayed(match.pk, at=later(1))) == ("", True)


def test_the_reason_of_a_decision_is_read_in_the_language_of_the_reader(director):
    event = league(director, grace=0)
    match = only_match(event)
    with override("da"):
        decide_unplayed(match.pk, at=later(1))
    sheet, row = match.sheets.get(), event.log.first()
    assert (sheet.reason, row.detail["reason"], row.detail["deadline"]) == ("", "", "2026-03-12")
    assert [change.reason for change in sheet.changes.all()] == [""]
    assert reason_of(sheet) == "Not begun by the deadline, 12 March 2026."
    assert "not begun by its deadline" in tell(row)
    with override("da"):
        assert reason_of(sheet) != "Not begun by the deadline, 12 March 2026."
        assert "12. marts 2026" in reason_of(sheet)
    win(match, A, base=1)
    assert "Not begun by the deadline, 12 March 2026." in text_of(Client().get(match.get_absolute_url()))


@pytest.mark.parametrize(("grace", "day", "wins"), [(0, -1, True), (0, 0, False), (2, 1, True), (2, 2, False)])
def test_an_offer_wins_only_if_the_opponent_had_a_whole_day_to_answer(director, grace, day, wins):
    match = only_match(league(director, "offered", grace=grace))
    offer_to_play(match, side=A, days=[], at=at(LAST + timedelta(days=day), hour=23))
    assert not decide_unplayed(match.pk, at=later(grace))
    assert decide_unplayed(match.pk, at=later(grace + 1)) == wins


def test_an_offer_of_the_last_evening_is_answered_during_the_days_of_grace(director):
    event = league(director, "offered", grace=2, extension=1)
    match = only_match(event)
    offer_to_play(match, side=A, days=[LAST + timedelta(days=2)], at=at(LAST, hour=23))
    assert code_of(lambda: extend_deadline(match, side=B, at=later(1))) == "deadline_over"
    days = [LAST + timedelta(days=3)]
    assert code_of(lambda: offer_to_play(match, side=B, days=days, at=later(2))) == "offer_out_of_range"
    offer_to_play(match, side=B, days=[LAST + timedelta(days=2)], at=later(2))
    assert code_of(lambda: offer_to_play(match, side=B, days=[], at=later(3))) == "deadline_over"
    assert not decide_unplayed(match.pk, at=later(3))


def test_of_two_workers_at_once_one_decides(director):
    match = only_match(league(director))
    decide = partial(decide_unplayed, match.pk, at=later(1))
    assert (before_transaction(1, decide, decide), match.sheets.count()) == (False, 1)


def test_what_a_director_undoes_stays_undone_until_the_deadline_is_moved(director):
    event = league(director)
    match = only_match(event)
    decide_unplayed(match.pk, at=later(1))
    undo_step(event.log.first(), by=director, at=later(1))
    assert not decide_unplayed(match.pk, at=later(2))
    move_deadline(match, to=LAST + timedelta(days=5), reason="Both were ill.", by=director, at=later(2))
    assert list(unplayed_matches(later(5))) == []
    assert list(unplayed_matches(later(6))) == [match.pk]
    assert decide_unplayed(match.pk, at=later(6))
    assert [sheet.state for sheet in match.sheets.all()] == [SheetState.VOID, SheetState.CONFIRMED]


def test_a_worker_whose_clock_jumps_decides_nothing_before_its_time(director, eager_tasks, monkeypatch):
    """Ahead the database has not come so far, and behind the day has not come; then its time is here."""
    now = timezone.now()
    today = timezone.localdate(now)
    event = league(director, starts_on=(today - timedelta(days=6)).isoformat())
    Match.objects.update(created_at=now - timedelta(days=6))
    match = only_match(event)
    assert shown(event).deadline == today
    for jump in (timedelta(days=400), timedelta(days=-400)):
        monkeypatch.setattr(timezone, "now", lambda jump=jump: now + jump)
        heal()
        decide_match(match.pk)
        assert not match.sheets.exists()
    monkeypatch.undo()
    Fixture.objects.update(play_by=today - timedelta(days=1))
    Match.objects.update(created_at=now - timedelta(days=9))
    heal()
    assert match.sheets.count() == 1


def test_a_team_match_is_decided_with_all_its_boards(director):
    options = {"starts_on": FIRST.isoformat(), "days": 7, "unplayed": "neither"}
    event = build_event(director, players=2, format="league", boards=3, options=options)
    boards = [board.match for board in event.stages.get().fixtures.get().boards.all()]
    assert list(unplayed_matches(later(1))) == [boards[0].pk]
    assert decide_unplayed(boards[0].pk, at=later(1))
    assert [match.sheets.get().conclusion for match in boards] == [Conclusion.VOID] * 3
    assert list(unplayed_matches(later(1))) == []


def test_a_challenge_is_decided_too(director):
    event = build_event(director, players=3, format="ladder", options={"unplayed": "offered", "days": 7})
    challenge(event, challenger=at_rung(event, 2), challenged=at_rung(event, 1), by=None, at=AT)
    match = fixture_of(event, "H1-1").match
    offer_to_play(match, side=A, days=[], at=AT)
    assert not decide_unplayed(match.pk, at=later(1))
    assert decide_unplayed(match.pk, at=later(2))
    assert match.sheets.get().awarded_to == A


def test_a_deadline_is_moved_for_one_match_and_restored(director):
    event = league(director, players=4)
    one, other = event.stages.get().fixtures.filter(round=1).order_by("number")
    move_deadline(one.match, to=date(2026, 3, 20), reason="A journey.", by=director, at=AT)
    told = {fixture.key: (fixture.deadline, fixture.is_extended) for fixture in take_snapshot(event.pk).stage.fixtures}
    assert (told[one.key], told[other.key]) == ((date(2026, 3, 20), True), (LAST, False))
    row = event.log.first()
    assert tell(row).endswith("deadline moved from 12 March 2026 to 20 March 2026")
    assert row.detail["reason"] == "A journey."
    then = snapshot_at(event.pk, find_moment(event, str(event.log.all()[1].pk)))
    assert {fixture.key: fixture.deadline for fixture in then.stage.fixtures}[one.key] == LAST
    store_standings(event.pk)
    assert audit_event(event) == []
    undo_step(row, by=director, at=AT)
    assert Fixture.objects.get(pk=one.pk).play_by is None
    assert take_snapshot(event.pk).stage.fixtures[0].deadline == LAST
    Fixture.objects.filter(pk=one.pk).update(play_by=FIRST)
    store_standings(event.pk)
    (found,) = audit_event(event)
    assert (found.check, found.stored, found.computed) == ("deadlines", "2026-03-06", "none")


def test_each_side_extends_once_and_an_undone_extension_is_not_spent(director):
    event = league(director, extension=3)
    match = only_match(event)
    extend_deadline(match, side=A, at=later(0))
    with pytest.raises(Refusal) as again:
        extend_deadline(match, side=A, at=later(0))
    assert again.value.code == "extension_used"
    extend_deadline(match, side=B, at=later(0))
    assert shown(event).deadline == LAST + timedelta(days=6)
    undo_step(event.log.first(), by=director, at=later(0))
    assert shown(event).deadline == LAST + timedelta(days=3)
    extend_deadline(match, side=B, at=later(3))
    assert shown(event).deadline == LAST + timedelta(days=6)


def code_of(act) -> str:
    with pytest.raises(Refusal) as refused:
        act()
    return refused.value.code


def test_what_cannot_be_is_refused_and_changes_nothing(director):
    event = league(director, "neither")
    match, offers = only_match(event), only_match(league_beside(event, director))
    moving = {"reason": "Ill.", "by": director, "at": AT}
    version = Event.objects.get(pk=event.pk).version
    assert [
        code_of(lambda: move_deadline(match, to=FIRST - timedelta(days=1), **moving)),
        code_of(lambda: move_deadline(match, to=FIRST + timedelta(days=367), **moving)),
        code_of(lambda: move_deadline(match, to=LAST, **moving | {"reason": " . "})),
        code_of(lambda: extend_deadline(match, side=A, at=AT)),
        code_of(lambda: offer_to_play(match, side=A, days=[], at=AT)),
        code_of(lambda: offer_to_play(offers, side=A, days=[LAST + timedelta(days=1)], at=AT)),
        code_of(lambda: offer_to_play(offers, side=A, days=[], at=later(1))),
    ] == [
        *("deadline_out_of_range", "deadline_out_of_range", "reason_missing", "extension_none", "offers_unused"),
        *("offer_out_of_range", "deadline_over"),
    ]
    walk_over(match, to=A, key="1", by=director, at=AT)
    assert code_of(lambda: move_deadline(match, to=LAST + timedelta(days=1), **moving)) == "match_has_a_result"
    assert Event.objects.get(pk=event.pk).version == version + 1


def league_beside(event: Event, director) -> Event:
    options = {"starts_on": FIRST.isoformat(), "days": 7, "unplayed": "offered"}
    return build_event(
        director, players=2, format="league", options=options, tournament=event.tournament, name="Offers"
    )
