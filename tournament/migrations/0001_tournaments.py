
import django.db.models.deletion
import django.db.models.functions.comparison
import matches.models
import tournament.formats
import tournament.models.event
import tournament.models.money
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('matches', '0001_matches_and_score_sheets'),
        ('players', '0001_people_and_ranking_lists'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('slug', models.SlugField(max_length=80)),
                ('profile', models.CharField(choices=matches.models.profile_choices, default='wbgf', max_length=20, verbose_name='rules')),
                ('crawford', models.BooleanField(default=True, verbose_name='Crawford game')),
                ('tiebreaks', models.JSONField(blank=True, default=tournament.models.event.default_tiebreaks, verbose_name='tie-breaks')),
                ('doubles', models.BooleanField(default=False, verbose_name='consultation doubles')),
                ('starts_at', models.DateTimeField(blank=True, null=True, verbose_name='starts')),
                ('clock_minutes', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='clock: minutes per point')),
                ('clock_delay', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='clock: delay in seconds')),
                ('boards', models.PositiveSmallIntegerField(default=1, verbose_name='boards')),
                ('max_entries', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='maximum number of entries')),
                ('check_in', models.BooleanField(default=False, verbose_name='draw only players who have checked in')),
                ('late_minutes', models.PositiveSmallIntegerField(blank=True, default=5, null=True, verbose_name='minutes late per penalty point')),
                ('version', models.PositiveIntegerField(default=1)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField()),
                ('deleted_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'verbose_name': 'event',
                'verbose_name_plural': 'events',
                'ordering': ['tournament_id', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('team', models.CharField(blank=True, max_length=80, verbose_name='team')),
                ('reentry', models.PositiveSmallIntegerField(default=0)),
                ('number', models.PositiveSmallIntegerField()),
                ('seed', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='seed')),
                ('family', models.CharField(blank=True, max_length=40, verbose_name='family')),
                ('presence', models.JSONField(default=tournament.models.event.from_the_start)),
                ('rating', models.PositiveIntegerField(blank=True, null=True)),
                ('home_evening', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='home evening')),
                ('waiting', models.BooleanField(default=False, verbose_name='on the waiting list')),
                ('checked_in_at', models.DateTimeField(blank=True, null=True)),
                ('left_at', models.DateTimeField(blank=True, null=True)),
                ('left_kind', models.CharField(blank=True, choices=[('withdrawn', 'withdrawn'), ('no-show', 'no-show'), ('disqualified', 'disqualified')], max_length=12)),
                ('left_reason', models.CharField(blank=True, max_length=200, verbose_name='reason')),
                ('left_bracket', models.CharField(blank=True, max_length=4)),
                ('left_stage', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('bye_taken', models.PositiveSmallIntegerField(default=0)),
                ('drawn_as', models.JSONField(blank=True, default=list)),
                ('partner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='pairs', to='players.player')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='players.player')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='tournament.event')),
            ],
            options={
                'verbose_name': 'entry',
                'verbose_name_plural': 'entries',
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='EventMoney',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('currency', models.CharField(choices=tournament.models.money.currency_choices, default='EUR', max_length=3, verbose_name='currency')),
                ('fee', models.PositiveBigIntegerField(default=0, verbose_name='entry fee')),
                ('reentry_fee', models.PositiveBigIntegerField(default=0, verbose_name="re-entry fee")),
                ('registration_fee', models.PositiveBigIntegerField(default=0, verbose_name='registration fee')),
                ('rake', models.CharField(choices=tournament.models.money.rake_choices, default='none', max_length=12, verbose_name='rake')),
                ('rake_value', models.PositiveBigIntegerField(default=0)),
                ('added', models.PositiveBigIntegerField(default=0, verbose_name='added money')),
                ('payouts', models.JSONField(default=dict)),
                ('auction', models.JSONField(default=dict)),
                ('auction_rake', models.CharField(choices=tournament.models.money.rake_choices, default='none', max_length=12, verbose_name='rake')),
                ('auction_rake_value', models.PositiveBigIntegerField(default=0)),
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='money', to='tournament.event')),
            ],
            options={
                'verbose_name': "event finances",
                'verbose_name_plural': "event finances",
            },
        ),
        migrations.CreateModel(
            name='Fixture',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=16)),
                ('bracket', models.CharField(max_length=4)),
                ('round', models.PositiveSmallIntegerField()),
                ('number', models.PositiveSmallIntegerField()),
                ('length', models.PositiveSmallIntegerField()),
                ('feed_a', models.CharField(blank=True, max_length=24)),
                ('feed_b', models.CharField(blank=True, max_length=24)),
                ('why', models.JSONField(default=dict)),
                ('entry_a', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='tournament.entry')),
                ('entry_b', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='tournament.entry')),
                ('match', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='fixture', to='matches.match')),
            ],
            options={
                'verbose_name': 'fixture',
                'verbose_name_plural': 'fixtures',
                'ordering': ['stage_id', 'bracket', 'round', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Board',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='board', to='matches.match')),
                ('fixture', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='boards', to='tournament.fixture')),
            ],
            options={
                'verbose_name': 'board',
                'verbose_name_plural': 'boards',
                'ordering': ['fixture_id', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('given', models.JSONField(default=dict)),
                ('data', models.BinaryField(default=bytes)),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('running', 'running'), ('done', 'done'), ('refused', 'refused'), ('cancelled', 'cancelled')], default='waiting', max_length=9)),
                ('outcome', models.JSONField(default=dict)),
                ('language', models.CharField(default='en', max_length=10)),
                ('created_at', models.DateTimeField()),
                ('leased_until', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to=settings.AUTH_USER_MODEL)),
                ('event', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='tournament.event')),
            ],
            options={
                'verbose_name': 'job',
                'verbose_name_plural': 'jobs',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Lot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('entries', models.ManyToManyField(related_name='lots', to='tournament.entry')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lots', to='tournament.event')),
            ],
            options={
                'verbose_name': 'lot',
                'verbose_name_plural': 'lots',
                'ordering': ['event_id', 'number'],
            },
        ),
        migrations.CreateModel(
            name='LotSale',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('buyer', models.CharField(blank=True, max_length=80, verbose_name='buyer')),
                ('price', models.PositiveBigIntegerField(blank=True, null=True, verbose_name='price')),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('lot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sales', to='tournament.lot')),
            ],
            options={
                'verbose_name': 'lot sale',
                'verbose_name_plural': 'lot sales',
                'ordering': ['lot_id', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Member',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('board', models.PositiveSmallIntegerField()),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='members', to='tournament.entry')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='players.player')),
            ],
            options={
                'verbose_name': 'member',
                'verbose_name_plural': 'members',
                'ordering': ['entry_id', 'board'],
            },
        ),
        migrations.CreateModel(
            name='Payment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('purpose', models.CharField(choices=[('registration', 'registration'), ('entry', 'entry'), ('side', 'side pool'), ('lot', 'lot'), ('prize', 'prize'), ('side-prize', 'side pool prize'), ('lot-prize', 'calcutta prize')], max_length=12)),
                ('account', models.CharField(max_length=60)),
                ('name', models.CharField(max_length=200)),
                ('amount', models.BigIntegerField()),
                ('currency', models.CharField(max_length=3)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('key', models.CharField(max_length=64)),
                ('line', models.PositiveSmallIntegerField(default=0)),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('entry', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='payments', to='tournament.entry')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='payments', to='tournament.event')),
                ('reverses', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reversed_by', to='tournament.payment')),
            ],
            options={
                'verbose_name': 'payment',
                'verbose_name_plural': 'payments',
                'ordering': ['event_id', 'id'],
            },
        ),
        migrations.CreateModel(
            name='SidePool',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40, verbose_name='name')),
                ('fee', models.PositiveBigIntegerField(verbose_name='fee')),
                ('table', models.JSONField(default=dict)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='side_pools', to='tournament.event')),
            ],
            options={
                'verbose_name': 'side pool',
                'verbose_name_plural': 'side pools',
                'ordering': ['event_id', 'id'],
            },
        ),
        migrations.CreateModel(
            name='SidePoolMember',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('joined_at', models.DateTimeField()),
                ('left_at', models.DateTimeField(blank=True, null=True)),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='side_pools', to='tournament.entry')),
                ('pool', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='members', to='tournament.sidepool')),
            ],
            options={
                'verbose_name': "side pool member",
                'verbose_name_plural': "side pool members",
                'ordering': ['pool_id', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Stage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(default=1)),
                ('format', models.CharField(choices=tournament.formats.choices, max_length=30, verbose_name='format')),
                ('qualifiers', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='qualifiers')),
                ('carry', models.CharField(choices=[('none', 'none'), ('met', 'matches between players who both qualified'), ('all', 'all')], default='none', max_length=4, verbose_name='matches carried over')),
                ('options', models.JSONField(default=dict)),
                ('seed', models.CharField(max_length=64)),
                ('drawn_at', models.DateTimeField(blank=True, null=True)),
                ('draw_hash', models.CharField(blank=True, max_length=64)),
                ('notes', models.JSONField(blank=True, default=list)),
                ('standings_version', models.PositiveIntegerField(default=0)),
                ('standings_matches', models.PositiveIntegerField(default=0)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='stages', to='tournament.event')),
            ],
            options={
                'verbose_name': 'stage',
                'verbose_name_plural': 'stages',
                'ordering': ['event_id', 'number'],
            },
        ),
        migrations.CreateModel(
            name='PlayOff',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('loser', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournament.entry')),
                ('winner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournament.entry')),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='play_offs', to='tournament.stage')),
            ],
            options={
                'verbose_name': 'play-off',
                'verbose_name_plural': 'play-offs',
                'ordering': ['stage_id', 'id'],
            },
        ),
        migrations.CreateModel(
            name='FormerMatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=16)),
                ('bracket', models.CharField(max_length=4)),
                ('round', models.PositiveSmallIntegerField()),
                ('number', models.PositiveSmallIntegerField()),
                ('board', models.PositiveSmallIntegerField(default=0)),
                ('left_at', models.DateTimeField()),
                ('entry_a', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournament.entry')),
                ('entry_b', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournament.entry')),
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='former', to='matches.match')),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='former_matches', to='tournament.stage')),
            ],
            options={
                'verbose_name': 'former match',
                'verbose_name_plural': 'former matches',
                'ordering': ['pk'],
            },
        ),
        migrations.AddField(
            model_name='fixture',
            name='stage',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='fixtures', to='tournament.stage'),
        ),
        migrations.CreateModel(
            name='Standing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveSmallIntegerField()),
                ('place_to', models.PositiveSmallIntegerField()),
                ('section', models.CharField(blank=True, max_length=4)),
                ('order', models.PositiveSmallIntegerField()),
                ('played', models.PositiveSmallIntegerField()),
                ('wins', models.PositiveSmallIntegerField()),
                ('losses', models.PositiveSmallIntegerField()),
                ('points_for', models.PositiveIntegerField()),
                ('points_against', models.PositiveIntegerField()),
                ('tiebreaks', models.JSONField(default=list)),
                ('decided_by', models.CharField(blank=True, max_length=30)),
                ('note', models.JSONField(default=dict)),
                ('why', models.JSONField(default=dict)),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='standings', to='tournament.entry')),
                ('stage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='standings', to='tournament.stage')),
            ],
            options={
                'verbose_name': 'standing',
                'verbose_name_plural': 'standings',
                'ordering': ['stage_id', 'section', 'order'],
            },
        ),
        migrations.CreateModel(
            name='Table',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                ('streamed', models.BooleanField(default=False, verbose_name='streamed')),
                ('out_of_order', models.BooleanField(default=False, verbose_name='out of order')),
                ('event', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='tables', to='tournament.event', verbose_name='reserved for')),
            ],
            options={
                'verbose_name': 'table',
                'verbose_name_plural': 'tables',
                'ordering': ['tournament_id', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Call',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('called_at', models.DateTimeField()),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('left_at', models.DateTimeField(blank=True, null=True)),
                ('ending', models.CharField(blank=True, choices=[('done', 'the match was decided'), ('recalled', 'recalled'), ('moved', 'moved to another table'), ('redrawn', 'the pairing changed')], max_length=8)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='calls', to='matches.match')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='calls', to='tournament.table')),
            ],
            options={
                'verbose_name': 'call',
                'verbose_name_plural': 'calls',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Tournament',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('slug', models.SlugField(max_length=80, unique=True)),
                ('place', models.CharField(blank=True, max_length=80, verbose_name='place')),
                ('starts_on', models.DateField(verbose_name='first day')),
                ('hall_version', models.PositiveIntegerField(default=1)),
                ('created_at', models.DateTimeField()),
                ('deleted_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'verbose_name': 'tournament',
                'verbose_name_plural': 'tournaments',
                'ordering': ['-starts_on', '-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='tournament_has_name')],
            },
        ),
        migrations.AddField(
            model_name='table',
            name='tournament',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tables', to='tournament.tournament'),
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('left_at', models.DateTimeField(blank=True, null=True)),
                ('call', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='tournament.call')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.player')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournament.tournament')),
            ],
            options={
                'verbose_name': 'seat',
                'verbose_name_plural': 'seats',
            },
        ),
        migrations.CreateModel(
            name='LogEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('verb', models.CharField(max_length=30)),
                ('detail', models.JSONField(default=dict)),
                ('words', models.TextField(blank=True, editable=False)),
                ('way', models.CharField(blank=True, choices=[('page', 'page'), ('api', 'API'), ('command', 'command line'), ('task', 'background task'), ('program', 'program')], max_length=8)),
                ('address', models.GenericIPAddressField(blank=True, null=True)),
                ('agent', models.CharField(blank=True, max_length=200)),
                ('at', models.DateTimeField()),
                ('actor', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('event', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='log', to='tournament.event')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='log', to='tournament.tournament')),
            ],
            options={
                'verbose_name': 'log entry',
                'verbose_name_plural': 'log entries',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('owner', 'owner'), ('director', 'director'), ('deputy', 'deputy'), ('scorer', 'scorer'), ('reader', 'reader')], max_length=8, verbose_name='role')),
                ('note', models.CharField(blank=True, max_length=80, verbose_name='meant for')),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('made_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField()),
                ('accepted_at', models.DateTimeField(blank=True, null=True)),
                ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
                ('accepted_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('event', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='tournament.event')),
                ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='tournament.tournament')),
            ],
            options={
                'verbose_name': 'invitation',
                'verbose_name_plural': 'invitations',
                'ordering': ['-id'],
            },
        ),
        migrations.AddField(
            model_name='event',
            name='tournament',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='tournament.tournament'),
        ),
        migrations.CreateModel(
            name='Break',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('starts_at', models.DateTimeField(verbose_name='from')),
                ('ends_at', models.DateTimeField(verbose_name='to')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='breaks', to='tournament.tournament')),
            ],
            options={
                'verbose_name': 'break',
                'verbose_name_plural': 'breaks',
                'ordering': ['tournament_id', 'starts_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Appointment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('owner', 'owner'), ('director', 'director'), ('deputy', 'deputy'), ('scorer', 'scorer'), ('reader', 'reader')], max_length=8, verbose_name='role')),
                ('since', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='appointments', to=settings.AUTH_USER_MODEL)),
                ('event', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='appointments', to='tournament.event')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='appointments', to='tournament.tournament')),
            ],
            options={
                'verbose_name': 'appointment',
                'verbose_name_plural': 'appointments',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Advance',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(max_length=200, verbose_name='reason')),
                ('at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('ended_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='advances', to='matches.match')),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournament.entry')),
            ],
            options={
                'verbose_name': 'advance by ruling',
                'verbose_name_plural': 'advances by ruling',
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('match',), name='advance_one_standing_per_match'), models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='advance_has_a_reason')],
            },
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.UniqueConstraint(fields=('event', 'player', 'reentry'), name='entry_player_once_per_reentry'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.CheckConstraint(condition=models.Q(('partner__isnull', True), models.Q(('partner', models.F('player')), _negated=True), _connector='OR'), name='entry_partner_is_another'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.CheckConstraint(condition=models.Q(('team', ''), ('partner__isnull', True), _connector='OR'), name='entry_is_of_a_team_or_a_pair'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.UniqueConstraint(condition=models.Q(('team', ''), _negated=True), fields=('event', 'team', 'reentry'), name='entry_team_once_per_reentry'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.UniqueConstraint(fields=('event', 'number'), name='entry_number_once_per_event'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.UniqueConstraint(fields=('event', 'seed'), name='entry_seed_once_per_event'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.CheckConstraint(condition=models.Q(('seed__isnull', True), ('seed__gte', 1), _connector='OR'), name='entry_seed_positive'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.CheckConstraint(condition=models.Q(('home_evening__isnull', True), ('home_evening__lte', 6), _connector='OR'), name='entry_home_evening_is_a_weekday'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('left_at__isnull', True), ('left_bracket', ''), ('left_kind', ''), ('left_stage__isnull', True)), models.Q(('left_at__isnull', False), ('left_kind__in', ['withdrawn', 'no-show', 'disqualified']), ('left_stage__isnull', False)), _connector='OR'), name='entry_departure_has_a_kind'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.CheckConstraint(condition=models.Q(('waiting', False), models.Q(('bye_taken', 0), ('left_at__isnull', True)), _connector='OR'), name='entry_waits_or_plays'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.UniqueConstraint(condition=models.Q(('bye_taken__gt', 0)), fields=('event', 'bye_taken'), name='entry_takes_a_bye_once'),
        ),
        migrations.AddConstraint(
            model_name='eventmoney',
            constraint=models.CheckConstraint(condition=models.Q(('currency', ''), _negated=True), name='money_has_currency'),
        ),
        migrations.AddConstraint(
            model_name='board',
            constraint=models.UniqueConstraint(fields=('fixture', 'number'), name='board_number_once_per_fixture'),
        ),
        migrations.AddConstraint(
            model_name='board',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='board_number_positive'),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('state__in', ['waiting', 'running'])), models.Q(('ended_at__isnull', False), ('state__in', ['done', 'refused', 'cancelled'])), _connector='OR'), name='job_that_ended_says_when'),
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('leased_until__isnull', False), ('state', 'running')), models.Q(models.Q(('state', 'running'), _negated=True), ('leased_until__isnull', True)), _connector='OR'), name='job_that_runs_is_leased'),
        ),
        migrations.AddConstraint(
            model_name='lot',
            constraint=models.UniqueConstraint(fields=('event', 'number'), name='lot_number_once_per_event'),
        ),
        migrations.AddConstraint(
            model_name='lotsale',
            constraint=models.UniqueConstraint(fields=('lot', 'number'), name='lot_sale_number_once'),
        ),
        migrations.AddConstraint(
            model_name='lotsale',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('buyer', ''), ('price__isnull', True)), models.Q(('price__gte', 1), models.Q(('buyer', ''), _negated=True)), _connector='OR'), name='lot_sale_has_price_and_buyer'),
        ),
        migrations.AddConstraint(
            model_name='member',
            constraint=models.UniqueConstraint(fields=('entry', 'board'), name='member_board_once_per_entry'),
        ),
        migrations.AddConstraint(
            model_name='member',
            constraint=models.UniqueConstraint(fields=('entry', 'player'), name='member_player_once_per_entry'),
        ),
        migrations.AddConstraint(
            model_name='member',
            constraint=models.CheckConstraint(condition=models.Q(('board__gte', 2)), name='member_board_after_the_first'),
        ),
        migrations.AddConstraint(
            model_name='payment',
            constraint=models.UniqueConstraint(fields=('event', 'key', 'line'), name='payment_key_once_per_event'),
        ),
        migrations.AddConstraint(
            model_name='payment',
            constraint=models.CheckConstraint(condition=models.Q(('amount', 0), _negated=True), name='payment_is_something'),
        ),
        migrations.AddConstraint(
            model_name='payment',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('key', ''), _negated=True), models.Q(('account', ''), _negated=True)), name='payment_has_key_and_account'),
        ),
        migrations.AddConstraint(
            model_name='payment',
            constraint=models.CheckConstraint(condition=models.Q(('purpose__in', ['registration', 'entry', 'side', 'lot', 'prize', 'side-prize', 'lot-prize'])), name='payment_purpose_known'),
        ),
        migrations.AddConstraint(
            model_name='sidepool',
            constraint=models.UniqueConstraint(fields=('event', 'name'), name='side_pool_name_once_per_event'),
        ),
        migrations.AddConstraint(
            model_name='sidepool',
            constraint=models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='side_pool_has_name'),
        ),
        migrations.AddConstraint(
            model_name='sidepoolmember',
            constraint=models.UniqueConstraint(condition=models.Q(('left_at__isnull', True)), fields=('pool', 'entry'), name='side_pool_member_once'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.UniqueConstraint(fields=('event', 'number'), name='stage_number_once_per_event'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(condition=models.Q(('seed', ''), _negated=True), name='stage_has_seed'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('number', 1), ('qualifiers__isnull', True)), models.Q(('number__gt', 1), ('qualifiers__isnull', False)), _connector='OR'), name='stage_after_the_first_has_qualifiers'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(condition=models.Q(('carry__in', ['none', 'met', 'all'])), name='stage_carry_known'),
        ),
        migrations.AddConstraint(
            model_name='playoff',
            constraint=models.UniqueConstraint(models.F('stage'), django.db.models.functions.comparison.Least('winner', 'loser'), django.db.models.functions.comparison.Greatest('winner', 'loser'), name='play_off_once_for_two_entries'),
        ),
        migrations.AddConstraint(
            model_name='playoff',
            constraint=models.CheckConstraint(condition=models.Q(('winner', models.F('loser')), _negated=True), name='play_off_entries_differ'),
        ),
        migrations.AddConstraint(
            model_name='fixture',
            constraint=models.UniqueConstraint(fields=('stage', 'key'), name='fixture_key_once_per_stage'),
        ),
        migrations.AddConstraint(
            model_name='fixture',
            constraint=models.UniqueConstraint(fields=('stage', 'bracket', 'round', 'number'), name='fixture_place_once_per_stage'),
        ),
        migrations.AddConstraint(
            model_name='fixture',
            constraint=models.CheckConstraint(condition=models.Q(('entry_a', models.F('entry_b')), _negated=True), name='fixture_entries_differ'),
        ),
        migrations.AddConstraint(
            model_name='fixture',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('entry_a__isnull', False), models.Q(('feed_a', ''), _negated=True), _connector='OR'), models.Q(('entry_b__isnull', False), models.Q(('feed_b', ''), _negated=True), _connector='OR')), name='fixture_seat_is_entry_or_feed'),
        ),
        migrations.AddConstraint(
            model_name='fixture',
            constraint=models.CheckConstraint(condition=models.Q(('match__isnull', True), models.Q(('entry_a__isnull', False), ('entry_b__isnull', False)), _connector='OR'), name='fixture_match_has_both_entries'),
        ),
        migrations.AddConstraint(
            model_name='standing',
            constraint=models.UniqueConstraint(fields=('stage', 'section', 'entry'), name='standing_one_per_entry_and_section'),
        ),
        migrations.AddConstraint(
            model_name='standing',
            constraint=models.CheckConstraint(condition=models.Q(('place__gte', 1), ('place_to__gte', models.F('place'))), name='standing_place_in_order'),
        ),
        migrations.AddConstraint(
            model_name='call',
            constraint=models.UniqueConstraint(condition=models.Q(('left_at__isnull', True)), fields=('match',), name='call_one_open_per_match'),
        ),
        migrations.AddConstraint(
            model_name='call',
            constraint=models.UniqueConstraint(condition=models.Q(('left_at__isnull', True)), fields=('table',), name='call_one_open_per_table'),
        ),
        migrations.AddConstraint(
            model_name='call',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ending', ''), ('left_at__isnull', True)), models.Q(('ending__in', ['done', 'recalled', 'moved', 'redrawn']), ('left_at__isnull', False)), _connector='OR'), name='call_that_ended_says_why'),
        ),
        migrations.AddConstraint(
            model_name='table',
            constraint=models.UniqueConstraint(fields=('tournament', 'number'), name='table_number_once_per_tournament'),
        ),
        migrations.AddConstraint(
            model_name='table',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='table_number_positive'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(condition=models.Q(('left_at__isnull', True)), fields=('tournament', 'person'), name='seat_one_open_per_person_and_tournament'),
        ),
        migrations.AddIndex(
            model_name='logentry',
            index=models.Index(fields=['tournament', 'event', 'id'], name='log_newest'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['scorer', 'reader']), models.Q(('event__isnull', False), ('role', 'deputy')), models.Q(('event__isnull', True), ('role__in', ('owner', 'director'))), _connector='OR'), name='invitation_role_fits_reach'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(('accepted_at__isnull', True), ('withdrawn_at__isnull', True), _connector='OR'), name='invitation_accepted_or_withdrawn'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.UniqueConstraint(fields=('tournament', 'slug'), name='event_slug_once_per_tournament'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='event_has_name'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('clock_delay__isnull', True), ('clock_minutes__isnull', True)), models.Q(('clock_delay__isnull', False), ('clock_minutes__gte', 1)), _connector='OR'), name='event_clock_has_minutes_and_delay'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('boards__in', (1, 3, 5, 7, 9))), name='event_boards_odd'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('boards', 1), ('doubles', False), _connector='OR'), name='event_of_teams_or_of_pairs'),
        ),
        migrations.AddConstraint(
            model_name='break',
            constraint=models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='break_has_name'),
        ),
        migrations.AddConstraint(
            model_name='break',
            constraint=models.CheckConstraint(condition=models.Q(('ends_at__gt', models.F('starts_at'))), name='break_ends_after_it_starts'),
        ),
        migrations.AddConstraint(
            model_name='appointment',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['scorer', 'reader']), models.Q(('event__isnull', False), ('role', 'deputy')), models.Q(('event__isnull', True), ('role__in', ('owner', 'director'))), _connector='OR'), name='appointment_role_fits_reach'),
        ),
        migrations.AddConstraint(
            model_name='appointment',
            constraint=models.UniqueConstraint(condition=models.Q(('event__isnull', True)), fields=('tournament', 'user'), name='appointment_once_per_tournament'),
        ),
        migrations.AddConstraint(
            model_name='appointment',
            constraint=models.UniqueConstraint(condition=models.Q(('event__isnull', False)), fields=('event', 'user'), name='appointment_once_per_event'),
        ),
    ]
