import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.formats.events import field, options_of, play_out
from tests.tournament.test_tiebreaks import ANNA, BO, CARL, CROSSTABLE, DORA, ELSE, crosstables, match
from tournament.formats import FORMATS
from tournament.formats.plan import Draw, Entrant, Placing
from tournament.standings import Result, StandingLine, compute_standings
from tournament.tiebreaks import TIEBREAKS

NAMES = {ANNA: "Anna", BO: "Bo", CARL: "Carl", DORA: "Dora", ELSE: "Else"}
ALL_TIEBREAKS = tuple(TIEBREAKS)


def entrants(*ids):
    return tuple(Entrant(id, NAMES[id]) for id in ids or NAMES)


def places(lines):
    return [(NAMES[line.entrant], line.place, line.place_to, line.decided_by) for line in lines]


def test_lines_carry_the_record_and_the_tiebreaks_in_the_events_order():
    lines = compute_standings(entrants(), CROSSTABLE, ("head-to-head", "point-difference"), None)
    assert lines == (
        StandingLine(ANNA, 1, 1, 4, 3, 1, 24, 20, (("head-to-head", 1), ("point-difference", 4)), None),
        StandingLine(BO, 2, 2, 4, 3, 1, 26, 15, (("head-to-head", 0), ("point-difference", 11)), "head-to-head"),
        StandingLine(CARL, 3, 3, 4, 2, 2, 24, 23, (("head-to-head", None), ("point-difference", 1)), None),
        StandingLine(DORA, 4, 4, 4, 1, 3, 16, 21, (("head-to-head", 1), ("point-difference", -5)), None),
        StandingLine(ELSE, 5, 5, 4, 1, 3, 16, 27, (("head-to-head", 0), ("point-difference", -11)), "head-to-head"),
    )


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


def test_cycle_is_left_to_the_next_tiebreak_and_still_said():
    lines = compute_standings(entrants(ANNA, BO, CARL), CYCLE, ("head-to-head", "point-difference"), None)
    assert places(lines) == [
        ("Bo", 1, 1, None),
        ("Carl", 2, 2, "point-difference"),
        ("Anna", 3, 3, "point-difference"),
    ]
    assert {line.note.code for line in lines} == {"head_to_head_cycle"}


def test_cycle_below_one_who_beat_them_all_is_found():
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


def test_two_who_met_twice_and_won_one_each_are_level_without_a_cycle():
    lines = compute_standings(entrants(ANNA, BO), (match(ANNA, BO), match(BO, ANNA)), ("head-to-head",), None)
    assert places(lines) == [("Anna", 1, 2, None), ("Bo", 1, 2, None)]
    assert [line.note for line in lines] == [None, None]


def test_head_to_head_is_tried_again_among_those_whom_it_leaves_level():
    """Two wins each; inside the four Anna and Carl have 2, Bo and Dora 1, and then the two meetings decide."""
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


def test_head_to_head_waits_until_all_who_are_level_have_met():
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
        StandingLine(ANNA, 1, 1, 1, 1, 0, 0, 0, (), None),
        StandingLine(BO, 2, 2, 1, 0, 1, 0, 0, (), None),
    )


def test_nothing_played_shares_first_place_by_name():
    lines = compute_standings(entrants(CARL, ANNA, BO), (), ("buchholz",), None)
    assert places(lines) == [("Anna", 1, 3, None), ("Bo", 1, 3, None), ("Carl", 1, 3, None)]


def test_names_are_listed_whatever_their_case():
    lines = compute_standings((Entrant(1, "bo"), Entrant(2, "Carl"), Entrant(3, "Anna")), (), (), None)
    assert [line.entrant for line in lines] == [3, 1, 2]


def test_placings_are_the_places_and_records_only_order_a_shared_one():
    """Carl won a match before he lost, Dora lost to the winner: both end 3-4, in the order of wins."""
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
        ((Result("R1-1", 1, 9, 7, 0, 1, "played", 7),), (), None, "R1-1: a side is no entrant"),
        ((), (), (Placing(ANNA, 1, 1),), "the placings are not those of the entrants"),
        ((), (), (Placing(ANNA, 1, 1), Placing(ANNA, 2, 2)), "the placings are not those of the entrants"),
    ],
)
def test_what_does_not_belong_together_is_refused(results, tiebreaks, placings, message):
    with pytest.raises(ValueError, match=message):
        compute_standings(entrants(ANNA, BO), results, tiebreaks, placings)


@given(crosstables(), st.permutations(ALL_TIEBREAKS), st.integers(0, 4))
def test_everyone_has_one_line_and_the_places_add_up(table, slugs, count):
    everyone, results = table
    field = tuple(Entrant(id, f"Player {id}") for id in everyone)
    lines = compute_standings(field, results, slugs[:count], None)
    assert sorted(line.entrant for line in lines) == list(everyone)
    assert [line.wins for line in lines] == sorted((line.wins for line in lines), reverse=True)
    assert sum(line.wins for line in lines) == sum(line.losses for line in lines) == len(results)
    for index, line in enumerate(lines, start=1):
        assert line.place <= index <= line.place_to
        assert sum(other.place == line.place for other in lines) == line.place_to - line.place + 1
        assert line.played == line.wins + line.losses
        assert [slug for slug, _ in line.tiebreaks] == list(slugs[:count])
    assert compute_standings(field[::-1], results[::-1], slugs[:count], None) == lines


@given(st.integers(2, 24), st.sampled_from(sorted(FORMATS)), st.text(max_size=4))
def test_standings_of_a_whole_event_agree_with_its_plan(size, slug, seed):
    format = FORMATS[slug]
    draw = play_out(format, Draw(field(size), options_of(format), {}, seed))
    plan = format.plan(draw)
    results = [match(outcome.winner, outcome.loser) for outcome in draw.outcomes.values()]
    lines = compute_standings(draw.entrants, results, ALL_TIEBREAKS, plan.placings)
    assert [line.place for line in lines] == sorted(line.place for line in lines)
    if plan.placings is not None:
        assert {(line.entrant, line.place, line.place_to) for line in lines} == {
            (placing.entrant, placing.place, placing.place_to) for placing in plan.placings
        }
        assert (lines[0].entrant,) == plan.winners
    else:
        assert sum(line.played for line in lines) == 2 * len(draw.outcomes)
