"""An entry's private link: the person who has it sees the entry's matches, reports results and confirms reports."""

from django.core.signing import BadSignature, Signer
from django.urls import reverse

from tournament.models import Entry
from tournament.snapshot import EntrySnapshot

_signer = Signer(salt="tournament.entry")


def token_of(entry: Entry | EntrySnapshot) -> str:
    """Return the token of the entry's link: its id, signed so that it cannot be guessed."""
    return _signer.sign(str(entry.id)).replace(":", "~")


def entry_id_of(token: str) -> int | None:
    """Return the id of the entry to which this token belongs; None for any other text."""
    try:
        return int(_signer.unsign(token.replace("~", ":")))
    except (BadSignature, ValueError):
        return None


def link_of(entry: Entry | EntrySnapshot) -> str:
    """Return the path of the entry's page, as encoded in its QR code."""
    return reverse("my-entry", args=[token_of(entry)])
