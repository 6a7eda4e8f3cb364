import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0012_attached_records"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Acceptance",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("known", models.JSONField(blank=True, default=dict)),
                ("reason", models.CharField(max_length=200, verbose_name="reason")),
                ("at", models.DateTimeField()),
                ("taken_back_at", models.DateTimeField(blank=True, null=True)),
                ("taken_back_for", models.CharField(blank=True, default="", max_length=200, verbose_name="reason")),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "match",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="acceptance", to="matches.match"
                    ),
                ),
                (
                    "record",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="acceptances", to="matches.record"
                    ),
                ),
                (
                    "taken_back_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "accepted record",
                "verbose_name_plural": "accepted records",
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("taken_back_at__isnull", True)),
                        fields=("record",),
                        name="record_accepted_once_at_a_time",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="acceptance_has_a_reason"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("taken_back_at__isnull", True), ("taken_back_for", "")),
                            models.Q(("taken_back_at__isnull", False), models.Q(("taken_back_for", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="acceptance_is_taken_back_for_a_reason",
                    ),
                ],
            },
        ),
    ]
