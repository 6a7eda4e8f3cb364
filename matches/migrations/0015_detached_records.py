from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('matches', '0014_evidence_per_side'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='evidence',
            name='evidence_once_per_side',
        ),
        migrations.AddField(
            model_name='evidence',
            name='detached_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddConstraint(
            model_name='evidence',
            constraint=models.UniqueConstraint(condition=models.Q(('detached_at__isnull', True)), fields=('match', 'side', 'sha256'), name='evidence_attached_once_per_side'),
        ),
    ]
