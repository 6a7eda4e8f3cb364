"""The import of a file of members: a preview of what becomes of each row, the import it announced, and its undoing."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import Model, ProtectedError, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.models import (
    Alias,
    ExternalId,
    Federation,
    FormerValue,
    Membership,
    Player,
    RegistryImport,
    RegistryRole,
    User,
)
from players.questions import digest_of
from players.registry.matching import Choices, Matching, MemberFate, Outcome
from players.registry.member_file import MemberLine, read_members
from players.registry.memberships import add_membership, change_membership
from players.registry.people import Person, create_person, edit_person, person_of, remember_spelling
from players.registry.records import add_number
from players.registry.roles import require_federation

MADE: Mapping[str, type[Model]] = {"aliases": Alias, "numbers": ExternalId, "memberships": Membership}
"""The rows that an import makes, in the order in which an undo deletes them."""
FIELDS = ("given", "family", "country", "club", "born")
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
    def changing(self) -> list[Player]:
        """The people whose names, clubs or countries would change."""
        return [fate.player for fate in self.fates if fate.player is not None and fate.person is not None]


def preview_members(
    federation: Federation, data: bytes, *, chosen: Choices, by: User | None, at: datetime
) -> MemberPreview:
    """Return what :func:`import_members` would do with each row now; nothing is stored.

    Raises Forbidden unless the user is an officer of the federation, and Refusal for a file that cannot be read.
    """
    require_federation(by, federation)
    lines = read_members(data)
    known = [line for line in lines if isinstance(line, MemberLine)]
    matching = Matching(federation, known, chosen=chosen, today=timezone.localdate(at))
    fates = tuple(matching.fate_of(line) for line in lines)
    asked = [fate.facts for fate in fates], sorted(chosen.items()), sha256(data).hexdigest(), federation.pk
    return MemberPreview(fates, digest_of(*asked))


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

    The file is kept, and what was chosen is remembered as another spelling of the person. Raises Conflict if the
    preview would announce something else by now, Refusal if there is nothing to store, and Forbidden.
    """
    federation = Federation.objects.select_for_update().get(pk=federation.pk)
    preview = preview_members(federation, data, chosen=chosen, by=by, at=at)
    if preview.digest != digest:
        raise Conflict(
            "preview_changed",
            _("Something has changed since this preview was made. Look at the new one and confirm it."),
        )
    if not preview.stored:
        raise Refusal("nothing_to_import", _("No row of this file would change anything."))
    rows = [_store(federation, fate, by=by, at=at) for fate in preview.fates]
    return RegistryImport.objects.create(
        kind=RegistryImport.Kind.MEMBERS,
        federation=federation,
        file_name=name[:120],
        sha256=sha256(data).hexdigest(),
        data=data,
        report={"counts": preview.counts, "rows": rows},
        at=at,
        by=by,
    )


def _store(federation: Federation, fate: MemberFate, *, by: User | None, at: datetime) -> Report:
    """Store a row, and return what undoing it needs."""
    told: Report = {"line": fate.line, "outcome": fate.outcome.value}
    if fate.outcome not in (Outcome.NEW, Outcome.CHANGED):
        return told | ({"code": fate.code} if fate.code else {}) | ({"player": fate.player.pk} if fate.player else {})
    player = fate.player
    if player is None:
        assert fate.person is not None  # noqa: S101 - every new row has one
        player = create_person(fate.person, by=by, at=at)
        told["created"] = True
    elif fate.person is not None:
        was, last = person_of(player), _last_former(player)
        player = edit_person(player, fate.person, by=by, at=at)
        told["former"] = list(player.former_values.filter(pk__gt=last).values_list("pk", flat=True))
        told["changed"] = {
            name: [getattr(was, name), getattr(fate.person, name)] for name in fate.changes if name in FIELDS
        }
        told["spelt"] = list(player.aliases.filter(at=at).values_list("pk", flat=True))
    told["player"] = player.pk
    if fate.number:
        told["numbers"] = [add_number(player, issuer=federation.issuer, value=fate.number, by=by, at=at).pk]
    if fate.term is not None and fate.membership is None:
        told["memberships"] = [add_membership(player, federation, kind=fate.kind, term=fate.term, by=by).pk]
    elif fate.term is not None and fate.membership is not None:
        before = fate.membership
        told["dates"] = {"membership": before.pk, "was": _dates(before)}
        told["dates"]["now"] = _dates(change_membership(before, term=fate.term, by=by))
    if fate.chosen and fate.player is not None:
        alias = remember_spelling(player, fate.name, by=by, at=at)
        told["aliases"] = [alias.pk] if alias.at == at else []
    return told


def _dates(row: Membership) -> list[str]:
    return [str(row.ends or ""), str(row.paid_on or "")]


def _last_former(player: Player) -> int:
    return player.former_values.order_by("-pk").values_list("pk", flat=True).first() or 0


@transaction.atomic
def undo_import(kept: RegistryImport, *, by: User | None, at: datetime) -> RegistryImport:
    """Take back everything that an import has stored; the file and its report stay.

    Raises Conflict, and changes nothing, if later changes stand on it: somebody it took in has played or has more
    recorded by now, or what it changed has been changed again. Raises Forbidden.
    """
    kept = RegistryImport.objects.select_for_update(of=("self",)).select_related("federation").get(pk=kept.pk)
    assert kept.federation is not None  # noqa: S101 - imports of members have one
    require_federation(by, kept.federation)
    if kept.undone_at is not None:
        raise Conflict("import_undone", _("This import has been undone already."))
    for row in reversed(kept.report.get("rows", [])):
        if row["outcome"] in (Outcome.NEW, Outcome.CHANGED):
            _take_back(row, by=by, at=at)
    kept.undone_at, kept.undone_by = at, by
    kept.save(update_fields=["undone_at", "undone_by"])
    return kept


def _take_back(row: Report, *, by: User | None, at: datetime) -> None:
    player = Player.objects.select_for_update(of=("self",)).select_related("club").filter(pk=row["player"]).first()
    if player is None or player.merged_into_id is not None:
        raise _stands(row, player)
    if "dates" in row:
        _take_back_dates(row, player)
    for name, model in MADE.items():
        theirs: QuerySet[Any] = model._default_manager.filter(pk__in=row.get(name, ()))
        if theirs.filter(player=player).delete()[0] < len(row.get(name, ())):
            raise _stands(row, player)
    if row.get("created"):
        if RegistryRole.objects.filter(player=player).exists():
            raise _stands(row, player)
        try:
            with transaction.atomic():
                player.delete()
        except ProtectedError as error:
            raise _stands(row, player) from error
    elif "changed" in row:
        _take_back_fields(row, player, by=by, at=at)


def _take_back_dates(row: Report, player: Player) -> None:
    membership = Membership.objects.filter(pk=row["dates"]["membership"], player=player).first()
    if membership is None or _dates(membership) != row["dates"]["now"]:
        raise _stands(row, player)
    membership.ends, membership.paid_on = (date.fromisoformat(day) if day else None for day in row["dates"]["was"])
    membership.save(update_fields=["ends", "paid_on"])


def _take_back_fields(row: Report, player: Player, *, by: User | None, at: datetime) -> None:
    now = person_of(player)
    if any(getattr(now, name) != after for name, (_before, after) in row["changed"].items()):
        raise _stands(row, player)
    was = {name: before for name, (before, _after) in row["changed"].items()}
    last, spelt = _last_former(player), list(player.aliases.values_list("pk", flat=True))
    edit_person(player, Person(**{name: was.get(name, getattr(now, name)) for name in Person.__slots__}), by=by, at=at)
    mine = FormerValue.objects.filter(player=player)
    (mine.filter(pk__in=row["former"]) | mine.filter(pk__gt=last)).delete()
    player.aliases.exclude(pk__in=[pk for pk in spelt if pk not in row["spelt"]]).delete()


def _stands(row: Report, player: Player | None) -> Conflict:
    name = player.name if player else ""
    return Conflict(
        "import_stands",
        _("Later changes stand on row %(line)s of this import (%(name)s), so it can no longer be undone.")
        % {"line": row["line"], "name": name},
    )
