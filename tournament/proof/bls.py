"""BLS signatures on G1 of BLS12-381. Loading this takes most of a second: import it where a signature is verified.

Source: RFC 9380, "Hashing to Elliptic Curves"; IETF draft "BLS Signatures".
"""

from __future__ import annotations

import sys
from functools import cache
from hashlib import sha256
from typing import Any

_depth = sys.getrecursionlimit()
import py_ecc  # noqa: E402, F401

# py_ecc allows 100,000 calls within calls, at which nested brackets in anybody's JSON would overflow the stack and end
# the process. It needs 300.
sys.setrecursionlimit(_depth)

from py_ecc.bls.g2_primitives import subgroup_check  # noqa: E402
from py_ecc.bls.hash_to_curve import hash_to_G1  # noqa: E402
from py_ecc.bls.point_compression import decompress_G1, decompress_G2  # noqa: E402
from py_ecc.optimized_bls12_381 import FQ12, G2, final_exponentiate, is_inf, neg, pairing  # noqa: E402

SUITE = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
BYTES = 48
"""The length of a compressed point on G1, and half that of one on G2."""


def is_valid(message: bytes, signature: bytes, public_key: str) -> bool:
    """Whether the owner of the key, a compressed point on G2 in hex, has signed the message: a quarter of a second.

    The signature must be a point of the right subgroup, and not the point at infinity; only one is valid.
    """
    if len(signature) != BYTES:
        return False
    try:
        point: Any = decompress_G1(int.from_bytes(signature, "big"))  # type: ignore[arg-type]
    except ValueError:
        return False
    if is_inf(point) or not subgroup_check(point):
        return False
    hashed = hash_to_G1(message, SUITE, sha256)  # type: ignore[arg-type]
    product = pairing(_point(public_key), hashed, False) * pairing(G2, neg(point), False)
    return bool(final_exponentiate(product) == FQ12.one())


@cache
def _point(public_key: str) -> Any:
    key = bytes.fromhex(public_key)
    halves = int.from_bytes(key[:BYTES], "big"), int.from_bytes(key[BYTES:], "big")
    return decompress_G2(halves)  # type: ignore[arg-type]
