from django.db import migrations, models


class Migration(migrations.Migration):
    """A match to which neither side came is void: a sheet without games that awards it to nobody."""

    dependencies = [('matches', '0002_people_of_matches')]

    operations = [
        migrations.RemoveConstraint(model_name='scoresheet', name='scoresheet_award_names_a_side'),
        migrations.AlterField(
            model_name='scoresheet',
            name='conclusion',
            field=models.CharField(choices=[('played', 'played'), ('forfeit', 'forfeit'), ('walkover', 'walkover'), ('void', 'void')], default='played', max_length=8),
        ),
        migrations.AddConstraint(
            model_name='scoresheet',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('awarded_to', ''), ('conclusion__in', ['played', 'void'])), models.Q(('awarded_to__in', ['A', 'B']), ('conclusion__in', ['forfeit', 'walkover'])), _connector='OR'), name='scoresheet_award_names_a_side'),
        ),
    ]
