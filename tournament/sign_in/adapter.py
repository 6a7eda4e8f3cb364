"""How allauth behaves here: nobody signs up, guesses are limited elsewhere, codes are drawn as the others are."""

import logging
from smtplib import SMTPException
from typing import Any

import segno
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal import flows
from allauth.account.models import EmailAddress, Login
from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from django.contrib import messages
from django.contrib.auth import authenticate
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from players.models import User
from tournament.sign_in.browsers import device_name
from tournament.sign_in.first_page import first_page_of
from tournament.sign_in.fresh import forget_proofs_ahead
from tournament.sign_in.links import site_of
from tournament.sign_in.names import hold_names, is_anothers
from tournament.sign_in.sealed import open_sealed, seal

logger = logging.getLogger(__name__)

NOWHERE = "0.0.0.0"  # noqa: S104 - a session that came through the path of a socket


IS_PRIMARY = _("Mail goes to this address: choose another one for it first.")

SAID = {
    "account/messages/email_confirmation_sent.txt": _("The address has been sent an e-mail with a link."),
    "account/messages/email_confirmed.txt": _("The e-mail address has been confirmed."),
    "account/messages/email_deleted.txt": _("The e-mail address has been removed."),
    "account/messages/email_confirmation_failed.txt": _("This e-mail address belongs to somebody else."),
    "account/messages/cannot_delete_primary_email.txt": _(
        "Mail goes to this address: choose another one for it first."
    ),
    "account/messages/unverified_primary_email.txt": _("Confirm the address first: mail goes only to such a one."),
    "account/messages/primary_email_set.txt": _("Mail goes to this address now."),
    "account/messages/password_changed.txt": _("The password has been changed."),
    "account/messages/password_set.txt": _("The password has been changed."),
    "mfa/messages/totp_activated.txt": _("The authenticator app is needed from now on."),
    "mfa/messages/totp_deactivated.txt": _("The authenticator app is no longer needed."),
    "mfa/messages/webauthn_added.txt": _("The passkey has been added."),
    "mfa/messages/webauthn_removed.txt": _("The passkey has been removed."),
    "mfa/messages/recovery_codes_generated.txt": _("New recovery codes have been made."),
}
"""What allauth has to say, by the name of its template."""


class UserAccounts(DefaultAccountAdapter):
    failed = False
    """Whether an e-mail could not be sent."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "duplicate_email": _("This e-mail address is there already."),
        "enter_current_password": _("This is not your current password."),
        "incorrect_password": _("This is not your password."),
        "max_email_addresses": _("You can have %d e-mail addresses at most."),
        "cannot_remove_primary_email": IS_PRIMARY,
        "too_many_login_attempts": _("Too many attempts. Wait five minutes, then try again."),
        "rate_limited": _("Too many attempts. Wait a minute, then try again."),
        "invalid_password_reset": _("This link has been used or is too old."),
    }

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        message_context: dict[str, Any] | None = None,
        extra_tags: str = "",
        message: str | None = None,
    ) -> None:
        """Say it in our words; what has none is not said, such as that somebody has signed in."""
        sentence = message or SAID.get(message_template or "")
        if sentence:
            messages.add_message(request, level, sentence, extra_tags=extra_tags)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send the e-mail. That it failed is told to the log alone: a stranger must not learn from it who is here."""
        try:
            self.render_mail(template_prefix, email, {**context, "email": email}).send()
        except (SMTPException, OSError) as error:
            self.failed = True
            logger.error("an e-mail could not be sent", exc_info=error)

    def send_first_link(self, email: str, context: dict[str, Any]) -> None:
        """Tell somebody who has never had a password who made their user account, and how they choose one."""
        self.send_mail("account/email/user_made", email, context)

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        return site_of(request) + reverse("account_confirm_email", args=[emailconfirmation.key])

    @transaction.atomic
    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Confirm the address, unless it is another user's; return whether it was confirmed."""
        hold_names()
        if is_anothers(email_address.email, than=email_address.user_id):
            self.add_message(request, messages.ERROR, "account/messages/email_confirmation_failed.txt")
            return False
        return bool(super().confirm_email(request, email_address))

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Forget first what a wrong clock has dated later than now, so that no sign-in stays a recent one."""
        forget_proofs_ahead(self.request)
        return bool(super().is_reauthentication_required(app=app, **kwargs))

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Return where somebody lands who has signed in with a passkey alone."""
        return first_page_of(request.user) if isinstance(request.user, User) else reverse("home")

    def get_client_ip(self, request: HttpRequest) -> str:
        return request.META.get("REMOTE_ADDR") or NOWHERE

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        """Return the user with this name and password; the limits on attempts have been asked before."""
        return authenticate(request, **credentials)


class SecondFactors(DefaultMFAAdapter):
    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": _("This code is not right, or it has expired."),
    }

    def encrypt(self, text: str) -> str:
        return seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        return open_sealed(encrypted_text)

    def generate_authenticator_name(self, user: Any, type: str) -> str:
        return device_name(context.request.headers.get("User-Agent", ""))

    def get_totp_label(self, user: Any) -> str:
        return str(user.get_username())

    def build_totp_svg(self, url: str) -> str:
        return segno.make(url, error="m", micro=False).svg_inline(omitsize=True, border=2)


def start_session(request: HttpRequest, user: User) -> None:
    """Sign in a user who has just proved who they are, such as by an invitation."""
    flows.login.perform_login(request, Login(user=user))
