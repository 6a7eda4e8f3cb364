from django.db import migrations, models


class Migration(migrations.Migration):
    """Standings count the matches with the lower error rate, where that is a second win."""

    dependencies = [("tournament", "0014_drawn_matches_of_teams")]

    operations = [
        migrations.AddField(
            model_name="standing", name="rate_wins", field=models.PositiveSmallIntegerField(default=0)
        ),
    ]
