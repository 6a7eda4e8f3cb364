"""The migrations lead from an empty database to the models and back, and each says by its name what it does."""

import re
from datetime import datetime
from io import StringIO

import pytest
from django.apps import apps
from django.apps.registry import Apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from tests.builders import AT, build_director, build_event
from tests.fresh import forget_everything
from tournament.audit import audit_everything
from tournament.draw.secret import reveal_link
from tournament.draw.standings import store_standings
from tournament.exports.money import MONEY_EXPORTS
from tournament.exports.tables import PUBLIC_EXPORTS, Subject, make_table
from tournament.formats import FORMATS
from tournament.formats.lots import next_link
from tournament.models import DrawChain, Event, Stage

OURS = ("players", "matches", "tournament")


def test_migrations_are_named_for_what_they_do():
    names = [name for app, name in MigrationLoader(None).disk_migrations if app in OURS]
    assert len(names) >= 4
    assert [
        name for name in names if not re.fullmatch(r"\d{4}_[a-z_]+", name) or "auto" in name or "initial" in name
    ] == []


@pytest.mark.django_db(transaction=True)
def test_all_tables_are_made_from_nothing_and_can_be_taken_back():
    tables = {model._meta.db_table for app in OURS for model in apps.get_app_config(app).get_models()}
    executor = MigrationExecutor(connection)
    latest = executor.loader.graph.leaf_nodes()
    try:
        for app in reversed(OURS):
            call_command("migrate", app, "zero", verbosity=0)
        assert tables & set(connection.introspection.table_names()) == set()
    finally:
        MigrationExecutor(connection).migrate(latest)
    assert tables - set(connection.introspection.table_names()) == set()


@pytest.mark.django_db(transaction=True)
def test_events_from_before_there_were_lots_have_a_chain_and_drawn_stages_keep_their_seed():
    latest = MigrationExecutor(connection).loader.graph.leaf_nodes()
    try:
        executor = MigrationExecutor(connection)
        executor.migrate([("tournament", "0006_calls_without_a_table")])
        before = executor.loader.project_state([("tournament", "0006_calls_without_a_table")]).apps
        drawn, undrawn = (_event_from_before(before, name, drawn_at) for name, drawn_at in (("a", AT), ("b", None)))
        MigrationExecutor(connection).migrate(latest)
        stages = {stage.event_id: stage for stage in Stage.objects.all()}
        assert (stages[drawn].seed, stages[undrawn].seed) == ("secret", "")
        for chain in DrawChain.objects.all():
            link = reveal_link(chain, 1, chain.anchor)
            assert link is not None
            assert next_link(link) == chain.anchor
        assert set(DrawChain.objects.values_list("event", "number")) == {(drawn, 1), (undrawn, 1)}
    finally:
        MigrationExecutor(connection).migrate(latest)


def _event_from_before(before: Apps, slug: str, drawn_at: datetime | None) -> int:
    """Store an event with one stage in the database of an older program; return its id."""
    tournament = before.get_model("tournament", "Tournament").objects.create(
        name=slug, slug=slug, starts_on=AT.date(), created_at=AT
    )
    event = before.get_model("tournament", "Event").objects.create(
        tournament=tournament, name=slug, slug=slug, created_at=AT
    )
    before.get_model("tournament", "Stage").objects.create(
        event=event, format="swiss", options={"lengths": [3], "rounds": 3}, seed="secret", drawn_at=drawn_at
    )
    return event.pk


LOSSLESS = (("players", "0001_people_and_ranking_lists"), ("matches", "0002_people_of_matches"), ("tournament", "0010"))
"""As far back as events go without their challenges, of which no older program knows.

Before ``matches.0002`` nobody knows whose a match is.
"""


@pytest.mark.django_db(transaction=True)
def test_a_demo_of_every_format_goes_back_to_an_older_program_and_forward_again(settings, tmp_path):
    """And an event of teams, but no ladder, which is all challenges; each as small as it can be, and in play."""
    settings.VAR_DIR = tmp_path
    for name, format in FORMATS.items():
        if name != "ladder":
            players = str(max(4, format.min_entrants))
            call_command("demo", "--format", name, "--players", players, "--seed", "1", stdout=StringIO())
    build_event(build_director(), players=4, boards=3)
    before = exported()
    try:
        for app, name in LOSSLESS:
            call_command("migrate", app, name, verbosity=0)
    finally:
        call_command("migrate", verbosity=0)
    forget_everything()
    assert exported() == before
    assert list(audit_everything()) == []


def exported() -> list[object]:
    """Everything that other programs get of every event, also its money."""
    tables = []
    for event in Event.objects.order_by("pk"):
        store_standings(event.pk)
        subject = Subject(event=event, system="fibs")
        tables += [make_table(name, subject) for name in (*PUBLIC_EXPORTS, "ranking", *MONEY_EXPORTS)]
    return tables
