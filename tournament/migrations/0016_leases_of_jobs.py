from django.conf import settings
from django.db import migrations, models


def let_jobs_begin_again(apps, schema_editor):
    """No worker holds a job by a lease yet: one that was running waits for a worker again."""
    apps.get_model('tournament', 'Job').objects.filter(state='running').update(state='waiting')


class Migration(migrations.Migration):

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('tournament', '0015_slugs_beside_pages'),
    ]

    operations = [
        migrations.RenameField('job', 'said', 'outcome'),
        migrations.AddField(
            model_name='job',
            name='leased_until',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.RunPython(let_jobs_begin_again, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(('leased_until__isnull', False), ('state', 'running')),
                    models.Q(models.Q(('state', 'running'), _negated=True), ('leased_until__isnull', True)),
                    _connector='OR',
                ),
                name='job_that_runs_is_leased',
            ),
        ),
    ]
