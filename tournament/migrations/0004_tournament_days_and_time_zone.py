"""A last day and a time zone for tournaments."""

from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    dependencies = [("tournament", "0003_site_addresses")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="ends_on",
            field=models.DateField(blank=True, null=True, verbose_name="last day"),
        ),
        migrations.AddField(
            model_name="tournament",
            name="time_zone",
            field=models.CharField(blank=True, default="", max_length=64, verbose_name="time zone"),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=Q(ends_on__isnull=True) | Q(ends_on__gt=F("starts_on")),
                name="tournament_ends_after_it_starts",
            ),
        ),
    ]
