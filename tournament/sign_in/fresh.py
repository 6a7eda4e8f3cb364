"""Asking again who is at the keys, before what somebody at a screen left open must not do."""

import time

from allauth.account import app_settings
from allauth.account.internal.flows.login import get_authentication_records
from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest

from tournament.roles.permissions import require_signed_in


def require_fresh(request: HttpRequest) -> None:
    """Do nothing if the user has proved within the last five minutes who they are, by signing in or again since.

    A proof that a wrong clock has dated later than now is none. Raises ReauthenticationRequired otherwise: allauth
    asks, and goes on with the request once it has been answered.
    """
    proofs = get_authentication_records(request, require_signed_in(request.user))
    if not proofs or not 0 <= time.time() - proofs[-1]["at"] < app_settings.REAUTHENTICATION_TIMEOUT:
        raise ReauthenticationRequired
