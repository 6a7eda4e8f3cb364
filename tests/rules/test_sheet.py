"""Score sheets against the invariants and warnings, written out a second time here without the code under test."""

import pickle

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rules.errors import AmbiguousPlay, Finding, IllegalPlay, NotationError, Severity
from rules.profiles import PROFILES, Variants
from rules.score import Ending, Level, MatchScore, Phase, Side
from rules.sheet import CODES, GameResult, SheetCheck, Terms, check_final, check_game, check_sheet

A, B = Side.A, Side.B
HUGE = 10**30
UNPRINTABLE = 10**5000


def game(winner, cube=1, level=Level.SINGLE, ending=Ending.BEAROFF):
    return GameResult(winner, cube, level, ending)


def codes(check):
    return [(finding.game, finding.code) for finding in check.findings]


# --- the invariants, literally ------------------------------------------------------------------------------------


def is_int(value):
    return type(value) is not bool and isinstance(value, int)


def expected_errors(terms, history, result):
    """Codes for the game after ``history`` (all scores so far, start first)."""
    found = set()
    length, g = terms.length, len(history)
    if length and max(history[-1]) >= length:  # I8
        return {"game_after_match_over"}
    crawford = (  # I7
        terms.crawford
        and not terms.crawford_done
        and length >= 2
        and max(history[g - 1]) == length - 1
        and all(max(history[h]) < length - 1 for h in range(g - 1))
    )
    powers = {2**k for k in range(101)}
    whole_cube = is_int(result.cube) and result.cube in powers
    if type(result.winner) is not Side:
        found.add("winner_invalid")
    if type(result.ending) is not Ending:
        found.add("ending_invalid")
    if not whole_cube:  # I2
        found.add("cube_not_power_of_two")
    cap = terms.profile.cube_cap
    if whole_cube and cap is not None and result.cube > cap:  # I2
        found.add("cube_above_cap")
    if whole_cube and result.ending == "drop" and cap is not None and result.cube == cap:  # I5: 2 * cube was offered
        found.add("drop_cube")
    if whole_cube and not terms.variants.cube and (result.cube != 1 or result.ending == "drop"):  # row 62
        found.add("no_cube")
    crawford = crawford and g not in terms.waived  # a ruling lets its cube stand
    if whole_cube and crawford and result.cube != 1:  # I7
        found.add("crawford_cube")
    if crawford and result.ending == "drop":  # I7
        found.add("crawford_drop")
    level_exists = is_int(result.level) and result.level in terms.profile.multipliers
    if not level_exists:  # I3
        found.add("level_not_in_profile")
    if level_exists and result.ending == "drop" and result.level != 1:  # I5
        found.add("drop_level")
    untaken = {2**ties for ties in range(terms.variants.automatic_doubles + 1)}
    lowest = {1} if terms.variants.jacoby and result.cube in untaken else set()
    resigned = terms.profile.slug == "dk-leaflet" and result.ending == "resigned"
    if level_exists and resigned and result.level not in {3} | lowest:
        found.add("resignation_level")
    if level_exists and terms.variants.jacoby and result.cube == 1 and result.level != 1:  # I11
        found.add("jacoby_level")
    return found


def expected_warnings(terms, history, result):
    if not terms.length:
        return set()
    found = set()
    length, g = terms.length, len(history)
    need = {A: length - history[-1][0], B: length - history[-1][1]}

    doublings = []  # every way the cube can have come where it is: (doubler, cube before)
    chain = [2**k for k in range(101) if 2**k < result.cube]
    if result.ending == "drop":
        chain.append(result.cube)
    lasts = [result.winner] if result.ending == "drop" else [A, B]
    for last in lasts:
        ways, doubler = [], last
        for cube in reversed(chain):
            ways.append((doubler, cube))
            doubler = B if doubler == A else A
        doublings.append(ways)
    if all(any(cube >= need[doubler] for doubler, cube in ways) for ways in doublings):  # W1
        found.add("dead_cube")
    if result.cube >= 2 * max(need.values()):  # W2
        found.add("cube_implausible")
    if any(result.cube * lower >= need[result.winner] for lower in range(1, result.level)):  # W3
        found.add("overshoot")
    crawford_played = terms.crawford_done or (
        terms.crawford and length >= 2 and any(max(score) == length - 1 for score in history[:-1])
    )
    if crawford_played and result.cube == 1 and history[-1][0] != history[-1][1]:  # W4
        trailer = A if need[A] > need[B] else B
        doubled = result.ending == "drop" and result.winner == trailer
        if not doubled and result.ending != "forfeit":
            found.add("trailer_did_not_double")
    if 2 * g > 3 * length >= 2 * (g - 1):  # W5, once: at the first game above one and a half times the length
        found.add("many_games")
    return found


good_games = st.builds(
    GameResult,
    winner=st.sampled_from(Side),
    cube=st.sampled_from([1, 1, 1, 2, 2, 4]),
    level=st.sampled_from([Level.SINGLE, Level.SINGLE, Level.GAMMON, Level.BACKGAMMON]),
    ending=st.sampled_from([Ending.BEAROFF, Ending.RESIGNED, Ending.FORFEIT]),
)
drops = st.builds(
    GameResult, winner=st.sampled_from(Side), cube=st.sampled_from([1, 2, 64, 128]), ending=st.just(Ending.DROP)
)
odd_games = st.builds(
    GameResult,
    winner=st.sampled_from([A, B, "A", "C", None]),
    cube=st.sampled_from([1, 2, 3, 0, -1, -2, 64, 128, 2**100, HUGE, UNPRINTABLE, True, "2", 2.0, None]),
    level=st.sampled_from([1, 2, 3, 0, 4, -1, HUGE, True, "1", 1.0, None, Level.BACKGAMMON]),
    ending=st.sampled_from([*Ending, "bearoff", "won", None]),
)


@st.composite
def all_terms(draw):
    length = draw(st.sampled_from([0, 1, 2, 3, 5, 7, 11, 25]))
    top = length or 9
    a, b = draw(st.integers(0, top)), draw(st.integers(0, top - 1 if length else top))
    start = draw(st.sampled_from([(0, 0), (a, b), (b, a)]))
    crawford = draw(st.booleans())
    may_be_done = crawford and length >= 2 and max(start) >= length - 1
    profile = draw(st.sampled_from(list(PROFILES.values())))
    ties = draw(st.integers(0, 2)) if profile.automatic_double and not length else 0
    variants = Variants(
        cube=ties > 0 or draw(st.booleans()),
        jacoby=draw(st.booleans()),
        automatic_doubles=ties,
        jacquet=profile.jacquet and draw(st.booleans()),
    )
    return Terms(
        length,
        profile=profile,
        crawford=crawford,
        start=start,
        crawford_done=may_be_done and draw(st.booleans()),
        variants=variants,
        waived=draw(st.sampled_from([frozenset(), frozenset({1}), frozenset({2, 3})])),
    )


@settings(max_examples=400)
@given(all_terms(), st.lists(st.one_of(good_games, good_games, good_games, drops, odd_games), max_size=45))
@example(Terms(3), [game(winner) for winner in (A, B, A, B, A)])
@example(Terms(3, start=(2, 2)), [game(A)])
@example(Terms(7, start=(6, 5), crawford_done=True), [game(B, 2), game(A)])
def test_check_sheet_agrees_with_the_invariants(terms, games):
    check = check_sheet(terms, games)
    history = [terms.start]
    expected = []
    for number, result in enumerate(games, start=1):
        errors = expected_errors(terms, history, result)
        found = errors or expected_warnings(terms, history, result)
        expected += [(number, code) for code in found]
        if errors:
            break
        a, b = history[-1]
        raw = result.cube * result.level  # I4
        if result.winner is A:
            a = min(a + raw, terms.length) if terms.length else a + raw
        else:
            b = min(b + raw, terms.length) if terms.length else b + raw
        history.append((a, b))
    assert sorted(codes(check)) == sorted(expected)
    assert [(score.a, score.b) for score in check.scores] == history
    assert check.ok == (not check.errors)
    assert check.errors + check.warnings == check.findings or check.warnings + check.errors == check.findings
    assert check.over == (terms.length > 0 and max(history[-1]) >= terms.length)
    for finding in check.findings:
        assert f"Game {finding.game}" in finding.message
        assert finding.rule == CODES[finding.code]
        assert hash(finding) == hash(pickle.loads(pickle.dumps(finding)))  # noqa: S301


anything = st.sampled_from([0, 1, 2, 7, -1, HUGE, -HUGE, UNPRINTABLE, -UNPRINTABLE, True, 1.0, "7", None, [], (1,)])


@example(UNPRINTABLE, (0, UNPRINTABLE), False, False, game(A), (0, 0, 0))
@given(
    length=anything,
    start=st.one_of(anything, st.tuples(anything, anything), st.tuples(anything, anything, anything)),
    crawford=st.booleans(),
    crawford_done=st.booleans(),
    game=odd_games,
    final=st.tuples(anything, anything, anything),
)
def test_checks_answer_anything_with_findings_never_with_an_exception(
    length, start, crawford, crawford_done, game, final
):
    terms = Terms(length, start=start, crawford=crawford, crawford_done=crawford_done)
    for check in (check_sheet(terms, [game]), check_final(terms, *final)):
        assert all(finding.message for finding in check.findings)
        assert check.ok or check.errors
        if not check.scores:
            assert not check.over
            with pytest.raises(ValueError, match="terms"):
                _ = check.score
    for value in (length, *(start if isinstance(start, tuple) else ())):
        if not is_int(value) or value < 0:
            assert check_sheet(terms, []).errors


# --- one example for every code -----------------------------------------------------------------------------------

DK, DE, WBGF = PROFILES["dk-leaflet"], PROFILES["de-leaflet"], PROFILES["wbgf"]
AT_CRAWFORD = [game(A, 2, Level.BACKGAMMON)]  # 6-0 to 7

REFUSED = [
    (Terms(-1), [], None, "length_invalid"),
    (Terms(True), [], None, "length_invalid"),
    (Terms(7.0), [], None, "length_invalid"),
    (Terms(7, start=(-1, 0)), [], None, "start_invalid"),
    (Terms(7, start=(8, 0)), [], None, "start_invalid"),
    (Terms(7, start=(7, 7)), [], None, "start_invalid"),
    (Terms(7, start=(0, "0")), [], None, "start_invalid"),
    (Terms(7, start=(5, 5), crawford_done=True), [], None, "crawford_done_invalid"),
    (Terms(1, start=(0, 0), crawford_done=True), [], None, "crawford_done_invalid"),
    (Terms(1), [game(A), game(A)], 2, "game_after_match_over"),
    (Terms(7, start=(7, 0)), [game(B)], 1, "game_after_match_over"),
    (Terms(7), [game("A")], 1, "winner_invalid"),
    (Terms(7), [game(A, ending="bearoff")], 1, "ending_invalid"),
    (Terms(7), [game(A, 3)], 1, "cube_not_power_of_two"),
    (Terms(7), [game(A, 0)], 1, "cube_not_power_of_two"),
    (Terms(7), [game(A, True)], 1, "cube_not_power_of_two"),
    (Terms(0, profile=DE), [game(A, 128)], 1, "cube_above_cap"),
    (Terms(7), [game(A, 1, 4)], 1, "level_not_in_profile"),
    (Terms(0, profile=DE), [game(A, 1, Level.BACKGAMMON)], 1, "level_not_in_profile"),
    (Terms(7), [*AT_CRAWFORD, game(B, 2)], 2, "crawford_cube"),
    (Terms(7), [*AT_CRAWFORD, game(A, ending=Ending.DROP)], 2, "crawford_drop"),
    (Terms(7), [game(A, 2, Level.GAMMON, Ending.DROP)], 1, "drop_level"),
    (Terms(0, profile=DE), [game(A, 64, ending=Ending.DROP)], 1, "drop_cube"),
    (Terms(0, variants=Variants(jacoby=True)), [game(A, 1, Level.GAMMON)], 1, "jacoby_level"),
    (Terms(0, variants=Variants(cube=False)), [game(A, 2)], 1, "no_cube"),
    (Terms(7, variants=Variants(cube=False)), [game(A, ending=Ending.DROP)], 1, "no_cube"),
    (Terms(0, profile=DK, variants=Variants(automatic_doubles=-1)), [], None, "automatic_doubles_negative"),
    (Terms(7, profile=DK, variants=Variants(automatic_doubles=1)), [], None, "automatic_double_in_match"),
    (Terms(0, profile=DE, variants=Variants(automatic_doubles=1)), [], None, "automatic_double_not_offered"),
    (
        Terms(0, profile=DK, variants=Variants(cube=False, automatic_doubles=1)),
        [],
        None,
        "automatic_double_without_cube",
    ),
    (Terms(7, variants=Variants(jacquet=True)), [], None, "jacquet_not_offered"),
    (Terms(0, profile=DK), [game(A, 2, Level.GAMMON, Ending.RESIGNED)], 1, "resignation_level"),
]

ASKED = [
    (Terms(7, start=(5, 0)), [game(A, 2)], []),
    (Terms(1), [game(A, 2)], [(1, "dead_cube"), (1, "cube_implausible")]),
    (Terms(1), [game(A, ending=Ending.DROP)], [(1, "dead_cube")]),
    (Terms(7, start=(5, 0)), [game(A, 2, ending=Ending.DROP)], [(1, "dead_cube")]),
    (Terms(7, start=(5, 0)), [game(B, 2, ending=Ending.DROP)], []),
    (Terms(7, start=(5, 0)), [game(B, 8)], [(1, "dead_cube")]),
    (Terms(7, start=(5, 5)), [game(B, 4)], [(1, "dead_cube"), (1, "cube_implausible")]),
    (Terms(7), [game(A, 16)], [(1, "dead_cube"), (1, "cube_implausible")]),
    (Terms(7), [game(A, 8)], []),
    (Terms(7, start=(5, 0)), [game(A, 1, Level.BACKGAMMON)], [(1, "overshoot")]),
    (Terms(7, start=(5, 0)), [game(A, 1, Level.GAMMON)], []),
    (Terms(7), [*AT_CRAWFORD, game(B), game(B)], [(3, "trailer_did_not_double")]),
    (Terms(7), [*AT_CRAWFORD, game(B), game(B, 2)], []),
    (Terms(7), [*AT_CRAWFORD, game(B), game(B, ending=Ending.DROP)], []),
    (Terms(7), [*AT_CRAWFORD, game(B), game(B, ending=Ending.FORFEIT)], []),
    (Terms(7, start=(6, 6), crawford_done=True), [game(B)], []),
    (Terms(3, crawford=False), [game(A), game(B)] * 2 + [game(A)], [(5, "many_games")]),
]

FINALS = [
    (Terms(7), (7, 5), [], []),
    (Terms(7), (0, 7), [], []),
    (Terms(0), (12, 5), [], []),
    (Terms(7, start=(7, 2)), (7, 2, 0), [], []),
    (Terms(7), (7, "5"), ["final_invalid"], []),
    (Terms(7), (7, True), ["final_invalid"], []),
    (Terms(7), (-7, 5), ["final_invalid"], []),
    (Terms(7), (6, 5), ["final_not_over"], []),
    (Terms(7), (8, 5), ["final_unreachable"], []),
    (Terms(7), (7, 7), ["final_unreachable"], []),
    (Terms(7), (HUGE, 5), ["final_unreachable"], []),
    (Terms(7, start=(7, 2)), (7, 3), ["final_unreachable"], []),
    (Terms(7, start=(0, 2)), (7, 1), ["final_below_start"], []),
    (Terms(-7), (7, 5), ["length_invalid"], []),
    (Terms(7), (7, 5, 0), ["game_count_impossible"], []),
    (Terms(7), (7, 5, 13), ["game_count_impossible"], []),
    (Terms(7), (7, 5, True), ["game_count_impossible"], []),
    (Terms(7), (7, 5, 11), [], ["many_games"]),
    (Terms(7), (7, 5, 10), [], []),
    (Terms(7), (7, 5, 2), [], ["too_few_games"]),
    (Terms(7), (7, 5, 3), [], []),
    (Terms(7, profile=DE), (7, 3, 2), [], ["too_few_games"]),
    (Terms(7), (7, 3, 2), [], []),
]


@pytest.mark.parametrize(("terms", "games", "number", "code"), REFUSED)
def test_check_sheet_refuses_what_the_rule_forbids(terms, games, number, code):
    check = check_sheet(terms, games)
    assert (number, code) in codes(check)
    assert not check.ok
    assert {finding.game for finding in check.errors} == {number}
    assert len(check.scores) == (number or 0)


@pytest.mark.parametrize(("terms", "games", "expected"), ASKED)
def test_check_sheet_asks_about_what_is_legal_but_unlikely(terms, games, expected):
    check = check_sheet(terms, games)
    assert codes(check) == expected
    assert check.ok
    assert len(check.scores) == len(games) + 1


@pytest.mark.parametrize(("terms", "final", "errors", "warnings"), FINALS)
def test_check_final_judges_a_bare_score(terms, final, errors, warnings):
    check = check_final(terms, *final)
    assert [finding.code for finding in check.errors] == errors
    assert [finding.code for finding in check.warnings] == warnings
    if check.ok:
        assert (check.score.a, check.score.b) == final[:2]


def test_every_code_has_an_example():
    shown = {code for *_, code in REFUSED}
    shown |= {code for _, _, expected in ASKED for _, code in expected}
    shown |= {code for _, _, errors, warnings in FINALS for code in errors + warnings}
    assert shown == set(CODES)


def reachable_finals(length, crawford):
    """(a, b, games) of every match to ``length`` with cubes up to 8, by playing all of them."""
    finals = set()
    seen = set()
    waiting = [(MatchScore(length, crawford=crawford), 0)]
    while waiting:
        score, count = waiting.pop()
        if (score, count) in seen:
            continue
        seen.add((score, count))
        if max(score.a, score.b) == length:
            finals.add((score.a, score.b, count))
            continue
        for side in Side:
            for cube in (1,) if score.phase is Phase.CRAWFORD else (1, 2, 4, 8):
                waiting += [(score.after(side, cube * level), count + 1) for level in (1, 2, 3)]
    return finals


@pytest.mark.parametrize("length", [1, 2, 3, 5, 7])
def test_check_final_passes_exactly_what_can_be_played(length):
    finals = reachable_finals(length, crawford=False)
    tried = [(a, b, count) for a in range(length + 2) for b in range(length + 2) for count in range(2 * length + 2)]
    passed = {
        final
        for final in tried
        if not {finding.code for finding in check_final(Terms(length, crawford=False), *final).findings}
        - {"many_games"}
    }
    assert passed == finals
    assert reachable_finals(length, crawford=True) <= finals


# --- what a finding is --------------------------------------------------------------------------------------------


def test_finding_says_the_rule_the_game_and_the_number():
    (finding,) = check_sheet(Terms(7), [*AT_CRAWFORD, game(B, 2)]).errors
    assert finding.as_dict() == {
        "code": "crawford_cube",
        "severity": "error",
        "game": 2,
        "row": None,
        "message": "Game 2: the cube is 2, but this is the Crawford game, in which nobody may double.",
    }
    assert (finding.rule, finding.severity) == ("I7", Severity.ERROR)


def test_findings_are_equal_by_value():
    first, second = (check_game(Terms(7), MatchScore(7), 1, game(A, 3)) for _ in range(2))
    assert first == second
    assert len({*first, *second}) == 1
    (other,) = check_game(Terms(7), MatchScore(7), 1, game(A, 5))
    assert other != first[0]


def test_finding_shows_a_number_too_long_to_read_by_its_size():
    (finding,) = check_sheet(Terms(7), [game(A, 3 * 2**20000)]).findings
    assert finding.message == ("Game 1: the cube shows 1, 2, 4, 8 and so on, a power of two, not ≈2^20001.")


def test_check_sheet_without_games_is_the_start():
    terms = Terms(7, start=(1, 0))
    assert check_sheet(terms, []) == SheetCheck((MatchScore(7, 1, 0),), ())
    assert terms.opening == MatchScore(7, 1, 0)
    with pytest.raises(ValueError, match="below"):
        _ = Terms(-1).opening


def test_points_are_cube_times_level():
    assert game(A, 4, Level.GAMMON).points == 8
    assert game(A, 64, Level.BACKGAMMON).points == 192


@pytest.mark.parametrize("error", [NotationError, IllegalPlay, AmbiguousPlay])
def test_errors_end_with_the_position(error):
    plain, placed = error("No play of 24/18."), error("No play of 24/18.", "4HPwATDgc/ABMA")
    assert isinstance(plain, ValueError)
    assert str(plain) == "No play of 24/18."
    assert str(placed) == "No play of 24/18. Position: 4HPwATDgc/ABMA"
    assert placed.position_id == "4HPwATDgc/ABMA"


def test_finding_is_made_of_its_template():
    finding = Finding("x", Severity.WARNING, None, 3, "Row %(row)s.", {"row": 3}, "I14")
    assert finding.message == "Row 3."
