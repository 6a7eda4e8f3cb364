"""Forgotten passwords: a link by e-mail. The answer says nothing of who is here, and nor does how long it takes."""

import time
from hashlib import sha256

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django.http import HttpRequest
from django.utils import translation

from players.models import User
from tournament.roles.counting import attempt
from tournament.sign_in.links import path_to_password, site_of
from tournament.work import ask_on_commit

LINKS_AN_HOUR = 5


def ask_for_link(address: str, request: HttpRequest) -> None:
    """Ask a worker to send a link to the users with this e-mail address: at most five an hour, the rest in vain.

    Somebody who asks for others as often leaves them the links that have come. Raises Conflict where no link can be
    made.
    """
    site = site_of(request)
    digest = sha256(address.lower().encode()).hexdigest()
    if attempt(f"forgotten-{digest}", limit=LINKS_AN_HOUR, seconds=3600, at=time.time()).is_within:
        ask_on_commit("mail_links", address, site, translation.get_language())


def users_at(address: str) -> dict[User, str]:
    """Return who gets a link by this address, and their address as it is stored.

    It is one that they have confirmed, or that an administrator gave them: an address that somebody has only typed may
    belong to anybody.
    """
    confirmed = EmailAddress.objects.filter(email__iexact=address, verified=True, user__is_active=True)
    found = {one.user: one.email for one in confirmed.select_related("user")}
    for user in User.objects.filter(email__iexact=address, is_active=True):
        found.setdefault(user, user.email)
    # Databases hold letters for alike that are not, such as the Turkish dotless i for an i.
    return {user: stored for user, stored in found.items() if stored.lower() == address.lower()}


def mail_links(address: str, site: str, language: str | None) -> None:
    """Send each user with this address a link with which they choose a new password."""
    adapter = get_adapter()
    with translation.override(language):
        for user, stored in users_at(address).items():
            link = site + path_to_password(user)
            adapter.send_password_reset_mail(
                user, stored, {"user": user, "username": user.get_username(), "password_reset_url": link}
            )
