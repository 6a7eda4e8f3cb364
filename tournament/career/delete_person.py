"""Deleting what is kept about a player: results stay, and nobody can tell any more whose they are."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from matches.tasks import rate
from players.errors import Conflict, Refusal
from players.lists.names import forget_lines
from players.models import Player, User
from players.ratings import RATINGS
from players.registry.forget import forget, names_of
from players.registry.public_names import change_names
from players.services import fold_name
from tournament.career.personal_data import entries_of
from tournament.career.renaming import renamed_rows, store_renamed
from tournament.changes.record import in_order, record_change
from tournament.draw.chain import as_drawn
from tournament.models import Entry, Event, KeptExport, LogEntry
from tournament.reporting.facts import decided_in
from tournament.roles.permissions import require_merger

PRIVATE = ("family", "left_reason")


def new_name(player: Player) -> str:
    """Return the name under which results stay."""
    return f"Deleted player {player.pk}"


def why_not_deleted(player: Player) -> str:
    """Return why what is kept about the player cannot be deleted now; empty if it can."""
    if player.merged_into is not None:
        return _("%(name)s has already been merged with another player.") % {"name": player}
    playing = entries_of([player]).filter(event__finished_at=None, event__deleted_at=None, left_at=None)
    if (entry := playing.first()) is not None:
        return _("%(name)s plays in %(event)s. Finish the event, or remove the entry, first.") % {
            "name": player,
            "event": entry.event,
        }
    return ""


@transaction.atomic
def delete_person(player: Player, *, typed: str, by: User | None, at: datetime) -> Player:
    """Replace the player's names everywhere but in published draws, and delete alerts, requests, reasons, links and
    what the registry has recorded of them but the dates of their memberships.

    Every event that they were in says so in its log, without the name. Raises Refusal unless ``typed`` is the name,
    Conflict while they play in an event, and Forbidden as :func:`tournament.roles.permissions.require_merger` does.
    """
    theirs = entries_of([player]).values("event")
    events = list(Event.everything.select_for_update(of=("self",)).filter(pk__in=theirs).order_by("pk"))
    change_names()
    player = Player.objects.select_for_update(of=("self",)).select_related("club").get(pk=player.pk)
    if by is not None:
        require_merger(by, [player])
    if " ".join(typed.split()) != player.name:
        raise Refusal("name_differs", _("Type the name exactly: “%(name)s”.") % {"name": player.name})
    if why := why_not_deleted(player):
        raise Conflict("person_plays", why)
    people = [player, *Player.objects.select_for_update().filter(merged_into=player)]
    entries = list(entries_of(people).prefetch_related("members"))
    names = {name: new_name(one) for one in people for name in sorted(names_of(one), key=len, reverse=True)}
    drawn = set(Event.everything.filter(pk__in=theirs, stages__drawn_at__isnull=False).values_list("pk", flat=True))
    before = {entry.pk: as_drawn(entry) for entry in entries}
    played = _days_of_play(Event.everything.filter(pk__in=theirs))
    for one in people:
        _rename(one, new_name(one), played.get(one.pk, set()))
    for entry in entries_of(people):
        _empty(entry, before[entry.pk], is_drawn=entry.event_id in drawn)
    _rename_in_rows(people, events, names, {entry.pk for entry in entries})
    at = max((in_order(event.log.all(), at) for event in events), default=at)
    for event in events:
        record_change(event, verb="delete_person", by=by, at=at, names=[new_name(player)], player=player.pk)
    for system in RATINGS:
        transaction.on_commit(partial(rate.delay, system), robust=True)
    return Player.objects.get(pk=player.pk)


def _days_of_play(events: QuerySet[Event]) -> dict[int, set[date]]:
    """Return the days on which matches of these events were played, by player."""
    days: dict[int, set[date]] = {}
    for one in decided_in(events):
        for player in (one.match.side_a_id, one.match.side_b_id):
            days.setdefault(player, set()).add(one.day)
    return days


def _rename(player: Player, name: str, played: Collection[date]) -> None:
    forget(player, played=played)
    KeptExport.forget_data()
    forget_lines(player, name)
    player.name, player.folded_name, player.country, player.club = name, fold_name(name), "", None
    player.save()


def _empty(entry: Entry, as_drawn: list[str], *, is_drawn: bool) -> None:
    """Delete what an entry has beside its results. Club, country and family of a draw that was made stay in it."""
    if is_drawn:
        _name, club, country = entry.drawn_as or as_drawn
        entry.drawn_as = [entry.name, club, country]
    else:
        entry.family = ""
    entry.left_reason = ""
    entry.link_epoch += 1
    entry.save(update_fields=["drawn_as", "family", "left_reason", "link_epoch"])
    entry.subscriptions.all().delete()
    entry.page_requests.all().delete()


def _rename_in_rows(people: Sequence[Player], events: list[Event], names: Mapping[str, str], entries: set[int]) -> None:
    """Replace the names in the rows of the first one's tournaments and matches, and empty what the log has of entries,
    and of the people in files that were imported.
    """
    ids = {str(one.pk) for one in people}
    for row, changed in renamed_rows(people[0], events, names):
        if isinstance(row, LogEntry):
            changed["detail"] = _without_reasons(changed["detail"], row.verb, entries)
            if row.verb == "import_event":
                kept = changed["detail"].get("kept_people", {})
                kept = {pk: own for pk, own in kept.items() if pk not in ids}
                changed["detail"] = {**changed["detail"], "kept_people": kept}
            if changed["detail"] != row.detail and row.actor_id is None:
                changed |= {"address": None, "agent": ""}
        store_renamed(row, changed)


def _without_reasons(detail: Any, verb: str, entries: set[int]) -> Any:
    """Return the detail of a step without why these entries have left, and without their families."""
    if verb == "leave_event" and detail.get("entry") in entries:
        detail = {**detail, "reason": ""}
    if verb == "undo_leaving" and detail.get("entry") in entries and isinstance(detail.get("left"), dict):
        detail = {**detail, "left": {**detail["left"], "reason": ""}}
    if verb == "keep_apart" and detail.get("entry") in entries:
        detail = {**detail, "family": "", "changes": {}}
    for place in ("was", "kept"):
        if place in detail:
            detail = {**detail, place: _emptied(detail[place], entries)}
    return detail


def _emptied(kept: Any, entries: set[int]) -> Any:
    """Return rows of entries, as the log keeps them, without what is private of these."""
    if isinstance(kept, list):
        return [_bare(row) if isinstance(row, dict) and row.get("id") in entries else row for row in kept]
    if isinstance(kept, dict) and kept.get("id") in entries:
        return _bare(kept)
    if isinstance(kept, dict):
        theirs = {str(pk) for pk in entries}
        return {pk: _bare(row) if pk in theirs and isinstance(row, dict) else row for pk, row in kept.items()}
    return kept


def _bare(row: dict[str, Any]) -> dict[str, Any]:
    return {name: "" if name in PRIVATE else value for name, value in row.items()}
