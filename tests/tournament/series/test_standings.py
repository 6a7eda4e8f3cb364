"""The standings of a stored series: only events that have ended count, and of each player the best."""

from datetime import date
from decimal import Decimal

import pytest

from players.models import Federation, Membership
from tests.builders import AT
from tests.tournament.series.seasons import build_people, build_series, hold
from tournament.models import Event, EventMoney, SeriesEvent, Stage
from tournament.series.make import add_series_event
from tournament.series.standings import Counted, table_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def federation() -> Federation:
    return Federation.objects.create(code="DBGF", name="Dansk Backgammon Forbund")


@pytest.fixture
def people():
    return build_people()


@pytest.fixture
def season(director, people) -> list[Event]:
    """Three events that have ended, and one that goes on although everything has been played."""
    ann, bo, cy, dee = people
    orders = (ann, bo, cy, dee), (bo, ann, dee, cy), (cy, dee, ann, bo)
    return [*(hold(director, order) for order in orders), hold(director, people, ended=False)]


def lines(table) -> list[tuple]:
    return [(one.player.name, one.place, one.place_to, one.points) for one in table.lines]


def test_all_results_of_events_that_have_ended_count(federation, season):
    table = table_of(build_series(federation, season))
    # 10 + 6 + 4, 6 + 10 + 2, 4 + 2 + 10, 2 + 4 + 6
    assert lines(table) == [
        ("Ann Holm", 1, 1, Decimal(20)),
        ("Bo Lund", 2, 2, Decimal(18)),
        ("Cy Berg", 3, 3, Decimal(16)),
        ("Dee Dahl", 4, 4, Decimal(12)),
    ]
    assert [how for _row, how in table.events] == [Counted.ENDED] * 3 + [Counted.OPEN]
    assert {len(one.awards) for one in table.lines} == {3}


def test_the_best_two_count_and_equals_share_their_places(federation, season):
    table = table_of(build_series(federation, season, best=2))
    assert lines(table) == [
        ("Ann Holm", 1, 2, Decimal(16)),
        ("Bo Lund", 1, 2, Decimal(16)),
        ("Cy Berg", 3, 3, Decimal(14)),
        ("Dee Dahl", 4, 4, Decimal(10)),
    ]
    told = {one.player.name: [(award.points, award.counts) for award in one.awards] for one in table.lines}
    assert told == {
        "Ann Holm": [(10, True), (6, True), (4, False)],
        "Bo Lund": [(6, True), (10, True), (2, False)],
        "Cy Berg": [(4, True), (2, False), (10, True)],
        "Dee Dahl": [(2, False), (4, True), (6, True)],
    }


def test_who_shares_places_in_an_event_shares_their_points(federation, director, people):
    event = hold(director, people, format="single-elimination")
    table = table_of(build_series(federation, [event]))
    assert [(one.place, one.place_to, one.points) for one in table.lines] == [
        (1, 1, Decimal(10)),
        (2, 2, Decimal(6)),
        (3, 4, Decimal(3)),
        (3, 4, Decimal(3)),
    ]
    assert table.lines[0].player.name == "Ann Holm"


def test_weight_and_designated_places_are_those_of_the_event_in_the_series(federation, season):
    series = build_series(federation)
    add_series_event(series, season[0], weight=150, designated=2, by=None)
    assert [points for *_who, points in lines(table_of(series))] == [Decimal(15), Decimal(9), Decimal(0), Decimal(0)]


def test_members_alone_count_if_the_series_says_so(federation, season, people):
    ended = season[0].finished_at.date()
    for player, starts in ((people[1], date(2020, 1, 1)), (people[2], date(ended.year + 1, 1, 1))):
        Membership.objects.create(player=player, federation=federation, kind="ordinary", starts=starts)
    table = table_of(build_series(federation, season, members_only=True))
    assert lines(table) == [("Bo Lund", 1, 1, Decimal(18))]


def test_a_system_of_wins_counts_the_matches_that_were_won(federation, season):
    series = build_series(federation, season[:1], points="nordic-tour", parameters={})
    assert [points for *_who, points in lines(table_of(series))] == [Decimal(21), Decimal(14), Decimal(7), Decimal(0)]


def test_a_system_of_fees_reads_the_fee_of_the_event(federation, season):
    EventMoney.objects.create(event=season[0], fee=5000)
    series = build_series(federation, season[:2], points="wbgf", parameters={})
    first, second = (list(one.awards) for one in table_of(series).lines[:2])
    # Pools of 4 players with the grades 2 and 1; shares of 4, 3, 2 and 1 tenths.
    assert [award.points for award in first] == [Decimal("3.20"), Decimal("1.20")]
    assert [award.points for award in second] == [Decimal("2.40"), Decimal("1.60")]


def test_who_enters_twice_is_one_person_with_the_better_place(federation, director, people):
    ann, bo, *_others = people
    event = hold(director, people)
    second = event.entries.get(player=bo)
    event.entries.filter(pk=second.pk).update(player=ann, reentry=1)  # Ann is first and second
    table = table_of(build_series(federation, [event]))
    assert lines(table) == [
        ("Ann Holm", 1, 1, Decimal(10)),
        ("Cy Berg", 2, 2, Decimal(6)),
        ("Dee Dahl", 3, 3, Decimal(4)),
    ]


def test_a_deleted_event_is_gone_and_one_being_computed_says_so(federation, season):
    series = build_series(federation, season)
    Stage.objects.filter(event=season[0]).update(standings_version=0)
    Event.objects.filter(pk=season[1].pk).update(deleted_at=AT)
    table = table_of(series)
    assert [how for _row, how in table.events] == [Counted.COMPUTING, Counted.ENDED, Counted.OPEN]
    assert [points for *_who, points in lines(table)] == [Decimal(14), Decimal(14), Decimal(8), Decimal(8)]
    assert SeriesEvent.objects.filter(series=series).count() == 4


def test_an_event_of_pairs_by_now_does_not_count(federation, season):
    series = build_series(federation, season[:1])
    Event.objects.filter(pk=season[0].pk).update(doubles=True)
    table = table_of(series)
    assert ([how for _row, how in table.events], table.lines) == ([Counted.OF_MANY], ())


def test_it_takes_as_many_queries_for_one_event_as_for_many(
    federation, season, director, people, django_assert_num_queries
):
    terms = {"members_only": True, "best": 2}
    few = build_series(federation, season[:1], **terms)
    many = build_series(federation, [*season, *(hold(director, people) for _each in range(3))], name="All", **terms)
    for player in people:
        Membership.objects.create(player=player, federation=federation, kind="ordinary", starts=date(2020, 1, 1))
    for series in (few, many):
        with django_assert_num_queries(6):  # events, stages, standings, fees, memberships, people
            assert len(table_of(series).lines) == 4
