"""Asking again who is at the keys, before what somebody at a screen left open must not do."""

import time

from allauth.account import app_settings
from allauth.account.internal.flows.login import get_authentication_records
from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest

from tournament.roles.permissions import require_signed_in


def require_fresh(request: HttpRequest) -> None:
    """Do nothing if the user has proved within the last five minutes who they are, by signing in or again since.

    Raises ReauthenticationRequired otherwise: allauth asks, and goes on with the request once it has been answered.
    """
    forget_proofs_ahead(request)
    proofs = get_authentication_records(request, require_signed_in(request.user))
    if not proofs or time.time() - proofs[-1]["at"] >= app_settings.REAUTHENTICATION_TIMEOUT:
        raise ReauthenticationRequired


def forget_proofs_ahead(request: HttpRequest) -> None:
    """Take from the session what a clock that was wrong has dated later than now: it would stay recent for long."""
    proofs = get_authentication_records(request, require_signed_in(request.user))
    known = [proof for proof in proofs if proof["at"] <= time.time()]
    if known != proofs:
        proofs[:] = known
        request.session.modified = True
