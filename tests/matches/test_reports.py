"""Players' reports: they count once the opponent or the desk confirms them, and a dispute shows where two differ."""

from dataclasses import replace
from datetime import timedelta

import pytest

from matches.differences import describe_dispute
from matches.models import Match, SheetSource, SheetState
from matches.reports import (
    confirm_sheet,
    confirm_unopposed,
    dispute_sheet,
    open_claims,
    report_sheet,
    withdraw_report,
)
from matches.services import current_sheet, submit_sheet
from players.errors import Conflict, Refusal
from players.services import create_player
from rules.score import Ending, Level, Side
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


def test_two_reports_that_differ_in_play_are_only_shown_and_disputed_once_one_says_that_it_is_over(match):
    report(match, A, games=(GameResult(A, 2), GameResult(A, 1)))
    report(match, B, games=(GameResult(A, 2), GameResult(B, 1, Level.GAMMON)))
    assert states(match) == [SheetState.REPORTED, SheetState.REPORTED]
    over = report(match, A, games=(GameResult(A, 2), GameResult(A, 1), GameResult(A, 2)), base=1)
    assert states(match)[1:] == [SheetState.DISPUTED, SheetState.DISPUTED]
    report(match, A, games=(GameResult(A, 2), GameResult(A, 1)), base=over.number)
    assert states(match)[1:] == [SheetState.REPORTED, SheetState.SUPERSEDED, SheetState.REPORTED]
    sentence = "Game 2: Bo says that Bo scored 2, but Ann says that Ann scored 1."
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


def test_an_objection_of_the_winner_to_a_scorer_s_report_stands_though_the_loser_confirms(match):
    report(match, None, final=(5, 2))
    dispute_sheet(match, number=1, side=A, reason="It was 5-1.", by=None, at=AT)
    assert refusal(confirm_sheet, match, number=1, side=B, by=None, at=AT) == "report_disputed"
    assert states(match) == [SheetState.DISPUTED]
    confirm_sheet(match, number=1, side=None, by=None, at=AT)
    assert states(match) == [SheetState.CONFIRMED]


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
    assert refusal(report, match, A, final=(7, 2)) == "final_unreachable"
    assert refusal(report, match, A, conclusion="forfeit", awarded_to=A) == "report_of_award"
    assert not match.sheets.exists()


def test_a_confirmed_report_was_played_when_it_was_reported(match):
    report(match, A, final=(5, 2))
    sheet, _is_new = confirm_sheet(match, number=1, side=None, by=None, at=AT + timedelta(hours=1))
    assert sheet.played_at == AT
    with pytest.raises(Conflict):
        report(match, B, final=(5, 2))


OVER = (GameResult(A, 4), GameResult(B), GameResult(A))
OTHERWISE = (GameResult(A, 4), GameResult(B, 1, Level.GAMMON), GameResult(A))


def dispute(match: Match, number: int, side: Side | None, reason: str = "No."):
    return dispute_sheet(match, number=number, side=side, reason=reason, by=None, at=AT)


def test_a_side_does_not_clear_the_objection_of_the_other_by_reporting_the_same_again(match):
    report(match, A, games=OVER)
    dispute(match, 1, B, "It was 5-4.")
    report(match, A, games=OVER, base=1)
    assert states(match) == [SheetState.DISPUTED]


def test_nor_by_reporting_something_else_and_then_the_same(match):
    report(match, A, games=OVER)
    dispute(match, 1, B, "It was 5-4.")
    report(match, A, games=OTHERWISE, base=1)
    report(match, A, games=OVER, base=2)
    assert states(match) == [SheetState.SUPERSEDED, SheetState.SUPERSEDED, SheetState.DISPUTED]
    assert [change.reason for change in match.sheets.last().changes.all()] == ["", "It was 5-4."]
    assert refusal(withdraw_report, match, base=3, side=A, by=None, at=AT) == "report_disputed"


def test_the_objection_ends_when_its_author_reports_the_same_or_confirms(match):
    report(match, A, games=OVER)
    dispute(match, 1, B)
    report(match, B, games=OVER)
    assert states(match) == [SheetState.CONFIRMED, SheetState.SUPERSEDED]


def test_what_the_phone_of_its_author_sends_by_itself_does_not_end_it_until_they_agree(match):
    report(match, A, games=OVER)
    dispute(match, 1, B)
    said = {"side": B, "by": None, "at": AT}
    report_sheet(match, claim=claim(games=OVER, confirmed=True), agrees=False, **said)
    assert states(match) == [SheetState.DISPUTED, SheetState.REPORTED]
    report_sheet(match, claim=claim(games=OVER, base=2, confirmed=True), agrees=True, **said)
    assert states(match) == [SheetState.CONFIRMED, SheetState.SUPERSEDED]


def test_a_side_that_takes_over_the_score_of_the_opponent_who_has_objected_ends_it(match):
    report(match, A, games=OVER)
    report(match, B, games=OTHERWISE)
    dispute(match, 1, B)
    report(match, A, games=OTHERWISE, base=1)
    assert states(match) == [SheetState.SUPERSEDED, SheetState.CONFIRMED, SheetState.SUPERSEDED]


def test_an_objection_of_the_desk_is_settled_by_the_desk(match):
    report(match, A, games=OVER)
    dispute(match, 1, None)
    report(match, B, games=OVER)
    assert states(match) == [SheetState.DISPUTED, SheetState.REPORTED]
    assert refusal(confirm_sheet, match, number=1, side=B, by=None, at=AT) == "report_disputed"
    confirm_sheet(match, number=1, side=None, by=None, at=AT)
    assert states(match) == [SheetState.CONFIRMED, SheetState.SUPERSEDED]


def test_a_claim_that_continues_the_side_s_own_report_is_taken_whatever_base_it_names(match):
    report(match, A, games=OVER[:1])
    report(match, A, games=OVER[:2], base=0)
    assert report(match, A, games=OVER, base=77).number == 3
    assert refusal(report, match, A, games=OTHERWISE, base=2) == "report_changed"
    assert report(match, A, games=OTHERWISE, base=3).number == 4


def test_a_report_that_the_desk_has_taken_over_is_still_the_base_of_the_next_one(match):
    report(match, A, games=OVER[:1])
    submit_sheet(match, claim=claim(games=OVER[:1]), source=SheetSource.DESK, by=None, at=AT)
    assert states(match) == [SheetState.SUPERSEDED, SheetState.LIVE]
    assert report(match, A, games=OVER[:2], base=1).state == SheetState.REPORTED


def test_a_side_objects_to_a_report_only_once_the_match_is_over_in_it(match):
    report(match, A, games=OVER[:1])
    assert refusal(dispute_sheet, match, number=1, side=B, reason="No.", by=None, at=AT) == "report_not_over"
    assert states(match) == [SheetState.REPORTED]


def test_a_key_is_known_for_its_side_alone(match):
    said = claim(games=OVER[:1])
    report_sheet(match, claim=said, side=A, by=None, at=AT)
    sheet, is_new = report_sheet(match, claim=said, side=B, by=None, at=AT)
    assert (sheet.side, is_new) == (B, True)
    other = replace(said, games=OVER)
    assert refusal(report_sheet, match, claim=other, side=A, by=None, at=AT) == "key_reused"


def test_taking_back_the_first_game_withdraws_the_report_and_ends_the_dispute_about_it(match):
    report(match, A, games=OVER)
    report(match, B, games=(GameResult(B),))
    assert states(match) == [SheetState.DISPUTED, SheetState.DISPUTED]
    assert refusal(withdraw_report, match, base=1, side=B, by=None, at=AT) == "report_changed"
    withdraw_report(match, base=2, side=B, by=None, at=AT)
    assert states(match) == [SheetState.REPORTED, SheetState.SUPERSEDED]
    assert withdraw_report(match, base=2, side=B, by=None, at=AT) == (None, False)


def test_a_report_counts_once_nobody_has_objected_for_so_long_and_only_if_it_is_over_and_undisputed(match):
    def wait(number: int, minutes: int) -> bool:
        later = AT + timedelta(minutes=minutes)
        return confirm_unopposed(match, number=number, since=later - timedelta(minutes=15), at=later)[1]

    report(match, A, games=OVER[:2])
    assert not wait(1, 60)
    report(match, A, games=OVER, base=1)
    assert [wait(2, 14), wait(1, 15)] == [False, False]
    report(match, B, games=(GameResult(B),))
    assert not wait(2, 15)
    withdraw_report(match, base=3, side=B, by=None, at=AT)
    assert [wait(2, 15), wait(2, 15)] == [True, False]
    assert states(match)[1] == SheetState.CONFIRMED


def test_a_game_resigned_at_the_desk_is_the_game_that_a_phone_calls_played_out(match):
    resigned = (GameResult(A, 2, Level.GAMMON, Ending.RESIGNED), GameResult(A))
    report(match, A, games=resigned)
    report(match, B, games=(GameResult(A, 2, Level.GAMMON), GameResult(A)))
    assert states(match) == [SheetState.CONFIRMED, SheetState.SUPERSEDED]
