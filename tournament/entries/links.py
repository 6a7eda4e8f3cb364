"""An entry's private link: the person who has it sees the entry's matches, reports results and confirms reports.

A link is replaced with the player, and whenever a director makes a new one. While its entry is out of the event it is
closed; if the departure is undone, the same link is valid again, for it is still the same person's.
"""

from dataclasses import dataclass

from django.core.signing import BadSignature, Signer
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from matches.models import SheetState
from matches.services import prefetched_sheet
from players.errors import Refused
from tournament.draw.outcomes import match_has_begun, read_fixtures
from tournament.models import Entry, Event, Fixture
from tournament.snapshot import EntrySnapshot

_signer = Signer(salt="tournament.entry")


@dataclass(frozen=True, slots=True)
class Link:
    """A private link that was made here: whose it is, and the epoch in which it was made."""

    entry: int
    epoch: int

    @property
    def id(self) -> int:
        return self.entry

    @property
    def link_epoch(self) -> int:
        return self.epoch


class LinkEnded(Refused):
    """A private link of the event that was valid once and is not any more."""

    status = 410

    def __init__(self, code: str, message: str, *, event: Event) -> None:
        super().__init__(code, message)
        self.event = event


def token_of(entry: Entry | EntrySnapshot | Link) -> str:
    """Return the token of the entry's link: its id and epoch, signed so that it cannot be guessed."""
    return _signer.sign(f"{entry.id}.{entry.link_epoch}").replace(":", "~")


def read_token(token: str) -> Link | None:
    """Return the link that has this token; None for any other text."""
    try:
        entry, epoch = _signer.unsign(token.replace("~", ":")).split(".")
        return Link(int(entry), int(epoch))
    except (BadSignature, ValueError):
        return None


def entry_by_link(token: str) -> Entry | None:
    """Find the entry behind the private link, with its players and its event; None for any other text.

    Raises LinkEnded for a link that was valid once.
    """
    link = read_token(token)
    if link is None:
        return None
    found = Entry.objects.select_related("player", "partner", "event__tournament")
    entry = found.filter(pk=link.entry, event__in=Event.objects.all()).first()
    if entry is not None:
        require_open(link, entry)
    return entry


def link_of(entry: Entry | EntrySnapshot) -> str:
    """Return the path of the entry's page, as encoded in its QR code."""
    return reverse("my-entry", args=[token_of(entry)])


def require_open(link: Link, entry: Entry) -> None:
    """Raise LinkEnded if the link of this entry has been replaced, or if the entry has left and plays no match on."""
    if link.epoch != entry.link_epoch:
        sentence = _("This private link has been replaced: the director has the new one.")
        raise LinkEnded("link_replaced", sentence, event=entry.event)
    if entry.left_at is not None and not entry.left_bracket and not _plays_on(entry):
        sentence = _("This private link is closed: %(name)s has left the event. If that is wrong, tell the director.")
        raise LinkEnded("link_closed", sentence % {"name": entry.name}, event=entry.event)


def _plays_on(entry: Entry) -> bool:
    """Whether an entry that has left is still in a match that it had begun, and has no other to play."""
    met = read_fixtures(Fixture.objects.filter(Q(entry_a=entry) | Q(entry_b=entry)))
    begun = [match for fixture in met for match in fixture.matches.values() if match_has_begun(match)]
    sheets = [prefetched_sheet(match) for match in begun]
    return any(sheet is None or sheet.state != SheetState.CONFIRMED for sheet in sheets)
