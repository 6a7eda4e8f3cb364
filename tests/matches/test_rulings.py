"""Rulings are stored with their reason, change what they propose and nothing else, and always leave a trace."""

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from matches.audit import audit_sheets
from matches.claims import MAX_CUBE, claim_of
from matches.history import load_history
from matches.models import Conclusion, Match, Ruling, Scoresheet, SheetSource, SheetState
from matches.rulings import RulingRequest, make_ruling
from matches.services import current_sheet, submit_sheet, void_sheet
from players.errors import Conflict, Refusal
from players.services import create_player
from rules.rulings import RulingKind
from rules.score import Ending, Level, Side
from rules.sheet import GameResult
from tests.builders import AT, build_director, claim

pytestmark = pytest.mark.django_db

A, B = Side.A, Side.B
FIRST = GameResult(A, 2, Level.GAMMON)
"""4-0 in a match to 5: the next game is the Crawford game."""
DOUBLED = GameResult(B, 2)


@pytest.fixture
def match() -> Match:
    one, other = (create_player(name=name, at=AT) for name in ("Ann", "Bo"))
    return Match.objects.create(side_a=one, side_b=other, length=5, created_at=AT)


def enter(match: Match, *games: GameResult, base: int = 0) -> Scoresheet:
    entered = claim(games=games, base=base, confirmed=True)
    return submit_sheet(match, claim=entered, source=SheetSource.DESK, by=None, at=AT)[0]


def rule(match: Match, kind: RulingKind, *, by=None, **details) -> Ruling:
    details = {"key": "r1", "reason": "They told me.", "ruling_count": match.rulings.count(), **details}
    request = RulingRequest(kind=kind, **details)
    ruling, _is_new = make_ruling(match, request=request, by=by, at=AT)
    match.refresh_from_db()
    return ruling


def refusal(match: Match, kind: RulingKind, **details) -> str:
    before = list(match.sheets.values_list("number", "state")), match.terms
    with pytest.raises(Refusal) as refused:
        rule(match, kind, **details)
    match.refresh_from_db()
    assert (list(match.sheets.values_list("number", "state")), match.terms) == before
    assert not match.rulings.filter(key=details.get("key", "r1"), kind=kind).exists()
    assert str(refused.value)
    return refused.value.code


def sound(match: Match) -> bool:
    return list(audit_sheets(load_history(match), "here")) == []


def changes(match: Match) -> list[tuple]:
    """Return the score and length before and after each ruling."""
    ruled = load_history(match).ruled()
    return [tuple((score.a, score.b, score.length) for score in (one.before, one.after)) for one in ruled]


def test_an_annulled_crawford_double_is_a_new_sheet_that_names_its_ruling(match):
    director = build_director()
    enter(match, FIRST)
    games = (FIRST, DOUBLED)
    ruling = rule(match, RulingKind.CRAWFORD_ANNULLED, base=1, games=games, by=director)
    assert [sheet.state for sheet in match.sheets.all()] == [SheetState.SUPERSEDED, SheetState.LIVE]
    assert claim_of(current_sheet(match)).games == (FIRST, GameResult(B))
    assert (ruling.sheet.number, ruling.sheet.claimed_by, ruling.by) == (2, director, director)
    assert (ruling.reason, ruling.at, ruling.before) == ("They told me.", AT, {})
    assert ruling.sheet.reason == "They told me."
    assert ruling.explanation == ("The double in game 2, the Crawford game, is annulled: the game is worth 1, not 2.")
    assert sound(match)


def test_an_annulled_drop_takes_the_game_off_the_sheet(match):
    enter(match, FIRST)
    games = (FIRST, GameResult(B, ending=Ending.DROP))
    rule(match, RulingKind.CRAWFORD_ANNULLED, base=1, games=games)
    assert claim_of(current_sheet(match)).games == (FIRST,)


def test_an_annulled_drop_in_game_1_leaves_an_empty_sheet(match):
    Match.objects.filter(pk=match.pk).update(start_a=4)
    match.refresh_from_db()
    ruling = rule(match, RulingKind.CRAWFORD_ANNULLED, games=(GameResult(B, ending=Ending.DROP),))
    assert (ruling.sheet, current_sheet(match)) == (None, None)


def test_a_confirmed_result_is_recorded_and_its_crawford_double_stands(match):
    assert enter(match, FIRST, GameResult(A)).state == SheetState.CONFIRMED
    games = (FIRST, GameResult(A, 2))
    assert refusal(match, RulingKind.CRAWFORD_ANNULLED, base=1, games=games) == "annul_after_recording"
    rule(match, RulingKind.CRAWFORD_STANDS, base=1, games=games)
    assert (match.waived, sound(match)) == ([2], True)


def test_a_crawford_double_noticed_too_late_stands_and_the_match_continues(match):
    enter(match, FIRST)
    games = (FIRST, DOUBLED, GameResult(B))
    assert refusal(match, RulingKind.CRAWFORD_ANNULLED, base=1, games=games) == "annul_after_next_game"
    ruling = rule(match, RulingKind.CRAWFORD_STANDS, base=1, games=games)
    assert (ruling.before, match.waived, match.terms.waived) == ({"waived": []}, [2], frozenset({2}))
    over = enter(match, *games, GameResult(B, 2), base=2)
    assert (over.state, sound(match)) == (SheetState.CONFIRMED, True)


@pytest.mark.parametrize(("points", "start"), [((0, 2), (2, 0)), ((1, 2), (2, 1))])
def test_penalty_points_are_the_start_of_the_match(match, points, start):
    ruling = rule(match, RulingKind.PENALTY_POINTS, penalty_points=points)
    opening = match.terms.opening
    assert (opening.a, opening.b, ruling.before) == (*start, {"penalties": []})
    assert (ruling.sheet, current_sheet(match)) == (None, None)
    assert ruling.explanation.startswith(f"Penalty points before game 1: Ann {points[0]}, Bo {points[1]}. ")


def test_a_ruling_names_both_players_of_a_pair(match):
    for side, name in (("partner_a", "Cy"), ("partner_b", "Di")):
        setattr(match, side, create_player(name=name, at=AT))
    match.save()
    ruling = rule(match, RulingKind.PENALTY_POINTS, penalty_points=(1, 0))
    assert ruling.explanation.startswith("Penalty points before game 1: Ann & Cy 1, Bo & Di 0. ")


def test_penalty_points_between_games_make_a_sheet_that_continues_from_there(match):
    enter(match, FIRST)
    ruling = rule(match, RulingKind.PENALTY_POINTS, penalty_points=(1, 0), base=1)
    assert (ruling.sheet.number, ruling.sheet.state, claim_of(ruling.sheet).games) == (2, SheetState.LIVE, (FIRST,))
    assert [sheet.state for sheet in match.sheets.all()] == [SheetState.SUPERSEDED, SheetState.LIVE]
    with pytest.raises(Refusal) as refused:
        enter(match, FIRST, DOUBLED, base=2)
    assert refused.value.code == "crawford_cube"
    over = enter(match, FIRST, GameResult(B, 1, Level.GAMMON), GameResult(B, 2), base=2)
    assert (over.state, sound(match), changes(match)) == (SheetState.CONFIRMED, True, [((4, 0, 5), (4, 1, 5))])


def test_penalty_points_that_end_a_match_confirm_it_as_played(match):
    enter(match, FIRST)
    ruling = rule(match, RulingKind.PENALTY_POINTS, penalty_points=(0, 1), base=1)
    assert (ruling.sheet.state, ruling.sheet.conclusion, sound(match)) == (
        SheetState.CONFIRMED,
        Conclusion.PLAYED,
        True,
    )


def test_too_many_penalty_points_after_a_game_forfeit_the_match(match):
    enter(match, FIRST)
    ruling = rule(match, RulingKind.PENALTY_POINTS, penalty_points=(3, 0), base=1)
    assert (ruling.sheet.conclusion, ruling.sheet.awarded_to, claim_of(ruling.sheet).games) == (
        Conclusion.FORFEIT,
        "B",
        (FIRST,),
    )
    assert (sound(match), changes(match)) == (True, [((4, 0, 5), (4, 5, 5))])


def test_too_many_penalty_points_lose_the_match_as_a_walkover(match):
    ruling = rule(match, RulingKind.PENALTY_POINTS, penalty_points=(3, 0))
    stands = current_sheet(match)
    assert (stands.state, stands.conclusion, stands.awarded_to) == (SheetState.CONFIRMED, Conclusion.WALKOVER, "B")
    assert (ruling.sheet, ruling.before, sound(match)) == (stands, {}, True)


def test_a_resumed_match_continues_after_its_crawford_game(match):
    rule(match, RulingKind.RESUMED, score=(4, 3), crawford_done=True)
    assert match.terms.opening.crawford_done
    assert enter(match, GameResult(B, 2)).state == SheetState.CONFIRMED
    assert sound(match)


def test_a_match_resumed_after_its_first_games_sets_their_sheet_aside(match):
    enter(match, FIRST)
    rule(match, RulingKind.PENALTY_POINTS, penalty_points=(1, 0), base=1)
    ruling = rule(match, RulingKind.RESUMED, score=(2, 3), base=2, key="r2")
    assert (ruling.sheet, current_sheet(match), match.terms.penalties) == (None, None, ())
    assert [sheet.state for sheet in match.sheets.all()] == [SheetState.SUPERSEDED, SheetState.SUPERSEDED]
    assert enter(match, GameResult(B, 2)).state == SheetState.CONFIRMED
    assert sound(match)
    assert changes(match) == [((4, 0, 5), (4, 1, 5)), ((4, 1, 5), (2, 3, 5))]


def test_a_ruling_after_one_that_set_the_sheet_aside_changes_the_score_that_it_left(match):
    enter(match, FIRST, GameResult(B))
    rule(match, RulingKind.RESUMED, base=1, score=(3, 2))
    rule(match, RulingKind.PENALTY_POINTS, key="r2", penalty_points=(1, 0))
    rule(match, RulingKind.RESUMED, key="r3", score=(4, 2))
    assert changes(match) == [((4, 1, 5), (3, 2, 5)), ((3, 2, 5), (3, 3, 5)), ((3, 3, 5), (4, 2, 5))]
    assert sound(match)


def test_rulings_show_what_they_changed_even_after_their_sheets_were_taken_back(match):
    enter(match, FIRST)
    void_sheet(match, base=1, by=None, at=AT)
    rule(match, RulingKind.PENALTY_POINTS, penalty_points=(0, 1))
    enter(match, GameResult(B))
    rule(match, RulingKind.LENGTH_AGREED, played_to=3, base=2, key="r2")
    void_sheet(match, base=3, by=None, at=AT)
    assert changes(match) == [((0, 0, 5), (1, 0, 5)), ((1, 1, 5), (1, 1, 3))]
    assert sound(match)


def test_by_the_posted_length_the_games_up_to_it_count(match):
    games = (GameResult(A, 4), GameResult(B), GameResult(B, 2), GameResult(A), GameResult(B, 2))
    ruling = rule(match, RulingKind.LENGTH_POSTED, games=games, played_to=7)
    assert ruling.sheet.state == SheetState.CONFIRMED
    assert claim_of(ruling.sheet).games == games[:4]
    assert ruling.explanation.endswith("over after game 4; number of later games: 1.")


def test_by_the_agreed_length_the_match_is_as_long_as_it_was_played(match):
    enter(match, GameResult(A), GameResult(A, 2))
    ruling = rule(match, RulingKind.LENGTH_AGREED, base=1, played_to=3)
    assert (match.length, ruling.before, ruling.sheet.state) == (3, {"length": 5}, SheetState.CONFIRMED)
    assert (sound(match), changes(match)) == (True, [((3, 0, 5), (3, 0, 3))])


def test_the_other_school_may_be_applied_afterwards_and_the_posted_length_is_remembered(match):
    enter(match, GameResult(A), GameResult(A, 2))
    rule(match, RulingKind.LENGTH_AGREED, base=1, played_to=3)
    rule(match, RulingKind.LENGTH_POSTED, base=2, played_to=3, key="r2")
    assert (match.length, current_sheet(match).state) == (5, SheetState.LIVE)
    assert refusal(match, RulingKind.LENGTH_AGREED, base=3, played_to=5, key="r3") == "length_not_another"
    assert sound(match)


def test_a_match_that_stopped_short_is_ruled_by_its_final_score(match):
    ruling = rule(match, RulingKind.LENGTH_AGREED, played_to=3, final=(1, 3))
    assert (ruling.sheet.state, claim_of(ruling.sheet).final) == (SheetState.CONFIRMED, (1, 3))
    back = rule(match, RulingKind.LENGTH_POSTED, base=1, played_to=3, key="r2")
    assert (back.sheet, match.length, match.terms.start) == (None, 5, (1, 3))
    assert (sound(match), changes(match)) == (True, [((0, 0, 5), (1, 3, 3)), ((1, 3, 3), (1, 3, 5))])


def test_no_ruling_on_the_games_of_a_match_that_was_awarded(match):
    awarded = claim(conclusion=Conclusion.WALKOVER, awarded_to=A)
    submit_sheet(match, claim=awarded, source=SheetSource.DESK, by=None, at=AT)
    points = {"penalty_points": (1, 0), "base": 1}
    assert refusal(match, RulingKind.PENALTY_POINTS, **points) == "ruling_on_award"
    assert refusal(match, RulingKind.LENGTH_AGREED, played_to=3, base=1) == "ruling_on_award"
    assert rule(match, RulingKind.RESUMED, score=(0, 0), base=1).sheet is None


def test_no_penalty_points_after_a_final_score(match):
    submit_sheet(match, claim=claim(final=(5, 2)), source=SheetSource.DESK, by=None, at=AT)
    assert refusal(match, RulingKind.PENALTY_POINTS, penalty_points=(1, 0), base=1) == "penalty_after_end"


def test_a_second_ruling_is_refused_with_the_first_director_named(match):
    rule(match, RulingKind.PENALTY_POINTS, penalty_points=(1, 0), by=build_director("judge"))
    request = RulingRequest(kind=RulingKind.RESUMED, key="r2", reason="Seen.", score=(1, 1))
    with pytest.raises(Conflict) as conflict:
        make_ruling(match, request=request, by=None, at=AT)
    assert (conflict.value.code, str(conflict.value)) == (
        "ruling_changed",
        "In the meantime judge made a ruling on this match. Look at it before you make another.",
    )


@pytest.mark.parametrize(
    ("details", "code"),
    [
        ({"reason": " "}, "reason_missing"),
        ({"key": ""}, "key_invalid"),
        ({"key": "k" * 65}, "key_invalid"),
        ({"base": 3}, "sheet_changed"),
        ({"penalty_points": (0, 0)}, "penalty_none"),
        ({"ruling_count": 1}, "ruling_changed"),
    ],
)
def test_a_refused_ruling_changes_nothing(match, details, code):
    assert refusal(match, RulingKind.PENALTY_POINTS, **{"penalty_points": (1, 0), **details}) == code


def test_a_repeated_ruling_changes_nothing_and_a_used_key_is_a_conflict(match):
    first = rule(match, RulingKind.PENALTY_POINTS, penalty_points=(1, 0))
    assert rule(match, RulingKind.PENALTY_POINTS, penalty_points=(1, 0), ruling_count=0) == first
    points = {"kind": RulingKind.PENALTY_POINTS, "penalty_points": (1, 0)}
    for other in (
        {"kind": RulingKind.RESUMED, "score": (1, 0)},
        {**points, "reason": "No."},
        {**points, "penalty_points": (0, 1)},
    ):
        with pytest.raises(Conflict) as conflict:
            rule(match, **other)
        assert conflict.value.code == "key_reused"
    sheet = enter(match, GameResult(A))
    with pytest.raises(Conflict) as conflict:
        rule(match, RulingKind.LENGTH_POSTED, games=(GameResult(A),), played_to=7, key=sheet.key, base=1)
    assert conflict.value.code == "key_reused"
    assert match.rulings.count() == 1


def test_a_cube_that_the_database_cannot_hold_is_refused(match):
    games = (GameResult(A, 2 * MAX_CUBE),)
    assert refusal(match, RulingKind.LENGTH_AGREED, played_to=3, games=games) == "cube_too_large"


def test_the_database_refuses_unsound_rulings(match):
    values = {"match": match, "template": "x", "at": AT}
    with pytest.raises(IntegrityError), transaction.atomic():
        Ruling.objects.create(key="k", kind=RulingKind.RESUMED, reason="", **values)
    Ruling.objects.create(key="k", kind=RulingKind.RESUMED, reason="x", **values)
    with pytest.raises(IntegrityError), transaction.atomic():
        Ruling.objects.create(key="k", kind=RulingKind.RESUMED, reason="y", **values)


def test_a_kind_that_there_is_not_is_refused_by_the_model_and_found_by_the_audit(match):
    """No constraint of the database lists the kinds: each new one would need a migration."""
    ruling = Ruling(match=match, key="k", kind="whim", template="x", reason="x", at=AT)
    with pytest.raises(ValidationError) as refused:
        ruling.full_clean()
    assert set(refused.value.error_dict) == {"kind"}
    assert list(audit_sheets(load_history(match), "here")) == []
    ruling.save()
    assert [str(difference) for difference in audit_sheets(load_history(match), "here")] == [
        f"here ruling 1: kind: stored whim, computed one of {len(RulingKind)} kinds"
    ]
