"""The undoing of an import of members: whole, or not at all where later changes stand on it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.db.models import Model, ProtectedError
from django.utils.translation import gettext as _

from players.errors import Conflict
from players.models import (
    Alias,
    Club,
    ExternalId,
    FormerValue,
    Membership,
    Player,
    RegistryImport,
    RegistryRole,
    User,
)
from players.registry.member_import import STORED, Report, dates_of, term_of
from players.registry.people import edit_people, person_of
from players.registry.roles import require_federation
from players.rows import update_rows

MADE: Mapping[str, type[Model]] = {"aliases": Alias, "numbers": ExternalId, "memberships": Membership}
"""The rows that an import makes, in the order in which an undo deletes them."""


@transaction.atomic
def undo_import(kept: RegistryImport, *, by: User | None, at: datetime) -> RegistryImport:
    """Take back everything that an import has stored, but clubs that others are in by now; its file is deleted.

    Raises Conflict, and changes nothing, if later changes stand on it: somebody it took in has played or has more
    recorded by now, or what it changed has been changed again. Raises Forbidden.
    """
    kept = RegistryImport.objects.select_for_update(of=("self",)).select_related("federation").get(pk=kept.pk)
    assert kept.federation is not None  # noqa: S101 - imports of members have one
    require_federation(by, kept.federation)
    if kept.undone_at is not None:
        raise Conflict("import_undone", _("This import has been undone already."))
    rows = [row for row in reversed(kept.report.get("rows", [])) if row["outcome"] in STORED]
    people = _people_of(rows)
    _take_back_dates(rows, people)
    _delete_made(rows, people)
    _take_back_fields([row for row in rows if "changed" in row], people, by=by, at=at)
    _delete_created(rows, people)
    _delete_clubs(kept.report.get("clubs", ()))
    kept.undone_at, kept.undone_by, kept.data = at, by, None
    kept.save(update_fields=["undone_at", "undone_by", "data"])
    return kept


def _people_of(rows: Sequence[Report]) -> dict[int, Player]:
    """Return the people of these rows, locked. Raises Conflict if one of them is no longer there."""
    found = Player.objects.select_for_update(of=("self",)).select_related("club").order_by("pk")
    people = {player.pk: player for player in found.filter(pk__in=[row["player"] for row in rows])}
    for row in rows:
        player = people.get(row["player"])
        if player is None or player.merged_into_id is not None:
            raise _stands(row, player)
    return people


def _take_back_dates(rows: Sequence[Report], people: Mapping[int, Player]) -> None:
    changed = [row for row in rows if "dates" in row]
    held = Membership.objects.in_bulk([row["dates"]["membership"] for row in changed])
    for row in changed:
        membership = held.get(row["dates"]["membership"])
        if membership is None or membership.player_id != row["player"] or dates_of(membership) != row["dates"]["now"]:
            raise _stands(row, people[row["player"]])
        membership.ends, membership.paid_on = (date.fromisoformat(day) if day else None for day in row["dates"]["was"])
    update_rows(held.values(), ["ends", "paid_on"])


def _delete_made(rows: Sequence[Report], people: Mapping[int, Player]) -> None:
    """Delete the rows that the import made. Raises Conflict where one is another one's by now, or no longer as made."""
    for name, model in MADE.items():
        made: dict[int, Any] = model._default_manager.in_bulk([pk for row in rows for pk in row.get(name, ())])
        for row in rows:
            theirs = [made.get(pk) for pk in row.get(name, ())]
            if any(one is None or one.player_id != row["player"] for one in theirs):
                raise _stands(row, people[row["player"]])
            if name == "memberships" and "terms" in row and [term_of(one) for one in theirs if one] != row["terms"]:
                raise _stands(row, people[row["player"]])
        model._default_manager.filter(pk__in=made).delete()


def _take_back_fields(rows: Sequence[Report], people: Mapping[int, Player], *, by: User | None, at: datetime) -> None:
    """Store what was before, and forget that it was ever anything else."""
    edits = []
    for row in rows:
        player = people[row["player"]]
        now = person_of(player)
        if any(getattr(now, name) != after for name, (_before, after) in row["changed"].items()):
            raise _stands(row, player)
        edits.append((player, replace(now, **{name: before for name, (before, _after) in row["changed"].items()})))
    edited = edit_people(edits, by=by, at=at)
    former = [pk for row in rows for pk in row["former"]] + [made.pk for one in edited for made in one.former]
    FormerValue.objects.filter(pk__in=former).delete()
    spelt = [pk for row in rows for pk in row["spelt"]] + [made.pk for one in edited for made in one.aliases]
    Alias.objects.filter(pk__in=spelt).delete()


def _delete_created(rows: Sequence[Report], people: Mapping[int, Player]) -> None:
    """Delete the people whom the import took in. Raises Conflict if anything else refers to one of them by now."""
    created = {row["player"]: row for row in rows if row.get("created")}
    held = {*RegistryRole.objects.filter(player__in=created).values_list("player", flat=True)}
    if not held:
        try:
            with transaction.atomic():
                Player.objects.filter(pk__in=created).delete()
        except ProtectedError as error:
            held = {pk for row in error.protected_objects for pk in _players_of(row)}
    for pk, row in created.items():
        if pk in held:
            raise _stands(row, people[pk])


def _players_of(row: Model) -> set[int]:
    """Return the ids of the people to whom a row refers."""
    return {getattr(row, field.attname) for field in row._meta.concrete_fields if field.related_model is Player}


def _delete_clubs(made: Sequence[int]) -> None:
    """Delete those of these clubs in which nobody is, and which nobody manages."""
    locked = [club.pk for club in Club.objects.select_for_update().filter(pk__in=made)]
    Club.objects.filter(pk__in=locked, players=None, managers=None, memberships=None).delete()


def _stands(row: Report, player: Player | None) -> Conflict:
    name = player.name if player else ""
    return Conflict(
        "import_stands",
        _("Later changes stand on row %(line)s of this import (%(name)s), so it can no longer be undone.")
        % {"line": row["line"], "name": name},
    )
