"""Who may change and publish a list: an officer of its federation, or an administrator."""

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _

from players.errors import Forbidden
from players.lists.models import OfficialList
from players.models import User
from players.registry.roles import reach_of


def may_keep(user: User | AnonymousUser, official_list: OfficialList) -> bool:
    """Whether the user may change and publish the list; one without a federation is for administrators."""
    return reach_of(user).keeps_federation(official_list.federation)


def require_keeper(user: User | AnonymousUser, official_list: OfficialList) -> User:
    """Return the user, who may change and publish the list. Raises Forbidden."""
    if isinstance(user, AnonymousUser) or not may_keep(user, official_list):
        raise Forbidden("role_missing", _("Only an officer of the federation or an administrator may do this."))
    return user
