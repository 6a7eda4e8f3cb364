"""Asking drand, the public randomness beacon of the League of Entropy, for a round.

Source: drand documentation, "HTTP API".
"""

import http.client
import json
import string
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from queue import Empty, SimpleQueue
from threading import Thread

from tournament.proof.drand import SIGNATURE_BYTES, is_signed, path_of, randomness_of

HOSTS = ("api.drand.sh", "drand.cloudflare.com")
"""The only computers that are asked, always by https."""

SECONDS_TO_ANSWER = 5
LONGEST_ANSWER = 4096
LEAD = timedelta(seconds=60)
"""How far a round must lie in the future when it is named."""

FURTHEST = timedelta(days=31)
"""How far it may lie in the future."""

RANDOMNESS_DIGITS, SIGNATURE_DIGITS = 64, 2 * SIGNATURE_BYTES


@dataclass(frozen=True, slots=True)
class Beacon:
    """What somebody says that the beacon said about a round; both texts should be lower-case hex."""

    round: int
    randomness: str
    signature: str

    @property
    def is_hex(self) -> bool:
        """Whether both texts are lower-case hex of the right length."""
        return _is_hex(self.randomness, RANDOMNESS_DIGITS) and _is_hex(self.signature, SIGNATURE_DIGITS)

    @property
    def is_made_of_signature(self) -> bool:
        """Whether the randomness is the hash of the signature."""
        return randomness_of(self.signature) == self.randomness

    @property
    def is_signed(self) -> bool:
        """Whether the signature is drand's for this round: a quarter of a second of work."""
        return is_signed(self.round, self.signature)


def ask_beacon(round: int, *, get: Callable[[str, str], bytes] | None = None) -> Beacon | None:
    """Ask the beacon for the round, one host after the other; None if no host answers with what drand has signed.

    ``get`` takes host and path.
    """
    for host in HOSTS:
        try:
            said = json.loads((get or _get)(host, path_of(round)))
        # Brackets nested a thousand deep are a RecursionError.
        except (OSError, ValueError, RecursionError):
            continue
        beacon = _read(said)
        if (
            beacon is not None
            and beacon.round == round
            and beacon.is_hex
            and beacon.is_made_of_signature
            and beacon.is_signed
        ):
            return beacon
    return None


def _read(said: object) -> Beacon | None:
    """Return what an answer says, if it has the shape of one."""
    if not isinstance(said, dict):
        return None
    round, randomness, signature = said.get("round"), said.get("randomness"), said.get("signature")
    if type(round) is not int or not isinstance(randomness, str) or not isinstance(signature, str):
        return None
    return Beacon(round, randomness, signature)


def _is_hex(text: str, digits: int) -> bool:
    return len(text) == digits and set(text) <= set("abcdef" + string.digits)


def _get(host: str, path: str) -> bytes:
    """Return the first bytes of the answer, or none; nothing is followed to another address.

    Raises OSError (TimeoutError) when its time is up. A timeout of the connection alone would not hold: the search for
    the host's address has none, each address has its own, and so has each byte of an answer that trickles in.
    """
    answers: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_get_into, args=(answers, host, path), daemon=True).start()
    try:
        return answers.get(timeout=SECONDS_TO_ANSWER)
    except Empty:
        raise TimeoutError from None


def _get_into(answers: "SimpleQueue[bytes]", host: str, path: str) -> None:
    connection = http.client.HTTPSConnection(host, timeout=SECONDS_TO_ANSWER)
    found = b""
    try:
        connection.request("GET", path, headers={"Accept": "application/json"})
        answer = connection.getresponse()
        found = answer.read(LONGEST_ANSWER) if answer.status == http.client.OK else b""
    except (OSError, http.client.HTTPException):
        found = b""
    finally:
        connection.close()
        answers.put(found)
