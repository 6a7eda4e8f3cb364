from django.db import migrations

WORDS = ('cash', 'day', 'delete', 'desk', 'log', 'new', 'restore', 'roles', 'screen', 'settings', 'tables')
"""What the pages of a tournament have in the place of an event's slug."""


def give_other_slugs(apps, schema_editor):
    """No event, deleted or not, has a slug that a page of its tournament hides it behind."""
    Event = apps.get_model('tournament', 'Event')
    for event in Event.objects.filter(slug__in=WORDS):
        used = set(Event.objects.filter(tournament=event.tournament_id).values_list('slug', flat=True))
        event.slug = next(slug for number in range(2, len(used) + 3) if (slug := f'{event.slug}-{number}') not in used)
        event.save(update_fields=['slug'])


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0014_newest_log_rows'),
    ]

    operations = [
        migrations.RunPython(give_other_slugs, migrations.RunPython.noop),
    ]
