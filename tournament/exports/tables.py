"""Exports for other programs: ranking lists, standings, results and all else that an event's pages list.

No federation publishes a CSV schema; the columns are our own, neutral ones, named in each table's ``schema``.
The column that the program cannot fill yet (federation) stays empty, as do fee and prize of an event without money.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import partial

from django.utils.translation import gettext as _

from matches.error_rates import write_rate
from matches.models import Conclusion
from matches.ratings import RatedMatch, rateable_sheets, rating_changes, rating_system
from players.errors import Conflict, Refusal
from players.models import RankingList
from players.ratings import RatingChange
from rules.penalties import total_against
from rules.score import Side
from tournament.exports.entries import export_entries
from tournament.exports.formats import Cell, Export
from tournament.exports.log import log_table
from tournament.exports.money import MONEY_EXPORTS
from tournament.exports.reported import costs_and_winnings, reported_results, reported_standings
from tournament.models import Event
from tournament.money.accounts import Ledger
from tournament.money.ledger import take_ledger
from tournament.snapshot import (
    BoardSeatSnapshot,
    BoardSnapshot,
    EntrySnapshot,
    EventSnapshot,
    FixtureSnapshot,
    FixtureState,
    SeatSnapshot,
    StageSnapshot,
    take_snapshot,
)
from tournament.snapshot.states import MatchState


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of an export: an event, a ranking list by its rating system's slug, or an event with its ratings."""

    event: Event | None = None
    system: str = ""
    with_reasons: bool = False
    """Whether the reader has a role in the event, and is told families and why entries have left."""

    def named_event(self) -> Event:
        """Return the event. Raises Refusal if there is none."""
        if self.event is None:
            raise Refusal("export_without_event", _("This export needs an event: name one."))
        return self.event

    def snapshot(self) -> EventSnapshot:
        """Return the event, which must have been drawn. Raises Refusal if there is none, Conflict before the draw."""
        snapshot = take_snapshot(self.named_event().pk)
        if not snapshot.is_drawn:
            raise Conflict("event_not_drawn", _("This event has not been drawn: it has no results or standings yet."))
        return snapshot

    def ledger(self) -> Ledger:
        """Return the ledger of the event. Raises Refusal if there is no event."""
        return take_ledger(self.named_event().pk)


def export_ranking(subject: Subject) -> Export:
    """Export the ranking list, best first; equal ratings share a rank. Raises Refusal if it was never computed."""
    if not subject.system:
        raise Refusal("export_without_list", _("This export needs a ranking list: name one, such as fibs."))
    rating_system(subject.system)
    ranking_list = RankingList.objects.filter(system=subject.system).first()
    if ranking_list is None:
        raise Refusal(
            "ranking_list_not_computed",
            _("The ranking list “%(slug)s” is empty: it is computed when an event ends.") % {"slug": subject.system},
        )
    rows: list[tuple[Cell, ...]] = []
    for line in ranking_list.lines():
        player = line.player
        person = (player.pk, player.name, player.country, player.club.name if player.club else "")
        rows.append((line.place, *person, line.value, line.experience, line.matches, line.wins))
    columns = ("rank", "player_id", "name", "country", "club", "rating", "experience", "matches", "wins")
    return Export("sixprime-ranking-1", columns, tuple(rows))


def export_standings(subject: Subject) -> Export:
    """Export the standings of every drawn stage, the last stage first and each best first.

    ``draws`` are drawn matches of teams, half a win each, which are not among the ``wins``.
    An entry's fee and prize stand once, in the last stage that it reached. Raises Conflict while standings are being
    computed.
    """
    snapshot = subject.snapshot()
    if not snapshot.standings_are_current:
        raise Conflict("standings_stale", _("The standings are being computed. Try again in a moment."))
    numbered = [f"tiebreak{number}_{slug}" for number, slug in enumerate(snapshot.tiebreaks, start=1)]
    columns = (
        *("schema", "event_id", "division", "place", "place_to", "player_id", "player_name", "country"),
        *("wins", "losses", "points", "points_against", *numbered, "entry_fee", "prize", "stage", "draws", "rate_wins"),
    )
    schema = "sixprime-standings-1"
    money = costs_and_winnings(subject.ledger())
    rows: list[tuple[Cell, ...]] = []
    for stage, line in ((drawn, line) for drawn in reversed(_drawn(snapshot)) for line in drawn.standings):
        values = dict(line.tiebreaks)
        rows.append(
            (
                *(schema, _event_id(snapshot), snapshot.name, line.place, line.place_to),
                *_person(line.entry),
                *(line.wins, line.losses, line.points_for, line.points_against),
                *(values.get(slug) for slug in snapshot.tiebreaks),
                *money.pop(line.entry.id, (None, None)),
                stage.number,
                line.draws,
                line.rate_wins,
            )
        )
    return Export(schema, columns, tuple(rows))


RESULT_COLUMNS = (
    *("schema", "federation", "event_id", "event_name", "division", "round", "match_no", "completed_at", "length"),
    *("player1_id", "player1_name", "player1_country", "player2_id", "player2_name", "player2_country"),
    *("score1", "score2", "winner", "outcome", "penalty1", "penalty2", "crawford", "rated"),
    *("rating1_before", "rating1_after", "exp1_after", "rating2_before", "rating2_after", "exp2_after", "stage"),
)


def export_results(subject: Subject) -> Export:
    """Export the event's decided matches and byes, stage by stage in the order of the draw.

    In an event of teams these are the boards, and ``match_no`` names pairing and board, as M1-1.2; the results of the
    teams are those of :func:`export_pairings`. ``winner`` is the id of a player, empty for a bye. ``penalty1`` are the
    penalty points that player 1 gave away. With a rating system each rated match has the ratings before and after.
    Raises Refusal for an unknown system.
    """
    snapshot = subject.snapshot()
    decided = list(_matches_and_byes(snapshot))
    ids = {fixture.match_id for _stage, _round, _key, fixture in decided if fixture.match_id}
    rated = set(rateable_sheets().filter(match__in=ids).values_list("match_id", flat=True))
    countries = _countries(snapshot)
    changes = {match.match_id: (match, change) for match, change in _changes(subject.system) if match.match_id in ids}
    rows = []
    for stage, round, key, fixture in decided:
        penalties = fixture.sheet.terms.penalties if fixture.sheet else ()
        is_rated = fixture.match_id in rated
        rows.append(
            (
                *("sixprime-results-1", None, _event_id(snapshot), snapshot.tournament_name, snapshot.name),
                *(round, key, fixture.sheet.played_at if fixture.sheet else None, fixture.length),
                *_sitting(fixture.a, countries),
                *_sitting(fixture.b, countries),
                *(fixture.a.points, fixture.b.points, _winner(fixture), _outcome(fixture)),
                *(*(total_against(side, penalties) for side in Side), snapshot.crawford, is_rated),
                *_rating_cells(fixture, changes.get(fixture.match_id or 0)),
                stage,
            )
        )
    return Export("sixprime-results-1", RESULT_COLUMNS, tuple(rows))


def _changes(system: str) -> Iterable[tuple[RatedMatch, RatingChange]]:
    return rating_changes(system) if system else ()


def _event_id(snapshot: EventSnapshot) -> str:
    return f"{snapshot.tournament_slug}/{snapshot.slug}"


def _drawn(snapshot: EventSnapshot) -> list[StageSnapshot]:
    return [stage for stage in snapshot.stages if stage.drawn_at is not None]


def _fixtures(snapshot: EventSnapshot) -> Iterable[tuple[int, FixtureSnapshot]]:
    """Yield the pairings of every drawn stage, each with the number of its stage."""
    return ((stage.number, fixture) for stage in _drawn(snapshot) for fixture in stage.fixtures)


def _matches_and_byes(snapshot: EventSnapshot) -> Iterable[tuple[int, int, str, FixtureSnapshot | BoardSnapshot]]:
    """Yield stage, round, number and what was decided there: a match, a bye, or a board between two teams."""
    for stage, fixture in _fixtures(snapshot):
        if fixture.state is FixtureState.BYE or (fixture.sheet is not None and fixture.state is FixtureState.DONE):
            yield stage, fixture.round, fixture.key, fixture
        for board in fixture.boards:
            if board.state is FixtureState.DONE:
                yield stage, fixture.round, f"{fixture.key}.{board.number}", board


def _person(entry: EntrySnapshot | None) -> tuple[Cell, Cell, Cell]:
    """Return id, name and country; a team has no player id."""
    if entry is None:
        return None, None, None
    return None if entry.members else entry.player_id, entry.name, entry.country


def _countries(snapshot: EventSnapshot) -> dict[int, str]:
    """Return team members' countries, by player."""
    return {member.player_id: member.country for entry in snapshot.entries for member in entry.members}


def _sitting(seat: SeatSnapshot | BoardSeatSnapshot, countries: Mapping[int, str]) -> tuple[Cell, Cell, Cell]:
    if isinstance(seat, BoardSeatSnapshot):
        return seat.player_id, seat.label, countries.get(seat.player_id, "")
    return _person(seat.entry)


def _winner(fixture: FixtureSnapshot | BoardSnapshot) -> Cell:
    if fixture.sheet is None or fixture.sheet.score.winner is None:
        return None
    return _sitting(fixture.a if fixture.sheet.score.winner is Side.A else fixture.b, {})[0]


def _outcome(fixture: FixtureSnapshot | BoardSnapshot) -> str:
    return "bye" if fixture.sheet is None else str(fixture.sheet.conclusion.value)


def _outcome_of_teams(fixture: FixtureSnapshot) -> str:
    never_began = (MatchState.WALKOVER, MatchState.VOID)
    return fixture.status.value if fixture.status in never_began else Conclusion.PLAYED.value


def _rating_cells(
    fixture: FixtureSnapshot | BoardSnapshot, rated: tuple[RatedMatch, RatingChange] | None
) -> tuple[Cell, ...]:
    if rated is None:
        return (None,) * 6
    change = rated[1]
    a_won = change.result.winner == _sitting(fixture.a, {})[0]
    won = (change.winner_before, change.winner_after)
    lost = (change.loser_before, change.loser_after)
    cells: list[Cell] = []
    for before, after in (won, lost) if a_won else (lost, won):
        cells += [_rounded(before.value), _rounded(after.value), after.experience]
    return tuple(cells)


def _rounded(value: float) -> Decimal:
    return Decimal(value).quantize(Decimal("0.0001"))


SCHEDULE_COLUMNS = (
    *("schema", "event_id", "division", "round", "match_no", "state", "deadline", "plays_on", "length"),
    *("player1_id", "player1_name", "player1_country", "player2_id", "player2_name", "player2_country", "stage"),
)


def export_schedule(subject: Subject) -> Export:
    """Export every pairing except byes, stage by stage in the order of the draw, with the days on which to play it.

    ``deadline`` is the last day of its round, ``plays_on`` the home evening of player 1; empty without dates.
    """
    snapshot = subject.snapshot()
    schema = "sixprime-schedule-1"
    rows: list[tuple[Cell, ...]] = [
        (
            *(schema, _event_id(snapshot), snapshot.name, fixture.round, fixture.key, fixture.state.value),
            *(fixture.deadline, fixture.plays_on),
            fixture.length,
            *_person(fixture.a.entry),
            *_person(fixture.b.entry),
            stage,
        )
        for stage, fixture in _fixtures(snapshot)
        if fixture.state is not FixtureState.BYE
    ]
    return Export(schema, SCHEDULE_COLUMNS, tuple(rows))


PAIRING_COLUMNS = (
    *("schema", "event_id", "event_name", "division", "round", "match_no", "entry1_id", "entry1_name"),
    *("entry2_id", "entry2_name", "points1", "points2", "winner", "outcome", "stage", "rate1", "rate2"),
)


def export_pairings(subject: Subject) -> Export:
    """Export every decided pairing and every bye, stage by stage in the order of the draw.

    A team's points are the boards it won.

    Ids and ``winner`` are those of entries, not of players.
    """
    snapshot = subject.snapshot()
    schema = "sixprime-pairings-1"
    rows: list[tuple[Cell, ...]] = []
    for stage, fixture in _fixtures(snapshot):
        if fixture.state not in (FixtureState.DONE, FixtureState.BYE):
            continue
        winner = next((seat.entry.id for seat in (fixture.a, fixture.b) if seat.is_winner and seat.entry), None)
        rows.append(
            (
                *(schema, _event_id(snapshot), snapshot.tournament_name, snapshot.name, fixture.round, fixture.key),
                *_entered(fixture.a),
                *_entered(fixture.b),
                *(fixture.a.points, fixture.b.points, winner),
                _outcome_of_teams(fixture) if fixture.boards else _outcome(fixture),
                stage,
                *(map(write_rate, fixture.rates) if fixture.rates else (None, None)),
            )
        )
    return Export(schema, PAIRING_COLUMNS, tuple(rows))


def _entered(seat: SeatSnapshot) -> tuple[Cell, Cell]:
    return (seat.entry.id, seat.entry.name) if seat.entry else (None, None)


def export_log(subject: Subject) -> Export:
    """Export the event's log, newest first. Raises Refusal if there is no event."""
    return log_table(subject.named_event().log.select_related("actor", "event").order_by("-id"))


def export_order(subject: Subject) -> Export:
    """Export everybody's place for a federation. Raises Conflict while standings are being computed."""
    snapshot = subject.snapshot()
    if not snapshot.standings_are_current:
        raise Conflict("standings_stale", _("The standings are being computed. Try again in a moment."))
    return reported_standings(subject.named_event(), snapshot, subject.ledger())


def _export_money(export: Callable[[Ledger], Export], subject: Subject) -> Export:
    return export(subject.ledger())


EXPORTS: dict[str, Callable[[Subject], Export]] = {
    "ranking": export_ranking,
    "standings": export_standings,
    "results": export_results,
    "schedule": export_schedule,
    **{name: partial(_export_money, export) for name, export in MONEY_EXPORTS.items()},
    "pairings": export_pairings,
    "entries": lambda subject: export_entries(
        take_snapshot(subject.named_event().pk), with_reasons=subject.with_reasons
    ),
    "log": export_log,
    "report": lambda subject: reported_results(subject.named_event(), subject.snapshot()),
    "order": export_order,
}

PUBLIC_EXPORTS = ("standings", "results", "pairings", "schedule", "entries", "report", "order")
"""The exports of an event that hold only what its pages show to everybody."""


def make_table(name: str, subject: Subject) -> Export:
    """Return the table for the named export. Raises Refusal for an export that does not exist or lacks a subject."""
    if name not in EXPORTS:
        raise Refusal(
            "export_unknown",
            _("There is no export “%(name)s”. Available exports: %(known)s.")
            % {"name": name[:40], "known": ", ".join(EXPORTS)},
        )
    return EXPORTS[name](subject)
