from django.db import migrations, models


class Migration(migrations.Migration):
    """Teams may have an even number of boards; a match that they share is drawn."""

    dependencies = [("tournament", "0013_challenges")]

    operations = [
        migrations.AddField(
            model_name="standing",
            name="draws",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.RemoveConstraint(model_name="event", name="event_boards_odd"),
        migrations.AddConstraint(
            model_name="event",
            constraint=models.CheckConstraint(
                condition=models.Q(("boards__in", (1, 2, 3, 4, 5, 6, 7, 8, 9))), name="event_boards_known"
            ),
        ),
    ]
