"""The public value of a draw: whether it is known, and what closed entries refuse.

Until the entries of an event have closed, nobody can know its public value; once it is known, the entries cannot change
without being closed again, which voids it.
"""

from datetime import datetime

from django.utils.translation import gettext as _

from players.errors import Conflict
from players.models import User
from tournament.changes.record import record_change
from tournament.models import Closing, Event, PublicSource


def open_closing(event: Event) -> Closing | None:
    """Return the closing that counts: the entries are closed, or have been drawn with its value."""
    return event.closings.filter(voided_at=None).first()


def public_value_of(event: Event) -> str:
    """Return the public value of the event's draws, empty for an event without one.

    Raises Conflict (``public_value_missing``) while it is not known.
    """
    if event.public_source == PublicSource.NONE:
        return ""
    known = event.closings.exclude(value="")
    drawn = event.stages.filter(drawn_at__isnull=False).values("number")
    # After the draw of a later stage was taken back, earlier stages go on with the value that they were drawn with.
    closing = known.filter(voided_at=None).first() or known.filter(stage__in=drawn).order_by("-number").first()
    if closing is None:
        raise value_missing(_("The public value of this draw is not known yet."))
    return closing.value


def require_entries_open(event: Event) -> None:
    """Raise Conflict (``entries_closed``) if the entries of the locked event are closed for a draw still to be made."""
    closing = open_closing(event)
    if closing is not None and not is_drawn(event, closing):
        raise Conflict(
            "entries_closed",
            _("Entries are closed for the draw. Reopen them to change anything; the public value is then void."),
        )


def is_drawn(event: Event, closing: Closing) -> bool:
    """Whether the stage for which these entries were closed has been drawn."""
    return event.stages.filter(number=closing.stage, drawn_at__isnull=False).exists()


def require_closing(event: Event, source: str) -> Closing:
    """Return the closing of the locked event whose value from this source is still to become known.

    Raises Conflict: ``entries_not_closed``, ``other_public_source``, ``event_drawn`` or ``public_value_known``.
    """
    closing = open_closing(event)
    if closing is None:
        raise Conflict("entries_not_closed", _("Entries are not closed yet."))
    if closing.source != source:
        raise Conflict("other_public_source", _("The public value of this draw comes from something else."))
    if is_drawn(event, closing):
        raise Conflict("event_drawn", _("The draw has been made: its public value no longer changes."))
    if closing.value:
        raise Conflict("public_value_known", _("The public value is known and no longer changes."))
    return closing


def make_known(closing: Closing, value: str, *, at: datetime) -> None:
    """Store the value, which stands from now on."""
    closing.value, closing.known_at = value, at
    closing.save(update_fields=["value", "known_at"])


def void_closing(event: Event, *, reason: str = "", at: datetime) -> Closing | None:
    """Void the open closing of the locked event with its value, and return it; it stays listed."""
    closing = open_closing(event)
    if closing is not None:
        closing.voided_at, closing.void_reason = at, reason
        closing.save(update_fields=["voided_at", "void_reason"])
    return closing


def record_public_step(
    event: Event, closing: Closing, *, verb: str, by: User | None, at: datetime, **detail: object
) -> None:
    """Write the log row of a step towards the public value."""
    record_change(event, verb=verb, by=by, at=at, closing=closing.number, source=closing.source, **detail)


def value_missing(sentence: str) -> Conflict:
    """Return the error for a value that is not known, with a sentence on what is awaited."""
    return Conflict("public_value_missing", sentence)
