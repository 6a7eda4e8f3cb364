
import matches.models
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='GameLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('winner', models.CharField(choices=[('A', 'A'), ('B', 'B')], max_length=1)),
                ('cube', models.PositiveIntegerField()),
                ('level', models.PositiveSmallIntegerField(choices=[(1, 'SINGLE'), (2, 'GAMMON'), (3, 'BACKGAMMON')])),
                ('ending', models.CharField(choices=[('bearoff', 'BEAROFF'), ('drop', 'DROP'), ('resigned', 'RESIGNED'), ('forfeit', 'FORFEIT')], max_length=8)),
            ],
            options={
                'verbose_name': 'game',
                'verbose_name_plural': 'games',
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='Match',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('length', models.PositiveSmallIntegerField(verbose_name='length')),
                ('profile', models.CharField(choices=matches.models.profile_choices, default='wbgf', max_length=20, verbose_name='rules')),
                ('crawford', models.BooleanField(default=True, verbose_name='Crawford game')),
                ('start_a', models.PositiveSmallIntegerField(default=0)),
                ('start_b', models.PositiveSmallIntegerField(default=0)),
                ('crawford_done', models.BooleanField(default=False)),
                ('waived', models.JSONField(blank=True, default=list)),
                ('penalties', models.JSONField(blank=True, default=list)),
                ('created_at', models.DateTimeField()),
            ],
            options={
                'verbose_name': 'match',
                'verbose_name_plural': 'matches',
            },
        ),
        migrations.CreateModel(
            name='Record',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sha256', models.CharField(max_length=64, unique=True)),
                ('name', models.CharField(max_length=200)),
                ('data', models.BinaryField()),
                ('verdict', models.CharField(choices=[('proved', 'proved'), ('incomplete', 'incomplete'), ('quarantined', 'quarantined'), ('refused', 'refused')], max_length=12)),
                ('finding', models.JSONField(blank=True, null=True)),
                ('imported_at', models.DateTimeField()),
            ],
            options={
                'verbose_name': 'match record',
                'verbose_name_plural': 'match records',
            },
        ),
        migrations.CreateModel(
            name='Ruling',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64)),
                ('kind', models.CharField(choices=matches.models.ruling_kinds, max_length=20)),
                ('template', models.CharField(max_length=300)),
                ('params', models.JSONField(blank=True, default=dict)),
                ('reason', models.CharField(max_length=200, verbose_name='reason')),
                ('said', models.JSONField(blank=True, default=dict)),
                ('before', models.JSONField(blank=True, default=dict)),
                ('after_sheet', models.PositiveIntegerField(default=0)),
                ('at', models.DateTimeField()),
            ],
            options={
                'verbose_name': 'ruling',
                'verbose_name_plural': 'rulings',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Scoresheet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('state', models.CharField(choices=[('live', 'live'), ('reported', 'reported'), ('disputed', 'disputed'), ('confirmed', 'confirmed'), ('superseded', 'superseded'), ('void', 'void')], max_length=12)),
                ('source', models.CharField(choices=[('desk', 'desk'), ('record', 'match record'), ('absence', 'absence'), ('player', 'player'), ('scorer', 'scorer')], max_length=8)),
                ('side', models.CharField(blank=True, choices=[('A', 'A'), ('B', 'B')], max_length=1)),
                ('key', models.CharField(max_length=64)),
                ('final_a', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('final_b', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('conclusion', models.CharField(choices=[('played', 'played'), ('forfeit', 'forfeit'), ('walkover', 'walkover')], default='played', max_length=8)),
                ('awarded_to', models.CharField(blank=True, choices=[('A', 'A'), ('B', 'B')], max_length=1)),
                ('reason', models.CharField(blank=True, max_length=200, verbose_name='reason')),
                ('at', models.DateTimeField()),
                ('played_at', models.DateTimeField()),
            ],
            options={
                'verbose_name': 'score sheet',
                'verbose_name_plural': 'score sheets',
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='SheetChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('live', 'live'), ('reported', 'reported'), ('disputed', 'disputed'), ('confirmed', 'confirmed'), ('superseded', 'superseded'), ('void', 'void')], max_length=12)),
                ('side', models.CharField(blank=True, choices=[('A', 'A'), ('B', 'B')], max_length=1)),
                ('reason', models.CharField(blank=True, max_length=200, verbose_name='reason')),
                ('at', models.DateTimeField()),
            ],
            options={
                'verbose_name': "change to a score sheet",
                'verbose_name_plural': 'changes to score sheets',
                'ordering': ['pk'],
            },
        ),
    ]
