"""The tracker of titles: found from the error rates of events, and awarded by officers of the federation alone."""

from datetime import date, timedelta

import pytest

from players.errors import Conflict, Forbidden
from players.models import Federation, OfficialList, Player, Title, TitleRules, User
from players.registry.titles import set_title_table
from rules.score import Side
from tests.builders import AT, build_director, build_event, open_matches, win
from tests.tournament.reporting.lists import build_list, build_officer, enrol
from tournament.models import Event, Sanction
from tournament.registry.people import show_as
from tournament.registry.titles import (
    award_title,
    candidates,
    matches_missing,
    record_norm,
    tracked_for,
    what_is_missing,
)
from tournament.results.error_rates import set_error_rates

pytestmark = pytest.mark.django_db
DAY = AT.date()
RULES = {
    "titles": [
        {"code": "GM", "name": "Grandmaster", "pr": "3", "norms": 1},
        {"code": "M", "name": "Master", "pr": "5", "norms": 0},
    ],
    "least": 10,
    "shortest": 5,
    "norm": {"matches": 2, "below": "3.5", "shortest": 5, "months": 12, "most": 2},
}


@pytest.fixture
def official_list() -> OfficialList:
    return build_list()


@pytest.fixture
def federation(official_list) -> Federation:
    set_title_table(official_list.federation, RULES, valid_from=date(2026, 1, 1), by=None, at=AT)
    return official_list.federation


def build_analysed(official_list: OfficialList, *, matches: int = 3) -> Event:
    """A round robin of four with a clock, whose first matches are won by A at 3.2 against 9."""
    fields = {"options": {"rate_point": True}, "clock_minutes": 2, "clock_delay": 12}
    event = build_event(build_director(), players=4, format="round-robin", **fields)
    event.stages.update(drawn_at=AT - timedelta(days=1))
    enrol(official_list, *Player.objects.all())
    Sanction.objects.create(event=event, official_list=official_list, at=AT)
    ann = event.entries.order_by("pk").first().player_id
    mine = [match for match in open_matches(event) if ann in (match.side_a_id, match.side_b_id)]
    for match in mine[:matches]:
        win(match, Side.A)
        rates = (3200, 9000) if match.side_a_id == ann else (9000, 3200)
        set_error_rates(match, rates=rates, by=None, at=AT)
    return event


def first_of(event: Event) -> Player:
    return event.entries.order_by("pk").first().player


def test_what_is_missing_is_said_in_a_sentence(official_list, federation):
    player = first_of(build_analysed(official_list, matches=1))
    (tracked,) = tracked_for(player, DAY)
    assert what_is_missing(tracked.progress) == "Missing for Master (M): 5 more points in analysed matches."
    assert matches_missing(tracked.progress) == "1 match under 3.5 is missing for the next norm (BN)."
    other = Player.objects.exclude(pk=player.pk).last()
    (nothing,) = tracked_for(other, DAY)
    assert nothing.progress.performance.points in (0, 5)


def test_an_officer_awards_what_is_reached_and_nothing_else(official_list, federation):
    event = build_analysed(official_list)
    player, officer = first_of(event), build_officer(official_list)
    (due,) = [one for one in candidates(federation, DAY, by=officer) if one.is_due]
    assert (due.player, due.progress.award[0].code) == (player, "M")
    stranger = User.objects.create_user("stranger")
    with pytest.raises(Forbidden):
        award_title(federation, player, "M", by=stranger, at=AT)
    with pytest.raises(Conflict) as caught:
        award_title(federation, player, "GM", by=officer, at=AT)
    assert caught.value.code == "title_not_reached"
    given = award_title(federation, player, "M", by=officer, at=AT)
    assert (given.code, given.on, given.evidence) == ("M", DAY, "PR 3.20 over 15 points")
    with pytest.raises(Conflict):
        award_title(federation, player, "M", by=officer, at=AT)
    (after,) = tracked_for(player, DAY)
    assert (after.progress.award, after.progress.next.code) == (None, "GM")
    assert what_is_missing(after.progress) == (
        "Missing for Grandmaster (GM): a PR of 3 or lower instead of 3.20, norms: 1."
    )


def test_a_norm_is_recorded_once_with_its_matches(official_list, federation):
    player, officer = first_of(build_analysed(official_list)), build_officer(official_list)
    norm = record_norm(federation, player, DAY, by=officer, at=AT)
    assert (norm.issuer, norm.kind, len(norm.matches)) == ("dbgf", "BN", 2)
    with pytest.raises(Conflict) as caught:
        record_norm(federation, player, DAY, by=officer, at=AT)
    assert caught.value.code == "norm_not_reached"
    (tracked,) = tracked_for(player, DAY)
    assert (tracked.progress.thirds, tracked.progress.norm.missing) == (3, 1)


def test_only_approved_events_with_a_clock_count_and_only_members_are_followed(official_list, federation):
    event = build_analysed(official_list)
    player = first_of(event)
    Event.objects.filter(pk=event.pk).update(clock_minutes=None, clock_delay=None)
    assert tracked_for(player, DAY)[0].progress.performance.points == 0
    set_title_table(federation, {**RULES, "clocked": False}, valid_from=date(2026, 1, 1), by=None, at=AT)
    assert tracked_for(player, DAY)[0].progress.performance.points == 15
    Sanction.objects.all().delete()
    assert tracked_for(player, DAY)[0].progress.performance.points == 0
    player.body_memberships.all().delete()
    assert tracked_for(player, DAY) == []
    assert (Title.objects.count(), TitleRules.objects.count()) == (0, 2)


def test_what_was_reached_by_the_table_of_its_day_stays_reached(official_list, federation):
    player, officer = first_of(build_analysed(official_list)), build_officer(official_list)
    Event.objects.update(clock_minutes=None, clock_delay=None)
    later = DAY + timedelta(days=30)
    set_title_table(federation, {**RULES, "clocked": False}, valid_from=DAY, by=None, at=AT)
    set_title_table(federation, RULES, valid_from=later, by=None, at=AT)
    player.body_memberships.update(ends=later)
    gone = later + timedelta(days=1)
    (tracked,) = tracked_for(player, gone)
    assert (tracked.progress.award[0].code, tracked.progress.award[1]) == ("M", DAY)
    assert (tracked.progress.performance.points, tracked.progress.norm) == (0, None)
    assert award_title(federation, player, "M", by=officer, at=AT + timedelta(days=31)).on == DAY
    assert tracked_for(player, gone) == []


@pytest.mark.parametrize("matches", [1, 3])
def test_the_queries_are_the_same_however_many_match(official_list, federation, django_assert_num_queries, matches):
    build_analysed(official_list, matches=matches)
    officer = build_officer(official_list)
    with django_assert_num_queries(9):
        candidates(federation, DAY, by=officer)


def test_somebody_who_is_not_public_is_there_for_those_who_keep_them(official_list, federation):
    set_title_table(federation, {**RULES, "members": False}, valid_from=date(2026, 1, 1), by=None, at=AT)
    player, officer = first_of(build_analysed(official_list)), build_officer(official_list)
    other = Federation.objects.create(code="NBF", name="Norges Backgammonforbund")

    def shown() -> bool:
        return player in [one.player for one in candidates(federation, DAY, by=officer)]

    show_as(player, "initials", by=officer, at=AT)
    assert shown()
    player.body_memberships.update(federation=other)
    assert not shown()
    show_as(player, "public", by=None, at=AT)
    assert shown()
