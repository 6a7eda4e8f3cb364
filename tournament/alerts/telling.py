"""What a subscriber is told, and what becomes of it."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

KINDS = {
    "table": _("My match is called"),
    "result": _("My opponent reports our result"),
    "round": _("My next match is drawn"),
    "deadline": _("A deadline is near"),
    "hall": _("The director announces something"),
}
"""What one can be told, in the order of the form."""


@dataclass(frozen=True, slots=True)
class Told:
    """An alert in the subscriber's language: ``subject`` is what it is about, ``path`` the page to open."""

    subject: str
    title: str
    body: str
    path: str


class Ended(Exception):  # noqa: N818 - not a fault: the subscriber takes no more
    """The address takes no more alerts."""


class Failed(Exception):  # noqa: N818 - it is tried again
    """It could not be sent now."""


class Away(Failed):
    """Nobody answers there, so that others who are told through the same place need not be tried for a while."""
