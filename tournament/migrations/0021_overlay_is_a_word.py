from django.db import migrations

WORDS = frozenset({"overlay"})


def move_events_away(apps, schema_editor):
    """Give events with the slug of a page of their tournament another one."""
    Event = apps.get_model("tournament", "Event")
    for event in Event.objects.filter(slug__in=WORDS).order_by("pk"):
        taken = set(Event.objects.filter(tournament=event.tournament_id).values_list("slug", flat=True))
        numbers = range(2, len(taken) + 3)
        event.slug = next(f"{event.slug}-{n}" for n in numbers if f"{event.slug}-{n}" not in taken)
        event.save(update_fields=["slug"])


class Migration(migrations.Migration):

    dependencies = [
        ("tournament", "0020_alerts"),
    ]

    operations = [
        migrations.RunPython(move_events_away, migrations.RunPython.noop),
    ]
