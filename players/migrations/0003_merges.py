import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def keep_merges(apps, schema_editor):
    """Every merge of before has its row: who it was, when and by whom; what it moved was not kept."""
    Merge = apps.get_model("players", "Merge")
    for gone in apps.get_model("players", "Player").objects.filter(merged_into__isnull=False).order_by("merged_at"):
        at = gone.merged_at or gone.created_at
        Merge.objects.create(kept_id=gone.merged_into_id, gone_id=gone.pk, at=at, by_id=gone.merged_by_id)


def keep_times(apps, schema_editor):
    """Every duplicate says again when it was merged and by whom."""
    for merge in apps.get_model("players", "Merge").objects.filter(undone_at__isnull=True):
        apps.get_model("players", "Player").objects.filter(pk=merge.gone_id).update(
            merged_at=merge.at, merged_by_id=merge.by_id
        )


class Migration(migrations.Migration):
    dependencies = [("players", "0002_merged_duplicates")]

    operations = [
        migrations.CreateModel(
            name="Merge",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("detail", models.JSONField(default=dict)),
                ("at", models.DateTimeField()),
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
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                (
                    "undone_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "gone",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="players.player"
                    ),
                ),
                (
                    "kept",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="players.player"
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("undone_at__isnull", True)),
                        fields=("gone",),
                        name="merge_stands_once_per_player",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kept", models.F("gone")), _negated=True), name="merge_is_of_two"
                    ),
                ],
            },
        ),
        migrations.RunPython(keep_merges, keep_times),
        migrations.RemoveField(model_name="player", name="merged_at"),
        migrations.RemoveField(model_name="player", name="merged_by"),
    ]
