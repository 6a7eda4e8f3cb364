"""Stages with lives that are already drawn keep the order of the pairing rules under which they were drawn."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def keep_the_order_of_rules(apps: Apps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Store the order of rules that held before there was a choice: rematches first, then byes."""
    stages = apps.get_model("tournament", "Stage").objects.filter(format="swiss-lives", drawn_at__isnull=False)
    for stage in stages.iterator():
        stage.options.setdefault("byes", "no-rematch")
        stage.save(update_fields=["options"])


class Migration(migrations.Migration):
    dependencies = [("tournament", "0009_edition_of_the_rules_of_a_draw")]

    operations = [migrations.RunPython(keep_the_order_of_rules, migrations.RunPython.noop)]
