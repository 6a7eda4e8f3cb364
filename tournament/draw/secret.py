"""The secret end of a chain of draws, and the links that follow from it. Only a writer may ask for one.

Somebody who has the database alone cannot compute a link: the end comes from the secret of the server.
"""

import hmac
from collections.abc import Iterator
from hashlib import sha256

from django.conf import settings

from tournament.formats.lots import links_from, next_link
from tournament.models import DrawChain

LENGTH = 10_000
"""The number of links in a chain: an event opens one urn for each draw, round, batch, jackpot and late entry."""

PURPOSE = b"sixprime: chains of draws"

OPEN_NONCE = "demo "
"""How the nonce of a demonstration begins. Its key is known to everybody, so that it is drawn alike everywhere."""


def secret_end(key: bytes, nonce: str) -> str:
    """Return the last link of the chain with this ``nonce``, in hex: HMAC-SHA256 of the nonce under the key."""
    return hmac.new(key, nonce.encode(), sha256).hexdigest()


def anchor_of(nonce: str, length: int = LENGTH) -> str:
    """Return the link before the first of a chain that is made now, with the present secret of the server."""
    *_, anchor = links_from(secret_end(next(_keys(nonce)), nonce), length)
    return anchor


def reveal_link(chain: DrawChain, number: int, before: str) -> str | None:
    """Return link ``number`` of the chain, counted from 1, whose hash is the link ``before``.

    None once all links are used, and if none of the server's secrets gives the chain.
    """
    if number > chain.length:
        return None
    for key in _keys(chain.nonce):
        *_, link = links_from(secret_end(key, chain.nonce), chain.length - number)
        if next_link(link) == before:
            return link
    return None


def _keys(nonce: str) -> Iterator[bytes]:
    """Iterate over the keys of this server, the present one first."""
    if nonce.startswith(OPEN_NONCE):
        yield PURPOSE
        return
    for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        yield hmac.new(secret.encode(), PURPOSE, sha256).digest()
