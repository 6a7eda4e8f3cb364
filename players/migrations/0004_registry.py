"""Federations, members, numbers, titles, and what is kept of people for them."""

import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


MANY = 2000


def give_ids(apps, schema_editor):
    Player = apps.get_model("players", "Player")
    rows = []
    for row in Player.objects.only("pk").order_by("pk").iterator(MANY):
        row.public_id = uuid.uuid4()
        rows.append(row)
        if len(rows) == MANY:
            Player.objects.bulk_update(rows, ["public_id"])
            rows = []
    Player.objects.bulk_update(rows, ["public_id"])


class Migration(migrations.Migration):

    dependencies = [
        ('players', '0003_versions_of_ranking_lists'),
    ]

    operations = [
        migrations.CreateModel(
            name='Federation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=12, unique=True, verbose_name='code')),
                ('name', models.CharField(max_length=80, unique=True, verbose_name='name')),
                ('country', models.CharField(blank=True, max_length=3, verbose_name='country')),
                ('parent', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='children', to='players.federation')),
                ('year_starts_month', models.PositiveSmallIntegerField(default=1, verbose_name='month')),
                ('year_starts_day', models.PositiveSmallIntegerField(default=1, verbose_name='day')),
                ('number_pattern', models.CharField(blank=True, max_length=80, verbose_name='pattern of numbers')),
            ],
            options={
                'verbose_name': 'federation',
                'verbose_name_plural': 'federations',
                'ordering': ['code'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('name', ''), _negated=True), models.Q(('code', ''), _negated=True)), name='federation_has_code_and_name'), models.CheckConstraint(condition=models.Q(('parent__isnull', True), models.Q(('parent', models.F('id')), _negated=True), _connector='OR'), name='federation_above_another'), models.CheckConstraint(condition=models.Q(('year_starts_day__range', (1, 28)), ('year_starts_month__range', (1, 12))), name='federation_year_starts_on_a_day')],
            },
        ),
        migrations.AddField(
            model_name='club',
            name='code',
            field=models.CharField(blank=True, max_length=12, verbose_name='code'),
        ),
        migrations.AddField(
            model_name='club',
            name='town',
            field=models.CharField(blank=True, max_length=80, verbose_name='town'),
        ),
        migrations.AddField(
            model_name='player',
            name='birth_date',
            field=models.DateField(blank=True, null=True, verbose_name='date of birth'),
        ),
        migrations.AddField(
            model_name='player',
            name='birth_year',
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='year of birth'),
        ),
        migrations.AddField(
            model_name='player',
            name='family',
            field=models.CharField(blank=True, max_length=80, verbose_name='family name'),
        ),
        migrations.AddField(
            model_name='player',
            name='gender',
            field=models.CharField(blank=True, choices=[('f', 'female'), ('m', 'male'), ('x', 'other')], max_length=1, verbose_name='gender'),
        ),
        migrations.AddField(
            model_name='player',
            name='given',
            field=models.CharField(blank=True, max_length=80, verbose_name='given names'),
        ),
        migrations.AddField(
            model_name='player',
            name='public_id',
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.RunPython(give_ids, migrations.RunPython.noop),
        migrations.AlterField(
            model_name='player',
            name='public_id',
            field=models.UUIDField(default=uuid.uuid4, editable=False, unique=True),
        ),
        migrations.AddField(
            model_name='player',
            name='town',
            field=models.CharField(blank=True, max_length=80, verbose_name='town'),
        ),
        migrations.AddField(
            model_name='player',
            name='visibility',
            field=models.CharField(choices=[('public', 'name'), ('initials', 'initials'), ('hidden', 'number'), ('minor', 'initials, as a minor')], default='public', max_length=8, verbose_name='shown as'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('birth_date__isnull', True), ('birth_year__isnull', False), _connector='OR'), name='player_born_in_a_year'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('visibility', 'public'), models.Q(('family', ''), _negated=True), _connector='OR'), name='player_not_public_has_family_name'),
        ),
        migrations.AddField(
            model_name='club',
            name='federation',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='clubs', to='players.federation', verbose_name='federation'),
        ),
        migrations.AddConstraint(
            model_name='club',
            constraint=models.UniqueConstraint(condition=models.Q(('code', ''), _negated=True), fields=('federation', 'code'), name='club_code_once_per_federation'),
        ),
        migrations.CreateModel(
            name='FormerValue',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='former_values', to='players.player')),
                ('field', models.CharField(choices=[('name', 'name'), ('given', 'given names'), ('family', 'family name'), ('club', 'club'), ('country', 'country'), ('town', 'town'), ('born', 'born'), ('gender', 'gender'), ('visibility', 'shown as'), ('number', 'number')], max_length=12, verbose_name='field')),
                ('value', models.CharField(blank=True, max_length=80, verbose_name='value')),
                ('until', models.DateField(verbose_name='until')),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('at', models.DateTimeField()),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(fields=['field', 'value'], name='former_value_of_field')],
            },
        ),
        migrations.CreateModel(
            name='ExternalId',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='external_ids', to='players.player')),
                ('issuer', models.SlugField(max_length=20, verbose_name='issuer')),
                ('value', models.CharField(max_length=30, verbose_name='number')),
                ('verified_at', models.DateTimeField(blank=True, null=True)),
                ('verified_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['issuer', 'value'],
                'constraints': [models.UniqueConstraint(fields=('issuer', 'value'), name='external_id_of_one_person'), models.CheckConstraint(condition=models.Q(models.Q(('issuer', ''), _negated=True), models.Q(('value', ''), _negated=True)), name='external_id_is_filled')],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='body_memberships', to='players.player')),
                ('federation', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='players.federation')),
                ('club', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='players.club')),
                ('kind', models.CharField(choices=[('ordinary', 'ordinary'), ('introduction', 'introduction'), ('youth', 'youth'), ('honorary', 'honorary'), ('guest', 'guest')], default='ordinary', max_length=12, verbose_name='kind')),
                ('number', models.CharField(blank=True, max_length=30, verbose_name='number')),
                ('starts', models.DateField(verbose_name='from')),
                ('ends', models.DateField(blank=True, null=True, verbose_name='to')),
                ('paid_on', models.DateField(blank=True, null=True, verbose_name='paid on')),
                ('source', models.CharField(blank=True, max_length=80, verbose_name='source')),
            ],
            options={
                'verbose_name': 'membership',
                'verbose_name_plural': 'memberships',
                'ordering': ['starts', 'id'],
                'indexes': [models.Index(fields=['federation', 'starts', 'ends'], name='membership_of_federation'), models.Index(fields=['club', 'starts', 'ends'], name='membership_of_club')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('club__isnull', True), ('federation__isnull', False)), models.Q(('club__isnull', False), ('federation__isnull', True)), _connector='OR'), name='membership_of_one_body'), models.CheckConstraint(condition=models.Q(('ends__isnull', True), ('ends__gte', models.F('starts')), _connector='OR'), name='membership_ends_after_its_start'), models.UniqueConstraint(condition=models.Q(('federation__isnull', False)), fields=('player', 'federation', 'kind', 'starts'), name='membership_of_federation_starts_once'), models.UniqueConstraint(condition=models.Q(('club__isnull', False)), fields=('player', 'club', 'kind', 'starts'), name='membership_of_club_starts_once')],
            },
        ),
        migrations.CreateModel(
            name='Title',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='titles', to='players.player')),
                ('issuer', models.SlugField(max_length=20, verbose_name='issuer')),
                ('code', models.CharField(max_length=12, verbose_name='title')),
                ('on', models.DateField(verbose_name='on')),
                ('evidence', models.TextField(blank=True, verbose_name='evidence')),
            ],
            options={
                'verbose_name': 'title',
                'verbose_name_plural': 'titles',
                'ordering': ['on', 'id'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('issuer', ''), _negated=True), models.Q(('code', ''), _negated=True)), name='title_is_filled')],
            },
        ),
        migrations.CreateModel(
            name='Norm',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='norms', to='players.player')),
                ('issuer', models.SlugField(max_length=20, verbose_name='issuer')),
                ('kind', models.CharField(max_length=12, verbose_name='kind')),
                ('thirds', models.PositiveSmallIntegerField(default=3, verbose_name='thirds')),
                ('on', models.DateField(verbose_name='on')),
                ('evidence', models.TextField(blank=True, verbose_name='evidence')),
                ('void_reason', models.CharField(blank=True, max_length=200, verbose_name='void because')),
            ],
            options={
                'verbose_name': 'norm',
                'verbose_name_plural': 'norms',
                'ordering': ['on', 'id'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('issuer', ''), _negated=True), models.Q(('kind', ''), _negated=True)), name='norm_is_filled'), models.CheckConstraint(condition=models.Q(('thirds__gte', 1)), name='norm_is_a_third_at_least')],
            },
        ),
        migrations.CreateModel(
            name='Alias',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('folded', models.CharField(max_length=120, unique=True)),
                ('spelling', models.CharField(max_length=80, verbose_name='spelling')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='aliases', to='players.player')),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('at', models.DateTimeField()),
            ],
            options={
                'ordering': ['folded'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('folded', ''), _negated=True), models.Q(('spelling', ''), _negated=True)), name='alias_is_filled')],
            },
        ),
        migrations.CreateModel(
            name='VisibilityRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='visibility_requests', to='players.player')),
                ('wanted', models.CharField(choices=[('public', 'name'), ('initials', 'initials'), ('hidden', 'number'), ('minor', 'initials, as a minor')], max_length=8, verbose_name='shown as')),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('granted', models.BooleanField(blank=True, null=True)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('answered_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('answered_at__isnull', True), ('granted__isnull', True)), models.Q(('answered_at__isnull', False), ('granted__isnull', False)), _connector='OR'), name='visibility_request_answered_at')],
            },
        ),
        migrations.CreateModel(
            name='RegistryRole',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='registry_roles', to=settings.AUTH_USER_MODEL)),
                ('federation', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='officers', to='players.federation')),
                ('club', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='managers', to='players.club')),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='users', to='players.player')),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('since', models.DateTimeField()),
            ],
            options={
                'ordering': ['id'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('club__isnull', True), ('federation__isnull', False), ('player__isnull', True)), models.Q(('club__isnull', False), ('federation__isnull', True), ('player__isnull', True)), models.Q(('club__isnull', True), ('federation__isnull', True), ('player__isnull', False)), _connector='OR'), name='registry_role_in_one_place'), models.UniqueConstraint(condition=models.Q(('federation__isnull', False)), fields=('user', 'federation'), name='registry_role_once_per_federation'), models.UniqueConstraint(condition=models.Q(('club__isnull', False)), fields=('user', 'club'), name='registry_role_once_per_club'), models.UniqueConstraint(condition=models.Q(('player__isnull', False)), fields=('user',), name='registry_role_of_one_person')],
            },
        ),
        migrations.CreateModel(
            name='RegistryImport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('members', 'members'), ('list', 'ranking list')], max_length=8, verbose_name='kind')),
                ('federation', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='imports', to='players.federation')),
                ('file_name', models.CharField(max_length=120, verbose_name='file')),
                ('sha256', models.CharField(max_length=64)),
                ('data', models.BinaryField(null=True)),
                ('report', models.JSONField(default=dict)),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('undone_at', models.DateTimeField(blank=True, null=True)),
                ('undone_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
    ]
