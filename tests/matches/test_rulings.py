"""Rulings are stored with their reason, change what they propose and nothing else, and never without a trace."""

import pytest
from django.db import IntegrityError, transaction

from matches.audit import audit_sheets
from matches.models import Conclusion, Match, Ruling, Scoresheet, SheetSource, SheetState
from matches.rulings import RulingRequest, make_ruling
from matches.services import claim_of, current_sheet, submit_sheet
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


def rule(match: Match, kind: RulingKind, *, by=None, **said) -> Ruling:
    request = RulingRequest(kind=kind, **{"key": "r1", "reason": "They told me.", **said})
    ruling, _is_new = make_ruling(match, request=request, by=by, at=AT)
    match.refresh_from_db()
    return ruling


def refusal(match: Match, kind: RulingKind, **said) -> str:
    before = list(match.sheets.values_list("number", "state")), match.terms
    with pytest.raises(Refusal) as refused:
        rule(match, kind, **said)
    match.refresh_from_db()
    assert (list(match.sheets.values_list("number", "state")), match.terms) == before
    assert not match.rulings.filter(key=said.get("key", "r1"), kind=kind).exists()
    assert str(refused.value)
    return refused.value.code


def sound(match: Match) -> bool:
    return list(audit_sheets(match, match.sheets.prefetch_related("lines"), "here")) == []


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
    assert ruling.explanation == ("The double in game 2, the Crawford game, is annulled: it counts 1, not 2.")
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
    Match.objects.filter(pk=match.pk).update(waived=[2])
    match.refresh_from_db()
    assert enter(match, FIRST, GameResult(A, 2)).state == SheetState.CONFIRMED
    Match.objects.filter(pk=match.pk).update(waived=[])
    match.refresh_from_db()
    games = (FIRST, GameResult(A, 2))
    assert refusal(match, RulingKind.CRAWFORD_ANNULLED, base=1, games=games) == "annul_after_recording"
    rule(match, RulingKind.CRAWFORD_STANDS, base=1, games=games)
    assert (match.waived, sound(match)) == ([2], True)


def test_a_crawford_double_noticed_too_late_stands_and_the_match_goes_on(match):
    enter(match, FIRST)
    games = (FIRST, DOUBLED, GameResult(B))
    assert refusal(match, RulingKind.CRAWFORD_ANNULLED, base=1, games=games) == "annul_after_next_game"
    ruling = rule(match, RulingKind.CRAWFORD_STANDS, base=1, games=games)
    assert (ruling.before, match.waived, match.terms.waived) == ({"waived": []}, [2], frozenset({2}))
    over = enter(match, *games, GameResult(B, 2), base=2)
    assert (over.state, sound(match)) == (SheetState.CONFIRMED, True)


@pytest.mark.parametrize(("points", "start"), [((0, 2), (2, 0)), ((1, 2), (2, 1))])
def test_penalty_points_are_the_start_of_the_match(match, points, start):
    ruling = rule(match, RulingKind.PENALTY_POINTS, points=points)
    assert (match.start_a, match.start_b) == start
    assert ruling.before["start_a"] == 0
    assert (ruling.sheet, current_sheet(match)) == (None, None)


def test_too_many_penalty_points_lose_the_match_as_a_walkover(match):
    ruling = rule(match, RulingKind.PENALTY_POINTS, points=(3, 0))
    stands = current_sheet(match)
    assert (stands.state, stands.conclusion, stands.awarded_to) == (SheetState.CONFIRMED, Conclusion.WALKOVER, "B")
    assert (ruling.sheet, ruling.before, sound(match)) == (stands, {}, True)


def test_a_resumed_match_goes_on_after_its_crawford_game(match):
    rule(match, RulingKind.RESUMED, score=(4, 3), crawford_done=True)
    assert match.terms.opening.crawford_done
    assert enter(match, GameResult(B, 2)).state == SheetState.CONFIRMED
    assert sound(match)


def test_the_start_changes_only_before_the_first_sheet(match):
    enter(match, FIRST)
    assert refusal(match, RulingKind.PENALTY_POINTS, points=(1, 0), base=1) == "start_after_sheet"
    assert refusal(match, RulingKind.RESUMED, score=(1, 0), base=1) == "start_after_sheet"


def test_by_the_posted_length_the_games_up_to_it_count(match):
    games = (GameResult(A, 4), GameResult(B), GameResult(B, 2), GameResult(A), GameResult(B, 2))
    ruling = rule(match, RulingKind.LENGTH_POSTED, games=games, played_to=7)
    assert ruling.sheet.state == SheetState.CONFIRMED
    assert claim_of(ruling.sheet).games == games[:4]
    assert ruling.explanation.endswith("over after game 4; later games: 1.")


def test_the_agreed_length_is_refused_where_the_draw_fixes_it(match):
    games = (GameResult(A), GameResult(A, 2))
    assert refusal(match, RulingKind.LENGTH_AGREED, games=games, played_to=3) == "length_of_the_draw"


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"reason": " "}, "reason_missing"),
        ({"key": ""}, "key_invalid"),
        ({"key": "k" * 65}, "key_invalid"),
        ({"base": 3}, "sheet_changed"),
        ({"points": (0, 0)}, "penalty_invalid"),
    ],
)
def test_a_refused_ruling_changes_nothing(match, said, code):
    assert refusal(match, RulingKind.PENALTY_POINTS, **{"points": (1, 0), **said}) == code


def test_a_repeated_ruling_changes_nothing_and_a_used_key_is_a_conflict(match):
    first = rule(match, RulingKind.PENALTY_POINTS, points=(1, 0))
    assert rule(match, RulingKind.PENALTY_POINTS, points=(1, 0)) == first
    for other in ({"kind": RulingKind.RESUMED, "score": (1, 0)}, {"kind": RulingKind.PENALTY_POINTS, "reason": "No."}):
        with pytest.raises(Conflict) as conflict:
            rule(match, **other)
        assert conflict.value.code == "key_reused"
    sheet = enter(match, GameResult(A))
    with pytest.raises(Conflict) as conflict:
        rule(match, RulingKind.LENGTH_POSTED, games=(GameResult(A),), played_to=7, key=sheet.key, base=1)
    assert conflict.value.code == "key_reused"
    assert match.rulings.count() == 1


def test_the_database_keeps_rulings_sound(match):
    values = {"match": match, "template": "x", "at": AT}
    for wrong in ({"kind": "whim", "reason": "x"}, {"kind": RulingKind.RESUMED, "reason": ""}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Ruling.objects.create(key="k", **values, **wrong)
    Ruling.objects.create(key="k", kind=RulingKind.RESUMED, reason="x", **values)
    with pytest.raises(IntegrityError), transaction.atomic():
        Ruling.objects.create(key="k", kind=RulingKind.RESUMED, reason="y", **values)
