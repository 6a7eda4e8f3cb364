"""The next season of a league: its divisions proposed from the final standings, and made once the director agrees."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.models import User
from players.questions import digest_of
from tournament.changes.record import lock_event, lock_hall
from tournament.entries.attendance import set_door
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.events.deletion import require_no_next_season
from tournament.models import Division, Event, Tournament
from tournament.setup.divisions import DivisionRule, divisions_of, set_divisions
from tournament.setup.duplicate import copy_tournament
from tournament.snapshot import StandingSnapshot, take_snapshot
from tournament.snapshot.ranking import rank_whole


class Why(StrEnum):
    """Why a player is proposed for a division."""

    STAYS = "stays"
    UP = "up"
    DOWN = "down"
    LEFT = "left"
    """They left the season, and are proposed for none."""


@dataclass(frozen=True, slots=True)
class Placed:
    """An entry of this season, its place, and the division proposed for the next: the id of an event, or None.

    ``is_tied``: the place is shared across the line between two divisions, so the order of the list decided.
    """

    entry: int
    player: int
    name: str
    place: int
    place_to: int
    division: int
    proposed: int | None
    why: Why
    is_tied: bool = False


@dataclass(frozen=True, slots=True)
class Waits:
    """An entry on the waiting list of this season's ``division``, the id of an event: it waits for the next one too."""

    entry: int
    player: int
    name: str
    division: int


@dataclass(frozen=True, slots=True)
class Raised:
    """A division whose limit of entries is ``limit``, and must become ``to`` so that all who are placed get places."""

    division: int
    name: str
    limit: int
    to: int


@dataclass(frozen=True, slots=True)
class Proposal:
    """The next season as proposed: ``placed`` in order of the divisions of this season and of their standings.

    Those who are ``waiting`` stand in the order of their waiting lists, and are entered after all who are placed.
    """

    divisions: tuple[Division, ...]
    placed: tuple[Placed, ...]
    waiting: tuple[Waits, ...] = ()

    @property
    def digest(self) -> str:
        """A short text that is the same as long as the proposal is."""
        placed = tuple((one.entry, one.place, one.division, one.proposed) for one in self.placed)
        limits = tuple((one.event_id, one.event.max_entries) for one in self.divisions)
        return digest_of(placed, tuple(one.entry for one in self.waiting), limits)

    @property
    def raised(self) -> tuple[Raised, ...]:
        """The limits that the proposal raises."""
        return self.raised_by({})

    def raised_by(self, changed: Mapping[int, int | None]) -> tuple[Raised, ...]:
        """Return the limits that are raised if the director has chosen otherwise for these entries."""
        found = []
        for one in self.divisions:
            limit, count = one.event.max_entries, len(self.placed_in(one, changed))
            if limit is not None and count > limit:
                found.append(Raised(one.event_id, one.event.name, limit, count))
        return tuple(found)

    def placed_in(self, division: Division, changed: Mapping[int, int | None]) -> tuple[Placed, ...]:
        """Return those who are proposed or ``changed`` for the division."""
        return tuple(one for one in self.placed if changed.get(one.entry, one.proposed) == division.event_id)

    def waiting_for(self, division: Division, changed: Mapping[int, int | None]) -> tuple[Waits, ...]:
        """Return those who wait for the division and are not placed in it."""
        placed = {one.player for one in self.placed_in(division, changed)}
        return tuple(one for one in self.waiting if one.division == division.event_id and one.player not in placed)


def propose_season(tournament: Tournament) -> Proposal:
    """Return the divisions of the next season as the rules of this one have them.

    In a division of several stages the places are those of the whole event. Raises Conflict if there is a next season
    already, without divisions, while one of them has not ended, and while its standings are being counted.
    """
    require_no_next_season(tournament)
    divisions = divisions_of(tournament)
    if not divisions:
        raise Conflict("no_divisions", _("This tournament has no divisions: set them first."))
    placed: list[Placed] = []
    waiting: list[Waits] = []
    for number, division in enumerate(divisions):
        snapshot = take_snapshot(division.event_id)
        name = {"name": snapshot.name}
        if snapshot.finished_at is None:
            raise Conflict("season_unfinished", _("%(name)s has not ended.") % name)
        if not snapshot.standings_are_current:
            raise Conflict("standings_stale", _("The standings of %(name)s are still being counted.") % name)
        above = divisions[number - 1].event_id if number else None
        below = divisions[number + 1].event_id if number + 1 < len(divisions) else None
        placed += place_division(division, rank_whole(snapshot), above=above, below=below)
        waiting += [Waits(one.id, one.player_id, one.name, division.event_id) for one in snapshot.waiting]
    return Proposal(tuple(divisions), tuple(placed), tuple(waiting))


def place_division(
    division: Division, standings: tuple[StandingSnapshot, ...], *, above: int | None, below: int | None
) -> list[Placed]:
    """Return where the entries of a division go: of those still there the first up, the last down."""
    there = [line for line in standings if not line.entry.has_left]
    up = min(division.up, len(there)) if above else 0
    down = min(division.down, len(there) - up) if below else 0
    lines = {line.entry.id: number for number, line in enumerate(there)}

    def goes(number: int | None) -> tuple[int | None, Why]:
        if number is None:
            return None, Why.LEFT
        if number < up:
            return above, Why.UP
        return (below, Why.DOWN) if number >= len(there) - down else (division.event_id, Why.STAYS)

    ways: dict[int, set[Why]] = {}
    for number, line in enumerate(there):
        ways.setdefault(line.place, set()).add(goes(number)[1])
    found = []
    for line in standings:
        proposed, why = goes(lines.get(line.entry.id))
        found.append(
            Placed(
                entry=line.entry.id,
                player=line.entry.player_id,
                name=line.entry.name,
                place=line.place,
                place_to=line.place_to,
                division=division.event_id,
                proposed=proposed,
                why=why,
                is_tied=why is not Why.LEFT and len(ways[line.place]) > 1,
            )
        )
    return found


@transaction.atomic
def hold_next_season(
    tournament: Tournament,
    *,
    starts_on: date,
    name: str = "",
    digest: str,
    changed: Mapping[int, int | None],
    by: User,
    at: datetime,
) -> Tournament:
    """Create the next season as proposed, with the divisions and rules of this one and its players entered.

    ``changed`` are the entries for which the director has chosen otherwise: the division of this season whose next one
    they enter, or None. Everybody who is placed gets a place: a limit that is lower is raised to their number. Then
    those are entered who waited, in their order. Raises Conflict if the proposal is no longer the one with this
    ``digest`` and as :func:`propose_season` does, and Refusal for a division that there is not, and as
    :func:`tournament.setup.duplicate.duplicate_tournament` does.
    """
    events = [lock_event(division.event) for division in sorted(divisions_of(tournament), key=lambda one: one.event_id)]
    tournament = lock_hall(tournament.pk)
    proposal = propose_season(tournament)
    if proposal.digest != digest:
        raise Conflict("season_changed", _("The standings or the divisions have changed: look at the proposal again."))
    known = {None, *(event.pk for event in events)}
    if not set(changed.values()) <= known or not set(changed) <= {one.entry for one in proposal.placed}:
        raise Refusal("division_unknown", _("A division is an event of this tournament."))
    new, copies = copy_tournament(tournament, starts_on=starts_on, name=name, by=by, at=at)
    new.season_before = tournament
    new.save(update_fields=["season_before"])
    raised = {one.division: one.to for one in proposal.raised_by(changed)}
    for division in proposal.divisions:
        event = copies[division.event_id]
        if limit := raised.get(division.event_id):
            set_door(event, max_entries=limit, check_in=event.check_in, late_minutes=event.late_minutes, by=by, at=at)
        lines = [EntryLine(name=one.name, player_id=one.player) for one in proposal.placed_in(division, changed)]
        lines += [EntryLine(name=one.name, player_id=one.player) for one in proposal.waiting_for(division, changed)]
        if lines:
            add_entries(event, lines=lines, by=by, at=at)
    set_divisions(new, rules=_rules_of(proposal.divisions, copies), by=by, at=at)
    return new


def _rules_of(divisions: Sequence[Division], copies: Mapping[int, Event]) -> list[DivisionRule]:
    """Return the rules of these divisions for their copies.

    If the top or the bottom division was deleted, nobody goes up from the one that is the top now, or down from the
    bottom.
    """
    top, bottom = divisions[0], divisions[-1]
    return [
        DivisionRule(copies[one.event_id].pk, 0 if one == top else one.up, 0 if one == bottom else one.down)
        for one in divisions
    ]
