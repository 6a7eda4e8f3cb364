"""Asking drand, the public randomness beacon of the League of Entropy, for a round, and what proves its value.

Source: drand documentation, "HTTP API". The randomness of a round is the SHA-256 of its signature.
"""

import http.client
import json
import string
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256

from tournament.proof.drand_chains import DrandChain

HOSTS = ("api.drand.sh", "drand.cloudflare.com")
"""The only computers that are asked, always by https."""

SECONDS_TO_ANSWER = 5
LONGEST_ANSWER = 4096
LEAD = timedelta(seconds=60)
"""How far a round must lie in the future when it is named."""


@dataclass(frozen=True, slots=True)
class Beacon:
    """What the beacon says about a round; both texts are in lower-case hex."""

    round: int
    randomness: str
    signature: str

    @property
    def is_proved(self) -> bool:
        """Whether the randomness is made of the signature."""
        return sha256(bytes.fromhex(self.signature)).hexdigest() == self.randomness


def is_hex(text: str, *, most: int) -> bool:
    """Whether the text is whole bytes in lower-case hex, of at most ``most`` digits."""
    return 0 < len(text) <= most and len(text) % 2 == 0 and set(text) <= set("abcdef" + string.digits)


def ask_beacon(chain: DrandChain, round: int, *, get: Callable[[str, str], bytes] | None = None) -> Beacon | None:
    """Ask the beacon for the round, one host after the other; None if no host answers with it.

    ``get`` takes host and path.
    """
    for host in HOSTS:
        try:
            said = json.loads((get or _get)(host, chain.path_of(round)))
            beacon = Beacon(int(said["round"]), str(said["randomness"]), str(said["signature"]))
        except (OSError, http.client.HTTPException, ValueError, TypeError, KeyError):
            continue
        known = is_hex(beacon.randomness, most=64) and is_hex(beacon.signature, most=200)
        if known and beacon.round == round and beacon.is_proved:
            return beacon
    return None


def _get(host: str, path: str) -> bytes:
    """Return the first bytes of the answer; nothing is followed to another address. Raises OSError if it is none."""
    connection = http.client.HTTPSConnection(host, timeout=SECONDS_TO_ANSWER)
    try:
        connection.request("GET", path, headers={"Accept": "application/json"})
        answer = connection.getresponse()
        if answer.status != http.client.OK:
            raise OSError(answer.status)
        return answer.read(LONGEST_ANSWER)
    finally:
        connection.close()
