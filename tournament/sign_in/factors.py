"""The second factor of users who have one: an authenticator app, recovery codes, passkeys."""

from allauth.mfa.base.forms import BaseAuthenticateForm
from allauth.mfa.models import Authenticator
from django.db.models import QuerySet

from players.models import User


def factors_of(user: User) -> QuerySet[Authenticator]:
    """Return what the user has: an app, its recovery codes, passkeys, the oldest first."""
    return Authenticator.objects.filter(user=user).order_by("pk")


def has_second_factor(user: User) -> bool:
    """Whether a password alone does not sign the user in."""
    return factors_of(user).exclude(type=Authenticator.Type.RECOVERY_CODES).exists()


def accepts_code(user: User, code: str) -> bool:
    """Whether the code is one of the app's of this moment, or a recovery code not used yet; then it is used up.

    Ten wrong ones in five minutes, and none is taken for as long.
    """
    return BaseAuthenticateForm({"code": code}, user=user).is_valid()


def remove_factors(user: User) -> int:
    """Remove the user's app, codes and passkeys, such as for somebody who has lost their phone; return how many."""
    return factors_of(user).delete()[0]
