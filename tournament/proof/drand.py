"""Rounds of drand, the public randomness beacon of the League of Entropy: their times, and what proves their values.

Only its chain *quicknet* is used. Round 1 is at the genesis time, and each period has one round more. The signature of
a round is a BLS signature on G1 of BLS12-381, of the SHA-256 of the round's number in 8 bytes; the randomness is the
SHA-256 of the signature. Nobody has the secret key: it is shared among members of the League, and a round needs most.

Source: drand documentation, "Cryptography", scheme ``bls-unchained-g1-rfc9380``.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from hashlib import sha256

CHAIN = "quicknet"
CHAIN_HASH = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
GENESIS = 1692803367
"""In seconds since 1970."""

PERIOD = 3
"""In seconds."""

PUBLIC_KEY = (
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc2"
    "2b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)
"""A compressed point on G2, as drand publishes it with the chain."""

SIGNATURE_BYTES, ROUND_BYTES = 48, 8


def time_of(round: int) -> datetime:
    """Return the moment at which the round becomes known."""
    return datetime.fromtimestamp(seconds_of(round), UTC)


def seconds_of(round: int) -> int:
    """Return that moment in seconds since 1970."""
    return GENESIS + (round - 1) * PERIOD


def round_after(moment: datetime) -> int:
    """Return the first round that becomes known at this moment or later."""
    since = moment - datetime.fromtimestamp(GENESIS, UTC)
    return max(-(-since // timedelta(seconds=PERIOD)) + 1, 1)


def path_of(round: int) -> str:
    """Return the path at which every host of drand publishes the round."""
    return f"/{CHAIN_HASH}/public/{round}"


def randomness_of(signature: str) -> str:
    """Return the value that follows from a signature in hex, and an empty text for what is not hex."""
    try:
        return sha256(bytes.fromhex(signature)).hexdigest()
    except ValueError:
        return ""


def is_signed(round: int, signature: str) -> bool:
    """Whether this is drand's signature of the round, in hex: a quarter of a second, the first time a second."""
    try:
        given = bytes.fromhex(signature)
        message = sha256(round.to_bytes(ROUND_BYTES, "big")).digest()
    except (ValueError, OverflowError):
        return False
    from tournament.proof.bls import is_valid  # noqa: PLC0415 - slow to load, and few processes verify a round

    return is_valid(message, given, PUBLIC_KEY)
