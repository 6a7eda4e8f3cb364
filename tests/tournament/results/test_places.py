"""The event of a match is found by statements, as queries find it, for those who read it and those who lock it."""

import pytest
from django.db import transaction

from matches.models import Match
from players.errors import Conflict
from tests.builders import AT, build_event, build_tournament, open_matches
from tournament.changes.record import lock_event, lock_event_of, lock_hall
from tournament.events.deletion import delete_event, delete_tournament
from tournament.models import Event, Tournament
from tournament.models.team import event_of

FIELDS = [field.attname for field in Event._meta.concrete_fields]
OF_HALL = [field.attname for field in Tournament._meta.concrete_fields]


def read(event: Event | None) -> tuple[object, ...] | None:
    if event is None:
        return None
    hall = event._state.fields_cache["tournament"]
    return [getattr(event, name) for name in FIELDS], [getattr(hall, name) for name in OF_HALL]


def by_query(match: Match, *, deleted: bool = False) -> tuple[object, ...] | None:
    events = (Event.everything if deleted else Event.objects).select_related("tournament")
    found = events.filter(stages__fixtures__match=match) | events.filter(stages__fixtures__boards__match=match)
    return read(found.distinct().first())


@pytest.fixture
def matches(director) -> list[Match]:
    """One match of players, one of a board, one of another tournament, and one of no draw."""
    tournament = build_tournament(director)
    events = [
        build_event(director, tournament=tournament),
        build_event(director, tournament=tournament, name="Teams", players=4, boards=3),
        build_event(director, name="Elsewhere", format="round-robin", tournament=build_tournament(director, "Sunday")),
    ]
    found = [open_matches(event)[1] for event in events]
    return [*found, Match.objects.create(side_a=found[0].side_a, side_b=found[0].side_b, length=5, created_at=AT)]


def test_the_event_of_a_match_is_found_as_a_query_finds_it(matches):
    for match in matches:
        assert read(event_of(match)) == by_query(match)
        assert read(lock_event_of(match)) == by_query(match)
    assert [by_query(match) is None for match in matches] == [False, False, False, True]


def test_a_deleted_event_is_found_but_not_to_be_locked(director, matches):
    delete_event(event_of(matches[0]), typed="Main", by=director, at=AT)
    delete_tournament(event_of(matches[2]).tournament, typed="Sunday", by=director, at=AT)
    for match in matches:
        assert read(event_of(match)) == by_query(match, deleted=True)
        assert read(lock_event_of(match)) == by_query(match)
    assert [lock_event_of(match) is None for match in matches] == [True, False, True, True]


@transaction.atomic
def test_an_event_and_its_hall_are_locked_as_stored_unless_they_are_deleted(director, matches):
    for event in map(event_of, matches[:3]):
        assert read(lock_event(event)) == read(event)
        hall = lock_hall(event.tournament_id)
        assert [getattr(hall, name) for name in OF_HALL] == [getattr(event.tournament, name) for name in OF_HALL]
    gone = event_of(matches[2])
    delete_tournament(gone.tournament, typed="Sunday", by=director, at=AT)
    for lock, subject in ((lock_event, gone), (lock_hall, gone.tournament_id)):
        with pytest.raises(Conflict) as refused:
            lock(subject)
        assert refused.value.code in {"event_deleted", "tournament_deleted"}
