from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.ranking.tiebreaks import DEFAULT_TIEBREAKS, TIEBREAKS, Field, Result

ANNA, BO, CARL, DORA, ELSE = 1, 2, 3, 4, 5
EVERYONE = (ANNA, BO, CARL, DORA, ELSE)


def match(winner, loser, points=7, lost=0, conclusion="played", round=0, length=7):
    return Result(f"{winner}-{loser}", winner, loser, points, lost, winner, conclusion, length, round)


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


def values(slug, results, group=EVERYONE, **field):
    return TIEBREAKS[slug].compute(Field(tuple(results), **field), group)


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
        ("points-for", {ANNA: 24, BO: 26, CARL: 24, DORA: 16, ELSE: 16}),
        # the wins of the opponents: Anna and Bo 1 1 2 3, Carl 1 1 3 3, Dora and Else 1 2 3 3
        ("buchholz-median", {ANNA: 3, BO: 3, CARL: 4, DORA: 5, ELSE: 5}),
        ("buchholz-cut-1", {ANNA: 6, BO: 6, CARL: 7, DORA: 8, ELSE: 8}),
        ("buchholz-cut-2", {ANNA: 5, BO: 5, CARL: 6, DORA: 6, ELSE: 6}),
        # the same, each over the four matches of everyone
        (
            "opponents-win-rate",
            {
                ANNA: Fraction(7, 16),
                BO: Fraction(7, 16),
                CARL: Fraction(1, 2),
                DORA: Fraction(9, 16),
                ELSE: Fraction(9, 16),
            },
        ),
        ("shared", dict.fromkeys(EVERYONE)),
    ],
)
def test_tiebreak_of_a_crosstable_is_what_is_found_by_hand(slug, expected):
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
def test_head_to_head_counts_wins_only_inside_the_group(group, expected):
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
    with pytest.raises(ValueError, match="'bye' is not a valid ResultKind"):
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
        lost, round, length = draw(st.integers(0, 6)), draw(st.integers(1, 5)), draw(st.sampled_from((7, 9)))
        results.append(match(winner, loser, 7, lost, draw(conclusions), round, length))
    return tuple(range(size)), tuple(results)


@st.composite
def fields(draw):
    """A crosstable with byes that count as wins, ratings and play-offs."""
    everyone, results = draw(crosstables())
    byes = st.dictionaries(st.sampled_from(everyone), st.tuples(st.integers(1, 5)))
    ratings = st.dictionaries(st.sampled_from(everyone), st.integers(0, 250000))
    play_offs = st.lists(st.permutations(everyone).map(lambda order: match(order[0], order[1])), max_size=4)
    return everyone, Field(results, draw(byes), draw(ratings), tuple(draw(play_offs)))


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
@given(fields(), st.randoms(use_true_random=False))
def test_order_of_results_and_sides_does_not_matter(tiebreak, case, rng):
    everyone, field = case
    results, play_offs = (
        tuple(
            Result(r.key, r.b, r.a, r.score_b, r.score_a, r.winner, r.conclusion, r.length, r.round)
            for r in rng.sample(matches, len(matches))
        )
        for matches in (field.results, field.play_offs)
    )
    turned = replace(field, results=results, play_offs=play_offs)
    assert tiebreak.compute(turned, everyone) == tiebreak.compute(field, everyone)


@pytest.mark.parametrize("tiebreak", TIEBREAKS.values(), ids=TIEBREAKS.keys())
@given(fields())
def test_values_are_exact(tiebreak, case):
    everyone, field = case
    values = tiebreak.compute(field, everyone)
    assert values.keys() == set(everyone)
    assert {type(value) for value in values.values()} <= {int, Fraction, type(None)}


@pytest.mark.parametrize("tiebreak", TIEBREAKS.values(), ids=TIEBREAKS.keys())
def test_every_tiebreak_says_what_it_is_and_how_it_treats_byes_walkovers_and_withdrawals(tiebreak):
    sentences = (tiebreak.description, tiebreak.source, tiebreak.byes, tiebreak.walkovers, tiebreak.withdrawals)
    assert all(sentence.endswith(".") for sentence in sentences)
    assert tiebreak.name
    if tiebreak.ends:
        assert tiebreak.decides == ""
    else:
        assert tiebreak.decides % {"wins": 3, "values": "Anna 7, Bo 5"}


def test_the_default_order_stays_as_it_is():
    assert DEFAULT_TIEBREAKS == ("head-to-head", "point-difference", "buchholz", "sonneborn-berger")


def test_bye_that_counts_as_a_win_is_an_opponent_with_as_many_wins_as_the_entrant():
    """Anna has beaten Bo and had two byes: three wins. Bo has met her, and had a bye without a win."""
    results, byes = (match(ANNA, BO), match(BO, CARL)), {ANNA: (2, 3)}
    group = (ANNA, BO, CARL)
    assert values("buchholz", results, group, free_wins=byes) == {ANNA: 1 + 3 + 3, BO: 3 + 0, CARL: 1}
    assert values("buchholz-cut-1", results, group, free_wins=byes) == {ANNA: 6, BO: 3, CARL: 0}
    assert values("buchholz-median", results, group, free_wins=byes) == {ANNA: 3, BO: 0, CARL: 0}
    assert values("sonneborn-berger", results, group, free_wins=byes) == {ANNA: 1 + 3 + 3, BO: 0, CARL: 0}
    assert values("opponents-win-rate", results, group, free_wins=byes) == {
        ANNA: Fraction(1, 2),
        BO: Fraction(1, 2),
        CARL: Fraction(1, 2),
    }
    for slug in ("point-difference", "points-for", "head-to-head"):
        assert values(slug, results, (ANNA, BO), free_wins=byes) == values(slug, results, (ANNA, BO))


def test_cut_of_too_few_opponents_leaves_nothing():
    for slug in ("buchholz-median", "buchholz-cut-1", "buchholz-cut-2"):
        assert values(slug, (match(ANNA, BO), match(BO, CARL)), (ANNA, DORA)) == {ANNA: 0, DORA: 0}


def test_progressive_counts_an_early_win_in_every_round_from_then_on():
    """Three rounds: Anna wins 1 and 2, Bo 1 and 3, Carl 2 and 3, Dora none. Sums 1+2+2, 1+1+2, 0+1+2, 0."""
    results = (
        match(ANNA, DORA, round=1),
        match(BO, CARL, round=1),
        match(ANNA, BO, round=2),
        match(CARL, DORA, round=2),
        match(BO, DORA, round=3),
        match(CARL, ANNA, round=3),
    )
    assert values("progressive", results, (ANNA, BO, CARL, DORA)) == {ANNA: 5, BO: 4, CARL: 3, DORA: 0}


def test_progressive_counts_a_free_win_in_its_round():
    results = (match(ANNA, BO, round=1), match(ANNA, BO, round=2))
    assert values("progressive", results, (ANNA, CARL), free_wins={CARL: (1, 2)}) == {ANNA: 3, CARL: 3}
    assert values("progressive", results, (ANNA, CARL), free_wins={CARL: (2,)}) == {ANNA: 3, CARL: 1}


def test_progressive_does_not_apply_where_a_round_is_not_known():
    assert values("progressive", (match(ANNA, BO, round=1), match(ANNA, BO)), (ANNA, BO)) == {ANNA: None, BO: None}


def test_win_rate_counts_each_meeting_and_is_none_without_any():
    """Bo has won 1 of 3, Carl 2 of 2: Anna met Bo twice and Carl once, Dora met nobody."""
    results = (match(ANNA, BO), match(BO, ANNA), match(CARL, ANNA), match(CARL, BO))
    assert values("opponents-win-rate", results, (ANNA, DORA)) == {ANNA: Fraction(5, 9), DORA: None}


def test_rating_is_the_one_at_the_draw():
    assert values("rating", (), (ANNA, BO), ratings={ANNA: 152340}) == {ANNA: 152340, BO: None}


@pytest.mark.parametrize(
    ("play_offs", "expected"),
    [
        ((), {ANNA: None, BO: None, CARL: None}),
        ((match(ANNA, BO),), {ANNA: None, BO: None, CARL: None}),
        ((match(ANNA, BO), match(CARL, ELSE)), {ANNA: None, BO: None, CARL: None}),
        ((match(BO, CARL), match(BO, ANNA)), {ANNA: 0, BO: 2, CARL: 0}),
        ((match(BO, CARL), match(CARL, ANNA), match(BO, ANNA)), {ANNA: 0, BO: 2, CARL: 1}),
    ],
)
def test_play_off_counts_its_wins_once_everyone_in_the_group_has_played_one(play_offs, expected):
    assert values("play-off", CROSSTABLE, (ANNA, BO, CARL), play_offs=play_offs) == expected


def test_play_off_counts_for_nothing_else():
    play_offs = (match(DORA, ANNA, round=1),)
    for slug in TIEBREAKS.keys() - {"play-off"}:
        assert values(slug, CROSSTABLE, play_offs=play_offs) == values(slug, CROSSTABLE)


@pytest.mark.parametrize(
    ("slug", "value", "shown"),
    [
        ("buchholz", 7, "7"),
        ("point-difference", -3, "-3"),
        ("opponents-win-rate", Fraction(7, 16), "7/16"),
        ("rating", 152340, "1523.40"),
        ("rating", 152305, "1523.05"),
    ],
)
def test_a_value_is_shown_exactly(slug, value, shown):
    assert TIEBREAKS[slug].show(value) == shown
