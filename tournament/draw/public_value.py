"""The public value of a draw: whether it is known, what closed entries refuse, and its use in the draw.

Until the entries of an event have closed, nobody can know its public value; once it is known, the entries cannot change
without being closed again, which voids it.
"""

from collections.abc import Iterable
from datetime import datetime
from hashlib import sha256

from django.utils.translation import gettext as _

from players.errors import Conflict
from players.models import User
from tournament.changes.record import record_change
from tournament.draw.chain import load_chain
from tournament.draw.closed_document import digest_of
from tournament.models import Closing, Event, PublicSource, Stage

FEWEST_WORDS = 2
"""The smallest number of words that make a value: nobody alone chooses it."""


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
        raise _missing(_("The public value of this draw is not known yet."))
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


def settle_public_value(event: Event, stage: Stage, *, at: datetime) -> str:
    """Return the public value with which the locked event draws the stage now, and fix it if it is made of words.

    Raises Conflict (``public_value_missing``) while it is not known, and (``entries_changed``) if the entries or
    anything else in the draw is not what was closed.
    """
    if event.public_source == PublicSource.NONE:
        return ""
    closing = open_closing(event)
    if closing is None:
        raise _missing(_("This draw has a public value: close entries first."))
    if closing.stage == stage.number and digest_of(load_chain(event), stage) != closing.digest:
        raise Conflict(
            "entries_changed",
            _("The entries or settings are not those that were closed. Reopen entries, and close them again."),
        )
    if closing.source == PublicSource.WORDS and not closing.value:
        words = list(closing.words.order_by("number").values_list("number", "word"))
        if len(words) < FEWEST_WORDS:
            raise _missing(
                _("Wait until at least %(count)s players have given a word.") % {"count": FEWEST_WORDS},
            )
        make_known(closing, value_of_words(words), at=at)
    if not closing.value:
        raise _missing(_("The public value of this draw is not known yet."))
    return closing.value


def value_of_words(words: Iterable[tuple[int, str]]) -> str:
    """Return the SHA-256 in hex of the lines ``number word`` in the order of the entries' numbers.

    Each line is UTF-8 in normal form C, with one space after the number and a line feed at its end.
    """
    return sha256("".join(f"{number} {word}\n" for number, word in sorted(words)).encode()).hexdigest()


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


def _missing(sentence: str) -> Conflict:
    return Conflict("public_value_missing", sentence)
