from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0001_tournaments'),
    ]

    operations = [
        migrations.AddField(
            model_name='entry',
            name='link_epoch',
            field=models.PositiveIntegerField(default=1),
        ),
    ]
