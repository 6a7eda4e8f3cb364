"""The secrets of second factors, sealed: the database, and so a backup without the secret key, does not tell them."""

import secrets
from base64 import b32encode, urlsafe_b64encode

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.crypto import salted_hmac

MARK = "sealed:"
"""Begins what is sealed; what was stored before there were seals has none."""


def seal(secret: str) -> str:
    return MARK + _keys().encrypt(secret.encode()).decode()


def open_sealed(stored: str) -> str:
    """Return the secret.

    Where no secret key that is known opens it, return a random one, for which nobody has a code: an empty one, or an
    error that is caught somewhere, could let somebody in.
    """
    if not stored.startswith(MARK):
        return stored
    try:
        return _keys().decrypt(stored.removeprefix(MARK)).decode()
    except InvalidToken:
        return b32encode(secrets.token_bytes(20)).decode()


def _keys() -> MultiFernet:
    """Return what seals with the secret key, and opens with it or with those before it."""
    return MultiFernet(
        Fernet(urlsafe_b64encode(salted_hmac("tournament.sign_in.sealed", "", secret, algorithm="sha256").digest()))
        for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    )
