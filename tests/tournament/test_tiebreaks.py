import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.tiebreaks import TIEBREAKS, Result

ANNA, BO, CARL, DORA, ELSE = 1, 2, 3, 4, 5
EVERYONE = (ANNA, BO, CARL, DORA, ELSE)


def match(winner, loser, points=7, lost=0, conclusion="played"):
    return Result(f"{winner}-{loser}", winner, loser, points, lost, winner, conclusion, 7)


# Five players, all play all, by hand:
#          A   B   C   D   E   wins
# Anna     -  7-5 3-7 7-2 7-6   3
# Bo      5-7  -  7-4 7-1 7-3   3
# Carl    7-3 4-7  -  7-6 6-7   2
# Dora    2-7 1-7 6-7  -  7-0   1
# Else    6-7 3-7 7-6 0-7  -    1
CROSSTABLE = (
    match(ANNA, BO, 7, 5),
    match(CARL, ANNA, 7, 3),
    match(ANNA, DORA, 7, 2),
    match(ANNA, ELSE, 7, 6),
    match(BO, CARL, 7, 4),
    match(BO, DORA, 7, 1),
    match(BO, ELSE, 7, 3),
    match(CARL, DORA, 7, 6),
    match(ELSE, CARL, 7, 6),
    match(DORA, ELSE, 7, 0),
)


def values(slug, results, group=EVERYONE):
    return TIEBREAKS[slug].compute(results, group)


@pytest.mark.parametrize(
    ("slug", "expected"),
    [
        # Anna +2 -4 +5 +1, Bo -2 +3 +6 +4, Carl +4 -3 +1 -1, Dora -5 -6 -1 +7, Else -1 -4 +1 -7
        ("point-difference", {ANNA: 4, BO: 11, CARL: 1, DORA: -5, ELSE: -11}),
        # all ten wins less one's own
        ("buchholz", {ANNA: 7, BO: 7, CARL: 8, DORA: 9, ELSE: 9}),
        # Anna: Bo 3, Dora 1, Else 1. Bo: Carl 2, Dora 1, Else 1. Carl: Anna 3, Dora 1. Dora: Else 1. Else: Carl 2.
        ("sonneborn-berger", {ANNA: 5, BO: 4, CARL: 4, DORA: 1, ELSE: 2}),
        ("head-to-head", {ANNA: 3, BO: 3, CARL: 2, DORA: 1, ELSE: 1}),
    ],
)
def test_tiebreak_of_a_crosstable_is_what_the_hand_finds(slug, expected):
    assert values(slug, CROSSTABLE) == expected


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        ((ANNA, BO), {ANNA: 1, BO: 0}),
        ((DORA, ELSE), {DORA: 1, ELSE: 0}),
        ((ANNA, BO, CARL), {ANNA: 1, BO: 1, CARL: 1}),
        ((BO, CARL, DORA), {BO: 2, CARL: 1, DORA: 0}),
    ],
)
def test_head_to_head_counts_wins_inside_the_group_alone(group, expected):
    assert values("head-to-head", CROSSTABLE, group) == expected


def test_head_to_head_does_not_apply_unless_all_have_met():
    results = (match(ANNA, BO), match(ANNA, CARL))
    assert values("head-to-head", results, (ANNA, BO, CARL)) == {ANNA: None, BO: None, CARL: None}
    assert values("head-to-head", results, (ANNA, BO)) == {ANNA: 1, BO: 0}


def test_head_to_head_counts_every_meeting():
    results = (match(ANNA, BO), match(BO, ANNA), match(ANNA, BO))
    assert values("head-to-head", results, (ANNA, BO)) == {ANNA: 2, BO: 1}


def test_opponent_met_twice_counts_twice():
    results = (match(ANNA, BO), match(ANNA, BO), match(BO, CARL))
    assert values("buchholz", results, (ANNA, BO, CARL)) == {ANNA: 2, BO: 4, CARL: 1}
    assert values("sonneborn-berger", results, (ANNA, BO, CARL)) == {ANNA: 2, BO: 0, CARL: 0}


@pytest.mark.parametrize(
    ("conclusion", "difference"),
    [("played", {ANNA: 4, BO: -4}), ("forfeit", {ANNA: 4, BO: -4}), ("walkover", {ANNA: 0, BO: 0})],
)
def test_only_a_walkover_counts_no_points(conclusion, difference):
    assert values("point-difference", (match(ANNA, BO, 7, 3, conclusion),), (ANNA, BO)) == difference


def test_forfeit_counts_the_points_as_they_stood():
    results = (match(ANNA, BO, 2, 4, "forfeit"),)
    assert values("point-difference", results, (ANNA, BO)) == {ANNA: -2, BO: 2}


@pytest.mark.parametrize("conclusion", ["played", "forfeit", "walkover"])
def test_every_conclusion_is_a_win_over_an_opponent(conclusion):
    results = (match(ANNA, BO, conclusion=conclusion), match(BO, CARL))
    assert values("buchholz", results, (ANNA, BO, CARL)) == {ANNA: 1, BO: 1, CARL: 1}
    assert values("sonneborn-berger", results, (ANNA, BO)) == {ANNA: 1, BO: 0}
    assert values("head-to-head", results, (ANNA, BO)) == {ANNA: 1, BO: 0}


@pytest.mark.parametrize("slug", ["point-difference", "buchholz", "sonneborn-berger"])
def test_bye_alone_gives_nothing(slug):
    assert values(slug, CROSSTABLE, (9,)) == {9: 0}


@pytest.mark.parametrize(
    "sides", [{"a": 1, "b": 1, "winner": 1}, {"a": 1, "b": 2, "winner": 3}], ids=["oneself", "stranger"]
)
def test_result_needs_a_winner_of_two_sides(sides):
    with pytest.raises(ValueError, match="R1-1: the winner must be one of two different sides"):
        Result("R1-1", score_a=7, score_b=0, conclusion="played", length=7, **sides)


def test_result_refuses_an_unknown_conclusion():
    with pytest.raises(ValueError, match="'bye' is not a valid Conclusion"):
        match(ANNA, BO, conclusion="bye")


@st.composite
def crosstables(draw):
    size = draw(st.integers(2, 8))
    pairs = [(a, b) for a in range(size) for b in range(a)]
    played = draw(st.lists(st.sampled_from(pairs), max_size=40))
    conclusions = st.sampled_from(("played", "forfeit", "walkover"))
    results = []
    for a, b in played:
        winner, loser = draw(st.permutations((a, b)))
        results.append(match(winner, loser, 7, draw(st.integers(0, 6)), draw(conclusions)))
    return tuple(range(size)), tuple(results)


@given(crosstables())
def test_totals_over_everyone_are_what_they_must_be(table):
    everyone, results = table
    assert sum(values("point-difference", results, everyone).values()) == 0
    wins = {entrant: sum(result.winner == entrant for result in results) for entrant in everyone}
    met = {entrant: sum(entrant in (result.a, result.b) for result in results) for entrant in everyone}
    assert sum(values("buchholz", results, everyone).values()) == sum(wins[e] * met[e] for e in everyone)
    losses = {entrant: met[entrant] - wins[entrant] for entrant in everyone}
    assert sum(values("sonneborn-berger", results, everyone).values()) == sum(wins[e] * losses[e] for e in everyone)


@pytest.mark.parametrize("tiebreak", TIEBREAKS.values(), ids=TIEBREAKS.keys())
@given(crosstables(), st.randoms(use_true_random=False))
def test_order_of_results_and_sides_does_not_matter(tiebreak, table, rng):
    everyone, results = table
    turned = [
        Result(r.key, r.b, r.a, r.score_b, r.score_a, r.winner, r.conclusion, r.length)
        for r in rng.sample(results, len(results))
    ]
    assert tiebreak.compute(turned, everyone) == tiebreak.compute(results, everyone)
    assert tiebreak.name
    assert tiebreak.description
    assert tiebreak.source
