"""Names in the order of Danish and Norwegian, and of Swedish readers."""

from django.db import migrations, models

import players.models
from players.collation import sort_key
from players.models import MAX_KEY

MANY = 2000


def store_keys(apps, schema_editor):
    Player = apps.get_model("players", "Player")
    rows = []
    for row in Player.objects.only("pk", "name").iterator(MANY):
        row.danish_order = sort_key(row.name, "danish")[:MAX_KEY]
        row.swedish_order = sort_key(row.name, "swedish")[:MAX_KEY]
        rows.append(row)
        if len(rows) == MANY:
            Player.objects.bulk_update(rows, ["danish_order", "swedish_order"])
            rows = []
    Player.objects.bulk_update(rows, ["danish_order", "swedish_order"])


class Migration(migrations.Migration):
    dependencies = [("players", "0001_people_and_ranking_lists")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="danish_order",
            field=players.models.SortKeyField(alphabet="danish", default="", editable=False, max_length=240),
        ),
        migrations.AddField(
            model_name="player",
            name="swedish_order",
            field=players.models.SortKeyField(alphabet="swedish", default="", editable=False, max_length=240),
        ),
        migrations.RunPython(store_keys, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(fields=["merged_into", "folded_name", "id"], name="player_folded_name"),
        ),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(
                fields=["merged_into", "danish_order", "id"], name="player_danish_order"
            ),
        ),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(
                fields=["merged_into", "swedish_order", "id"], name="player_swedish_order"
            ),
        ),
    ]
