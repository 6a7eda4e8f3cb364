"""What a stream shows of one table, or of one match: its card, the time it has, and since when it is played."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import BigIntegerField

from rules.score import MatchScore, Phase, Side
from tournament.models import Call, Event, Tournament
from tournament.models.hall import CallEnding
from tournament.models.team import by_match, found_by_match
from tournament.pictures.draw import round_name
from tournament.snapshot import (
    BoardSeatSnapshot,
    BoardSnapshot,
    CallSnapshot,
    Clock,
    EntrySnapshot,
    EventSnapshot,
    FixtureSnapshot,
    take_snapshot,
)
from tournament.snapshot.cards import Card, CardSide, card_of
from tournament.snapshot.states import MatchState

SHOWN_AFTER = timedelta(minutes=10)
"""How long the last match of a table stays after its result, until the next one is called there."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """A match as a stream shows it. ``clock`` is the time that its event gives; the clock itself is not read."""

    event_id: int
    event: str
    tournament: str
    card: Card
    clock: Clock | None
    call: CallSnapshot | None

    @property
    def minutes(self) -> int | None:
        """The minutes that each side has for the match; None without clocks."""
        return self.clock.time_for(self.card.length) if self.clock is not None else None


def overlay_of_table(tournament: Tournament, number: int, *, at: datetime) -> Overlay | None:
    """Return the match at the table, or for a while the one that has just been decided there; None if there is none."""
    calls = Call.objects.filter(table__tournament=tournament, table__number=number).order_by("-pk")
    for call in calls.select_related("table")[:1]:
        is_shown = call.left_at is None or (call.ending == CallEnding.DONE and at - call.left_at < SHOWN_AFTER)
        return overlay_of_match(call.match_id, tournament) if is_shown else None
    return None


def overlay_of_match(match_id: int, tournament: Tournament | None = None) -> Overlay | None:
    """Return the match; None if it is in no draw, or in none of the ``tournament``."""
    event = found_by_match(_EVENTS, match_id) if match_id <= BigIntegerField.MAX_BIGINT else None
    if event is None or (tournament is not None and event.tournament_id != tournament.pk):
        return None
    shown = take_snapshot(event.pk)
    fixture = shown.fixture_of(match_id)
    return _overlay(shown, fixture, match_id) if fixture is not None else None


_EVENTS = by_match(lambda: Event.objects.all())


def _overlay(event: EventSnapshot, fixture: FixtureSnapshot, match_id: int) -> Overlay:
    stage = next(stage for stage in event.stages if fixture in stage.fixtures)
    title = round_name(stage, fixture)
    card, call = card_of(fixture, round=title, event=event.name), fixture.call
    for board in fixture.boards:
        if board.match_id == match_id:
            card, call = _board_card(event, fixture, board, title), board.call
    return Overlay(event.id, event.name, event.tournament_name, card, event.clock, call)


def _board_card(event: EventSnapshot, fixture: FixtureSnapshot, board: BoardSnapshot, title: str) -> Card:
    """Return the card of one board of two teams: its players, each with the team in the place of the club."""
    is_disputed = board.status is MatchState.DISPUTED
    score = None if is_disputed else board.score
    return Card(
        a=_board_side(board.a, fixture.a.entry, score, Side.A),
        b=_board_side(board.b, fixture.b.entry, score, Side.B),
        length=board.length,
        state=board.status.value,
        round=title,
        event=event.name,
        table=board.call.table if board.call is not None else None,
        called_at=board.call.called_at if board.call is not None else None,
        crawford=score is not None and score.is_crawford,
        post_crawford=score is not None and score.phase is Phase.AFTER,
        match_id=board.match_id,
    )


def _board_side(seat: BoardSeatSnapshot, team: EntrySnapshot | None, score: MatchScore | None, side: Side) -> CardSide:
    members = team.members if team is not None else ()
    country = next((member.country for member in members if member.player_id == seat.player_id), "")
    return CardSide(
        label=seat.label,
        points=seat.points if score is not None else None,
        club=team.name if team is not None else "",
        flag=country,
        away=score.away(side) if score is not None and score.length else None,
        is_winner=seat.is_winner,
    )
