"""Deletion: a tournament or an event disappears from all lists and pages, and can be restored unchanged."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from matches.counted import recount
from matches.models import Scoresheet, SheetState
from players.errors import Conflict, Refusal
from players.models import User
from tournament.changes.record import begin_step, lock_hall, record_change, record_in_tournament
from tournament.draw.calls import close_calls
from tournament.models import CallEnding, Event, Tournament
from tournament.models.team import matches_in
from tournament.prizes.amounts import as_decimal, find_currency


def reasons_to_keep(event: Event) -> list[str]:
    """Return the reasons against deleting the event: that it is in play, and the money in its cash box."""
    reasons = []
    played = Scoresheet.objects.filter(match__in=matches_in(event), state__in=Scoresheet.CURRENT).count()
    if played and event.finished_at is None:
        sentence = ngettext(
            "%(name)s is under way: %(count)s match has a score.",
            "%(name)s is under way: %(count)s matches have a score.",
            played,
        )
        reasons.append(sentence % {"name": event.name, "count": played})
    held = event.payments.order_by("currency").values_list("currency").annotate(held=Sum("amount")).exclude(held=0)
    for currency, amount in held:
        values = {"name": event.name, "amount": as_decimal(amount, find_currency(currency)), "currency": currency}
        reasons.append(
            _("Money has been taken for %(name)s: there is %(amount)s %(currency)s in its cash box.") % values
        )
    return reasons


@transaction.atomic
def delete_event(event: Event, *, typed: str, by: User, at: datetime) -> None:
    """Hide the event from everybody, keeping all its rows, and free its tables.

    Raises Refusal unless ``typed`` is its name.
    """
    event, at = begin_step(event, at)
    _require_name(event, typed)
    close_calls(matches_in(event), ending=CallEnding.RECALLED, at=at)
    event.deleted_at = at
    event.save(update_fields=["deleted_at"])
    _recount([event])
    record_change(event, verb="delete_event", by=by, at=at, name=event.name)


@transaction.atomic
def restore_event(event: Event, *, by: User, at: datetime) -> Event:
    """Restore the event as it was before deletion. Raises Conflict if it is not deleted."""
    current = Event.everything.select_for_update(of=("self",)).select_related("tournament").get(pk=event.pk)
    lock_hall(current.tournament_id)
    if current.deleted_at is None:
        raise Conflict("not_deleted", _("“%(name)s” has not been deleted.") % {"name": current.name})
    current.deleted_at = None
    current.save(update_fields=["deleted_at"])
    _recount([current])
    record_change(current, verb="restore_event", by=by, at=at, name=current.name)
    return current


@transaction.atomic
def delete_tournament(tournament: Tournament, *, typed: str, by: User, at: datetime) -> None:
    """Hide the tournament from everybody but its owner, keeping all its rows.

    Raises Refusal unless ``typed`` is its name.
    """
    tournament = lock_hall(tournament.pk)
    _require_name(tournament, typed)
    tournament.deleted_at = at
    tournament.save(update_fields=["deleted_at"])
    _recount(Event.everything.filter(tournament=tournament))
    record_in_tournament(tournament, verb="delete_tournament", by=by, at=at, name=tournament.name)


@transaction.atomic
def restore_tournament(tournament: Tournament, *, by: User, at: datetime) -> Tournament:
    """Restore the tournament as it was before deletion.

    Raises Conflict if it is not deleted, and for a next season if the season before it has another one by now.
    """
    wanted = [pk for pk in (tournament.pk, tournament.season_before_id) if pk is not None]
    locked = {one.pk: one for one in Tournament.everything.select_for_update().filter(pk__in=wanted).order_by("pk")}
    current = locked[tournament.pk]
    if current.deleted_at is None:
        raise Conflict("not_deleted", _("“%(name)s” has not been deleted.") % {"name": current.name})
    if current.season_before_id is not None:
        require_no_next_season(locked[current.season_before_id])
    current.deleted_at = None
    current.save(update_fields=["deleted_at"])
    _recount(Event.everything.filter(tournament=current))
    record_in_tournament(current, verb="restore_tournament", by=by, at=at, name=current.name)
    return current


def require_no_next_season(tournament: Tournament) -> None:
    """Raise Conflict, which names it, if the tournament has a next season that is not deleted."""
    found = tournament.seasons_after.first()
    if found is not None:
        sentence = _("The next season has been created already: it is “%(name)s”.")
        raise Conflict("season_exists", sentence % {"name": found.name})


def _recount(events: Iterable[Event]) -> None:
    """Have the decided matches of these events rated or no longer rated."""
    for event in events:
        decided = matches_in(event).filter(sheets__state=SheetState.CONFIRMED)
        recount(decided.values_list("pk", flat=True))


def _require_name(subject: Tournament | Event, typed: str) -> None:
    if " ".join(typed.split()) != subject.name:
        raise Refusal("name_differs", _("Type the name exactly: “%(name)s”.") % {"name": subject.name})
