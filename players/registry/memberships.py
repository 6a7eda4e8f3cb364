"""Memberships: rows with dates, of which no two of one person, body and kind overlap."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.lines import one_line
from players.models import Club, Federation, Membership, Player, User
from players.registry.models import MAX_NUMBER, MAX_SOURCE
from players.registry.people import lock_person
from players.registry.roles import require_club, require_federation
from players.rows import insert_rows, update_rows

YEARS = range(1900, 2201)


@dataclass(frozen=True, slots=True)
class Term:
    """From when to when a membership holds, both days included, and what is noted of it."""

    starts: date
    ends: date | None = None
    paid_on: date | None = None
    number: str = ""
    source: str = ""


@transaction.atomic
def add_membership(player: Player, body: Federation | Club, *, kind: str, term: Term, by: User | None) -> Membership:
    """Make the person a member of the federation or club.

    Raises Conflict if a membership of this kind overlaps it, Refusal for dates that cannot be, and Forbidden.
    """
    player = lock_person(player)
    _require_keeper(by, body)
    if kind not in Membership.Kind:
        raise Refusal("kind_unknown", _("There is no such kind of membership."), field="kind")
    column = "federation" if isinstance(body, Federation) else "club"
    row = Membership(player=player, kind=kind, **{column: body})
    return _store(row, term)


@transaction.atomic
def store_memberships(federation: Federation, rows: Sequence[Membership], *, by: User | None) -> None:
    """Store memberships of the federation, new ones and those whose dates have changed, in a few statements.

    Their people are locked already. Raises what :func:`add_membership` raises.
    """
    require_federation(by, federation)
    held: dict[int, list[Membership]] = {}
    people = {row.player_id for row in rows}
    stored = {row.pk for row in rows}
    for known in Membership.objects.filter(federation=federation, player__in=people):
        if known.pk not in stored:
            held.setdefault(known.player_id, []).append(known)
    for row in rows:
        row.federation = federation
        _check(Term(row.starts, row.ends, row.paid_on))
        theirs = held.setdefault(row.player_id, [])
        require_room(row, theirs)
        theirs.append(row)
    insert_rows([row for row in rows if row.pk is None])
    update_rows([row for row in rows if row.pk is not None], ["ends", "paid_on"])


@transaction.atomic
def change_membership(row: Membership, *, term: Term, by: User | None) -> Membership:
    """Store other dates of a membership, and what is noted of it. Raises what :func:`add_membership` raises."""
    lock_person(row.player)
    row = Membership.objects.select_for_update(of=("self",)).select_related("federation", "club").get(pk=row.pk)
    body = row.federation or row.club
    assert body is not None  # noqa: S101 - a constraint of the table
    _require_keeper(by, body)
    return _store(row, term)


def year_of(federation: Federation, day: date) -> tuple[date, date]:
    """Return the first and the last day of the federation's membership year that holds the day."""
    starts = date(day.year, federation.year_starts_month, federation.year_starts_day)
    if starts > day:
        starts = starts.replace(year=day.year - 1)
    return starts, starts.replace(year=starts.year + 1) - timedelta(days=1)


def members_on(body: Federation | Club, day: date) -> Q:
    """Return the condition on players that they are members of the body on this day."""
    column = "federation" if isinstance(body, Federation) else "club"
    held = Membership.objects.filter(Membership.on(day), **{column: body})
    return Q(pk__in=held.values("player"))


def _store(row: Membership, term: Term) -> Membership:
    _check(term)
    row.starts, row.ends, row.paid_on = term.starts, term.ends, term.paid_on
    row.number, row.source = one_line(term.number), one_line(term.source)[:MAX_SOURCE]
    if len(row.number) > MAX_NUMBER:
        raise Refusal(
            "number_unreadable",
            _("A number has 1 to %(most)s letters or digits.") % {"most": MAX_NUMBER},
            field="number",
        )
    require_room(row, Membership.objects.filter(player=row.player_id))
    row.save()
    return row


def require_room(row: Membership, others: Iterable[Membership]) -> None:
    """Raise Conflict if one of the others overlaps the membership."""
    other = row.overlapping(others)
    if other is not None:
        raise Conflict(
            "memberships_overlap",
            _("There is a membership of this kind from %(starts)s to %(ends)s already.")
            % {"starts": other.starts, "ends": other.ends or "…"},
            field="starts",
        )


def _check(term: Term) -> None:
    if term.ends is not None and term.ends < term.starts:
        raise Refusal("membership_ends_early", _("A membership cannot end before it begins."), field="ends")
    for name in ("starts", "ends", "paid_on"):
        day = getattr(term, name)
        if day is not None and day.year not in YEARS:
            raise Refusal("day_out_of_range", _("A day must be between the years 1900 and 2200."), field=name)


def _require_keeper(by: User | None, body: Federation | Club) -> None:
    if isinstance(body, Federation):
        require_federation(by, body)
    else:
        require_club(by, body)
