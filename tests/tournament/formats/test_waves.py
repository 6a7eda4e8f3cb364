from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.formats.waves import Berth, Survivor, lay_out, packed_rounds, steady_rounds

SIZES = st.lists(st.integers(0, 40), min_size=1, max_size=8).filter(lambda sizes: sum(sizes) >= 2)


def played_and_free(layout):
    """The number of meetings and of free places, round by round."""
    return [
        (sum(b is not None for _, b in meetings), sum(b is None for _, b in meetings)) for meetings in layout.rounds
    ]


@pytest.mark.parametrize(
    ("sizes", "steady", "packed"),
    [
        ([16, 8, 4, 2], [1, 2, 4, 6], [1, 2, 3, 4]),
        ([8, 8, 4, 2], [1, 2, 4, 6], [1, 1, 2, 3]),
        ([8, 6, 4, 2], [1, 2, 4, 6], [1, 1, 2, 3]),
        ([4, 2], [1, 2], [1, 2]),
        ([32, 16, 8, 4, 2], [1, 2, 4, 6, 8], [1, 2, 3, 4, 7]),
        ([5], [1], [1]),
    ],
    ids=["32 players", "24 players", "their full last chance", "their partial one", "64 players", "one wave"],
)
def test_waves_come_in_as_in_known_brackets(sizes, steady, packed):
    """32: A.B.|.C.|.D.| and shifted A.B.C.D.|.|; 24 of 32 shifted AB.C.D.|.|, its last chances FG.GH.I.|.| and H.I.|
    (tourneygeek.com/2019/11/13/last-chance-for-some)."""
    assert steady_rounds(sizes) == steady
    assert packed_rounds(sizes) == packed


@pytest.mark.parametrize(
    ("sizes", "enters", "rounds"),
    [
        ([16, 8, 4, 2], [1, 2, 4, 6], [(8, 0), (8, 0), (4, 0), (4, 0), (2, 0), (2, 0), (1, 0)]),
        ([16, 8, 4, 2], [1, 2, 3, 4], [(8, 0), (8, 0), (6, 0), (4, 0), (2, 0), (1, 0)]),
        ([8, 6, 4, 2], [1, 1, 2, 3], [(6, 2), (6, 0), (4, 0), (2, 0), (1, 0)]),
        ([5, 4, 2, 1], [1, 2, 4, 6], [(1, 3), (4, 0), (2, 0), (2, 0), (1, 0), (1, 0)]),
        ([3, 4, 2, 1], [1, 2, 4, 6], [(3, 1), (2, 0), (2, 0), (1, 0), (1, 0)]),
        ([1, 4, 2, 1], [1, 2, 4, 6], [(1, 3), (2, 0), (2, 0), (1, 0), (1, 0)]),
        ([2], [1], [(1, 0)]),
        ([3], [1], [(1, 1), (1, 0)]),
    ],
)
def test_rounds_have_their_meetings_and_free_places_only_in_the_first(sizes, enters, rounds):
    assert played_and_free(lay_out(sizes, enters)) == rounds


def test_latest_wave_goes_free():
    free = [a.wave for a, b in lay_out([8, 6, 4, 2], [1, 1, 2, 3]).rounds[0] if b is None]
    assert free == [1, 1]


def test_first_waves_that_wait_for_each_other_meet():
    meetings = lay_out([8, 8], [1, 1]).rounds[0]
    assert all({a.wave, b.wave} == {0, 1} for a, b in meetings)


@given(SIZES, st.sampled_from((steady_rounds, packed_rounds)))
def test_everyone_comes_in_once_and_every_survivor_goes_on(sizes, rounds_of):
    layout = lay_out(sizes, rounds_of(sizes))
    berths = [side for meetings in layout.rounds for meeting in meetings for side in meeting if isinstance(side, Berth)]
    assert Counter((berth.wave, berth.place) for berth in berths) == Counter(
        (wave, place) for wave, size in enumerate(sizes) for place in range(size)
    )
    assert len(layout.rounds[-1]) == 1
    for before, meetings in zip(layout.rounds, layout.rounds[1:], strict=False):
        going_on = [side.number for meeting in meetings for side in meeting if isinstance(side, Survivor)]
        assert sorted(going_on) == list(range(len(before)))
        assert all(b is not None for _, b in meetings)
    assert sum(met for met, _ in played_and_free(layout)) == sum(sizes) - 1
    assert played_and_free(layout)[0][0] > 0


@pytest.mark.parametrize("rounds_of", [steady_rounds, packed_rounds])
def test_every_wave_is_spread_over_both_halves_and_quarters(rounds_of):
    layout = lay_out([16, 8, 4], rounds_of([16, 8, 4]))

    def below(side, round):
        if isinstance(side, Berth):
            return Counter([side.wave])
        return sum((below(each, round - 1) for each in layout.rounds[round - 1][side.number]), Counter())

    last = len(layout.rounds) - 1
    halves = layout.rounds[last][0]
    quarters = [side for half in halves for side in layout.rounds[last - 1][half.number]]
    assert [below(half, last) for half in halves] == [Counter({0: 8, 1: 4, 2: 2})] * 2
    assert [below(quarter, last - 1) for quarter in quarters] == [Counter({0: 4, 1: 2, 2: 1})] * 4
