from django.db import migrations, models
from django.db.models import Q

from rules.records.formats import loads
from rules.records.identity import identity_of
from rules.records.record import RecordError
from rules.records.replay import replay


def identify(apps, schema_editor):
    """Of several records of one match the first has its identity: the later ones made a match of their own."""
    known = set()
    rows = apps.get_model("matches", "Record").objects.order_by("pk")
    for row in rows.iterator(chunk_size=100):
        try:
            record = loads(bytes(row.data))
        except RecordError:
            continue
        identity = identity_of(record, replay(record))
        if row.match_id is not None and identity in known:
            continue
        if row.match_id is not None:
            known.add(identity)
        row.identity = identity
        row.save(update_fields=["identity"])


class Migration(migrations.Migration):

    dependencies = [
        ("matches", "0009_dates_of_play"),
    ]

    operations = [
        migrations.AddField(
            model_name="record",
            name="identity",
            field=models.CharField(blank=True, db_index=True, default="", max_length=64),
        ),
        migrations.RunPython(identify, migrations.RunPython.noop, elidable=True),
        migrations.AddConstraint(
            model_name="record",
            constraint=models.UniqueConstraint(
                condition=Q(match__isnull=False) & ~Q(identity=""),
                fields=["identity"],
                name="record_makes_its_match_once",
            ),
        ),
    ]
