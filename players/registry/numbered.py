"""People by the member numbers that are typed in place of a name: ``DBgF 1234``; ``1234`` or ``#1234`` if it is one
person's.

Numbers lead to people whose name is public, as in :mod:`players.registry.find`: they would tell whose the initials are.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from players.models import ExternalId, Federation, Membership, Player, Visibility
from players.registry.models import MAX_CODE, MAX_NUMBER

ALONE = re.compile(rf"(?:(?:#|№|n[.°º]|(n[or])[.:#°º\s]?)\s*#?\s*)?([0-9]{{1,{MAX_NUMBER}}})", re.IGNORECASE)
NO_CODE = frozenset({"", "NO", "NR"})
"""What stands before a number without saying whose it is, unless a federation here has it as its code."""
OF_CODE = re.compile(
    rf"([^\W_]{{2,{MAX_CODE}}}?)\s*(?:[-:#\s]|n[or]\.)\s*#?([0-9][0-9A-Za-z./-]{{0,{MAX_NUMBER - 1}}})"
)


@dataclass(frozen=True, slots=True)
class Numbered:
    """A number that stands for a person: as it was typed, with the people whose it may be."""

    typed: str
    people: tuple[Player, ...]
    example: str = ""
    """How to write it so that it is one person's, where several federations have given it and that is enough."""


Held = dict[tuple[str, str], dict[int, Player]]
"""The people who have a number, by issuer and number."""


def people_numbered(texts: Iterable[str]) -> dict[str, Numbered]:
    """Return each of these texts that is a member number of a federation here, with the people who have it.

    A number that nobody has of the federation itself is that of a membership, which several people may have had. It is
    asked in three queries at most, and in none for names without a digit. Without a federation no text is a number.
    """
    read = {text: asked for text in texts if (asked := _read(text))}
    if not read:
        return {}
    federations = {one.code.upper(): one for one in Federation.objects.order_by("code")}
    wanted: dict[str, tuple[list[str], str]] = {}
    for text, (code, number) in read.items():
        if code and code in federations:
            wanted[text] = ([federations[code].issuer], number)
        elif code in NO_CODE and federations:
            wanted[text] = ([one.issuer for one in federations.values()], number)
    if not wanted:
        return {}
    issuers = {issuer for some, _number in wanted.values() for issuer in some}
    held = _held([one for one in federations.values() if one.issuer in issuers], {n for _some, n in wanted.values()})
    return {text: _numbered(text, some, number, held) for text, (some, number) in wanted.items()}


def _numbered(text: str, issuers: Iterable[str], number: str, held: Held) -> Numbered:
    theirs = {issuer: held[issuer, number] for issuer in issuers if (issuer, number) in held}
    people = tuple({pk: player for some in theirs.values() for pk, player in some.items()}.values())
    alone = next((issuer for issuer, some in sorted(theirs.items()) if len(some) == 1), "")
    return Numbered(text.strip(), people, f"{alone.upper()} {number}" if alone and len(people) > 1 else "")


def _held(federations: Collection[Federation], numbers: Collection[str]) -> Held:
    """Return the people whose name is public who have these numbers of the federations."""
    issuers = {one.pk: one.issuer for one in federations}
    public = {"player__visibility": Visibility.PUBLIC, "player__merged_into__isnull": True}
    held: Held = {}
    given = ExternalId.objects.filter(issuer__in=issuers.values(), value__in=numbers, **public)
    for row in given.select_related("player__club"):
        held[row.issuer, row.value] = {row.player_id: row.player}
    of_members: Held = {}
    noted = Membership.objects.filter(federation__in=issuers, number__in=numbers, **public).order_by("player", "pk")
    for one in noted.select_related("player__club", "federation"):
        if one.federation is not None:
            of_members.setdefault((one.federation.issuer, one.number), {})[one.player_id] = one.player
    return of_members | held


def _read(text: str) -> tuple[str, str] | None:
    """Return the code of a federation, "" without one, and the number, if the text may be a member number."""
    text = text.strip()
    if alone := ALONE.fullmatch(text):
        return (alone[1] or "").upper(), alone[2]
    match = OF_CODE.fullmatch(text)
    return (match[1].upper(), match[2]) if match else None
