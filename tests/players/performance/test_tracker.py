"""What is missing for the next title, by the tables of a body and the days from which they hold."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest

from players.performance.norms import BotNorm
from players.performance.table_rules import TableError, read_table, write_table
from players.performance.titles import Title, TitleTable
from players.performance.tracker import Held, HeldNorm, Tables, progress_of
from tests.players.performance.test_performance import bot, match

TABLE = TitleTable(
    slug="",
    name="",
    source="",
    verified=False,
    titles=(Title("GM", "Grandmaster", Decimal(4), norms=1), Title("M", "Master", Decimal("6.5"))),
    least=200,
    shortest=7,
    window=300,
    norm=BotNorm(),
)
LATER = date(2027, 1, 1)


def progress(played, held=Held(), *, on=LATER, rows=((date(2026, 1, 1), TABLE),)):  # noqa: B008 - Held is frozen
    return progress_of(Tables(rows), played, held, on)


def test_points_rating_and_norms_are_missing_each_by_itself():
    played = [match(number, 5, length=15, days=number) for number in range(10)]
    found = progress(played)
    assert (found.next.code, found.award, found.missing_points, found.is_rating_met) == ("M", None, 50, True)
    enough = [*played, *(match(number, 5, length=25, days=number) for number in (10, 11))]
    found = progress(enough)
    assert (found.award[0].code, found.award[1]) == ("M", enough[-1].day)
    assert (found.next.code, found.missing_points, found.is_rating_met, found.missing_thirds) == ("GM", 0, False, 3)
    third = HeldNorm("MN", LATER, thirds=1)
    assert progress(enough, Held(frozenset({"M"}), (third,))).missing_thirds == 2
    void = replace(third, is_void=True)
    assert progress(enough, Held(frozenset({"M"}), (void,))).missing_thirds == 3
    held = progress(enough, Held(frozenset({"GM"})))
    assert (held.next, held.award, held.is_near) == (None, None, False)


def test_a_title_comes_with_the_last_of_what_it_asks_for():
    played = [match(1, 3, length=200, days=0)]
    norm = HeldNorm("MN", date(2026, 6, 1))
    found = progress(played, Held(frozenset({"M"}), (norm,)))
    assert (found.award[0].code, found.award[1]) == ("GM", norm.on)
    assert progress(played, Held(frozenset({"M"}), (norm,)), on=date(2026, 5, 31)).award is None


def test_who_is_near_needs_little():
    assert progress([match(1, 7, length=150)]).is_near
    assert not progress([match(1, "7.01", length=150)]).is_near
    assert not progress([match(1, 7, length=149)]).is_near
    assert not progress([]).is_near


def test_each_table_holds_from_its_day():
    strict = replace(TABLE, titles=(Title("M", "Master", Decimal(5)),))
    rows = ((date(2026, 1, 1), TABLE), (date(2026, 3, 1), strict))
    before, after = match(1, 6, length=200, days=0), match(1, 6, length=200, days=60)
    assert progress([before], rows=rows).award[1] == before.day
    assert progress([after], rows=rows).award is None
    eased = ((date(2026, 1, 1), strict), (date(2026, 3, 1), TABLE))
    assert progress([before], rows=eased).award[1] == date(2026, 3, 1)
    assert progress([before], rows=eased, on=date(2025, 12, 31)) is None


@pytest.mark.parametrize(("flag", "without"), [("clocked", "clocked"), ("sanction", "approved")])
def test_each_table_asks_for_clocks_and_approval_itself(flag, without):
    later = date(2026, 3, 1)
    asks, asks_not = replace(TABLE, norm=None), replace(TABLE, norm=None, **{flag: False})
    before, after = ([match(1, 6, length=200, days=days, **{without: False})] for days in (0, 60))
    for rows, awards in (
        (((date(2026, 1, 1), asks_not), (later, asks)), (before[0].day, None)),
        (((date(2026, 1, 1), asks), (later, asks_not)), (later, after[0].day)),
    ):
        found = [progress(played, rows=rows) for played in (before, after)]
        assert tuple(one.award and one.award[1] for one in found) == awards
        assert [one.performance.points for one in found] == [0 if rows[1][1] == asks else 200] * 2


def test_norms_ask_for_what_the_table_of_today_asks_for():
    played = [bot(number, clocked=False, approved=False) for number in range(1, 6)]
    asked = [(True, True), (False, True), (True, False), (False, False)]
    rows = [replace(TABLE, clocked=clocked, sanction=sanction) for clocked, sanction in asked]
    reached = [len(progress(played, rows=((date(2026, 1, 1), one),)).norm.reached) for one in rows]
    assert reached == [0, 0, 0, 1]


@pytest.mark.parametrize(
    ("starts", "ends", "award"),
    [
        (0, 20, 10),
        (0, 10, 10),
        (0, 9, None),
        (10, None, 10),
        (11, None, 11),
    ],
)
def test_a_title_is_for_those_who_were_members_on_its_day(starts, ends, award):
    played = [match(1, 6, length=200, days=10)]
    first = played[0].day - timedelta(days=10)
    term = first + timedelta(days=starts), None if ends is None else first + timedelta(days=ends)
    found = progress(played, Held(memberships=(term,))).award
    assert (found and found[1]) == (None if award is None else first + timedelta(days=award))
    for_all = ((date(2026, 1, 1), replace(TABLE, members=False)), (LATER, TABLE))
    assert progress(played, Held(memberships=()), rows=for_all).award[1] == played[0].day


def test_recorded_norms_use_their_matches_up():
    played = [bot(number) for number in range(1, 9)]
    day = played[-1].day
    found = progress(played, on=day).norm
    assert ([one.matches for one in found.reached], found.missing) == ([(1, 2, 3, 4, 5)], 2)
    recorded = HeldNorm("BN", played[4].day, matches=(1, 2, 3, 4, 5))
    found = progress(played, Held(norms=(recorded,)), on=day).norm
    assert (found.reached, found.missing) == ((), 2)
    by_hand = replace(recorded, matches=(), on=played[6].day)
    assert progress(played, Held(norms=(by_hand,)), on=day).norm.missing == 4
    both = Held(norms=(recorded, replace(by_hand, on=date(2020, 1, 1))))
    assert progress(played, both, on=day).norm.missing == 0


def test_a_table_is_written_and_read_as_it_was():
    written = write_table(TABLE)
    assert write_table(read_table(written)) == written
    assert read_table(written) == TABLE


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"titles": []}, "titles"),
        ({"titles": [{"code": "GM", "name": "X", "pr": "7"}, {"code": "M", "name": "X", "pr": "6"}]}, "titles"),
        ({"titles": [{"code": "GM", "name": "X", "pr": None, "norms": 0}]}, "titles"),
        ({"titles": [{"code": "GM", "name": "X", "pr": 4.5}]}, "titles"),
        ({"titles": [{"code": "gm", "name": "X", "pr": "4"}]}, "titles"),
        ({"window": 0}, "window"),
        ({"least": True}, "least"),
        ({"members": 1}, "members"),
        ({"norm": {"below": "NaN"}}, "norm"),
        ({"other": 1}, "titles"),
    ],
)
def test_a_table_that_cannot_be_is_refused(change, name):
    with pytest.raises(TableError) as caught:
        read_table({**write_table(TABLE), **change})
    assert caught.value.name == name
