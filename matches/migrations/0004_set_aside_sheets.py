from django.db import migrations, models

STATES = [
    ("live", "live"),
    ("reported", "reported"),
    ("disputed", "disputed"),
    ("confirmed", "confirmed"),
    ("superseded", "set aside"),
    ("void", "void"),
]


class Migration(migrations.Migration):
    """Give the state of a sheet that was replaced its name on the pages; nothing in the database changes."""

    dependencies = [("matches", "0003_void_matches")]

    operations = [
        migrations.AlterField("scoresheet", "state", models.CharField(choices=STATES, max_length=12)),
        migrations.AlterField("sheetchange", "state", models.CharField(choices=STATES, max_length=12)),
    ]
