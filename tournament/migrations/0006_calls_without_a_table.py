import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """In a hall without numbered tables, matches are called by their players' names."""

    dependencies = [("tournament", "0005_event_templates")]

    operations = [
        migrations.AlterField(
            model_name="call",
            name="table",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="calls",
                to="tournament.table",
            ),
        ),
    ]
