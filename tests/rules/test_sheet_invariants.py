"""Score sheets against the invariants and warnings, written out again here without the code under test."""

import pickle

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rules.final_score import check_final
from rules.findings import CODES
from rules.profiles import PROFILES, Variants
from rules.score import Ending, Level, Side
from rules.sheet import GameResult, Terms, check_sheet
from tests.rules.games import HUGE, A, B, codes, game

UNPRINTABLE = 10**5000


def is_int(value):
    return type(value) is not bool and isinstance(value, int)


def expected_errors(terms, history, result):
    """Return the codes for the game after ``history`` (all scores so far, start first)."""
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
