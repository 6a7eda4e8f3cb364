"""Titles of people whose names are not public leave the published lists, and with them the proof of what stood there."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def take_away_titles(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    lines = apps.get_model("players", "PublishedLine").objects.exclude(player__visibility="public")
    lines.exclude(title="").update(title="", number="", salt="")


class Migration(migrations.Migration):
    dependencies = [("players", "0009_public_names")]
    operations = [migrations.RunPython(take_away_titles, migrations.RunPython.noop)]
