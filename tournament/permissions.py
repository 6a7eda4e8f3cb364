"""Who may do what. Everything may be read by everybody; a tournament is changed by its directors."""

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _

from players.errors import Forbidden
from players.models import User
from tournament.models import Tournament


def may_direct(user: User | AnonymousUser, tournament: Tournament) -> bool:
    if not user.is_authenticated or not user.is_active:
        return False
    return user.is_superuser or tournament.directors.filter(pk=user.pk).exists()


def require_director(user: User | AnonymousUser, tournament: Tournament) -> None:
    """Raises Forbidden unless the user directs the tournament."""
    if not may_direct(user, tournament):
        raise Forbidden("not_a_director", _("Only a director of this tournament may do this."))
