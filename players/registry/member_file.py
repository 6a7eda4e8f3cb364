"""A file with the members of a federation: rows of a table in, what each of them tells out."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _

from players.errors import Refusal
from players.registry.countries import alpha_2
from players.registry.kinds import kind_of
from players.registry.names import read_name
from players.registry.people import parse_born
from players.services import clean_name
from players.tables import Columns

MOST_MEMBERS = 5_000
TITLES = {
    "number": {"no", "no.", "number", "member no", "member number", "id", "nr", "nummer", "medlemsnr", "mitgliedsnr"},
    "name": {"name", "player", "full name", "navn", "namn", "spieler"},
    "family": {"family", "family name", "last name", "surname", "efternavn", "etternavn", "efternamn", "nachname"},
    "given": {"given", "given name", "given names", "first name", "fornavn", "förnamn", "vorname"},
    "born": {"birth", "born", "birth year", "date of birth", "født", "född", "geboren", "geburtsdatum", "fødselsdato"},
    "country": {"nation", "country", "country code", "land", "nationalitet"},
    "club": {"club", "klub", "klubb", "verein"},
    "kind": {"kind", "type", "membership", "art", "medlemstype"},
    "starts": {"from", "start", "fra", "från", "von"},
    "ends": {"to", "until", "end", "til", "till", "bis"},
    "paid": {"paid", "paid on", "betalt", "betald", "bezahlt"},
}
"""The titles of the columns that a file of members may have."""
MEMBERS = Columns(TITLES, telling=("name", "family"), most_text=1_000_000)
_DAY = re.compile(r"([0-9]{1,2})[./-]([0-9]{1,2})[./-]([0-9]{4})")


@dataclass(frozen=True, slots=True)
class MemberLine:
    """What a row tells of a member; an empty text or None says nothing of it. ``line`` is its number in the file.

    ``is_whole`` says that the name was written as one, so that its last word is only taken for the family name.
    """

    line: int
    given: str
    family: str
    number: str = ""
    born: str = ""
    country: str = ""
    club: str = ""
    kind: str = ""
    starts: date | None = None
    ends: date | None = None
    paid_on: date | None = None
    is_whole: bool = False

    @property
    def name(self) -> str:
        return f"{self.given} {self.family}".strip()


@dataclass(frozen=True, slots=True)
class BadLine:
    """A row that cannot be read, with the reason."""

    line: int
    name: str
    code: str
    reason: str


def read_members(data: bytes) -> list[MemberLine | BadLine]:
    """Return the rows of a CSV or XLSX file below its header; empty ones are left out.

    Raises Refusal for a file that cannot be read, has no column of names, or too many rows.
    """
    rows = MEMBERS.read_table(data)
    at = MEMBERS.header_of(rows)
    if at is None:
        raise Refusal(
            "members_without_name",
            _("The first line of the file must name its columns, such as: no, family, given, birth, nation, club."),
        )
    columns = MEMBERS.columns_of(rows[at][1])
    if "given" in columns and "name" in columns:
        columns.setdefault("family", columns.pop("name"))
    found = [_line(number, row, columns) for number, row in rows[at + 1 :] if any(cell.strip() for cell in row)]
    if not found:
        raise Refusal("members_empty", _("The file contains no members."))
    if len(found) > MOST_MEMBERS:
        raise Refusal("list_too_large", _("The list is too large."))
    return found


def _line(number: int, row: Sequence[str], columns: dict[str, int]) -> MemberLine | BadLine:
    told = {name: row[index].strip() if index < len(row) else "" for name, index in columns.items()}
    given, family, name = told.get("given", ""), told.get("family", ""), told.get("name", "")
    is_whole = not (given or family or "," in name)
    if not (given or family):
        given, family = read_name(name)
    try:
        given, family = (given, family) if family else ("", given)
        clean_name(f"{given} {family}")
        if told.get("country") and not alpha_2(told["country"]):
            sentence = _("“%(country)s” is not the code of a country.")
            raise Refusal("country_unknown", sentence % {"country": told["country"][:20]})
        year, day = parse_born(_as_iso(told.get("born", "")))
        return MemberLine(
            line=number,
            given=clean_name(given) if given else "",
            family=clean_name(family),
            number=told.get("number", ""),
            born=str(day or year or ""),
            country=alpha_2(told.get("country", "")),
            club=clean_name(told["club"]) if told.get("club") else "",
            kind=kind_of(told.get("kind", "")),
            starts=_day(told.get("starts", "")),
            ends=_day(told.get("ends", "")),
            paid_on=_day(told.get("paid", "")),
            is_whole=is_whole,
        )
    except Refusal as refusal:
        return BadLine(number, f"{given} {family}".strip()[:80], refusal.code, str(refusal))


def _as_iso(text: str) -> str:
    """Return a day as it is ordered; one written as 2.5.1961 too."""
    found = _DAY.fullmatch(text)
    return f"{found[3]}-{int(found[2]):02}-{int(found[1]):02}" if found else text


def _day(text: str) -> date | None:
    if not text:
        return None
    try:
        day = date.fromisoformat(_as_iso(text))
    except ValueError as error:
        sentence = _("“%(day)s” is not a day such as 2026-08-01.")
        raise Refusal("day_unreadable", sentence % {"day": text[:20]}) from error
    if not 1900 <= day.year <= 2200:
        raise Refusal("day_out_of_range", _("A day must be between the years 1900 and 2200."))
    return day
