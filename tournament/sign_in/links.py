"""Links that let somebody choose a password: they work once, for three days."""

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from players.errors import Conflict
from players.models import User


def path_to_password(user: User) -> str:
    """Return the path of the page on which the user chooses a password; it works until they have."""
    key = default_token_generator.make_token(user)
    return reverse("account_reset_password_from_key", args=[user_pk_to_url_str(user), key])


def site_of(request: HttpRequest) -> str:
    """Return the address that links in e-mails begin with: the site address, or the host that the request names.

    Raises Conflict where no address is known, and where any host is answered and a mail server sends the e-mail:
    whoever sends the request would choose where the link leads.
    """
    if settings.SITE_ADDRESS:
        return settings.SITE_ADDRESS
    site = request.build_absolute_uri("/").rstrip("/")
    if not site or ("*" in settings.ALLOWED_HOSTS and settings.EMAIL_HOST):
        raise Conflict(
            "site_address_missing",
            _("No e-mail can be sent, because this site does not know its own address. Ask its administrator."),
        )
    return site
