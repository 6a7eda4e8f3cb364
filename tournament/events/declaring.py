"""What an event declares before its draw: the official lists for which it counts, its class, and where it is played."""

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.lists.models import OfficialList
from players.lists.policy import CLASSES
from tournament.models import Event

MOST_LISTS = 10


def check_declaration(rated_for: Sequence[str], event_class: str) -> list[str]:
    """Return the slugs of the lists as stored, in order and each once.

    Raises Refusal for a list or a class that does not exist, and for too many lists.
    """
    if event_class not in ("", *CLASSES):
        raise Refusal(
            "class_unknown",
            _("The class of an event is %(classes)s, or it has none.") % {"classes": ", ".join(CLASSES)},
            field="event_class",
        )
    slugs = sorted(set(rated_for))
    if len(slugs) > MOST_LISTS:
        sentence = _("An event counts for at most %(limit)s lists.")
        raise Refusal("lists_too_many", sentence % {"limit": MOST_LISTS}, field="rated_for")
    if slugs:
        known = set(OfficialList.objects.filter(slug__in=slugs).values_list("slug", flat=True))
        unknown = [slug for slug in slugs if slug not in known]
        if unknown:
            sentence = _("There is no official list “%(slug)s”.")
            raise Refusal("list_unknown", sentence % {"slug": unknown[0][:40]}, field="rated_for")
    return slugs


def refuse_once_drawn() -> Conflict:
    """Return the refusal of a declaration that is to change after the draw."""
    return Conflict(
        "declaration_fixed",
        _("Since the draw, only an officer of the federation can change what this event is rated for, with a reason."),
        field="rated_for",
    )


def date_declaration(event: Event, before: Sequence[str], *, at: datetime) -> None:
    """Date the event's declaration, without storing it: ``at`` if it names other lists than before."""
    if not event.rated_for:
        event.declared_at = None
    elif list(event.rated_for) != list(before) or event.declared_at is None:
        event.declared_at = at
