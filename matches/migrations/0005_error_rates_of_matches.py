from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    """A match has the error rates of both sides once it is analysed."""

    dependencies = [("matches", "0004_set_aside_sheets")]

    operations = [
        migrations.AddField("match", "rate_a", models.PositiveIntegerField(blank=True, null=True)),
        migrations.AddField("match", "rate_b", models.PositiveIntegerField(blank=True, null=True)),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=Q(rate_a__isnull=True, rate_b__isnull=True) | Q(rate_a__lte=100_000, rate_b__lte=100_000),
                name="match_has_both_error_rates_or_none",
            ),
        ),
    ]
