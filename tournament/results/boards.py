"""The players at a team's boards: a reserve may take a board before its match begins."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from matches.models import Match, Scoresheet
from players.errors import Conflict, Refusal
from players.models import Player, User
from rules.score import Side
from tournament.changes.record import record_change, require_running
from tournament.draw.chain import load_people
from tournament.draw.reconcile import new_match
from tournament.draw.steps import lock_fixture, place_details
from tournament.models import Board, Call, Entry, Fixture, Seat


@transaction.atomic
def seat_reserve(match: Match, *, side: Side, player_id: int, by: User | None, at: datetime) -> Match:
    """Seat the player, a reserve or the board's own member returning, in place of the team's current player there.

    Returns the match that is played there now; nothing changes for a player who sits there already. Raises Conflict
    once the match has begun, and Refusal for a player who may not sit there. A match with a history of results that
    were taken back keeps it, and the board gets another match.
    """
    event, fixture, at = lock_fixture(match, at)
    require_running(event)
    match = Match.objects.select_for_update().get(pk=match.pk)
    board = fixture.boards.filter(match=match).first()
    entry = _team(fixture, side)
    if board is None or entry is None:
        raise Refusal("match_without_teams", _("This match is not a board of a team match."))
    has_sheet = match.sheets.filter(state__in=Scoresheet.OPEN).exists()
    if has_sheet or _open_calls(match).filter(started_at__isnull=False).exists():
        raise Conflict("match_begun", _("This match has begun: its players can no longer be replaced."))
    sides = {Side.A: match.side_a, Side.B: match.side_b}
    left = sides[side]
    if left.pk == player_id:
        return match
    player = _free_reserve(fixture, board, entry, player_id, reserves=entry.people[event.boards :])
    sides[side] = player
    before = {"match": match.pk, "side_a_id": match.side_a_id, "side_b_id": match.side_b_id}
    match = _seat(board, match, sides, fixture, at)
    seat = {"match": match.pk, "before": before, "side": side.value, "player": player.pk}
    names = {"takes": player.name, "of": left.name}
    record_change(event, verb="seat_reserve", by=by, at=at, **place_details(fixture, match), **seat, **names)
    return match


def _open_calls(match: Match) -> QuerySet[Call]:
    return Call.objects.filter(match=match, left_at__isnull=True)


def _team(fixture: Fixture, side: Side) -> Entry | None:
    entry_id = fixture.entry_a_id if side is Side.A else fixture.entry_b_id
    return load_people(Entry.objects.filter(pk=entry_id or 0)).first()


def _free_reserve(
    fixture: Fixture, board: Board, entry: Entry, player_id: int, *, reserves: tuple[Player, ...]
) -> Player:
    may_sit = (entry.people[board.number - 1], *reserves)
    player = next((player for player in may_sit if player.pk == player_id), None)
    if player is None:
        raise Refusal(
            "not_a_reserve",
            _("Only a reserve of %(team)s, or the member who belongs there, may take this board.")
            % {"team": entry.name},
        )
    others = fixture.boards.exclude(pk=board.pk)
    if others.filter(match__side_a=player).exists() or others.filter(match__side_b=player).exists():
        raise Conflict(
            "reserve_taken", _("%(name)s is already seated at another board in this pairing.") % {"name": player.name}
        )
    seat = Seat.objects.filter(person=player, tournament=fixture.stage.event.tournament_id, left_at__isnull=True)
    if seat.exists():
        raise Conflict("player_at_another_table", _("%(name)s is already sitting at a table.") % {"name": player.name})
    return player


def _seat(board: Board, match: Match, sides: dict[Side, Player], fixture: Fixture, at: datetime) -> Match:
    """Return the match between these two players on the board, at the table to which it has been called, if any."""
    left = [player for player in (match.side_a, match.side_b) if player not in sides.values()]
    coming = next(player for player in sides.values() if player not in (match.side_a, match.side_b))
    calls = _open_calls(match)
    Seat.objects.filter(call__in=calls, person__in=left).update(person=coming)
    if not match.sheets.exists() and not match.rulings.exists():
        match.side_a, match.side_b = sides[Side.A], sides[Side.B]
        match.save(update_fields=["side_a", "side_b"])
        return match
    board.match = new_match(fixture.stage.event, fixture.length, (sides[Side.A],), (sides[Side.B],), at)
    board.match.save()
    board.save(update_fields=["match"])
    calls.update(match=board.match)
    return board.match
