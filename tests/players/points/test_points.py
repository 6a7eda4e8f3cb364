"""Points for places and wins against published values, and what all systems of points promise."""

import json
from dataclasses import fields, replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.parameters import ParameterError
from players.points import POINTS, Finish, PlayedEvent, Win, build_points
from players.points.master import rank_factor
from players.points.system import BRACKETS


def knockout(size, **fields):
    """An event in which those who lose in one round share their places; player 1 wins, 2 is second, and so on."""
    finishes, place = [Finish(1, 1, 1)], 2
    while place <= size:
        last = 2 * (place - 1)
        finishes += [Finish(player, place, last) for player in range(place, last + 1)]
        place = last + 1
    return PlayedEvent(size, tuple(finishes), **fields)


def awarded(kind, event, **parameters):
    return {player: str(points) for player, points in build_points(kind, parameters).award(event).items()}


# Source: chicagopoint.com/abtmod.html. The winner of 64 gets twice as much as each of the seven who share second place.
def test_abt_divides_the_pool_as_published():
    finishes = (Finish(1, 1, 1), *(Finish(player, 2, 8) for player in range(2, 9)))
    event = PlayedEvent(64, finishes)
    assert awarded("abt", event, shares=[2, *[1] * 7]) == {1: "14.22", **dict.fromkeys(range(2, 9), "7.11")}


@pytest.mark.parametrize(("division", "pool"), [(1, 64), (2, 32), (3, 16), (4, 16)])
def test_abt_awards_as_many_points_as_there_are_players(division, pool):
    event = knockout(64, division=division, designated=6)
    points = build_points("abt", {}).points(event)
    assert sum(points.values()) == pool
    assert points[1] == 2 * points[2]
    assert points[5] == points[8] > 0
    assert points[9] == 0


# Source: usbgf.org, How USBGF Master Points are Calculated: the table of the factors, to three places.
def test_master_points_have_the_published_factors_of_places():
    factors = [f"{float(rank_factor(place)):.3f}" for place in range(1, 7)]
    assert factors == ["1.000", "0.700", "0.500", "0.333", "0.250", "0.200"]


def test_master_points_worked_by_hand():
    """9-point matches give 1, a field of 64 is worth 0.6 * 6 = 3.6 to the winner."""
    event = knockout(64, designated=4)
    won = replace(event.finishes[0], wins=(Win(9),) * 6)
    event = replace(event, finishes=(won, *event.finishes[1:]))
    expected = {1: "9.60", 2: "2.52", 3: "1.50", 4: "1.50", 5: "0.00"}
    assert {player: points for player, points in awarded("usbgf-master", event).items() if player < 6} == expected
    assert awarded("usbgf-master", replace(event, division=2))[1] == "6.72"
    assert awarded("usbgf-master", replace(event, division=5, weight=Fraction(1, 2)))[1] == "2.40"
    assert awarded("usbgf-master", event, placement=1)[1] == "12.00"


# Source: nbgf.no, Nordic Backgammon Tour 2011.
def test_nordic_tour_gives_seven_five_and_three_for_a_win():
    wins = [(Win(9), Win(11)), (Win(9), Win(7, "consolation"), Win(5, "last-chance")), ()]
    finishes = tuple(Finish(player, 1, 3, own) for player, own in enumerate(wins))
    assert awarded("nordic-tour", PlayedEvent(3, finishes)) == {0: "14", 1: "15", 2: "0"}


def test_wbgf_like_points_rise_with_place_field_and_fee():
    small, large = (build_points("wbgf", {}).points(knockout(size, fee=fee)) for size, fee in ((8, 4999), (16, 5000)))
    assert (sum(small.values()), sum(large.values())) == (8, 32)
    assert min(small.values()) > 0
    assert list(small.values()) == sorted(small.values(), reverse=True)
    steep = build_points("wbgf", {"curve": "steep"}).points(knockout(8))
    assert steep[1] == 2 * steep[2]
    assert sum(steep.values()) == 8


@pytest.mark.parametrize("fees", [[0, 50], [10, 50, 100, 200, 400], [0, 50, 50, 200, 400], [0, 100, 50, 200, 400]])
def test_wbgf_like_points_need_a_grade_for_each_fee(fees):
    with pytest.raises(ParameterError) as refused:
        build_points("wbgf", {"fees": fees})
    assert (refused.value.code, refused.value.field) == ("parameters_conflict", "fees")


@pytest.mark.parametrize(
    ("shared", "points"),
    [
        ("mean", ["10.50", "6.50", "4.50", "4.50", "0.50"]),
        ("first", ["10.50", "6.50", "5.50", "5.50", "0.50"]),
        ("last", ["10.50", "6.50", "3.50", "3.50", "0.50"]),
    ],
)
def test_players_who_share_places(shared, points):
    found = awarded("places", knockout(8), table=[10, 6, 5, 3], taking_part=0.5, shared=shared)
    assert [found[player] for player in range(1, 6)] == points


def test_a_table_of_places_takes_the_weight_of_the_event_and_the_designated_places():
    event = knockout(8, weight=Fraction(3, 2), designated=2)
    assert list(awarded("norway-cup", event, table=[10, 6, 5, 3], decimals=1).values())[:4] == [
        "15.0",
        "9.0",
        "0.0",
        "0.0",
    ]


@st.composite
def events(draw):
    """Events of up to twelve players in which any neighbours share their places."""
    size, finishes, place = draw(st.integers(1, 12)), [], 1
    wins = st.lists(st.builds(Win, st.integers(1, 25), st.sampled_from(BRACKETS)), max_size=3).map(tuple)
    while place <= size:
        last = draw(st.integers(place, size))
        finishes += [Finish(player, place, last, draw(wins)) for player in range(place, last + 1)]
        place = last + 1
    designated = draw(st.none() | st.integers(1, 12))
    weight = draw(st.fractions(0, 3, max_denominator=4))
    return PlayedEvent(size, tuple(finishes), draw(st.integers(0, 10**6)), draw(st.integers(1, 5)), weight, designated)


@given(st.sampled_from(sorted(POINTS)), events())
def test_points_are_never_negative_equal_for_equals_and_no_less_for_a_better_place(kind, event):
    system = build_points(kind, {})
    unplayed = replace(event, finishes=tuple(replace(finish, wins=()) for finish in event.finishes))
    points = system.points(unplayed)
    assert set(points) == set(range(1, event.players + 1))
    for better, worse in zip(unplayed.finishes, unplayed.finishes[1:], strict=False):
        assert points[better.player] >= points[worse.player] >= 0
        assert better.place != worse.place or points[better.player] == points[worse.player]
    assert all(
        abs(one - points[player]) <= Fraction(1, 200) or kind == "nordic-tour"
        for player, one in ((player, Fraction(one)) for player, one in system.award(unplayed).items())
    )
    assert all(system.points(event)[player] >= points[player] for player in points)


@pytest.mark.parametrize("kind", POINTS)
def test_every_kind_is_declared_whole_and_made_again_from_json(kind):
    system = build_points(kind, {})
    assert (system.slug, type(system)) == (kind, POINTS[kind])
    assert system == POINTS[kind]()
    assert build_points(kind, json.loads(json.dumps(system.as_dict()))) == system
    assert all((system.name, system.description))
    assert system.conforms == system.verified
    assert system.source or not system.verified
    left_out = {"taking_part"} if kind == "norway-cup" else set()
    assert set(system.as_dict()) == {field.name for field in fields(system)} - left_out
    for parameter in system.parameters:
        assert parameter.label
        assert parameter.parse(parameter.default) == parameter.default
    with pytest.raises(ParameterError, match="no parameter"):
        build_points(kind, {"no_such": 1})


@pytest.mark.parametrize("table", [[], "1", [1, "a"], [1] * 65, [-1], None, [True]])
def test_an_impossible_table_is_refused(table):
    with pytest.raises(ParameterError) as refused:
        build_points("places", {"table": table})
    assert (refused.value.code, refused.value.field) == ("parameter_invalid", "table")


def test_a_kind_that_does_not_exist_is_refused():
    with pytest.raises(ParameterError) as refused:
        build_points("fibs", {})
    assert refused.value.code == "point_system_unknown"


def test_own_numbers_are_no_longer_the_published_points():
    assert build_points("nordic-tour", {"decimals": 1}).conforms
    assert not build_points("nordic-tour", {"main": 8}).conforms


@pytest.mark.parametrize(
    "make",
    [
        lambda: Finish(1, 0, 1),
        lambda: Finish(1, 3, 2),
        lambda: PlayedEvent(1, (Finish(1, 1, 1), Finish(1, 2, 2))),
        lambda: PlayedEvent(1, (Finish(1, 1, 2),)),
        lambda: PlayedEvent(1, (), fee=-1),
        lambda: PlayedEvent(1, (), division=0),
        lambda: PlayedEvent(1, (), designated=0),
        lambda: PlayedEvent(1, (), weight=Fraction(-1)),
    ],
)
def test_an_event_that_cannot_be_is_refused(make):
    with pytest.raises(ValueError, match=r"\.$"):
        make()


def test_a_half_is_rounded_up():
    event = PlayedEvent(1, (Finish(1, 1, 1),))
    assert awarded("places", event, table=[0.125]) == {1: "0.13"}
    assert build_points("places", {"table": ["0.1"], "decimals": 0}).award(event) == {1: Decimal(0)}


@pytest.mark.parametrize("slug", POINTS)
def test_a_system_says_what_it_asks_of_an_event(slug):
    def points(**terms: object) -> dict[int, Decimal]:
        finishes = tuple(Finish(number, number, number, (Win(7),)) for number in (1, 2, 3))
        return build_points(slug, {}).award(PlayedEvent(players=3, finishes=finishes, **terms))  # type: ignore[arg-type]

    other = {"division": 2, "weight": Fraction(1, 2), "designated": 1}
    assert {name for name, value in other.items() if points(**{name: value}) != points()} == build_points(slug, {}).asks
