"""People by the member numbers that are typed in place of a name: ``DBgF 1234``; ``1234`` or ``#1234`` if it is one
person's.

Numbers lead to people whose name is public, as in :mod:`players.registry.find`: they would tell whose the initials are.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from players.models import ExternalId, Federation, Player, Visibility
from players.registry.models import MAX_CODE, MAX_NUMBER

ALONE = re.compile(rf"(?:(?:#|(n[or])[.:#\s])\s*#?\s*)?([0-9]{{1,{MAX_NUMBER}}})", re.IGNORECASE)
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
    """How to write it so that it is one person's, where several federations have given it."""


def people_numbered(texts: Iterable[str]) -> dict[str, Numbered]:
    """Return each of these texts that is a member number of a federation here, with the people who have it.

    It is asked in two queries at most, and in none for names without a digit. Without a federation no text is a number.
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
    rows = ExternalId.objects.filter(
        value__in={number for _issuers, number in wanted.values()},
        player__visibility=Visibility.PUBLIC,
        player__merged_into__isnull=True,
    )
    held = list(rows.select_related("player__club").order_by("issuer"))
    found: dict[str, Numbered] = {}
    for text, (issuers, number) in wanted.items():
        mine = [row for row in held if row.value == number and row.issuer in issuers]
        people = tuple({row.player_id: row.player for row in mine}.values())
        example = f"{mine[0].issuer.upper()} {number}" if len(people) > 1 else ""
        found[text] = Numbered(text.strip(), people, example)
    return found


def _read(text: str) -> tuple[str, str] | None:
    """Return the code of a federation, "" without one, and the number, if the text may be a member number."""
    text = text.strip()
    if alone := ALONE.fullmatch(text):
        return (alone[1] or "").upper(), alone[2]
    match = OF_CODE.fullmatch(text)
    return (match[1].upper(), match[2]) if match else None
