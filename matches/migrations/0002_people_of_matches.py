
import django.db.models.deletion
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
        migrations.AddField(
            model_name='match',
            name='partner_a',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.player'),
        ),
        migrations.AddField(
            model_name='match',
            name='partner_b',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='players.player'),
        ),
        migrations.AddField(
            model_name='match',
            name='side_a',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='matches_as_a', to='players.player'),
        ),
        migrations.AddField(
            model_name='match',
            name='side_b',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='matches_as_b', to='players.player'),
        ),
        migrations.AddField(
            model_name='record',
            name='match',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='record', to='matches.match'),
        ),
        migrations.AddField(
            model_name='ruling',
            name='by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='ruling',
            name='match',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rulings', to='matches.match'),
        ),
        migrations.AddField(
            model_name='scoresheet',
            name='claimed_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='scoresheet',
            name='match',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sheets', to='matches.match'),
        ),
        migrations.AddField(
            model_name='ruling',
            name='sheet',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='ruling', to='matches.scoresheet'),
        ),
        migrations.AddField(
            model_name='gameline',
            name='sheet',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lines', to='matches.scoresheet'),
        ),
        migrations.AddField(
            model_name='sheetchange',
            name='by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='sheetchange',
            name='sheet',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='matches.scoresheet'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(('side_a', models.F('side_b')), _negated=True), name='match_players_differ'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('partner_a__isnull', True), ('partner_b__isnull', True)), models.Q(('partner_a__isnull', False), ('partner_b__isnull', False), models.Q(('partner_a', models.F('partner_b')), _negated=True), models.Q(('partner_a', models.F('side_a')), _negated=True), models.Q(('partner_a', models.F('side_b')), _negated=True), models.Q(('partner_b', models.F('side_a')), _negated=True), models.Q(('partner_b', models.F('side_b')), _negated=True)), _connector='OR'), name='match_is_of_two_or_of_four'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(('length__gte', 1)), name='match_length_positive'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(('start_a__lt', models.F('length')), ('start_b__lt', models.F('length'))), name='match_start_below_length'),
        ),
        migrations.AddConstraint(
            model_name='record',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('match__isnull', False), ('verdict__in', ['proved', 'incomplete'])), models.Q(('match__isnull', True), ('verdict__in', ['quarantined', 'refused'])), _connector='OR'), name='record_makes_a_match_only_if_it_holds'),
        ),
        migrations.AddConstraint(
            model_name='scoresheet',
            constraint=models.UniqueConstraint(fields=('match', 'number'), name='scoresheet_number_once_per_match'),
        ),
        migrations.AddConstraint(
            model_name='scoresheet',
            constraint=models.UniqueConstraint(fields=('match', 'key'), name='scoresheet_key_once_per_match'),
        ),
        migrations.AddConstraint(
            model_name='scoresheet',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ['live', 'confirmed'])), fields=('match',), name='scoresheet_one_current_per_match'),
        ),
        migrations.AddConstraint(
            model_name='scoresheet',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ['reported', 'disputed'])), fields=('match', 'side'), name='scoresheet_one_report_per_side'),
        ),
        migrations.AddConstraint(
            model_name='scoresheet',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['live', 'reported', 'disputed', 'confirmed', 'superseded', 'void'])), name='scoresheet_state_known'),
        ),
        migrations.AddConstraint(
            model_name='scoresheet',
            constraint=models.CheckConstraint(condition=models.Q(('side__in', ['', 'A', 'B'])), name='scoresheet_side_known'),
        ),
        migrations.AddConstraint(
            model_name='scoresheet',
            constraint=models.CheckConstraint(condition=models.Q(('source__in', ['desk', 'record', 'absence', 'player', 'scorer'])), name='scoresheet_source_known'),
        ),
        migrations.AddConstraint(
            model_name='scoresheet',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('final_a__isnull', True), ('final_b__isnull', True)), models.Q(('conclusion', 'played'), ('final_a__isnull', False), ('final_b__isnull', False)), _connector='OR'), name='scoresheet_final_has_both_sides'),
        ),
        migrations.AddConstraint(
            model_name='scoresheet',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('awarded_to', ''), ('conclusion', 'played')), models.Q(('awarded_to__in', ['A', 'B']), ('conclusion__in', ['forfeit', 'walkover'])), _connector='OR'), name='scoresheet_award_names_a_side'),
        ),
        migrations.AddConstraint(
            model_name='ruling',
            constraint=models.UniqueConstraint(fields=('match', 'key'), name='ruling_key_once_per_match'),
        ),
        migrations.AddConstraint(
            model_name='ruling',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='ruling_has_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='gameline',
            constraint=models.UniqueConstraint(fields=('sheet', 'number'), name='game_line_number_once_per_sheet'),
        ),
        migrations.AddConstraint(
            model_name='gameline',
            constraint=models.CheckConstraint(condition=models.Q(('winner__in', ['A', 'B'])), name='game_line_winner_is_a_side'),
        ),
        migrations.AddConstraint(
            model_name='gameline',
            constraint=models.CheckConstraint(condition=models.Q(('cube__gte', 1)), name='game_line_cube_positive'),
        ),
        migrations.AddConstraint(
            model_name='gameline',
            constraint=models.CheckConstraint(condition=models.Q(('level__gte', 1), ('level__lte', 3)), name='game_line_level_known'),
        ),
        migrations.AddConstraint(
            model_name='gameline',
            constraint=models.CheckConstraint(condition=models.Q(('ending__in', ['bearoff', 'drop', 'resigned', 'forfeit'])), name='game_line_ending_known'),
        ),
        migrations.AddConstraint(
            model_name='gameline',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ending', 'drop'), _negated=True), ('level', 1), _connector='OR'), name='game_line_drop_is_single'),
        ),
        migrations.AddConstraint(
            model_name='sheetchange',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['live', 'reported', 'disputed', 'confirmed', 'superseded', 'void'])), name='sheet_change_state_known'),
        ),
    ]
