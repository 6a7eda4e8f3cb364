"""The migration that keeps drawn stages with lives under the rules of their draw."""

from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps

from tests.builders import build_event
from tournament import migrations

pytestmark = pytest.mark.django_db
(FILE,) = Path(migrations.__path__[0]).glob("*_byes_of_drawn_lives.py")
MIGRATION = import_module(f"tournament.migrations.{FILE.stem}")


@pytest.mark.parametrize(
    ("format", "drawn", "kept"),
    [("swiss-lives", True, "no-rematch"), ("swiss-lives", False, None), ("swiss", True, None)],
)
def test_a_stage_with_lives_that_is_drawn_keeps_the_order_of_its_rules(director, format, drawn, kept):
    stage = build_event(director, players=5, format=format, drawn=drawn).stages.get()
    del stage.options["byes"]
    stage.save()
    MIGRATION.keep_the_order_of_rules(apps, None)
    stage.refresh_from_db()
    assert stage.options.get("byes") == kept
