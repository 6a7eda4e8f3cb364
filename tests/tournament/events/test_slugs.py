"""No page of a tournament hides an event: the first words of its pages are not given to events as slugs."""

from importlib import import_module
from pathlib import Path

import pytest
from django.urls import URLResolver, resolve, reverse

from tests.builders import AT, build_terms, build_tournament
from tournament import migrations
from tournament.events.services import create_event, reserved_slugs
from tournament.models import Event
from tournament.pages.urls import tournament_pages

pytestmark = pytest.mark.django_db

FROM_THE_START = frozenset(
    ("cash", "day", "delete", "desk", "log", "new", "restore", "roles", "screen", "settings", "tables")
)
"""The words that no event has ever had, as they were reserved before the first migration that data are kept from."""
MIGRATIONS = [
    import_module(f"tournament.migrations.{path.stem}") for path in Path(migrations.__path__[0]).glob("0*.py")
]
MOVED = FROM_THE_START.union(*(getattr(migration, "WORDS", ()) for migration in MIGRATIONS))
"""Those, and the words that a later migration has moved events away from, as its ``WORDS``."""


def test_every_page_of_a_tournament_begins_with_a_reserved_word():
    (events,) = (one for one in tournament_pages if isinstance(one, URLResolver))
    assert str(events.pattern) == "<slug:event_slug>/"
    pages = [str(one.pattern).removeprefix("^") for one in tournament_pages if one is not events]
    words = {page.split("/")[0] for page in pages if page}
    firsts = {word for word in words if "." not in word}  # no slug has a dot
    assert firsts == reserved_slugs() >= {"new", "log", "roles", "cash", "desk"}


def test_older_events_were_moved_away_from_every_reserved_word():
    """A page with a new first word needs a migration that gives events of that slug another one and lists ``WORDS``."""
    assert reserved_slugs() <= MOVED


def test_an_event_of_any_name_is_found_at_its_address(client, director):
    tournament = build_tournament(director)
    for word in sorted(reserved_slugs()):
        for number in (2, 3):
            event = create_event(tournament, build_terms(name=word, format="round-robin"), by=director, at=AT)
            assert event.slug == f"{word}-{number}"
            assert resolve(event.get_absolute_url()).kwargs == {
                "tournament_slug": tournament.slug,
                "event_slug": event.slug,
            }
    assert client.get(reverse("event", args=[tournament.slug, "log-2"])).status_code == 200
    assert not Event.everything.filter(slug__in=reserved_slugs()).exists()


def test_a_tournament_may_have_any_word(client, director):
    tournament = build_tournament(director, "Log")
    assert tournament.slug == "log"
    assert client.get(tournament.get_absolute_url()).status_code == 200
