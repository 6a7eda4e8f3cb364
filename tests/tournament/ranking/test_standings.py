from itertools import permutations

import pytest

from tests.tournament.ranking.test_tiebreaks import ANNA, BO, CARL, CROSSTABLE, DORA, ELSE, match
from tournament.formats.plan import Bye, Entrant, Pairing, Placing, Plan, Reason
from tournament.ranking.standings import Result, StandingLine, compute_standings, free_rounds
from tournament.ranking.tiebreaks import TIEBREAKS

NAMES = {ANNA: "Anna", BO: "Bo", CARL: "Carl", DORA: "Dora", ELSE: "Else"}
ALL_TIEBREAKS = tuple(TIEBREAKS)


def entrants(*ids):
    return tuple(Entrant(id, NAMES[id]) for id in ids or NAMES)


def places(lines):
    return [(NAMES[line.entrant], line.place, line.place_to, line.decided_by) for line in lines]


def alone(wins):
    return Reason("alone", "Nobody else has as many wins (%(wins)s).", (("wins", wins),))


def whys(lines):
    return {NAMES[line.entrant]: line.why.text for line in lines}


def test_lines_carry_the_record_and_the_tiebreaks_in_the_events_order():
    lines = compute_standings(entrants(), CROSSTABLE, ("head-to-head", "point-difference"), None)
    first, second, alone, fourth, fifth = (line.why for line in lines)
    assert lines == (
        StandingLine(ANNA, 1, 1, 4, 3, 1, 24, 20, (("head-to-head", 1), ("point-difference", 4)), None, first),
        StandingLine(
            BO, 2, 2, 4, 3, 1, 26, 15, (("head-to-head", 0), ("point-difference", 11)), "head-to-head", second
        ),
        StandingLine(CARL, 3, 3, 4, 2, 2, 24, 23, (("head-to-head", None), ("point-difference", 1)), None, alone),
        StandingLine(DORA, 4, 4, 4, 1, 3, 16, 21, (("head-to-head", 1), ("point-difference", -5)), None, fourth),
        StandingLine(
            ELSE, 5, 5, 4, 1, 3, 16, 27, (("head-to-head", 0), ("point-difference", -11)), "head-to-head", fifth
        ),
    )
    assert [why.text for why in (first, second, alone, fourth, fifth)] == [
        "Tied on wins (3); head to head decides: Anna 1, Bo 0.",
        "Tied on wins (3); head to head decides: Anna 1, Bo 0.",
        "Nobody else has as many wins (2).",
        "Tied on wins (1); head to head decides: Dora 1, Else 0.",
        "Tied on wins (1); head to head decides: Dora 1, Else 0.",
    ]


@pytest.mark.parametrize(
    ("tiebreaks", "expected"),
    [
        (
            (),
            [
                ("Anna", 1, 2, None),
                ("Bo", 1, 2, None),
                ("Carl", 3, 3, None),
                ("Dora", 4, 5, None),
                ("Else", 4, 5, None),
            ],
        ),
        (
            ("point-difference",),
            [
                ("Bo", 1, 1, None),
                ("Anna", 2, 2, "point-difference"),
                ("Carl", 3, 3, None),
                ("Dora", 4, 4, None),
                ("Else", 5, 5, "point-difference"),
            ],
        ),
        (
            ("buchholz",),
            [
                ("Anna", 1, 2, None),
                ("Bo", 1, 2, None),
                ("Carl", 3, 3, None),
                ("Dora", 4, 5, None),
                ("Else", 4, 5, None),
            ],
        ),
        (
            ("buchholz", "sonneborn-berger"),
            [
                ("Anna", 1, 1, None),
                ("Bo", 2, 2, "sonneborn-berger"),
                ("Carl", 3, 3, None),
                ("Else", 4, 4, None),
                ("Dora", 5, 5, "sonneborn-berger"),
            ],
        ),
    ],
)
def test_tiebreaks_are_applied_in_their_order(tiebreaks, expected):
    assert places(compute_standings(entrants(), CROSSTABLE, tiebreaks, None)) == expected


CYCLE = (match(ANNA, BO, 7, 6), match(BO, CARL, 7, 0), match(CARL, ANNA, 7, 2))


def test_cycle_stays_a_tie_and_says_so():
    lines = compute_standings(entrants(CARL, BO, ANNA), CYCLE, ("head-to-head",), None)
    assert places(lines) == [("Anna", 1, 3, None), ("Bo", 1, 3, None), ("Carl", 1, 3, None)]
    assert [line.tiebreaks for line in lines] == [(("head-to-head", 1),)] * 3
    assert {line.note.text for line in lines} == {
        "Head to head does not separate Anna, Bo, Carl: they beat each other in a cycle."
    }


def test_cycle_is_left_to_the_next_tiebreak_and_still_noted():
    lines = compute_standings(entrants(ANNA, BO, CARL), CYCLE, ("head-to-head", "point-difference"), None)
    assert places(lines) == [
        ("Bo", 1, 1, None),
        ("Carl", 2, 2, "point-difference"),
        ("Anna", 3, 3, "point-difference"),
    ]
    assert {line.note.code for line in lines} == {"head_to_head_cycle"}


def test_cycle_below_an_entrant_who_beat_them_all_is_found():
    """Dora beat the three of the cycle; they beat Else twice, so that all four have three wins."""
    above = tuple(match(DORA, loser) for loser in (ANNA, BO, CARL))
    below = tuple(match(winner, ELSE) for winner in (ANNA, BO, CARL)) * 2
    lines = compute_standings(entrants(), CYCLE + above + below, ("head-to-head",), None)
    assert places(lines) == [
        ("Dora", 1, 1, None),
        ("Anna", 2, 4, "head-to-head"),
        ("Bo", 2, 4, None),
        ("Carl", 2, 4, None),
        ("Else", 5, 5, None),
    ]
    assert [line.note is not None for line in lines] == [False, True, True, True, False]


def test_two_who_met_twice_and_won_one_each_are_tied_without_a_cycle():
    lines = compute_standings(entrants(ANNA, BO), (match(ANNA, BO), match(BO, ANNA)), ("head-to-head",), None)
    assert places(lines) == [("Anna", 1, 2, None), ("Bo", 1, 2, None)]
    assert [line.note for line in lines] == [None, None]


def test_three_who_beat_each_other_once_each_way_are_tied_without_a_cycle():
    results = tuple(match(a, b) for a in (ANNA, BO, CARL) for b in (ANNA, BO, CARL) if a != b)
    lines = compute_standings(entrants(ANNA, BO, CARL), results, ("head-to-head",), None)
    assert [(line.place, line.place_to, line.note) for line in lines] == [(1, 3, None)] * 3


def test_only_those_who_are_part_of_the_cycle_are_named_in_it():
    """Anna, Bo and Carl played the cycle twice; any other two met twice and won one each: four wins for all."""
    cycle = (match(ANNA, BO), match(BO, CARL), match(CARL, ANNA)) * 2
    level = tuple(match(*pair) for pair in permutations(NAMES, 2) if set(pair) - {ANNA, BO, CARL})
    lines = compute_standings(entrants(), cycle + level, ("head-to-head",), None)
    assert [line.wins for line in lines] == [4] * 5
    assert [NAMES[line.entrant] for line in lines if line.note] == ["Anna", "Bo", "Carl"]


def test_head_to_head_is_tried_again_among_those_it_leaves_level():
    """Two wins each; among the four Anna and Carl have 2, Bo and Dora 1, and then the meetings of each two decide."""
    inside = (
        match(CARL, ANNA),
        match(ANNA, BO),
        match(ANNA, DORA),
        match(CARL, DORA),
        match(BO, CARL),
        match(DORA, BO),
    )
    level = (match(BO, ELSE), match(DORA, ELSE), match(ELSE, ANNA), match(ELSE, CARL), match(ELSE, CARL))
    lines = compute_standings(entrants(), inside + level, ("head-to-head",), None)
    assert [(NAMES[line.entrant], line.wins, dict(line.tiebreaks)["head-to-head"]) for line in lines] == [
        ("Else", 3, None),
        ("Carl", 2, 2),
        ("Anna", 2, 2),
        ("Dora", 2, 1),
        ("Bo", 2, 1),
    ]
    assert [line.decided_by for line in lines] == [None, None, "head-to-head", "head-to-head", "head-to-head"]


def test_head_to_head_decides_only_once_all_who_are_level_have_met():
    results = (match(ANNA, BO, 7, 6), match(BO, DORA, 7, 0), match(CARL, ELSE, 7, 4))
    lines = compute_standings(entrants(), results, ("head-to-head", "point-difference"), None)
    assert places(lines) == [
        ("Bo", 1, 1, None),
        ("Carl", 2, 2, "point-difference"),
        ("Anna", 3, 3, "point-difference"),
        ("Else", 4, 4, None),
        ("Dora", 5, 5, "point-difference"),
    ]
    assert [dict(line.tiebreaks)["head-to-head"] for line in lines] == [None] * 5


def test_walkover_is_a_win_without_points():
    lines = compute_standings(entrants(ANNA, BO), (match(ANNA, BO, 7, 0, "walkover"),), (), None)
    assert lines == (
        StandingLine(ANNA, 1, 1, 1, 1, 0, 0, 0, (), None, alone(1)),
        StandingLine(BO, 2, 2, 1, 0, 1, 0, 0, (), None, alone(0)),
    )


def test_before_any_match_all_share_first_place_in_order_of_name():
    lines = compute_standings(entrants(CARL, ANNA, BO), (), ("buchholz",), None)
    assert places(lines) == [("Anna", 1, 3, None), ("Bo", 1, 3, None), ("Carl", 1, 3, None)]


def test_a_shared_place_names_the_others():
    four = compute_standings(entrants(ANNA, BO, CARL, DORA), (), (), None)
    assert whys(four)["Bo"] == "Tied on wins (0) with Anna, Carl, Dora; nothing further separates them."
    six = compute_standings((*entrants(), Entrant(6, "Finn")), (), ("buchholz",), None)
    assert six[0].why.text == "Tied on wins (0) with 5 others; nothing further separates them."


def test_an_entrant_between_two_others_is_told_what_put_them_below():
    lines = compute_standings(entrants(ANNA, BO, CARL), CYCLE, ("head-to-head", "point-difference"), None)
    assert whys(lines) == {
        "Bo": "Tied on wins (1); the point difference decides: Bo 6, Carl -2.",
        "Carl": "Tied on wins (1); the point difference decides: Bo 6, Carl -2.",
        "Anna": "Tied on wins (1); the point difference decides: Carl -2, Anna -4.",
    }


def test_a_head_to_head_that_decides_later_says_the_wins_among_those_then_left():
    """Of the four with two wins Carl and Anna have two against the others; between them Carl won."""
    inside = ((CARL, ANNA), (ANNA, BO), (ANNA, DORA), (CARL, DORA), (BO, CARL), (DORA, BO))
    level = ((BO, ELSE), (DORA, ELSE), (ELSE, ANNA), (ELSE, CARL), (ELSE, CARL))
    results = tuple(match(*pair) for pair in inside + level)
    lines = compute_standings(entrants(), results, ("head-to-head",), None)
    assert whys(lines) == {
        "Else": "Nobody else has as many wins (3).",
        "Carl": "Tied on wins (2); head to head decides: Carl 1, Anna 0.",
        "Anna": "Tied on wins (2); head to head decides: Carl 1, Anna 0.",
        "Dora": "Tied on wins (2); head to head decides: Anna 2, Dora 1.",
        "Bo": "Tied on wins (2); head to head decides: Dora 1, Bo 0.",
    }


def test_shared_ends_the_tiebreaks():
    """Anna and Bo are level on Buchholz too; after "shared" their meeting does not count."""
    tiebreaks = ("buchholz", "shared", "head-to-head")
    assert places(compute_standings(entrants(), CROSSTABLE, tiebreaks, None))[:2] == [
        ("Anna", 1, 2, None),
        ("Bo", 1, 2, None),
    ]


def test_rating_is_that_of_the_entrants_and_decides_only_if_all_have_one():
    rated = (Entrant(ANNA, "Anna", rating=150000), Entrant(BO, "Bo", rating=152340))
    lines = compute_standings(rated, (), ("rating",), None)
    assert places(lines) == [("Bo", 1, 1, None), ("Anna", 2, 2, "rating")]
    assert lines[0].why.text == "Tied on wins (0); the rating at the draw decides: Bo 1523.40, Anna 1500.00."
    three = compute_standings((*rated, Entrant(CARL, "Carl")), (), ("rating",), None)
    assert places(three) == [("Anna", 1, 3, None), ("Bo", 1, 3, None), ("Carl", 1, 3, None)]


def test_a_play_off_decides_and_counts_for_nothing_else():
    lines = compute_standings(entrants(ANNA, BO), (), ("play-off",), None, play_offs=(match(BO, ANNA),))
    assert places(lines) == [("Bo", 1, 1, None), ("Anna", 2, 2, "play-off")]
    assert [(line.played, line.wins, line.points_for) for line in lines] == [(0, 0, 0)] * 2
    assert lines[0].why.text == "Tied on wins (0); the play-off decides: Bo 1, Anna 0."


def test_a_bye_that_counts_as_a_win_is_a_win_without_a_match():
    lines = compute_standings(
        entrants(ANNA, BO, CARL), (match(ANNA, BO),), (), None, free_wins={CARL: (1,), BO: (2, 3)}
    )
    assert [(NAMES[line.entrant], line.wins, line.played, line.losses, line.byes) for line in lines] == [
        ("Bo", 2, 1, 1, 2),
        ("Anna", 1, 1, 0, 0),
        ("Carl", 1, 0, 0, 1),
    ]
    assert whys(lines)["Bo"] == "Nobody else has as many wins (2, 2 of them by bye)."


def test_results_of_earlier_stages_count_even_against_entrants_who_are_no_longer_in():
    """Anna beat Else and Bo beat Carl earlier; Carl and Else are out. Buchholz counts the one win that Else had."""
    earlier = (match(ANNA, ELSE, 7, 2, round=1), match(BO, CARL, 7, 5, round=1), match(ELSE, CARL, round=2))
    lines = compute_standings(
        entrants(ANNA, BO), (match(BO, ANNA, 5, 4, round=1),), ("buchholz", "progressive"), None, earlier=earlier
    )
    assert [(NAMES[line.entrant], line.wins, line.played, line.points_for, line.points_against) for line in lines] == [
        ("Bo", 2, 2, 12, 9),
        ("Anna", 1, 2, 11, 7),
    ]
    assert [dict(line.tiebreaks) for line in lines] == [
        {"buchholz": 0 + 1, "progressive": 3 + 1},
        {"buchholz": 1 + 2, "progressive": 3},
    ]


def test_free_rounds_are_those_of_the_byes_that_count():
    anna, bo = Entrant(ANNA, "Anna"), Entrant(BO, "Bo")

    def bye(bracket, round, entrant):
        return Pairing(f"{bracket}{round}-1", bracket, round, 1, entrant, Bye(), 7, "", "bye", alone(0))

    pairings = (bye("R", 1, anna), bye("R", 2, bo), bye("R", 4, anna), bye("C", 5, anna))
    plan = Plan(pairings, None, False, free_wins={ANNA: 2})
    assert free_rounds(plan) == {ANNA: (1, 4)}
    assert free_rounds(plan, "C") == {ANNA: (5,)}


def test_placings_give_their_own_reason_or_name_the_place():
    won = Reason("won", "Won the final.")
    placings = (Placing(ANNA, 1, 1, won), Placing(BO, 2, 2), Placing(CARL, 3, 4), Placing(DORA, 3, 4))
    assert whys(compute_standings(entrants(ANNA, BO, CARL, DORA), (), (), placings)) == {
        "Anna": "Won the final.",
        "Bo": "Place 2 follows from the draw.",
        "Carl": "Places 3 and 4 are still open.",
        "Dora": "Places 3 and 4 are still open.",
    }


def test_names_are_listed_whatever_their_case():
    lines = compute_standings((Entrant(1, "bo"), Entrant(2, "Carl"), Entrant(3, "Anna")), (), (), None)
    assert [line.entrant for line in lines] == [3, 1, 2]


def test_placings_are_the_places_and_records_only_order_those_who_share_one():
    """Carl won a match before losing, Dora lost to the winner: both end 3-4, in the order of wins."""
    results = (match(ANNA, DORA), match(CARL, ELSE), match(BO, CARL), match(ANNA, BO))
    placings = (Placing(DORA, 3, 4), Placing(BO, 2, 2), Placing(ELSE, 5, 5), Placing(CARL, 3, 4), Placing(ANNA, 1, 1))
    lines = compute_standings(entrants(), results, ("buchholz",), placings)
    assert [(NAMES[line.entrant], line.place, line.place_to, line.wins, line.decided_by) for line in lines] == [
        ("Anna", 1, 1, 2, None),
        ("Bo", 2, 2, 1, None),
        ("Carl", 3, 4, 1, None),
        ("Dora", 3, 4, 0, None),
        ("Else", 5, 5, 0, None),
    ]


def test_shared_place_is_ordered_by_tiebreaks_then_name():
    placings = (Placing(BO, 1, 1), Placing(ANNA, 2, 4), Placing(CARL, 2, 4), Placing(DORA, 2, 4))
    results = (match(BO, DORA, 7, 5), match(BO, ANNA, 7, 3), match(BO, CARL, 7, 5))
    lines = compute_standings(entrants(ANNA, BO, CARL, DORA), results, ("point-difference",), placings)
    assert places(lines) == [("Bo", 1, 1, None), ("Carl", 2, 4, None), ("Dora", 2, 4, None), ("Anna", 2, 4, None)]


@pytest.mark.parametrize(
    ("results", "tiebreaks", "placings", "message"),
    [
        ((), ("median",), None, "there is no tie-break 'median'"),
        ((Result("R1-1", 1, 9, 7, 0, 1, "played", 7),), (), None, "R1-1: a side is not an entrant"),
        ((), (), (Placing(ANNA, 1, 1),), "the placings are not those of the entrants"),
        ((), (), (Placing(ANNA, 1, 1), Placing(ANNA, 2, 2)), "the placings are not those of the entrants"),
    ],
)
def test_input_that_does_not_belong_together_is_refused(results, tiebreaks, placings, message):
    with pytest.raises(ValueError, match=message):
        compute_standings(entrants(ANNA, BO), results, tiebreaks, placings)
