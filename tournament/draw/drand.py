"""Rounds of drand, the public randomness beacon of the League of Entropy: their times, and what proves a value.

Source: drand documentation, "HTTP API" and "Cryptography". Round 1 is at the genesis time, and each period has one
round more. The randomness of a round is the SHA-256 of its signature.
"""

import http.client
import json
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256

HOSTS = ("api.drand.sh", "drand.cloudflare.com")
"""The only computers that are asked, always by https."""

SECONDS_TO_ANSWER = 5
LONGEST_ANSWER = 4096
LEAD = timedelta(seconds=60)
"""How far a round must lie in the future when it is named."""


@dataclass(frozen=True, slots=True)
class DrandChain:
    """A chain of rounds: its hash names it, ``genesis`` is in seconds since 1970 and ``period`` in seconds."""

    slug: str
    hash: str
    genesis: int
    period: int

    def time_of(self, round: int) -> datetime:
        """Return the moment at which the round becomes known."""
        return datetime.fromtimestamp(self.genesis + (round - 1) * self.period, UTC)

    def round_after(self, moment: datetime) -> int:
        """Return the first round that becomes known at this moment or later."""
        since = moment - datetime.fromtimestamp(self.genesis, UTC)
        return max(-(-since // timedelta(seconds=self.period)) + 1, 1)

    def path_of(self, round: int) -> str:
        return f"/{self.hash}/public/{round}"


QUICKNET = DrandChain(
    "quicknet", "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971", genesis=1692803367, period=3
)
DEFAULT = DrandChain(
    "default", "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce", genesis=1595431050, period=30
)
CHAINS: Mapping[str, DrandChain] = {chain.slug: chain for chain in (QUICKNET, DEFAULT)}


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
