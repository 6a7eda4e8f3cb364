"""Writes down what happens at the door, as Django and allauth tell of it."""

from typing import Any

from allauth.account import signals as account
from allauth.mfa import signals as mfa
from django.contrib.auth.signals import user_logged_out, user_login_failed
from django.dispatch import Signal
from django.http import HttpRequest
from django.utils import timezone

from players.models import User
from tournament.models import Happening
from tournament.roles.devices import know_device
from tournament.sign_in.events import record_event

HEARD: tuple[tuple[Signal, Happening], ...] = (
    (account.user_logged_in, Happening.SIGNED_IN),
    (user_logged_out, Happening.SIGNED_OUT),
    (account.password_changed, Happening.PASSWORD_CHANGED),
    (account.password_set, Happening.PASSWORD_CHANGED),
    (account.password_reset, Happening.PASSWORD_RESET),
    (account.email_removed, Happening.EMAIL_REMOVED),
    (mfa.authenticator_added, Happening.FACTOR_ON),
    (mfa.authenticator_removed, Happening.FACTOR_OFF),
    (mfa.authenticator_reset, Happening.CODES_RENEWED),
)


def listen() -> None:
    """Begin to write down what happens; called when the apps are ready."""
    for signal, what in HEARD:
        signal.connect(_writer(what), weak=False, dispatch_uid=f"tournament.sign_in.{what.value}.{id(signal)}")
    user_login_failed.connect(_failed, dispatch_uid="tournament.sign_in.failed")
    account.email_confirmed.connect(_confirmed, dispatch_uid="tournament.sign_in.confirmed")
    account.password_reset.connect(_came_by_a_link, dispatch_uid="tournament.sign_in.came_by_a_link")


def _writer(what: Happening) -> Any:
    def write(sender: object, user: User | None = None, **_told: object) -> None:
        if isinstance(user, User):
            record_event(what, user, at=timezone.now())

    return write


def _failed(sender: object, credentials: dict[str, Any], **_told: object) -> None:
    user = User.objects.filter(username=credentials.get("username") or "").first()
    record_event(Happening.FAILED, user, at=timezone.now())


def _came_by_a_link(sender: object, request: HttpRequest, user: User, **_told: object) -> None:
    """Count the device apart from now on: nobody else can use up its attempts to sign in."""
    know_device(request, user)


def _confirmed(sender: object, email_address: Any, **_told: object) -> None:
    record_event(Happening.EMAIL_CONFIRMED, email_address.user, at=timezone.now())
