"""Players' reports: they count once the opponent or the desk confirms them, and a dispute shows where two differ."""

from datetime import timedelta

import pytest

from matches.models import Match, SheetSource, SheetState
from matches.reports import confirm_sheet, describe_dispute, dispute_sheet, open_claims, report_sheet
from matches.services import current_sheet, submit_sheet
from players.errors import Conflict, Refusal
from players.services import create_player
from rules.score import Level, Side
from rules.sheet import GameResult
from tests.builders import AT, claim

A, B = Side.A, Side.B
pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    one, other = (create_player(name=name, at=AT) for name in ("Ann", "Bo"))
    return Match.objects.create(side_a=one, side_b=other, length=5, created_at=AT)


def report(match: Match, side: Side | None, **claimed):
    return report_sheet(match, claim=claim(confirmed=True, **claimed), side=side, by=None, at=AT)[0]


def states(match: Match) -> list[str]:
    return [sheet.state for sheet in match.sheets.all()]


def refusal(action, *args, **kwargs) -> str:
    with pytest.raises(Refusal) as refused:
        action(*args, **kwargs)
    return refused.value.code


def test_a_report_is_not_a_result_until_the_opponent_confirms_it(match):
    sheet = report(match, A, final=(5, 2))
    assert current_sheet(match) is None
    assert refusal(confirm_sheet, match, number=1, side=A, by=None, at=AT) == "report_is_own"
    confirmed, is_new = confirm_sheet(match, number=1, side=B, by=None, at=AT)
    assert (confirmed, is_new, confirmed.state) == (sheet, True, SheetState.CONFIRMED)
    assert confirm_sheet(match, number=1, side=B, by=None, at=AT)[1] is False
    assert [(change.state, change.side) for change in sheet.changes.all()] == [("reported", "A"), ("confirmed", "B")]


@pytest.mark.parametrize(
    "claimed", [{"final": (5, 2)}, {"games": (GameResult(A, 4), GameResult(B, 1, Level.GAMMON), GameResult(A, 1))}]
)
def test_two_sides_that_report_the_same_make_one_confirmed_sheet(match, claimed):
    report(match, A, **claimed)
    report(match, B, **claimed)
    assert states(match) == [SheetState.CONFIRMED, SheetState.SUPERSEDED]


def test_games_and_a_final_score_that_agree_are_the_same(match):
    report(match, A, games=(GameResult(A, 4), GameResult(B, 1, Level.GAMMON), GameResult(A, 1)))
    report(match, B, final=(5, 2))
    assert states(match) == [SheetState.CONFIRMED, SheetState.SUPERSEDED]


def test_two_reports_that_differ_are_disputed_and_the_first_differing_game_is_named(match):
    report(match, A, games=(GameResult(A, 2), GameResult(A, 1)))
    report(match, B, games=(GameResult(A, 2), GameResult(B, 1, Level.GAMMON)))
    assert states(match) == [SheetState.DISPUTED, SheetState.DISPUTED]
    sentence = "Game 2: Ann says that Ann scored 1, but Bo says that Bo scored 2."
    assert describe_dispute(match, open_claims(match)) == sentence


def test_a_side_that_reports_again_and_agrees_ends_the_dispute(match):
    report(match, A, final=(5, 2))
    report(match, B, final=(5, 3))
    report(match, B, final=(5, 2), base=2)
    assert states(match) == [SheetState.CONFIRMED, SheetState.SUPERSEDED, SheetState.SUPERSEDED]


def test_a_report_that_is_ahead_of_the_other_is_not_a_dispute(match):
    report(match, A, games=(GameResult(A, 2), GameResult(A, 1)))
    report(match, B, games=(GameResult(A, 2),))
    assert states(match) == [SheetState.REPORTED, SheetState.REPORTED]
    assert refusal(confirm_sheet, match, number=1, side=B, by=None, at=AT) == "report_not_over"


def test_a_scorer_s_report_is_confirmed_by_the_side_that_lost(match):
    report(match, None, final=(5, 2))
    assert refusal(confirm_sheet, match, number=1, side=A, by=None, at=AT) == "report_is_own"
    assert confirm_sheet(match, number=1, side=B, by=None, at=AT)[0].state == SheetState.CONFIRMED


def test_a_disputed_report_is_settled_by_the_desk(match):
    report(match, A, final=(5, 2))
    dispute_sheet(match, number=1, side=B, reason="I won.", by=None, at=AT)
    assert states(match) == [SheetState.DISPUTED]
    assert refusal(dispute_sheet, match, number=1, side=A, reason="", by=None, at=AT) == "report_is_own"
    submit_sheet(match, claim=claim(final=(2, 5)), source=SheetSource.DESK, by=None, at=AT)
    assert states(match) == [SheetState.SUPERSEDED, SheetState.CONFIRMED]
    assert refusal(report, match, A, final=(5, 2)) == "result_confirmed"
    assert refusal(confirm_sheet, match, number=1, side=None, by=None, at=AT) == "result_confirmed"


def test_the_same_report_twice_counts_once_and_a_stale_one_is_refused(match):
    reported = claim(games=(GameResult(A, 2),))
    for _time in range(2):
        report_sheet(match, claim=reported, side=A, by=None, at=AT)
    assert match.sheets.count() == 1
    assert refusal(report, match, A, final=(5, 2)) == "report_changed"
    assert report(match, A, final=(5, 2), base=1).number == 2


def test_a_report_that_breaks_a_rule_or_awards_the_match_is_refused(match):
    assert refusal(report, match, A, final=(7, 2)) == "final_unreachable" or match.sheets.count() == 0
    assert refusal(report, match, A, conclusion="forfeit", awarded_to=A) == "report_of_award"


def test_a_confirmed_report_was_played_when_it_was_reported(match):
    report(match, A, final=(5, 2))
    sheet, _is_new = confirm_sheet(match, number=1, side=None, by=None, at=AT + timedelta(hours=1))
    assert sheet.played_at == AT
    with pytest.raises(Conflict):
        report(match, B, final=(5, 2))
