"""What a migration does to rows that existed before it."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tournament.events.services import reserved_slugs

AT = datetime(2026, 3, 6, 19, 0, tzinfo=UTC)
BEFORE = ("tournament", "0004_jobs")
AFTER = ("tournament", "0005_roles_log_and_deletion")


@contextmanager
def migrated_back(before: tuple[str, str]) -> Iterator[MigrationExecutor]:
    """Take the database back to before this migration, and restore it at the end."""
    executor = MigrationExecutor(connection)
    latest = executor.loader.graph.leaf_nodes()
    executor.migrate([before])
    try:
        yield MigrationExecutor(connection)
    finally:
        MigrationExecutor(connection).migrate(latest)


@pytest.mark.django_db(transaction=True)
def test_first_director_becomes_owner_and_the_log_can_be_searched():
    with migrated_back(BEFORE) as executor:
        old = executor.loader.project_state([BEFORE]).apps
        anna, bo = (old.get_model("players", "User").objects.create(username=name) for name in ("anna", "bo"))
        Tournament = old.get_model("tournament", "Tournament")
        for slug, directors in (("open", [bo, anna]), ("club", [anna]), ("empty", [])):
            tournament = Tournament.objects.create(name=slug, slug=slug, starts_on=AT.date(), created_at=AT)
            for director in directors:
                tournament.directors.add(director)
        old.get_model("tournament", "LogEntry").objects.create(
            tournament=tournament, actor=anna, verb="add_entries", detail={"names": ["Søren"]}, at=AT
        )
        executor.migrate([AFTER])
        new = executor.loader.project_state([AFTER]).apps
        roles = new.get_model("tournament", "Appointment").objects.order_by("id")
        assert list(roles.values_list("tournament__slug", "user__username", "role", "event")) == [
            ("open", "bo", "owner", None),
            ("open", "anna", "director", None),
            ("club", "anna", "owner", None),
        ]
        assert new.get_model("tournament", "LogEntry").objects.get().words == "soren"


@pytest.mark.django_db(transaction=True)
def test_event_that_a_page_hid_has_an_address_of_its_own():
    before, after = ("tournament", "0014_newest_log_rows"), ("tournament", "0015_slugs_beside_pages")
    with migrated_back(before) as executor:
        old = executor.loader.project_state([before]).apps
        Tournament = old.get_model("tournament", "Tournament")
        Event = old.get_model("tournament", "Event")
        for place in ("club", "open"):
            tournament = Tournament.objects.create(name=place, slug=place, starts_on=AT.date(), created_at=AT)
            for slug in ("log", "log-2", "main") if place == "club" else sorted(reserved_slugs()):
                Event.objects.create(
                    tournament=tournament,
                    name=slug,
                    slug=slug,
                    created_at=AT,
                    deleted_at=AT if slug == "desk" else None,
                )
        executor.migrate([after])
        new = executor.loader.project_state([after]).apps.get_model("tournament", "Event")
        found = new.objects.order_by("id").values_list("tournament__slug", "name", "slug")
        assert list(found)[:3] == [("club", "log", "log-3"), ("club", "log-2", "log-2"), ("club", "main", "main")]
        assert list(found)[3:] == [("open", word, f"{word}-2") for word in sorted(reserved_slugs())]


@pytest.mark.django_db(transaction=True)
def test_players_who_were_merged_before_have_a_merge_without_what_it_moved():
    before, after = ("players", "0002_merged_duplicates"), ("players", "0003_merges")
    with migrated_back(before) as executor:
        old = executor.loader.project_state([before]).apps
        anna = old.get_model("players", "User").objects.create(username="anna")
        Player = old.get_model("players", "Player")
        kept = Player.objects.create(name="Bo", folded_name="bo", created_at=AT)
        gone = Player.objects.create(
            name="Boe", folded_name="boe", created_at=AT, merged_into=kept, merged_at=AT, merged_by=anna
        )
        executor.migrate([after])
        new = executor.loader.project_state([after]).apps
        merges = new.get_model("players", "Merge").objects
        assert list(merges.values_list("kept", "gone", "at", "by", "detail", "undone_at")) == [
            (kept.pk, gone.pk, AT, anna.pk, {}, None)
        ]
        MigrationExecutor(connection).migrate([before])
        again = Player.objects.get(pk=gone.pk)
        assert (again.merged_into_id, again.merged_at, again.merged_by_id) == (kept.pk, AT, anna.pk)
