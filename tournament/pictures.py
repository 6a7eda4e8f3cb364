"""The pictures of an event: its bracket, or the crosstable of a round robin."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from players.errors import in_words
from tournament.bracket import BracketLabels, BracketMatch, BracketSeat, SeatState, draw_bracket
from tournament.formats.main_bracket import round_title
from tournament.formats.round_robin import RoundRobin
from tournament.formats.single_elimination import SingleElimination
from tournament.snapshot import EntryView, EventSnapshot, FixtureState, FixtureView, SeatView, StageView


@dataclass(frozen=True, slots=True)
class CrosstableRow:
    """An entry and, for each column, the match against that entry: None on the diagonal."""

    entry: EntryView
    cells: tuple[FixtureView | None, ...]


def bracket_picture(snapshot: EventSnapshot) -> str | None:
    """The knockout bracket as SVG, None for a format without one or before the draw."""
    stage = snapshot.stage
    if stage.format != SingleElimination.slug or not snapshot.is_drawn:
        return None
    lengths = [fixtures[0].length for _number, fixtures in stage.rounds]
    labels = BracketLabels(
        title=_("Bracket of %(event)s") % {"event": snapshot.name},
        description=_("%(entries)s players in %(rounds)s rounds; the winners of two matches meet in the next round.")
        % {"entries": len(snapshot.entries), "rounds": len(lengths)},
        rounds=tuple(round_name(stage, number) for number, _fixtures in stage.rounds),
        lengths=tuple(_("to %(length)s") % {"length": length} for length in lengths),
    )
    return draw_bracket([_bracket_match(fixture) for fixture in stage.fixtures], labels)


def round_name(stage: StageView, number: int) -> str:
    """What players call a round: the final, the semifinals; in a round robin its number."""
    if stage.format != SingleElimination.slug:
        return _("Round %(round)s") % {"round": number}
    return in_words(round_title(number, len(stage.rounds)))


def _bracket_match(fixture: FixtureView) -> BracketMatch:
    return BracketMatch(
        key=fixture.key,
        round=fixture.round,
        number=fixture.number,
        length=fixture.length,
        a=_bracket_seat(fixture, fixture.a),
        b=_bracket_seat(fixture, fixture.b),
        url=reverse("match", args=[fixture.match_id]) if fixture.match_id else "",
        state=fixture.state.value,
    )


def _bracket_seat(fixture: FixtureView, seat: SeatView) -> BracketSeat:
    if seat.is_bye:
        state = SeatState.BYE
    elif fixture.state is FixtureState.DONE:
        state = SeatState.WINNER if seat.is_winner else SeatState.LOSER
    else:
        state = SeatState.LIVE if fixture.state is FixtureState.LIVE else SeatState.PENDING
    return BracketSeat(name=seat.label, score="" if seat.points is None else str(seat.points), state=state)


def crosstable(snapshot: EventSnapshot) -> tuple[CrosstableRow, ...] | None:
    """A row and a column for each entry, None for a format that is no round robin or before the draw."""
    if snapshot.stage.format != RoundRobin.slug or not snapshot.is_drawn:
        return None
    meetings = {fixture.entry_ids: fixture for fixture in snapshot.stage.fixtures if len(fixture.entry_ids) == 2}
    return tuple(
        CrosstableRow(entry, tuple(meetings.get(frozenset((entry.id, other.id))) for other in snapshot.entries))
        for entry in snapshot.entries
    )
