"""Checking the chains: each link of an urn, hashed, is the link before it, down to the anchor."""

from __future__ import annotations

from collections.abc import Iterator

from rules.errors import gettext_noop
from tournament.formats.lots import next_link
from tournament.proof.findings import WHOLE, Finding, Place, note, ok, wrong
from tournament.proof.values import DrawFile, FileChain


def check_chains(file: DrawFile) -> Iterator[Finding]:
    """Check every chain, and that each urn belongs to one."""
    numbers = [chain.number for chain in file.chains]
    for expected, number in enumerate(numbers, start=1):
        if number != expected:
            yield wrong(
                "chains_not_in_order",
                Place(chain=number),
                gettext_noop("The chains must be numbered 1, 2, 3; here stands %(number)s."),
                number=number,
            )
    if len(numbers) > 1:
        yield note(
            "chain_again",
            WHOLE,
            gettext_noop("%(count)s chains were begun: ask why the first one was not enough."),
            count=len(numbers),
        )
    for urn in file.urns:
        if urn.chain not in numbers:
            yield wrong(
                "urn_without_chain",
                Place(link=urn.number),
                gettext_noop("Link %(number)s belongs to chain %(chain)s, which this file does not have."),
                number=urn.number,
                chain=urn.chain,
            )
    for chain in file.chains:
        yield from _check_chain(file, chain)


def _check_chain(file: DrawFile, chain: FileChain) -> Iterator[Finding]:
    urns = sorted((urn for urn in file.urns if urn.chain == chain.number), key=lambda urn: urn.number)
    before, sound = chain.anchor, True
    for expected, urn in enumerate(urns, start=1):
        place = Place(link=urn.number)
        if urn.number != expected:
            yield wrong(
                "link_gap",
                place,
                gettext_noop(
                    "Link %(expected)s comes next, but the file has link %(number)s: one was left out or used twice."
                ),
                expected=expected,
                number=urn.number,
            )
            return
        if next_link(urn.link) != before:
            sound = False
            yield wrong(
                "link_broken",
                place,
                gettext_noop("The SHA-256 hash of link %(number)s is not the link before it."),
                number=urn.number,
            )
        before = urn.link
    if len(urns) > chain.length:
        sound = False
        yield wrong(
            "chain_too_long",
            Place(chain=chain.number),
            gettext_noop("The chain has %(length)s links, but more were used."),
            length=chain.length,
        )
    if sound and urns:
        yield ok(
            "links_lead_to_anchor",
            Place(chain=chain.number),
            gettext_noop("Links that lead to the anchor %(anchor)s, one by one and without a gap: %(count)s."),
            count=len(urns),
            anchor=chain.anchor,
        )
