"""The demo of a first start shows every side of a weekend, and no side of it is impossible."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from matches.models import Conclusion, Scoresheet, SheetSource, SheetState
from players.models import Player, RankingList
from players.services import create_player
from tests.breadth import some
from tests.builders import build_director
from tournament.audit import audit_everything
from tournament.hall.desk import Desk, take_desk
from tournament.management.demo.weekend import build_weekend
from tournament.models import Call, Event, Fixture, LogEntry, Tournament
from tournament.money.ledger import take_ledger
from tournament.snapshot import EventSnapshot, FixtureState, take_snapshot

pytestmark = [pytest.mark.django_db, pytest.mark.long]

NOW = datetime(2026, 3, 7, 13, 20, tzinfo=UTC)
SEEDS = some((5, 12), 1)
LATER = timedelta(days=365)
EVENTS = ("warm-up", "championship", "swiss", "doubles", "jackpot")


@pytest.fixture(scope="module", params=SEEDS)
def built(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[tuple[int, Tournament]]:
    """A seed and its weekend, made once for all tests of this module; what a test changes is rolled back."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield request.param, build_weekend(by=build_director(), seed=request.param, now=NOW)
        transaction.set_rollback(True)


@pytest.fixture
def weekend(built: tuple[int, Tournament], db: None) -> Tournament:
    return built[1]


@pytest.fixture
def desk(weekend: Tournament) -> Desk:
    return take_desk(weekend, at=NOW)


def event_of(weekend: Tournament, slug: str) -> Event:
    return weekend.events.get(slug=slug)


def look(weekend: Tournament, slug: str) -> EventSnapshot:
    return take_snapshot(event_of(weekend, slug).pk)


def states(weekend: Tournament, slug: str) -> dict[tuple[str, int], set[FixtureState]]:
    """The states of the matches in each bracket and round of an event."""
    found = defaultdict(set)
    for fixture in look(weekend, slug).stage.fixtures:
        found[fixture.bracket, fixture.round].add(fixture.state)
    return dict(found)


def story(weekend: Tournament) -> list[tuple]:
    """Everything that happened, without the ids of rows."""
    rows = LogEntry.objects.filter(tournament=weekend).order_by("id")
    names = ("names", "players", "moved_up", "amount", "table")
    told = [
        (row.verb, row.event and row.event.slug, *(row.detail.get(name) for name in names), row.at)
        for row in rows.select_related("event")
    ]
    results = Scoresheet.objects.filter(match__fixture__stage__event__tournament=weekend).order_by("at", "id")
    return told + [(str(sheet.match), sheet.state, sheet.at, sheet.lines.count()) for sheet in results]


# The events.


def test_it_is_a_weekend_with_two_days_and_a_zone_of_its_own(weekend):
    assert (weekend.name, weekend.place, weekend.time_zone) == ("Demo Open", "København", "Europe/Copenhagen")
    assert (weekend.starts_on, weekend.last_day) == (date(2026, 3, 6), date(2026, 3, 7))
    assert tuple(event.slug for event in weekend.events.order_by("id")) == EVENTS
    assert all(event.starts_at < NOW for event in weekend.events.all())


def test_the_warm_up_is_over(weekend):
    snapshot = look(weekend, "warm-up")
    assert snapshot.finished_at is not None
    assert [line.place for line in snapshot.stage.standings[:3]] == [1, 2, 3]
    assert {state for found in states(weekend, "warm-up").values() for state in found} == {FixtureState.DONE}


def test_the_championship_is_in_its_semifinals_with_its_consolation_and_last_chance_in_play(weekend):
    found = states(weekend, "championship")
    assert [found["M", round] for round in (1, 2, 3)] == [{FixtureState.DONE}] * 3
    assert found["M", 4] == {FixtureState.LIVE}
    assert found["M", 5] == {FixtureState.WAITING}
    assert [found["C", round] for round in (1, 2)] == [{FixtureState.DONE}] * 2
    consolation = {state for (bracket, _round), states in found.items() for state in states if bracket == "C"}
    assert consolation >= {FixtureState.DONE, FixtureState.LIVE, FixtureState.WAITING}
    last_chance = {state for (bracket, _round), states in found.items() for state in states if bracket == "L"}
    assert last_chance >= {FixtureState.DONE, FixtureState.READY, FixtureState.WAITING}


def test_the_semifinals_have_their_games_on_the_sheet(weekend):
    event = event_of(weekend, "championship")
    sheets = Scoresheet.objects.filter(
        match__fixture__in=Fixture.objects.filter(stage__event=event, key__startswith="M4"), state=SheetState.LIVE
    )
    assert [sheet.lines.count() == sheet.number > 0 for sheet in sheets] == [True, True]


def test_the_swiss_is_in_its_third_of_five_rounds(weekend):
    found = states(weekend, "swiss")
    assert found.keys() == {("S", 1), ("S", 2), ("S", 3)}
    assert found["S", 1] == found["S", 2] == {FixtureState.DONE}
    assert FixtureState.LIVE in found["S", 3]
    assert look(weekend, "swiss").stage.options.number("rounds") == 5


def test_the_doubles_are_in_their_semifinals(weekend):
    event = event_of(weekend, "doubles")
    assert event.doubles
    assert event.entries.filter(partner__isnull=False).count() == 8
    found = states(weekend, "doubles")
    assert found["M", 1] == {FixtureState.DONE}
    assert FixtureState.LIVE in found["M", 2]
    assert FixtureState.DONE not in found["M", 2]


def test_a_jackpot_waits_for_three_more_and_another_is_played(weekend, desk):
    (queue,) = desk.queues
    assert (queue.event, queue.letters, queue.size, len(queue.names)) == ("Jackpot", "C", 4, 1)
    assert queue.names[0].endswith("(2)")  # has entered before
    found = states(weekend, "jackpot")
    assert found["JA", 2] == {FixtureState.DONE}
    assert FixtureState.LIVE in found["JB", 1] | found["JB", 2]


# Entries.


def test_a_player_who_fell_ill_made_room_for_the_one_who_waited(weekend):
    event = event_of(weekend, "championship")
    assert event.max_entries == 32
    (ill,) = event.entries.filter(left_at__lt=event.starts_at - timedelta(hours=24))
    assert (ill.left_kind, ill.left_reason) == ("withdrawn", "Influenza")
    last = event.entries.order_by("number").last()
    assert (event.entries.count(), last.number, last.waiting) == (33, 33, False)
    assert LogEntry.objects.get(event=event, verb="leave_event", detail__entry=ill.pk).detail["moved_up"] == [last.name]


def test_everyone_in_the_championship_has_checked_in(weekend):
    event = event_of(weekend, "championship")
    came = event.entries.exclude(left_at__lt=event.starts_at)
    assert [entry.checked_in_at < event.starts_at for entry in came] == [True] * 32


def test_one_match_was_a_walkover_and_one_player_has_gone_home(weekend):
    event = event_of(weekend, "championship")
    walkovers = Scoresheet.objects.filter(match__fixture__stage__event=event, conclusion=Conclusion.WALKOVER)
    assert walkovers.filter(source=SheetSource.DESK).values_list("match__fixture__bracket").get() == ("M",)
    gone = event.entries.get(left_at__gt=event.starts_at)
    assert gone.left_reason == "Has to catch a ferry"
    assert not Call.objects.filter(match__sheets__in=walkovers).exists()


def test_eight_are_seeded_and_their_ratings_were_known_at_the_draw(weekend):
    event = event_of(weekend, "championship")
    assert sorted(event.entries.filter(seed__isnull=False).values_list("seed", flat=True)) == list(range(1, 9))
    assert event.entries.filter(rating__isnull=False).exists()


# The hall.


def test_the_desk_has_something_of_everything(desk):
    counted = {name: len(getattr(desk, name)) for name in ("disputed", "reported", "ready", "called", "playing")}
    assert (counted["disputed"], counted["reported"]) == (1, 1)
    assert counted["ready"] >= 3
    assert counted["called"] >= 1
    assert counted["playing"] >= 8
    assert desk.disputed[0].dispute.startswith("Game 2: ")
    assert desk.late == ()
    assert [pause.name for pause in desk.pauses] == ["Dinner"]


def test_two_of_eighteen_tables_or_a_few_more_are_free_for_the_matches_that_are_ready(desk):
    assert [table.number for table in desk.tables] == list(range(1, 19))
    assert 2 <= desk.places <= 5
    assert all(match.has_table and not match.pause for match in desk.ready)
    (streamed,) = [table for table in desk.tables if table.streamed]
    assert (streamed.number, streamed.match.place) == (1, "M4-1")


def test_nobody_sits_in_two_places_at_once_and_no_table_has_two_matches(weekend):
    persons, tables = defaultdict(list), defaultdict(list)
    for call in Call.objects.filter(seats__tournament=weekend).distinct().prefetch_related("seats"):
        span = (call.called_at, call.left_at or NOW + LATER)
        tables[call.table_id].append(span)
        for seat in call.seats.all():
            persons[seat.person_id].append(span)
    for spans in (*persons.values(), *tables.values()):
        spans.sort()
        assert all(earlier[1] < later[0] for earlier, later in pairwise(spans))


def test_every_match_that_was_played_was_played_at_a_table_before_its_result(weekend):
    played = Scoresheet.objects.filter(
        match__fixture__stage__event__tournament=weekend, state=SheetState.CONFIRMED, conclusion=Conclusion.PLAYED
    )
    assert played.count() > 70
    for sheet in played.select_related("match").prefetch_related("match__calls"):
        (call,) = sheet.match.calls.all()
        assert call.called_at < sheet.at == call.left_at <= NOW
        assert timedelta(minutes=5) <= (sheet.at - call.called_at) / sheet.match.length <= timedelta(minutes=9)


def test_people_play_in_several_events(weekend):
    entered = Counter(weekend.events.values_list("entries__player", flat=True))
    assert sum(count > 1 for count in entered.values()) >= 8
    assert Player.objects.count() == 59


# Money, standings, the past.


def test_fees_are_paid_but_for_a_few_and_the_prizes_of_the_warm_up_are_paid_out(weekend):
    ledgers = {slug: take_ledger(event_of(weekend, slug).pk) for slug in EVENTS}
    outstanding = {slug: sum(line.open > 0 for line in ledger.entries) for slug, ledger in ledgers.items()}
    assert outstanding == {"warm-up": 0, "championship": 3, "swiss": 2, "doubles": 1, "jackpot": 1}
    assert all(line.open >= 0 for ledger in ledgers.values() for line in ledger.entries)
    assert all(ledger.problem == "" for ledger in ledgers.values())
    warm_up = ledgers["warm-up"]
    assert [account.prize for account in warm_up.payouts] == [52_000, 28_000]
    assert all(account.is_settled for account in warm_up.payouts)
    assert warm_up.cash == 0


def test_the_championship_has_a_rake_added_money_three_prize_lists_and_a_side_pool(weekend):
    ledger = take_ledger(event_of(weekend, "championship").pk)
    assert (ledger.pool.fees, ledger.pool.rake, ledger.pool.added) == (1_920_000, 192_000, 200_000)
    assert [prizes.section for prizes in ledger.prize_lists] == ["", "C", "L"]
    (pool,) = ledger.side_pools
    assert (pool.name, pool.fee, len(pool.members)) == ("Side pool", 30_000, 14)
    assert sum(prizes.amount for prizes in ledger.prize_lists) == ledger.pool.amount


def test_standings_and_ranking_are_current(weekend):
    for slug in EVENTS:
        assert look(weekend, slug).standings_are_current
        assert look(weekend, slug).stage.standings
    played = Scoresheet.objects.filter(
        state=SheetState.CONFIRMED, conclusion=Conclusion.PLAYED, match__partner_a__isnull=True
    )
    ranking_list = RankingList.objects.get()
    assert (ranking_list.system, ranking_list.matches) == ("fibs", played.count())


def test_everything_happened_in_the_order_of_time_and_before_now(weekend):
    moments = list(LogEntry.objects.filter(tournament=weekend).order_by("id").values_list("at", flat=True))
    assert moments == sorted(moments)
    assert moments[-1] <= NOW


def test_it_passes_the_audit(weekend):
    assert list(audit_everything(records=True)) == []


def test_the_same_seed_tells_the_same_story(built, weekend):
    seed, _weekend = built
    real = create_player(name=weekend.events.get(slug="swiss").entries.first().player.name, at=NOW)
    again = build_weekend(by=build_director("another"), seed=seed, now=NOW)
    assert story(again) == story(weekend)
    assert not real.entries.exists()
    assert Player.objects.count() == 59 + 1
    if seed == SEEDS[0]:
        other = build_weekend(by=build_director("third"), seed=seed + 1, now=NOW)
        assert story(other) != story(weekend)
