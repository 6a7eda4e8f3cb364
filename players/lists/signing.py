"""The signature of a published list: Ed25519, with a key that follows from the secret key of the installation."""

import hmac
from functools import lru_cache
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.conf import settings

from players.lists.check import signed_text


@lru_cache(maxsize=4)
def _key(secret: str) -> Ed25519PrivateKey:
    """Return the key of this installation: it follows from its secret, and is kept nowhere."""
    return Ed25519PrivateKey.from_private_bytes(hmac.digest(b"sixprime.lists ed25519", secret.encode(), sha256))


def sign(digest: str) -> tuple[str, str]:
    """Return the signature of a document with this digest, and the public half of the key, both in hex."""
    key = _key(settings.SECRET_KEY)
    return key.sign(signed_text(digest)).hex(), public_key()


def public_key() -> str:
    """Return the public half of this installation's key, in hex."""
    return _key(settings.SECRET_KEY).public_key().public_bytes_raw().hex()


def key_id(public: str) -> str:
    """Return the short name of a public key, by which people compare it."""
    return sha256(bytes.fromhex(public)).hexdigest()[:16]


def verify(public: str, signature: str, text: bytes) -> bool:
    """Whether the text was signed with the key of this public half."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), text)
    except (InvalidSignature, ValueError):
        return False
    return True


def salt_for(slug: str, number: int, player: int) -> str:
    """Return the salt under which a publication holds a player's names: the same each time, and nobody else's guess."""
    text = f"{slug} {number} {player}".encode()
    return hmac.digest(b"sixprime.lists salt" + settings.SECRET_KEY.encode(), text, sha256).hex()[:32]
