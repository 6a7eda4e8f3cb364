"""Canonical JSON: the same value always has the same bytes. Source: RFC 8785.

An event file has no numbers but whole ones within 53 bits, so the rules for fractions are not needed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256

MOST_WHOLE = 2**53 - 1
"""The largest whole number that every reader of JSON has exactly."""

UNSIGNED = ("digest", "signatures")
"""The members of a file that its digest leaves out: they are made from the rest."""


def canonical(value: object) -> bytes:
    """Return the value as canonical JSON in UTF-8.

    Keys are sorted by their UTF-16 code units, there are no spaces, and nothing is escaped that need not be. Raises
    UnicodeEncodeError for half of a surrogate pair, which is no character.
    """
    return json.dumps(_in_order(value), separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def _in_order(value: object) -> object:
    if isinstance(value, dict):
        return {key: _in_order(value[key]) for key in sorted(value, key=_code_units)}
    if isinstance(value, list | tuple):
        return [_in_order(one) for one in value]
    return value


def _code_units(key: str) -> bytes:
    return key.encode("utf-16-be", "surrogatepass")


def digest_of(document: Mapping[str, object]) -> str:
    """Return the digest of a file: SHA-256 of its canonical JSON without the digest itself and the signatures."""
    signed = {key: value for key, value in document.items() if key not in UNSIGNED}
    return f"sha256:{sha256(canonical(signed)).hexdigest()}"
