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


def require_director(user: User | AnonymousUser, tournament: Tournament) -> User:
    """The user, who directs the tournament. Raises Forbidden if he does not."""
    if isinstance(user, AnonymousUser) or not may_direct(user, tournament):
        raise Forbidden("not_a_director", _("Only a director of this tournament may do this."))
    return user


def require_signed_in(user: User | AnonymousUser) -> User:
    """The user, who is signed in. Raises Forbidden if he is not."""
    if isinstance(user, AnonymousUser):
        raise Forbidden("not_signed_in", _("Sign in to do this."))
    return user
