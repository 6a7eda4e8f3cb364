"""Pages find an event and its tournament by their slugs as queries find them, and nothing that is deleted."""

import pytest
from django.http import Http404

from tests.builders import AT, build_event, build_tournament
from tournament.events.deletion import delete_event, delete_tournament
from tournament.models import Event, Tournament
from tournament.pages.following import find_event, find_tournament


def fields_of(row) -> list[object]:
    return [getattr(row, field.attname) for field in row._meta.concrete_fields]


def event_at(tournament: str, event: str) -> object:
    try:
        found = find_event(tournament, event)
    except Http404:
        return None
    return fields_of(found), fields_of(found._state.fields_cache["tournament"])


def tournament_at(slug: str) -> object:
    try:
        return fields_of(find_tournament(slug))
    except Http404:
        return None


def check() -> tuple[int, int]:
    """Compare what is found for every slug, and return how many events and tournaments there are."""
    halls = {hall.slug: hall for hall in Tournament.objects.all()}
    events = {(event.tournament.slug, event.slug): event for event in Event.objects.select_related("tournament")}
    slugs = {*Tournament.everything.values_list("slug", flat=True), "1900000001", "nothing"}
    names = {*Event.everything.values_list("slug", flat=True), "1900000002", "nothing"}
    for slug in slugs:
        assert tournament_at(slug) == (fields_of(halls[slug]) if slug in halls else None)
        for name in names:
            found = events.get((slug, name))
            assert event_at(slug, name) == (found and (fields_of(found), fields_of(found.tournament)))
    return len(events), len(halls)


@pytest.mark.django_db
def test_events_and_tournaments_are_found_as_queries_find_them(director):
    halls = [build_tournament(director, name) for name in ("Friday", "Saturday", "1900000001")]
    events = [build_event(director, tournament=hall, name=name) for hall in halls for name in ("Main", "1900000002")]
    assert check() == (6, 3)
    delete_event(events[0], typed="Main", by=director, at=AT)
    assert check() == (5, 3)
    delete_tournament(halls[1], typed="Saturday", by=director, at=AT)
    assert check() == (3, 2)
