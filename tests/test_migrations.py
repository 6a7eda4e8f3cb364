"""The migrations lead from an empty database to the models and back, and each says by its name what it does."""

import re

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

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
