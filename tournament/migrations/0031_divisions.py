import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0030_self_entry'),
    ]

    operations = [
        migrations.CreateModel(
            name='Division',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('level', models.PositiveSmallIntegerField(verbose_name='level')),
                ('up', models.PositiveSmallIntegerField(default=0, verbose_name='go up')),
                ('down', models.PositiveSmallIntegerField(default=0, verbose_name='go down')),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='division', to='tournament.event')),
            ],
            options={
                'verbose_name': 'division',
                'verbose_name_plural': 'divisions',
                'ordering': ['level'],
                'constraints': [models.CheckConstraint(condition=models.Q(('level__gte', 1)), name='division_level_from_one'), models.CheckConstraint(condition=models.Q(('level__gt', 1), ('up', 0), _connector='OR'), name='division_top_sends_nobody_up')],
            },
        ),
    ]
