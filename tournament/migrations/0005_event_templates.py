"""The settings of events that directors keep as templates."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("tournament", "0004_tournament_days_and_time_zone"),
    ]

    operations = [
        migrations.CreateModel(
            name="EventTemplate",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=80, verbose_name="name")),
                ("settings", models.JSONField()),
                ("created_at", models.DateTimeField()),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="templates", to="tournament.event"
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="event_templates",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "template",
                "verbose_name_plural": "templates",
                "ordering": ["name"],
                "constraints": [
                    models.UniqueConstraint(fields=["owner", "name"], name="event_template_name_once_per_owner"),
                    models.CheckConstraint(condition=~Q(name=""), name="event_template_has_name"),
                ],
            },
        ),
    ]
