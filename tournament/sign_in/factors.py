"""The second factor of users who have one: an authenticator app, recovery codes, passkeys."""

from allauth.core.internal.cryptokit import compare_user_code
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from allauth.mfa.utils import decrypt
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from players.errors import Refusal, TooOften
from players.models import User
from tournament.models import Happening
from tournament.roles.throttling import may_guess
from tournament.sign_in.events import record_event

USED_KEPT = 8
"""How many of the app's codes that were used are remembered; three are right at any moment."""


def factors_of(user: User) -> QuerySet[Authenticator]:
    """Return what the user has: an app, its recovery codes, passkeys, the oldest first."""
    return Authenticator.objects.filter(user=user).order_by("pk")


def has_second_factor(user: User) -> bool:
    """Whether a password alone does not sign the user in."""
    return factors_of(user).exclude(type=Authenticator.Type.RECOVERY_CODES).exists()


def take_code(user: User, code: str, request: HttpRequest) -> Authenticator:
    """Use up the code, one of the app's of this moment or a recovery code; return the app or the recovery codes.

    Raises Refusal for any other code, also one used before, and TooOften after ten in five minutes.
    """
    if not may_guess(request, user.get_username()):
        raise TooOften("code_too_often", _("Too many attempts. Wait five minutes, then try again."))
    found = use_up(user, code)
    if found is None:
        record_event(Happening.CODE_FAILED, user, at=timezone.now())
        raise Refusal("second_factor_wrong", _("This code is not right, or it has expired."), field="code")
    return found


@transaction.atomic
def use_up(user: User, code: str) -> Authenticator | None:
    """Have the code work for nobody else; return the app or the recovery codes it belongs to, None for a wrong code."""
    typed = factors_of(user).exclude(type=Authenticator.Type.WEBAUTHN)
    for factor in typed.select_for_update():
        if factor.type == Authenticator.Type.TOTP:
            if _is_of_now(factor, code):
                return factor
        elif factor.wrap().validate_code(code):
            return factor
    return None


def _is_of_now(app: Authenticator, code: str) -> bool:
    """Whether the app shows this code about now and it was not used before; then it is used up.

    Which codes were used is kept with the app. Allauth keeps it in the cache: for 30 of the 90 seconds for which a code
    is right, and it takes no code while the cache is away.
    """
    secret, used = decrypt(app.data["secret"]), app.data.get("used", [])
    for counter in yield_hotp_counters_from_time():
        right = compare_user_code(actual=code, expected=format_hotp_value(hotp_value(secret, counter)))
        if right and counter not in used:
            app.data["used"] = [*used, counter][-USED_KEPT:]
            app.save(update_fields=["data"])
            return True
    return False


def remove_factors(user: User) -> int:
    """Remove the user's app, codes and passkeys, such as for somebody who has lost their phone; return how many."""
    return factors_of(user).delete()[0]
