import pytest
from django.db import IntegrityError, transaction

from matches.claims import MAX_CUBE, Claim, claim_of
from matches.models import GameLine, Match, Scoresheet, SheetSource, SheetState
from matches.services import current_sheet, submit_sheet, void_sheet
from players.errors import Conflict, Refusal, Unconfirmed
from players.services import create_player
from rules.score import Ending, Level, Side
from rules.sheet import GameResult
from tests.builders import AT, claim

pytestmark = pytest.mark.django_db

A, B = Side.A, Side.B


@pytest.fixture
def match() -> Match:
    one, other = (create_player(name=name, at=AT) for name in ("Ann", "Bo"))
    return Match.objects.create(side_a=one, side_b=other, length=5, created_at=AT)


def submit(match: Match, **claimed: object) -> Scoresheet:
    sheet, _is_new = submit_sheet(match, claim=claim(**claimed), source=SheetSource.DESK, by=None, at=AT)
    return sheet


def nothing_is_stored() -> bool:
    return not Scoresheet.objects.exists() and not GameLine.objects.exists()


def test_sheet_is_live_until_the_match_is_over_then_confirmed(match):
    live = submit(match, games=(GameResult(A, 2, Level.GAMMON),))
    over = submit(match, base=1, games=(GameResult(A, 2, Level.GAMMON), GameResult(A)))
    live.refresh_from_db()
    assert (live.state, over.state) == (SheetState.SUPERSEDED, SheetState.CONFIRMED)


def test_sheet_is_read_back_as_it_was_claimed(match):
    games = (GameResult(A, 2, Level.SINGLE, Ending.DROP), GameResult(B, 1, Level.BACKGAMMON, Ending.RESIGNED))
    submit(match, games=games)
    assert claim_of(current_sheet(match)).games == games


@pytest.mark.parametrize(
    ("claimed", "code"),
    [
        ({}, "sheet_empty"),
        ({"games": (GameResult(A, 3),)}, "cube_not_power_of_two"),
        ({"games": (GameResult(A, 2 * MAX_CUBE),)}, "cube_too_large"),
        ({"games": (GameResult(A, 1, Level.GAMMON, Ending.DROP),)}, "drop_level"),
        ({"games": (GameResult(A, 4), GameResult(B, 2))}, "crawford_cube"),
        ({"games": (GameResult(A, 4), GameResult(B, 1, Level.SINGLE, Ending.DROP))}, "crawford_drop"),
        ({"games": (GameResult(A, 4), GameResult(A), GameResult(B))}, "game_after_match_over"),
        ({"final": (5, 5)}, "final_unreachable"),
        ({"final": (6, 2)}, "final_unreachable"),
        ({"final": (4, 2)}, "final_not_over"),
        ({"final": (5, 1), "games": (GameResult(A),)}, "final_with_games"),
        ({"conclusion": "walkover"}, "award_without_side"),
        ({"awarded_to": A}, "award_without_side"),
        ({"conclusion": "walkover", "awarded_to": A, "games": (GameResult(A),)}, "walkover_with_games"),
        ({"conclusion": "forfeit", "awarded_to": A, "games": (GameResult(B, 4), GameResult(B))}, "award_after_the_end"),
    ],
)
def test_refused_claim_changes_nothing(match, claimed, code):
    with pytest.raises(Refusal) as refused:
        submit(match, confirmed=True, **claimed)
    assert (refused.value.code, nothing_is_stored()) == (code, True)


def test_refusal_names_the_rule_and_the_game(match):
    with pytest.raises(Refusal) as refused:
        submit(match, games=(GameResult(A, 4), GameResult(B, 2)))
    assert str(refused.value) == "Game 2: the cube is 2, but this is the Crawford game, in which nobody may double."


def test_unlikely_claim_is_stored_once_it_is_confirmed(match):
    games = (GameResult(A, 16),)
    with pytest.raises(Unconfirmed) as asked:
        submit(match, games=games)
    assert (asked.value.code, nothing_is_stored()) == ("confirm_warnings", True)
    assert submit(match, games=games, confirmed=True).state == SheetState.CONFIRMED


def test_warning_is_asked_about_only_once(match):
    trailer_did_not_double = (GameResult(A, 4), GameResult(B), GameResult(B))
    with pytest.raises(Unconfirmed):
        submit(match, games=trailer_did_not_double)
    submit(match, games=trailer_did_not_double, confirmed=True)
    submit(match, base=1, games=(*trailer_did_not_double, GameResult(B, 1, Level.SINGLE, Ending.DROP)))
    assert current_sheet(match).lines.count() == 4


def test_repeated_submission_changes_nothing(match):
    same = claim(games=(GameResult(A),))
    first = submit_sheet(match, claim=same, source=SheetSource.DESK, by=None, at=AT)
    second = submit_sheet(match, claim=same, source=SheetSource.DESK, by=None, at=AT)
    assert (first[1], second) == (True, (first[0], False))
    assert Scoresheet.objects.count() == 1


def test_key_used_for_another_result_is_a_conflict(match):
    submit_sheet(match, claim=claim(games=(GameResult(A),)), source=SheetSource.DESK, by=None, at=AT)
    other = Claim(key=match.sheets.get().key, games=(GameResult(B),))
    with pytest.raises(Conflict) as refused:
        submit_sheet(match, claim=other, source=SheetSource.DESK, by=None, at=AT)
    assert refused.value.code == "key_reused"


def test_second_claimant_is_told_what_the_first_entered(match):
    submit(match, final=(5, 3))
    with pytest.raises(Conflict) as refused:
        submit(match, final=(1, 5))
    assert refused.value.code == "sheet_changed"
    assert str(refused.value) == (
        "In the meantime somebody entered 5–3 for this match. Look at it before you enter another result."
    )


def test_award_brings_the_side_to_the_length_and_keeps_the_games(match):
    sheet = submit(match, conclusion="forfeit", awarded_to=B, games=(GameResult(A, 2),))
    assert (sheet.state, sheet.lines.count(), sheet.awarded_to) == (SheetState.CONFIRMED, 1, "B")


def test_void_leaves_the_match_as_if_nothing_had_been_entered(match):
    submit(match, final=(5, 3))
    void_sheet(match, base=1, by=None, at=AT)
    assert current_sheet(match) is None
    assert submit(match, final=(3, 5)).number == 2


def test_voiding_a_sheet_other_than_the_one_seen_is_a_conflict(match):
    submit(match, final=(5, 3))
    with pytest.raises(Conflict) as refused:
        void_sheet(match, base=7, by=None, at=AT)
    assert refused.value.code == "sheet_changed"


def test_database_keeps_one_current_sheet_per_match(match):
    submit(match, final=(5, 3))
    sheet = match.sheets.get()
    sheet.pk, sheet.number, sheet.key = None, 2, "another"
    with pytest.raises(IntegrityError), transaction.atomic():
        sheet.save(force_insert=True)
