"""Templates: the settings of an event, saved by a director under a name for later events."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.models import User
from players.services import clean_name
from tournament.changes.record import lock_event, record_in_tournament
from tournament.models import Event, EventTemplate
from tournament.setup.settings import settings_of

MAX_TEMPLATES = 50


@transaction.atomic
def save_template(event: Event, *, name: str, by: User, at: datetime) -> EventTemplate:
    """Keep the settings of the event as the user's own template.

    Raises Refusal for a name that is empty or too long, Conflict if the user has a template of this name, or too many.
    """
    event = lock_event(event)
    owner = User.objects.select_for_update().get(pk=by.pk)
    name = clean_name(name)
    if owner.event_templates.filter(name=name).exists():
        raise Conflict("template_taken", _("You already have a template “%(name)s”.") % {"name": name})
    if owner.event_templates.count() >= MAX_TEMPLATES:
        raise Conflict("templates_too_many", _("You can keep at most %(limit)s templates.") % {"limit": MAX_TEMPLATES})
    template = EventTemplate(owner=owner, event=event, name=name, settings=settings_of(event), created_at=at)
    template.full_clean()
    template.save()
    record_in_tournament(event.tournament, verb="save_template", by=by, at=at, event=event, name=name)
    return template


@transaction.atomic
def remove_template(template: EventTemplate, *, by: User, at: datetime) -> None:
    """Remove the template; events made from it stay as they are. Removing one already gone changes nothing."""
    found = EventTemplate.objects.select_for_update().select_related("event__tournament").filter(pk=template.pk).first()
    if found is None:
        return
    event = Event.everything.select_related("tournament").get(pk=found.event_id)
    found.delete()
    record_in_tournament(event.tournament, verb="remove_template", by=by, at=at, event=event, name=found.name)


def find_template(owner: User, template_id: int) -> EventTemplate:
    """Return the user's own template. Raises Refusal if there is none with this id."""
    found = owner.event_templates.filter(pk=template_id).first()
    if found is None:
        raise Refusal("template_unknown", _("You have no such template."))
    return found
