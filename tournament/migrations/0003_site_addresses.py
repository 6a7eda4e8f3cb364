from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0002_link_epochs'),
    ]

    operations = [
        migrations.AddField(
            model_name='tournament',
            name='site_address',
            field=models.CharField(blank=True, max_length=200, verbose_name='site address'),
        ),
    ]
