"""Devices on which somebody has signed in: an attacker who uses up the attempts of a name does not use up theirs.

After OWASP's "Slow Down Online Guessing Attacks with Device Cookies". The cookie holds a random number and a code made
of it and the account's name under the secret key: it signs nobody in and names nobody, and only has the attempts with
this one name counted apart.
"""

import secrets
import unicodedata
from collections.abc import Callable
from hashlib import sha256
from ipaddress import ip_address, ip_network

from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.core.cache import caches
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac
from rest_framework.request import Request

from players.models import User
from tournament.roles.counting import CACHE, COUNTS

YEAR = 365 * 24 * 3600
MONTH = 30 * 24 * 3600


def cookie_name() -> str:
    """Return the name of the cookie; over https one that no other host can set."""
    return "__Host-device" if settings.SESSION_COOKIE_SECURE else "device"


def canonical(name: str) -> str:
    """Return the name as all ways to write it are counted: forms strip blanks and replace wide letters."""
    return unicodedata.normalize("NFKC", name).strip().casefold()


def make_device(name: str) -> str:
    """Return the value of the cookie for a device on which this account has signed in."""
    number = secrets.token_urlsafe(16)
    return f"{number}.{_code(number, name, settings.SECRET_KEY)}"


def device_for(cookie: str, name: str) -> str:
    """Return the device's number if this account has signed in there; empty for any other cookie."""
    number, _dot, code = cookie.partition(".")
    secrets_of_old = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    if number and any(constant_time_compare(code, _code(number, name, secret)) for secret in secrets_of_old):
        return number
    return ""


def _code(number: str, name: str, secret: str) -> str:
    words = f"{number}.{canonical(name)}"
    return salted_hmac("sixprime: devices", words, secret=secret, algorithm="sha256").hexdigest()


def address_of(request: HttpRequest | Request) -> str:
    """Return the address of the one who asks, as it is counted: for IPv6, that of the network."""
    text: str = request.META.get("REMOTE_ADDR", "")
    try:
        address = ip_address(text)
    except ValueError:
        return text
    if address.version == 4:
        return text
    return str(address.ipv4_mapped or ip_network((int(address) >> 64 << 64, 64)))


def knows_address(name: str, address: str) -> bool:
    """Whether the account has signed in from this address within a month; no while the cache is away."""
    return COUNTS.may_ask() and bool(caches[CACHE].get(_key(name, address)))


def remember_address(name: str, address: str) -> None:
    """Remember for a month that the account has signed in from this address; only a hash is kept."""
    if COUNTS.may_ask():
        caches[CACHE].set(_key(name, address), 1, MONTH)


def _key(name: str, address: str) -> str:
    digest = sha256("\0".join((canonical(name), address)).encode("utf-8", "replace"))
    return f"known-{digest.hexdigest()}"


@receiver(user_logged_in, dispatch_uid="sixprime: devices")
def signed_in(sender: object, request: HttpRequest | None, user: User, **_more: object) -> None:
    """Have the answer carry the cookie, and remember the address."""
    if request is not None:
        know_device(request, user)


def know_device(request: HttpRequest, user: User) -> None:
    """Have the answer to one who has proved to be the user carry the cookie, and remember the address."""
    request.signed_in_name = user.get_username()  # type: ignore[attr-defined]
    remember_address(user.get_username(), address_of(request))


class DeviceMiddleware:
    """Gives a device its cookie when an account has signed in there."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        name = getattr(request, "signed_in_name", "")
        if name and not device_for(request.COOKIES.get(cookie_name(), ""), name):
            response.set_cookie(
                cookie_name(),
                make_device(name),
                max_age=YEAR,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response
