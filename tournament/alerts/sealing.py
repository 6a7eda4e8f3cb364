"""What a push service asks for: who sends it (VAPID, RFC 8292), and a text that only the browser reads (RFC 8291)."""

import base64
import hmac
import json
import os
from datetime import datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""How many private keys the curve P-256 has, plus one."""

RECORD = 4096
MOST_TEXT = RECORD - 16 - 1
VALID = timedelta(hours=12)
"""How long a push service may use the proof of who sends; RFC 8292 allows a day."""


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Return the bytes of the text. Raises ValueError if it is no base64url."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point_of(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def read_point(text: str) -> ec.EllipticCurvePublicKey:
    """Return the public key of a browser. Raises ValueError for anything but a point of P-256."""
    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(text))


@lru_cache(maxsize=4)
def sender_key(secret: str) -> ec.EllipticCurvePrivateKey:
    """Return the key by which push services know this installation: it follows from its secret, and is kept nowhere."""
    material = _expand(_extract(b"sixprime.push", secret.encode()), b"vapid p-256", 48)
    return ec.derive_private_key(int.from_bytes(material, "big") % (ORDER - 1) + 1, ec.SECP256R1())


def sender(secret: str) -> str:
    """Return the public half of that key, which browsers are given when they subscribe."""
    return encoded(point_of(sender_key(secret).public_key()))


def proof(address: str, *, secret: str, contact: str, at: datetime) -> str:
    """Return the header ``Authorization`` for this address, as RFC 8292 has it."""
    parts = urlsplit(address)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int((at + VALID).timestamp()), "sub": contact}
    head, body = (
        encoded(json.dumps(part, separators=(",", ":")).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims)
    )
    r, s = decode_dss_signature(sender_key(secret).sign(f"{head}.{body}".encode(), ec.ECDSA(SHA256())))
    signature = encoded(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={head}.{body}.{signature}, k={sender(secret)}"


def seal(
    text: bytes,
    *,
    browser: ec.EllipticCurvePublicKey,
    auth: bytes,
    own: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Return the text as one record of aes128gcm that only this browser can read.

    ``own`` and ``salt`` are new for each text; a test gives them.
    """
    own, salt = own or ec.generate_private_key(ec.SECP256R1()), salt or os.urandom(16)
    point = point_of(own.public_key())
    shared = own.exchange(ec.ECDH(), browser)
    info = b"WebPush: info\0" + point_of(browser) + point
    secret = _extract(salt, _expand(_extract(auth, shared), info, 32))
    key = _expand(secret, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _expand(secret, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(point)]) + point
    return head + AESGCM(key).encrypt(nonce, text + b"\2", None)


def _extract(salt: bytes, material: bytes) -> bytes:
    return hmac.digest(salt, material, sha256)


def _expand(key: bytes, info: bytes, length: int) -> bytes:
    """Return so many bytes as HKDF (RFC 5869) makes of the key."""
    found, last = b"", b""
    for number in range(1, -(-length // 32) + 1):
        last = hmac.digest(key, last + info + bytes([number]), sha256)
        found += last
    return found[:length]
