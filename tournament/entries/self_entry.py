"""Players enter an event themselves, by its public link and without an account, until the draw.

They get the private link of their entry at once. Beyond the limit of the event they wait in order of arrival, and move
up as all who wait do.
"""

from dataclasses import asdict
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.models import Player, User
from players.registry.find import known_by
from players.services import fold_name
from tournament.changes.record import begin_step, changes_between, record_change, refuse_odd_times, require_running
from tournament.draw.public_value import require_entries_open
from tournament.entries.digest import digest_of
from tournament.entries.enrolment import persons_of
from tournament.entries.links import Link, require_open
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries, lock_entry, remove_entry
from tournament.models import Entry, Event, SelfEntry


@transaction.atomic
def set_self_entry(event: Event, *, open: bool, until: datetime | None, by: User | None, at: datetime) -> Event:
    """Let players enter themselves up to and including ``until``, or up to the draw if it is None; or stop that.

    Raises Refusal for a time that has passed, and Conflict once entries are closed or the event has ended.
    """
    event, at = begin_step(event, at)
    require_entries_open(event)
    require_running(event)
    refuse_odd_times(until)
    until = until if open else None
    if until is not None and until <= at:
        raise Refusal("self_entry_until_passed", _("Choose a time that is still to come."))
    terms = {"self_entry": open, "self_entry_until": until.isoformat() if until else None}
    before = {
        "self_entry": event.self_entry,
        "self_entry_until": event.self_entry_until.isoformat() if event.self_entry_until else None,
    }
    event.self_entry, event.self_entry_until = open, until
    event.save(update_fields=["self_entry", "self_entry_until"])
    record_change(event, verb="set_self_entry", by=by, at=at, **terms, changes=changes_between(before, terms))
    return event


@transaction.atomic
def enter_oneself(event: Event, *, line: EntryLine, key: str, at: datetime) -> Entry:
    """Enter whoever the line names, or let them wait, and return their entry; the same ``key`` is the same entry.

    A name of exactly one known player is that player. Other spellings of known people are not looked up for the public,
    as some of these are private. Raises Conflict where players do not enter themselves (any more), for a key that has
    entered somebody else, and for a repeated key whose entry has been removed, and Refusal as
    :func:`tournament.entries.services.add_entries` does.
    """
    event, at = begin_step(event, at)
    asked = digest_of(asdict(line))
    made = SelfEntry.objects.filter(event=event, key=key).first()
    if made is not None:
        if made.asked not in ("", asked):
            sentence = _("This form has already been sent with other details. Check it, and send it anew.")
            raise Conflict("key_reused", sentence)
        if made.entry_id is None:
            raise Conflict("entry_gone", _("This entry has already been removed."))
        return event.entries.select_related("player", "partner", "event__tournament").get(pk=made.entry_id)
    require_self_entry(event, at)
    _refuse_private_spellings(event, line)
    (entry,) = add_entries(event, lines=[line], by=None, at=at)
    SelfEntry.objects.create(event=event, key=key, asked=asked, entry=entry, made_at=at)
    return entry


def require_self_entry(event: Event, at: datetime) -> None:
    """Raise Conflict unless players can enter the event themselves at that moment."""
    if not event.self_entry:
        raise Conflict("self_entry_closed", _("Players do not enter this event themselves: ask the director."))
    require_running(event)
    require_entries_open(event)
    if event.stages.filter(number=1, drawn_at__isnull=False).exists():
        raise Conflict("self_entry_over", _("The draw has been made: ask the director whether you can still enter."))
    if event.self_entry_until is not None and at > event.self_entry_until:
        raise Conflict("self_entry_over", _("The time to enter is over: ask the director whether you still can."))


def _refuse_private_spellings(event: Event, line: EntryLine) -> None:
    """Raise Refusal if a name in the line is known only as another spelling, which may be nobody's business."""
    names = {fold_name(person.name) for person in persons_of(event, line) if person.player_id is None}
    public = set(
        Player.objects.filter(folded_name__in=names, merged_into__isnull=True).values_list("folded_name", flat=True)
    )
    for name, players in known_by(names).items():
        if name not in public and players:
            raise Refusal("self_entry_by_director", _("This name has to be entered by the director: ask them."))


@transaction.atomic
def take_back_self_entry(entry: Entry, *, at: datetime) -> None:
    """Remove the entry that its player made, as if never made, and let the first who waits move up.

    ``entry`` is as it was when its link was read. Raises LinkEnded for a link that is valid no more, and Conflict for
    an entry that a director made, and as :func:`tournament.entries.services.remove_entry` does: after the draw, or once
    it has paid.
    """
    _event, current, at = lock_entry(entry, at)
    require_open(Link(entry.pk, entry.link_epoch), current)
    if not entered_oneself(current):
        raise Conflict("self_entry_of_director", _("The director made this entry: ask them to remove it."))
    remove_entry(current, by=None, at=at)


def entered_oneself(entry: Entry) -> bool:
    """Whether the player has made the entry."""
    return SelfEntry.objects.filter(entry=entry).exists()
