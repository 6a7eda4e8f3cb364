"""Start values: what players had on the official list that this one goes on from, taken from its rows."""

import json
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from hashlib import sha256
from types import MappingProxyType

from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.lists.make import system_of
from players.lists.models import OfficialList, StartValue
from players.lists.numbers import number_from, whole_from, why_no_number
from players.lists.officers import require_keeper
from players.models import ExternalId, Federation, Membership, Player, User, Visibility
from players.registry.find import known_by
from players.registry.matching import Outcome
from players.registry.names import in_order
from players.registry.roles import ALL, Reach, rights_over
from players.services import fold_name
from players.tables import MAX_FILE, Columns

CHUNK = 400
Choices = Mapping[int, int]
"""Who was chosen for ambiguous rows, by the number of the row: the id of a player."""
FURTHEST_BELOW = 1000
"""How far below a newcomer somebody with a rating below zero may be."""
COLUMNS = Columns(
    {
        "number": {"number", "no", "nr", "id", "member", "medlemsnr", "mitgliedsnummer"},
        "name": {"name", "player", "navn", "namn", "spiller", "spelare", "spieler"},
        "family": {"family", "surname", "last", "last name", "nachname", "efternavn", "efternamn", "etternavn"},
        "given": {"given", "first", "first name", "given name", "vorname", "fornavn", "förnamn"},
        "value": {"value", "rating", "elo", "wert"},
        "experience": {"experience", "exp", "erfaring", "erfarenhet", "erfahrung"},
    },
    telling={"value"},
    most_text=MAX_FILE,
)
"""What the header of a list calls its columns; other columns are not read."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A row of an official list as it is written, with its number in the file."""

    row: int
    number: str
    name: str
    value: str
    experience: str


@dataclass(frozen=True, slots=True)
class StartRow:
    """What becomes of a row: the player that it is of, if they are known, or why nobody takes it over."""

    listed: Listed
    fate: Outcome
    player: int | None = None
    value: Decimal | None = None
    experience: int = 0
    why: str = ""
    candidates: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StartPreview:
    """What becomes of all rows, and the digest by which that is confirmed, whoever is chosen for ambiguous rows."""

    rows: tuple[StartRow, ...]
    digest: str

    def of(self, fate: Outcome) -> list[StartRow]:
        return [row for row in self.rows if row.fate == fate]

    @property
    def counts(self) -> dict[str, int]:
        """How many rows came to each fate, by its word."""
        found = Counter(row.fate for row in self.rows)
        return {fate.value: found[fate] for fate in Outcome}


def read_listed(data: bytes) -> list[Listed]:
    """Return the rows of a CSV or XLSX file.

    Raises Refusal for a file that cannot be read, without a header that names a rating and a name or number, and for
    one that is too long.
    """
    table = COLUMNS.read_table(data)
    place = COLUMNS.header_of(table)
    columns = {} if place is None else COLUMNS.columns_of(table[place][1])
    if place is None or not columns.keys() & {"number", "name", "family"}:
        why = _("No row names the columns: a list has at least a rating, and a name or a number.")
        raise Refusal("header_missing", why, field="file")
    found = []
    for number, cells in table[place + 1 :]:
        row = {column: cells[at].strip() for column, at in columns.items() if at < len(cells)}
        name = row.get("name") or " ".join(filter(None, (row.get("given"), row.get("family"))))
        if any(row.values()):
            found.append(Listed(number, row.get("number", ""), name, row.get("value", ""), row.get("experience", "")))
    return found


def preview_starts(official_list: OfficialList, rows: Iterable[Listed], *, as_of: date, source: str) -> StartPreview:
    """Return what :func:`import_starts` would do with each row; nothing is stored.

    A player is found by number, else by the folded name if just one person has it.
    """
    rows = list(rows)
    finder = _Finder(official_list, rows)
    kept = {row.player_id: row for row in StartValue.objects.filter(official_list=official_list)}
    fates, taken = list[StartRow](), dict[int, int]()
    for listed in rows:
        row = _fate(listed, finder, kept)
        if row.player is not None and (first := taken.setdefault(row.player, listed.row)) != listed.row:
            why = _("Row %(row)s is of the same player.") % {"row": first}
            row = StartRow(listed, Outcome.REFUSED, row.player, why=why)
        fates.append(row)
    facts = [
        (
            row.listed,
            row.fate.value,
            row.player,
            str(row.value),
            row.experience,
            [(one, _told(kept.get(one))) for one in row.candidates],
        )
        for row in fates
    ]
    digest = sha256(repr((official_list.pk, as_of, source, facts)).encode()).hexdigest()
    return StartPreview(tuple(fates), digest)


def choose_players(official_list: OfficialList, preview: StartPreview, chosen: Choices) -> StartPreview:
    """Return the preview with its ambiguous rows of the players who were chosen; its digest stays.

    Raises Refusal for a player whom the row cannot mean, and for one whom another row means.
    """
    if not chosen:
        return preview
    kept = {row.player_id: row for row in StartValue.objects.filter(official_list=official_list)}
    taken = {row.player: row.listed.row for row in preview.rows if row.player is not None}
    open_rows = {row.listed.row: row for row in preview.of(Outcome.AMBIGUOUS)}
    decided = dict[int, StartRow]()
    for number, player in sorted(chosen.items()):
        row = open_rows.get(number)
        if row is None or player not in row.candidates or row.value is None:
            why = _("Row %(row)s cannot mean the person who was chosen.") % {"row": number}
            raise Refusal("choice_unknown", why, field="choices")
        if (other := taken.setdefault(player, number)) != number:
            why = _("Row %(row)s is of the same player as row %(other)s: choose another one.")
            raise Refusal("choice_taken", why % {"row": number, "other": other}, field="choices")
        fate = _fate_of(kept.get(player), row.value, row.experience)
        decided[number] = replace(row, fate=fate, player=player, why="")
    return replace(preview, rows=tuple(decided.get(row.listed.row, row) for row in preview.rows))


@transaction.atomic
def import_starts(
    official_list: OfficialList,
    rows: Iterable[Listed],
    *,
    as_of: date,
    source: str,
    digest: str,
    by: User | None,
    chosen: Choices = MappingProxyType({}),
) -> StartPreview:
    """Store the start values that the preview with this digest announced, and those of the players who were chosen.

    Refused rows are left out, and ambiguous ones for which nobody was chosen. Once the list has been published, only
    players may get one who have none and have not been rated on it. Raises Conflict for another preview and for a
    value that is in use, Refusal without a source and for what :func:`choose_players` refuses, and Forbidden.
    """
    current = OfficialList.objects.select_for_update(of=("self",)).get(pk=official_list.pk)
    if by is not None:
        require_keeper(by, current)
    source = " ".join(source.split())
    if not source or len(source) > 80:
        raise Refusal(
            "source_missing", _("Say in at most 80 characters which list these values are from."), field="source"
        )
    preview = preview_starts(current, rows, as_of=as_of, source=source)
    if preview.digest != digest:
        raise Conflict(
            "preview_changed",
            _("Something has changed since this preview was made. Look at the new one and confirm it."),
        )
    preview = choose_players(current, preview, chosen)
    changed, new = preview.of(Outcome.CHANGED), preview.of(Outcome.NEW)
    last = current.publications.order_by("-number").first()
    rated = {row[0] for row in json.loads(zlib.decompress(last.document))["people"]} if last else set[int]()
    if last and (changed or any(row.player in rated for row in new)):
        raise Conflict(
            "start_values_in_use",
            _("This list has been published: start values of players who have a rating on it stay as they are."),
        )
    values = [
        StartValue(
            official_list=current,
            player_id=row.player,
            value=row.value,
            experience=row.experience,
            as_of=as_of,
            source=source,
        )
        for row in (*new, *changed)
        if row.player is not None and row.value is not None
    ]
    StartValue.objects.filter(official_list=current, player__in=[row.player for row in changed]).delete()
    StartValue.objects.bulk_create(values, batch_size=500)
    return preview


def _fate(listed: Listed, finder: "_Finder", kept: Mapping[int, StartValue]) -> StartRow:
    value = number_from(listed.value)
    if value is None:
        return StartRow(listed, Outcome.REFUSED, why=why_no_number(listed.value))
    if value < min(0, finder.newcomer - FURTHEST_BELOW):
        why = _("A rating of %(value)s cannot be: newcomers of this list begin at %(newcomer)s.")
        said = {"value": f"{value.normalize():f}", "newcomer": f"{finder.newcomer:g}"}
        return StartRow(listed, Outcome.REFUSED, why=why % said)
    experience = whole_from(listed.experience or "0")
    if experience is None:
        why = _("“%(text)s” is not an experience.") % {"text": listed.experience[:20]}
        return StartRow(listed, Outcome.REFUSED, why=why)
    found = finder.find(listed)
    if len(found) != 1:
        fate = Outcome.AMBIGUOUS if found else Outcome.REFUSED
        why = (
            _("More than one player has this name.") if found else _("Nobody in the registry has this number or name.")
        )
        return StartRow(listed, fate, value=value, experience=experience, why=why, candidates=found)
    return StartRow(listed, _fate_of(kept.get(found[0]), value, experience), found[0], value, experience)


def _fate_of(was: StartValue | None, value: Decimal, experience: int) -> Outcome:
    if was is None:
        return Outcome.NEW
    return Outcome.SAME if (was.value, was.experience) == (value, experience) else Outcome.CHANGED


def _told(was: StartValue | None) -> tuple[str, int] | None:
    """Return a stored start value as the digest has it."""
    return None if was is None else (str(was.value), was.experience)


class _Finder:
    """Who is meant by the rows of a list: read for all of them at once."""

    def __init__(self, official_list: OfficialList, rows: Sequence[Listed]) -> None:
        self.newcomer = system_of(official_list).start
        self.by_number: dict[str, int] = {}
        self.by_name: dict[str, list[int]] = {}
        federation = official_list.federation
        if federation is not None:
            numbers = Membership.objects.filter(federation=federation).exclude(number="").order_by("pk")
            self.by_number = dict(numbers.values_list("number", "player"))
            own = ExternalId.objects.filter(issuer=federation.issuer)
            self.by_number |= dict(own.values_list("value", "player"))
        names = sorted({_folded(row.name) for row in rows if row.name})
        for place in range(0, len(names), CHUNK):
            found = known_by(names[place : place + CHUNK])
            readable = _readable_by(federation, [player for people in found.values() for player in people])
            for name, people in found.items():
                self.by_name[name] = [player.pk for player in people if player.pk in readable]

    def find(self, listed: Listed) -> tuple[int, ...]:
        if listed.number and listed.number in self.by_number:
            return (self.by_number[listed.number],)
        return tuple(self.by_name.get(_folded(listed.name), ())) if listed.name else ()


def _readable_by(federation: Federation | None, people: Sequence[Player]) -> set[int]:
    """Return those whose names are public, or kept by the officers of the federation; without one they are all."""
    reach = ALL if federation is None else Reach(federations=frozenset({federation.pk}))
    rights = rights_over(reach, people)
    return {player.pk for player in people if player.visibility == Visibility.PUBLIC or rights[player.pk].officer}


def _folded(name: str) -> str:
    return fold_name(in_order(name))
