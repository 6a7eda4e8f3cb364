"""The person who did something, as a reader is told: those with a role see the name of the user, others the office.

Names of users are for those who work together. The public learns whether the desk or the director acted, which is all
that a result or a ruling needs.
"""

from collections.abc import Set

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from players.models import User
from tournament.models import Event
from tournament.roles.permissions import ACTION_OF, PERMISSIONS, RULERS, actions_of

NAMES = "names"
"""The key of a serializer's context that says whether the reader sees names."""
SEES_NAMES = "read_log"
"""The action that every role permits, and nobody else has: reading who did what."""
SEES_ADDRESSES = "change_directors"
"""The action of those who see from which address and with which program something was done: the owners."""
SEES_NOTES = "change_roles"
"""The action of those who see for whom an invitation is meant."""
SEES_REASONS = "read_log"
"""The action of those who see why an entry has left, and the families that are kept apart."""


def sees_names(user: User | AnonymousUser, event: Event | None) -> bool:
    """Whether the user has a role in the event, and so sees the names of its staff."""
    return event is not None and SEES_NAMES in actions_of(user, event)


def author(name: object, allowed: Set[str] | bool, *, rules: bool = False) -> str:
    """Return who did something, to stand alone; empty if it was no user.

    ``allowed`` are the actions of the reader, or whether they see names. What only a director does is marked by
    ``rules``.
    """
    if not name or _sees(allowed):
        return str(name or "")
    return _("Director") if rules else _("Desk")


def by_author(name: object, allowed: Set[str] | bool, *, rules: bool = False) -> str:
    """Return the same to stand after "by"."""
    if not name or _sees(allowed):
        return str(name or "")
    return pgettext("after “by”", "the director") if rules else pgettext("after “by”", "the desk")


def is_ruling(verb: str) -> bool:
    """Whether a step of the log is one that scorers may not take."""
    roles = PERMISSIONS.get(ACTION_OF.get(verb, ""))
    return roles is None or roles <= RULERS


def _sees(allowed: Set[str] | bool) -> bool:
    return allowed if isinstance(allowed, bool) else SEES_NAMES in allowed
