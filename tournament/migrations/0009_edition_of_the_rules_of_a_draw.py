from django.db import migrations, models
from django.db.models import Q


def keep_first_edition(apps, schema_editor) -> None:
    """Let stages that are drawn keep the rules by which they were drawn."""
    apps.get_model("tournament", "Stage").objects.filter(drawn_at__isnull=False).update(edition=1)


class Migration(migrations.Migration):
    """A stage keeps the edition of the rules by which it was drawn."""

    dependencies = [("tournament", "0008_chains_of_events")]

    operations = [
        migrations.AddField(model_name="stage", name="edition", field=models.PositiveSmallIntegerField(default=0)),
        migrations.RunPython(keep_first_edition, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=Q(("drawn_at__isnull", True), ("edition", 0))
                | Q(("drawn_at__isnull", False), ("edition__gt", 0)),
                name="stage_has_edition_once_drawn",
            ),
        ),
    ]
