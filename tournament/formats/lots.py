"""Lots that anyone can check: each is a SHA-256 hash, and the smallest comes first.

An *urn* is opened for each draw, round, batch or jackpot. Its link comes from a hash chain that was fixed when the
event was made, and nobody outside the server knows it before the urn is opened. The public value became known after
the entries had closed, so neither the server nor the director can choose it. The digest is that of everything that was
known by then: terms, format, options and entries.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

DRAW = "draw"
"""The scope in which the pairings of a whole stage are drawn."""

QUALIFIERS = "qualifiers"
"""The scope of the lots that decide who goes on to a later stage, and in which order, where two are equal."""


@dataclass(frozen=True, slots=True)
class Urn:
    """The three texts from which all lots of one scope are made; each is lower-case hex or plain text on one line."""

    link: str
    public_value: str
    digest: str

    def lot(self, name: str) -> str:
        """Return the lot drawn for ``name``, in hex: usually the entry's number as digits, such as ``12``.

        It is the SHA-256 hash of four lines in UTF-8, each with a line feed at its end: link, public value, digest and
        name.
        """
        return sha256(f"{self.link}\n{self.public_value}\n{self.digest}\n{name}\n".encode()).hexdigest()


class Lots(Protocol):
    """The urns of a stage, by scope: ``draw``, ``round 2``, ``jackpot A``."""

    def urn(self, scope: str) -> Urn: ...


@dataclass(frozen=True, slots=True)
class SeededLots:
    """Urns whose links follow from a secret, without a chain: for simulations, forecasts and tests."""

    secret: str
    public_value: str = ""
    digest: str = ""

    def urn(self, scope: str) -> Urn:
        return Urn(sha256(f"{self.secret}\n{scope}\n".encode()).hexdigest(), self.public_value, self.digest)


@dataclass(frozen=True, slots=True)
class RehearsedLots:
    """The urns that are ``opened``, and for the rest of an event played on paper those that ``others`` make up."""

    opened: Mapping[str, Urn]
    others: SeededLots

    def urn(self, scope: str) -> Urn:
        return self.opened.get(scope) or self.others.urn(scope)


ROUND = "round "
"""How the scope of a round or batch begins; its number follows."""

LATE = "late "
"""How the scope of a late entry begins, which takes a bye by lot; its number follows."""


def next_link(link: str) -> str:
    """Return the link that was revealed before ``link``: the SHA-256 hash of its hex digits."""
    return sha256(link.encode()).hexdigest()


def links_from(end: str, count: int) -> Iterator[str]:
    """Iterate over ``end`` and the ``count`` links that follow it towards the anchor, in the order of hashing."""
    link = end
    yield link
    for _ in range(count):
        link = next_link(link)
        yield link


def first_scope(*, pairs_by_round: bool) -> str:
    """Return the scope in which a stage is drawn: the draw, or round 1 in a format that pairs round by round."""
    return round_scope(1) if pairs_by_round else DRAW


def round_scope(round: int) -> str:
    """Return the scope of a round, or of a batch, of a format that pairs round by round."""
    return f"{ROUND}{round}"


def pairing_name(number: int) -> str:
    """Return the name for which a lot is drawn for pairing ``number`` of round 1, counted from 1."""
    return f"pairing {number}"
