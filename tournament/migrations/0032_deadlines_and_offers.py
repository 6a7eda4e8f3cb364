import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0031_divisions'),
    ]

    operations = [
        migrations.AddField(
            model_name='fixture',
            name='extended_by',
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name='fixture',
            name='play_by',
            field=models.DateField(blank=True, null=True),
        ),
        migrations.CreateModel(
            name='Offer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('days', models.JSONField(blank=True, default=list)),
                ('made_at', models.DateTimeField()),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='offers', to='tournament.entry')),
                ('fixture', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='offers', to='tournament.fixture')),
            ],
            options={
                'verbose_name': 'offer',
                'verbose_name_plural': 'offers',
                'ordering': ['fixture_id', 'pk'],
            },
        ),
    ]
