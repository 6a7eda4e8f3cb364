"""Why a rating comes out otherwise in a rehearsal: no reason is given that cannot make so large a difference."""

import random
from collections.abc import Sequence
from typing import NamedTuple

import pytest

from players.lists.rehearsal import Rehearsal, rehearse
from players.ratings import RatedResult, Rating, build_system

DANISH = build_system("dbf", {})
PEOPLE = range(1, 13)
NEWCOMER = 12
"""Who is on no list from before the season."""


class Row(NamedTuple):
    """A match of the season, with its round on its day."""

    day: int
    round: int
    winner: int
    loser: int
    length: int


def name(player: int) -> str:
    return f"Player {player:02}"


def season() -> list[Row]:
    """Six days of four rounds in which everybody plays."""
    chance, rows = random.Random(7), list[Row]()
    for day in range(1, 7):
        for turn in range(1, 5):
            order = chance.sample(PEOPLE, len(PEOPLE))
            rows += [
                Row(day, turn, a, b, chance.choice((5, 7, 9))) for a, b in zip(order[::2], order[1::2], strict=True)
            ]
    return rows


BEFORE = {player: Rating(1000 + 25 * (player - 6), 100 * player) for player in PEOPLE if player != NEWCOMER}
SEASON = season()


def table(header: str, rows: Sequence[Sequence[object]]) -> bytes:
    return "\n".join([header, *(";".join(map(str, row)) for row in rows)]).encode()


def starts(*, without: int = 0) -> bytes:
    rows = [(n, name(n), f"{one.value:.2f}", one.experience) for n, one in BEFORE.items() if n != without]
    return table("no;name;rating;experience", rows)


def results(rows: Sequence[Row] = SEASON, *, rounds: bool = False) -> bytes:
    told = [(f"2026-03-{one.day:02}", one.length, one.winner, one.loser, one.round) for one in rows]
    if rounds:
        return table("date;length;winner_no;loser_no;round", told)
    return table("date;length;winner_no;loser_no", [row[:4] for row in told])


def official(rows: Sequence[Row] = SEASON, *, experience: bool = True, **changed: float) -> bytes:
    """The list that these matches make, with the ratings of some people, such as p3, changed."""
    after = DANISH.rate([RatedResult(one.winner, one.loser, one.length) for one in rows], BEFORE)
    said = [
        (n, name(n), f"{after[n].value + changed.get(f'p{n}', 0):.2f}", after[n].experience)[: 4 if experience else 3]
        for n in PEOPLE
    ]
    return table("no;name;rating;experience" if experience else "no;name;rating", said)


def rehearsed(**files: bytes) -> Rehearsal:
    return rehearse(DANISH, **{"starts": starts(), "results": results(), "official": official(), **files})


def codes(done: Rehearsal) -> dict[str, str]:
    return {one.number: one.code for one in done.differences}


def backwards(rows: Sequence[Row]) -> list[Row]:
    """The same matches, with those of each day in the opposite order."""
    return [one for day in range(1, 7) for one in rows[::-1] if one.day == day]


def test_the_same_season_is_the_same():
    assert (rehearsed().same, rehearsed().differences) == (len(PEOPLE), ())


@pytest.mark.parametrize("by", [5.0, -5.0, 1.0])
def test_a_wrong_value_is_not_explained_by_several_matches_on_a_day(by):
    done = rehearsed(official=official(p3=by))
    assert (codes(done), done.unexplained) == ({"3": "unexplained"}, 1)


def test_an_order_that_makes_the_list_is_the_reason_of_everybody_newcomers_too():
    done = rehearsed(results=results(backwards(SEASON)))
    assert len(done.differences) > len(PEOPLE) / 2
    assert {(one.code, one.why) for one in done.differences} == {
        ("order", "It comes out the same with the matches of each day in the opposite order.")
    }
    assert str(NEWCOMER) in codes(done)


def test_rounds_in_the_file_tell_the_order():
    mixed = sorted(SEASON, key=lambda one: (one.day, one.round % 2, one.round))
    assert {one.why for one in rehearsed(results=results(mixed, rounds=True)).differences} == {
        "It comes out the same with the matches of each day in the order of their times and rounds."
    }


def test_a_rating_between_those_of_two_orders_may_be_of_another_order():
    one_day = [one for one in SEASON if one.day == 6]
    played = [one for one in SEASON if one.day < 6] + sorted(one_day, key=lambda one: -one.round)
    done = rehearsed(official=official(played))
    explained = [one for one in done.differences if one.code == "order"]
    assert explained
    for one in explained:
        assert one.why.startswith("The order of the matches of a day, which the file may not say, leaves it between ")
        low, high = (float(word) for word in one.why.removesuffix(".").split()[-3::2])
        assert low - 0.01 <= float(one.theirs) <= high + 0.01


def test_whoever_has_no_start_is_the_root_of_those_they_met():
    done = rehearsed(starts=starts(without=4))
    found = codes(done)
    assert found.pop("4") == "no_start"
    assert set(found.values()) == {"opponent"}
    (why,) = (one.why for one in done.differences if one.number == "4")
    assert why.startswith("They are not on the start list, so they began here as a newcomer. Their list counts 400 ")
    assert all(name(4) in one.why for one in done.differences if one.number != "4")


def test_a_newcomer_whose_list_counts_the_same_began_rightly():
    done = rehearsed(official=official(**{f"p{NEWCOMER}": 3.0}))
    assert codes(done) == {str(NEWCOMER): "unexplained"}


def test_without_a_start_list_everybody_began_as_a_newcomer():
    done = rehearsed(starts=None)
    assert codes(done) == {str(n): "opponent" if n == NEWCOMER else "no_start" for n in PEOPLE}
    assert all(one.why.startswith("There is no start list") for one in done.differences if one.number != str(NEWCOMER))


def test_a_missing_match_is_the_reason_of_its_two_players_as_far_as_it_goes():
    missing = SEASON[-1]
    done = rehearsed(results=results(SEASON[:-1]))
    assert codes(done) == {str(missing.winner): "experience", str(missing.loser): "experience"}
    wrong = rehearsed(results=results(SEASON[:-1]), official=official(**{f"p{missing.winner}": 40.0}))
    assert codes(wrong)[str(missing.winner)] == "unexplained"


def test_a_difference_larger_than_opponents_make_has_no_reason():
    done = rehearsed(starts=starts(without=4), official=official(p5=30.0))
    assert codes(done)["5"] == "unexplained"


def test_rows_of_the_lists_that_cannot_be_read_are_named():
    broken = official().replace(f"{name(3)};".encode(), f"{name(3)};?".encode())
    done = rehearsed(official=broken)
    assert (done.same, [(one.file, one.row) for one in done.unread]) == (len(PEOPLE) - 1, [("official", 4)])
