"""Who may change and publish a list: an officer of its federation, or an administrator."""

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _

from players.errors import Forbidden
from players.lists.models import OfficialList
from players.models import Federation, RegistryRole, User


def may_keep(user: User | AnonymousUser, federation: Federation | int | None) -> bool:
    """Whether the user may change and publish the lists of this federation; None are those of the administrators."""
    if isinstance(user, AnonymousUser) or not user.is_active:
        return False
    if user.is_superuser:
        return True
    return federation is not None and RegistryRole.objects.filter(user=user, federation=federation).exists()


def require_keeper(user: User | AnonymousUser, official_list: OfficialList) -> User:
    """Return the user, who may change and publish the list. Raises Forbidden."""
    if isinstance(user, AnonymousUser) or not may_keep(user, official_list.federation_id):
        raise Forbidden("role_missing", _("Only an officer of the federation or an administrator may do this."))
    return user
