"""What a migration makes of rows that were there before it."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

AT = datetime(2026, 3, 6, 19, 0, tzinfo=UTC)
BEFORE = ("tournament", "0004_jobs")
AFTER = ("tournament", "0005_roles_log_and_deletion")


@pytest.mark.django_db(transaction=True)
def test_first_director_becomes_owner_and_the_log_can_be_searched():
    executor = MigrationExecutor(connection)
    latest = executor.loader.graph.leaf_nodes()
    executor.migrate([BEFORE])
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
    executor = MigrationExecutor(connection)
    executor.migrate([AFTER])
    new = executor.loader.project_state([AFTER]).apps
    roles = new.get_model("tournament", "Appointment").objects.order_by("id")
    assert list(roles.values_list("tournament__slug", "user__username", "role", "event")) == [
        ("open", "bo", "owner", None),
        ("open", "anna", "director", None),
        ("club", "anna", "owner", None),
    ]
    assert new.get_model("tournament", "LogEntry").objects.get().words == "soren"
    MigrationExecutor(connection).migrate(latest)
