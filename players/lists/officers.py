"""The officers of official lists: those of the federation that keeps the list; without one, administrators alone."""

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from players.errors import Forbidden
from players.lists.models import OfficialList
from players.models import User
from players.registry.roles import reach_of


def lists_kept_by(user: User | AnonymousUser) -> QuerySet[OfficialList]:
    """Return the lists of which the user is an officer; an administrator keeps all."""
    reach = reach_of(user)
    if reach.everywhere:
        return OfficialList.objects.all()
    return OfficialList.objects.filter(federation__in=reach.federations)


def keeps(user: User | AnonymousUser, official_list: OfficialList) -> bool:
    """Whether the user is an officer of the list. Reads ``official_list.federation``."""
    return reach_of(user).keeps_federation(official_list.federation)


def require_keeper(user: User | AnonymousUser, official_list: OfficialList) -> User:
    """Return the user, if they are an officer of the list. Raises Forbidden."""
    if isinstance(user, AnonymousUser) or not keeps(user, official_list):
        raise Forbidden(
            "role_missing", _("Only an officer of the list “%(list)s” may do this.") % {"list": official_list}
        )
    return user


def require_officer(user: User | AnonymousUser) -> User:
    """Return the user, if they are an officer of any federation. Raises Forbidden."""
    if isinstance(user, AnonymousUser) or not reach_of(user).is_officer:
        raise Forbidden("role_missing", _("Only an officer of a federation may do this."))
    return user
