from django.db import migrations, models
from django.db.models import F


def mark_corrections(apps, schema_editor):
    """Until now no result had a date of play of its own: one entered after it was reached came after another."""
    apps.get_model("matches", "Scoresheet").objects.filter(at__gt=F("played_at")).update(corrects=True)


class Migration(migrations.Migration):

    dependencies = [
        ("matches", "0008_keys_per_side"),
    ]

    operations = [
        migrations.AddField(
            model_name="scoresheet",
            name="corrects",
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(mark_corrections, migrations.RunPython.noop),
    ]
