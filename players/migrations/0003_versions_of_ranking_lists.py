"""Ranking lists are told apart by versions, not by the time of the clock that computed them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0002_names_in_order")]

    operations = [
        migrations.AddField(
            model_name="rankinglist", name="version", field=models.PositiveBigIntegerField(default=0)
        ),
        migrations.AddField(model_name="rankinglist", name="covers", field=models.BigIntegerField(default=0)),
    ]
