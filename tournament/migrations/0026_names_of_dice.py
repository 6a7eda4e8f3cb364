"""Rows on repeated dice name people by the names that everybody may read, no longer by those they sign in with."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def name_anew(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    log, closing = apps.get_model("tournament", "LogEntry"), apps.get_model("tournament", "Closing")
    for row in log.objects.filter(verb="repeat_dice").select_related("actor"):
        found = closing.objects.filter(event=row.event_id, number=row.detail.get("closing")).select_related("dice_by")
        first = found.first()
        row.detail["first"] = _shown(first.dice_by if first else None)
        if "entry" not in row.detail:
            row.detail["second"] = _shown(row.actor)
        row.save(update_fields=["detail"])


def _shown(user: object) -> str:
    return (f"{user.first_name} {user.last_name}".strip() or f"#{user.pk}") if user else ""  # type: ignore[attr-defined]


class Migration(migrations.Migration):
    dependencies = [("tournament", "0025_backup_runs")]

    operations = [migrations.RunPython(name_anew, migrations.RunPython.noop, elidable=True)]
