"""The import of a file of members: a preview of what becomes of each row, and the import that it announced."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.models import Federation, Membership, Player, RegistryImport, User
from players.questions import digest_of
from players.registry.bodies import ClubData, create_club
from players.registry.matching import Choices, Matching, MemberFate, Outcome
from players.registry.member_file import MemberLine, read_members
from players.registry.memberships import store_memberships
from players.registry.people import create_people, edit_people, person_of, remember_spelling
from players.registry.records import add_numbers
from players.registry.roles import require_federation

FIELDS = ("given", "family", "country", "club", "born")
STORED = (Outcome.NEW, Outcome.CHANGED)
"""The outcomes of rows that store something."""
Report = dict[str, Any]


@dataclass(frozen=True, slots=True)
class MemberPreview:
    """The fates of all rows, and the digest by which they are confirmed."""

    fates: tuple[MemberFate, ...]
    digest: str

    def count(self, outcome: str) -> int:
        return sum(fate.outcome == outcome for fate in self.fates)

    @property
    def counts(self) -> dict[str, int]:
        return {outcome.value: self.count(outcome) for outcome in Outcome}

    @property
    def stored(self) -> int:
        """How many rows would store something."""
        return self.count(Outcome.NEW) + self.count(Outcome.CHANGED)

    @property
    def asks(self) -> bool:
        """Whether somebody can choose who a row means."""
        return any(fate.candidates for fate in self.fates)

    @property
    def changing(self) -> list[Player]:
        """The people whose names, clubs or countries would change."""
        return [fate.player for fate in self.fates if fate.player is not None and fate.person is not None]


def preview_members(
    federation: Federation, data: bytes, *, chosen: Choices, by: User | None, at: datetime, locks: bool = False
) -> MemberPreview:
    """Return what :func:`import_members` would do with each row now; nothing is stored.

    The digest is that of the file and of all that the fates follow from, whatever is chosen: what somebody chooses is
    part of their confirmation. With ``locks``, in a transaction, all of it stays as it is. Raises Forbidden unless the
    user is an officer of the federation, and Refusal for a file that cannot be read.
    """
    require_federation(by, federation)
    lines = read_members(data)
    known = [line for line in lines if isinstance(line, MemberLine)]
    matching = Matching(federation, known, by=by, today=timezone.localdate(at), locks=locks)
    fates, facts = matching.fates_of(lines, chosen)
    return MemberPreview(fates, digest_of(facts, sha256(data).hexdigest(), federation.pk))


@transaction.atomic
def import_members(
    federation: Federation,
    data: bytes,
    *,
    name: str,
    chosen: Choices,
    digest: str,
    by: User | None,
    at: datetime,
) -> RegistryImport:
    """Store what the preview with this digest announced; rows that are ambiguous or refused are left out.

    The file is kept, and what was chosen is remembered as another spelling of the person. A club that nobody knows yet
    becomes one of the federation. Raises Conflict if the preview would announce something else by now, Refusal if
    there is nothing to store, and Forbidden.
    """
    federation = Federation.objects.select_for_update().get(pk=federation.pk)
    preview = preview_members(federation, data, chosen=chosen, by=by, at=at, locks=True)
    if preview.digest != digest:
        raise Conflict(
            "preview_changed",
            _("Something has changed since this preview was made. Look at the new one and confirm it."),
        )
    if not preview.stored:
        raise Refusal("nothing_to_import", _("No row of this file would change anything."))
    clubs = sorted({fate.new_club for fate in preview.fates if fate.new_club and fate.outcome in STORED})
    made = [create_club(ClubData(club, federation=federation.code), by=by).pk for club in clubs]
    rows = _store(federation, preview.fates, by=by, at=at)
    return RegistryImport.objects.create(
        kind=RegistryImport.Kind.MEMBERS,
        federation=federation,
        file_name=name[:120],
        sha256=sha256(data).hexdigest(),
        data=data,
        report={"counts": preview.counts, "rows": rows, "clubs": made},
        at=at,
        by=by,
    )


def _store(federation: Federation, fates: Sequence[MemberFate], *, by: User | None, at: datetime) -> list[Report]:
    """Store the rows, and return of each what undoing it needs."""
    told: list[Report] = [{"line": fate.line, "outcome": fate.outcome.value} for fate in fates]
    stored = [(fate, row) for fate, row in zip(fates, told, strict=True) if fate.outcome in STORED]
    new = [(fate.person, row) for fate, row in stored if fate.player is None and fate.person is not None]
    for player, (_person, row) in zip(create_people([one for one, _row in new], by=by, at=at), new, strict=True):
        row |= {"created": True, "player": player.pk}
    for fate, row in zip(fates, told, strict=True):
        if fate.player is not None:
            row["player"] = fate.player.pk
        if fate.code:
            row["code"] = fate.code
    _edit(stored, by=by, at=at)
    numbered = [(fate.number, row) for fate, row in stored if fate.number]
    given = {number: row["player"] for number, row in numbered}
    for made, (_number, row) in zip(add_numbers(federation, given, by=by, at=at), numbered, strict=True):
        row["numbers"] = [made.pk]
    _store_terms(federation, stored, by=by)
    for fate, row in stored:
        if fate.chosen and fate.player is not None:
            alias = remember_spelling(fate.player, fate.name, by=by, at=at)
            row["aliases"] = [alias.pk] if alias.at == at else []
    return told


def _edit(stored: Sequence[tuple[MemberFate, Report]], *, by: User | None, at: datetime) -> None:
    """Store names, clubs, countries and births of people who are known, and note what undoing it needs."""
    known = [(fate.player, fate.person, fate, row) for fate, row in stored if fate.player and fate.person]
    edits = [(player, person) for player, person, _fate, _row in known]
    for edited, (player, person, fate, row) in zip(edit_people(edits, by=by, at=at), known, strict=True):
        was, fields = person_of(player), [name for name in fate.changes if name in FIELDS]
        row["changed"] = {name: [getattr(was, name), getattr(person, name)] for name in fields}
        row["former"], row["spelt"] = [one.pk for one in edited.former], [one.pk for one in edited.aliases]


def _store_terms(federation: Federation, stored: Sequence[tuple[MemberFate, Report]], *, by: User | None) -> None:
    """Store the memberships, and note what undoing them needs."""
    rows, made = [], []
    for fate, row in stored:
        term, held = fate.term, fate.membership
        if term is None:
            continue
        if held is None:
            held = Membership(player_id=row["player"], federation=federation, kind=fate.kind, starts=term.starts)
            made.append((held, row))
        else:
            row["dates"] = {"membership": held.pk, "was": dates_of(held)}
            row["dates"]["now"] = [str(term.ends or ""), str(term.paid_on or "")]
        held.ends, held.paid_on = term.ends, term.paid_on
        rows.append(held)
    store_memberships(federation, rows, by=by)
    for held, row in made:
        row["memberships"], row["terms"] = [held.pk], [term_of(held)]


def term_of(row: Membership) -> list[str]:
    """Return everything that is noted of a membership."""
    return [row.kind, row.number, str(row.starts), *dates_of(row)]


def dates_of(row: Membership) -> list[str]:
    """Return the dates of a membership that an import changes."""
    return [str(row.ends or ""), str(row.paid_on or "")]
