"""Reading an event into the frozen values of a snapshot, in a fixed number of queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache, partial
from typing import Any, TypeVar

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from matches.error_rates import rates_of
from matches.models import Conclusion, Match
from rules.score import Side
from tournament.changes.entries import FIELDS
from tournament.draw.calls import prefetched_call
from tournament.draw.chain import Chain, club_of, country_of, read_members
from tournament.draw.challenge_rows import with_challenges
from tournament.draw.lots import load_events
from tournament.draw.outcomes import advanced_by_ruling, read_fixtures
from tournament.draw.standings import fill_standings
from tournament.formats import parse_options
from tournament.formats.hand import BY_HAND
from tournament.formats.options import Options
from tournament.formats.rate_points import gives_rate_point
from tournament.formats.unplayed import unplayed_rule
from tournament.formats.weeks import week_of
from tournament.models import Call, Closing, Entry, Event, Fixture, Stage, Standing
from tournament.snapshot.crossing import crossing_of
from tournament.snapshot.event import EventSnapshot, StageSnapshot, StandingSnapshot
from tournament.snapshot.facts import Begun, begun_by_entry, facts_of
from tournament.snapshot.ladder import rungs_view, with_deadlines
from tournament.snapshot.scores import boards_won, claims_of, points_shown, state_of_fixture, state_of_match
from tournament.snapshot.states import state_of
from tournament.snapshot.urns import chance_of
from tournament.snapshot.values import (
    BoardSeatSnapshot,
    BoardSnapshot,
    CallSnapshot,
    Clock,
    EntrySnapshot,
    FixtureSnapshot,
    FixtureState,
    MemberSnapshot,
    SeatSnapshot,
    SheetSnapshot,
)
from tournament.snapshot.views import Views

R = TypeVar("R", Entry, Stage, Fixture, Standing)

STILL_IN = ("places_open", "lives_left")
"""The codes of the reasons why a place is still open."""


def take_snapshots(events: QuerySet[Event]) -> list[EventSnapshot]:
    """Return the events' current state, in the same number of queries however many there are."""
    all_lots = load_events(events_to_show(events))
    loaded = [lots.event for lots in all_lots]
    entries = list(Entry.objects.filter(event__in=loaded).select_related("player__club", "partner"))
    read_members(entries)
    stages = with_challenges(Stage.objects.filter(event__in=loaded))
    fixtures = read_fixtures(Fixture.objects.filter(stage__in=stages), named=True)
    lines = list(Standing.objects.filter(stage__in=stages))
    entries_of, stages_of = grouped(entries, "event_id"), grouped(stages, "event_id")
    fixtures_of, lines_of = grouped(fixtures, "stage_id"), grouped(lines, "stage_id")
    chains = (
        Chain(lots.event, stages_of[lots.event.pk], entries_of[lots.event.pk], fixtures_of, lots) for lots in all_lots
    )
    return [view_event(chain, lines_of, entries_closed=vars(chain.event)["entries_closed"]) for chain in chains]


def events_to_show(events: QuerySet[Event]) -> QuerySet[Event]:
    """Return the events with what a snapshot takes from them; ``entries_closed`` is that of :func:`view_event`."""
    closed = Closing.objects.filter(event=OuterRef("pk"), voided_at=None)
    return events.select_related("tournament", "money").annotate(entries_closed=Exists(closed))


def grouped(rows: Iterable[R], name: str) -> dict[int, list[R]]:
    """Return the rows in lists by the value of this column; none is an empty list."""
    grouped: dict[int, list[R]] = defaultdict(list)
    for row in rows:
        grouped[getattr(row, name)].append(row)
    return grouped


def view_event(
    chain: Chain,
    lines: Mapping[int, Sequence[Standing]],
    *,
    entries_closed: bool = False,
    views: Views | None = None,
) -> EventSnapshot:
    """Return the event as loaded: entries, stages, fixtures with what decides them, and standings by stage.

    ``views`` are what was made of the same rows before; what is made now is added to them.
    """
    event = chain.event
    views = Views() if views is None else views
    entries = {entry.pk: views.entries.of(entry, _entry_view) for entry in chain.entries.values()}
    ended = event.finished_at is not None
    fixtures = [fixture for stage in chain.stages for fixture in chain.fixtures[stage.pk]]
    context = _Context(entries, begun_by_entry(fixtures, views.times), ended, get_language(), views)
    stages = tuple(_stage_view(stage, chain, lines.get(stage.pk, ()), context) for stage in chain.stages)
    drawn = [stage for stage in stages if stage.drawn_at is not None]
    return EventSnapshot(
        **event_values(event, entries_closed=entries_closed),
        entries=tuple(entries[entry.pk] for entry in chain.entries.values() if entry.is_drawn_in(1)),
        waiting=tuple(entry for entry in entries.values() if entry.waiting),
        gone=tuple(
            entries[entry.pk] for entry in chain.entries.values() if not (entry.is_drawn_in(1) or entry.waiting)
        ),
        stages=stages,
        stage=[stages[0], *drawn][-1],
    )


def event_values(event: Event, *, entries_closed: bool) -> dict[str, Any]:
    """Return the values of a snapshot that are those of the event itself and of its tournament."""
    return {
        "id": event.pk,
        "name": event.name,
        "slug": event.slug,
        "tournament_id": event.tournament_id,
        "tournament_name": event.tournament.name,
        "tournament_slug": event.tournament.slug,
        "profile": event.profile,
        "crawford": event.crawford,
        "tiebreaks": tuple(event.tiebreaks),
        "version": event.version,
        "hall_version": event.tournament.hall_version,
        "starts_at": event.starts_at,
        "clock": clock_of(event),
        "finished_at": event.finished_at,
        "doubles": event.doubles,
        "has_money": hasattr(event, "money"),
        "boards": event.boards,
        "max_entries": event.max_entries,
        "self_entry": event.self_entry,
        "self_entry_until": event.self_entry_until,
        "check_in": event.check_in,
        "late_minutes": event.late_minutes,
        "public_source": event.public_source,
        "phones": event.phones,
        "confirm_minutes": event.confirm_minutes,
        "shows_chances": event.shows_chances,
        "rated_for": tuple(event.rated_for),
        "event_class": event.event_class,
        "online": event.online,
        "entries_closed": entries_closed,
    }


@dataclass(frozen=True, slots=True)
class _Context:
    """The context in which a fixture or a line of standings is shown: the whole event and the reader's language."""

    entries: Mapping[int, EntrySnapshot]
    begun: Begun
    ended: bool
    language: str
    views: Views


def clock_of(event: Event) -> Clock | None:
    if event.clock_minutes is None or event.clock_delay is None:
        return None
    return Clock(event.clock_minutes, event.clock_delay)


AS_STORED = tuple(field.name for field in fields(EntrySnapshot) if field.name in FIELDS and field.name != "presence")
"""The fields of an entry that are displayed as stored."""


def _entry_view(entry: Entry) -> EntrySnapshot:
    stored: dict[str, Any] = {name: getattr(entry, name) for name in AS_STORED}
    return EntrySnapshot(
        **stored,
        name=entry.name,
        presence=tuple(entry.presence),
        club=club_of(entry),
        country=country_of(entry),
        checked_in=entry.checked_in_at is not None,
        left_main_only=bool(entry.left_bracket),
        members=members_of(entry),
    )


def members_of(entry: Entry) -> tuple[MemberSnapshot, ...]:
    """Return a team's members in board order; none for a player or a pair."""
    people = entry.people if entry.team else ()
    return tuple(
        MemberSnapshot(board, player.pk, player.name, player.club.name if player.club else "", player.country)
        for board, player in enumerate(people, start=1)
    )


def _stage_view(stage: Stage, chain: Chain, lines: Sequence[Standing], context: _Context) -> StageSnapshot:
    options = parse_options(stage.format, stage.options)
    fixtures = sorted(chain.fixtures[stage.pk], key=_place)
    sections: dict[str, list[StandingSnapshot]] = {"": []}
    # An entry may have slipped in while this was read: its line comes with the version that has it.
    for standing in (line for line in lines if line.entry_id in context.entries):
        entry = context.entries[standing.entry_id]
        view = context.views.lines.of(standing, partial(_standing_view, context=context), entry)
        sections.setdefault(standing.section, []).append(view)
    return StageSnapshot(
        id=stage.pk,
        number=stage.number,
        format=stage.format,
        options=options,
        qualifiers=stage.qualifiers,
        carry=stage.carry,
        edition=stage.edition_of_rules,
        crossing=crossing_of(stage, chain, options),
        drawn_at=stage.drawn_at,
        **chance_of(chain, stage),
        notes=tuple(_sentence(note, context.language) for note in stage.notes),
        fixtures=with_deadlines(stage, chain, (_known_view(fixture, options, context) for fixture in fixtures)),
        rungs=rungs_view(stage, chain, context.entries),
        standings=tuple(sections.pop("")),
        sections={bracket: tuple(sections[bracket]) for bracket in sorted(sections, key=lambda one: (len(one), one))},
        standings_version=stage.standings_version,
        standings_matches=stage.standings_matches,
    )


def _place(fixture: Fixture) -> tuple[int, str, int, int]:
    """Return a sort key that puts group AA after group Z."""
    return len(fixture.bracket), fixture.bracket, fixture.round, fixture.number


def _known_view(fixture: Fixture, options: Options, context: _Context) -> FixtureSnapshot:
    """Return the fixture as shown before, if nothing that it shows has changed, or else as it is now."""
    entries = fixture.entry_a_id or 0, fixture.entry_b_id or 0
    people = [context.entries.get(entry) for entry in (*entries, advanced_by_ruling(fixture) or 0)]
    beside = (context.ended, *(context.begun.get(entry) for entry in entries), *people)
    return context.views.fixtures.of(fixture, partial(_fixture_view, options=options, context=context), beside)


def _fixture_view(fixture: Fixture, options: Options, context: _Context) -> FixtureSnapshot:
    match = fixture.match
    of_teams = fixture.matches if match is None else {}
    boards = tuple(_board_view(fixture, number, played, context) for number, played in of_teams.items())
    sheet, reports, score = claims_of(match) if match is not None else (None, (), None)
    points, winner = boards_won(boards) if boards else points_shown(sheet, reports, score)
    call = prefetched_call(match)
    state = state_of_fixture(fixture, boards, sheet, reports, call)
    week = week_of(options, fixture.round)
    is_rated = match is not None and gives_rate_point(options) and _is_played(sheet)
    rates = rates_of(match) if match is not None and is_rated else None
    entry_a = context.entries.get(fixture.entry_a_id or 0)
    entry_b = context.entries.get(fixture.entry_b_id or 0)
    return FixtureSnapshot(
        key=fixture.key,
        bracket=fixture.bracket,
        round=fixture.round,
        number=fixture.number,
        length=match.length if match else fixture.length,
        a=SeatSnapshot(
            entry=entry_a,
            feed=fixture.feed_a,
            points=points[0],
            is_winner=winner is Side.A,
        ),
        b=SeatSnapshot(
            entry=entry_b,
            feed=fixture.feed_b,
            points=points[1],
            is_winner=winner is Side.B,
        ),
        state=state,
        match_id=fixture.match_id,
        score=score,
        sheet=sheet,
        call=_call_view(call),
        why=_sentence(fixture.why, context.language),
        is_by_hand=fixture.why.get("code") == BY_HAND,
        status=state_of(facts_of(fixture, match, state, sheet, reports, boards, context.begun, context.ended)),
        reports=reports,
        advanced=context.entries.get(advanced_by_ruling(fixture) or 0),
        deadline=fixture.play_by or (week.last if week else None),
        is_extended=fixture.play_by is not None,
        unplayed=unplayed_rule(options),
        plays_on=week.evening(entry_a.home_evening) if week and entry_a and state is not FixtureState.BYE else None,
        boards=boards,
        rates=rates,
        is_rate_open=is_rated and rates is None,
    )


def _is_played(sheet: SheetSnapshot | None) -> bool:
    """Whether the match is over, and was begun."""
    return sheet is not None and sheet.is_final and sheet.conclusion not in (Conclusion.WALKOVER, Conclusion.VOID)


def _board_view(fixture: Fixture, number: int, match: Match, context: _Context) -> BoardSnapshot:
    """Return the board as displayed. Reads ``match.side_a`` and ``match.side_b`` as loaded."""
    sheet, reports, score = claims_of(match)
    points, winner = points_shown(sheet, reports, score)
    call = prefetched_call(match)
    state = state_of_match(sheet, reports, call)
    return BoardSnapshot(
        number=number,
        length=match.length,
        a=BoardSeatSnapshot(match.side_a_id, match.side_a.name, points[0], winner is Side.A),
        b=BoardSeatSnapshot(match.side_b_id, match.side_b.name, points[1], winner is Side.B),
        state=state,
        match_id=match.pk,
        score=score,
        sheet=sheet,
        call=_call_view(call),
        status=state_of(facts_of(fixture, match, state, sheet, reports, (), context.begun, context.ended)),
        reports=reports,
    )


def _call_view(call: Call | None) -> CallSnapshot | None:
    return CallSnapshot(call.table_number, call.called_at, call.started_at) if call else None


def _sentence(reason: dict, language: str) -> str:
    """Return a stored reason in the reader's language, which is ``language``; an empty text if there is none."""
    return _template(reason["template"], language) % reason["params"] if reason else ""


@lru_cache(maxsize=1000)
def _template(source: str, language: str) -> str:
    """Return the template in the active language, which is ``language``: hundreds of pairings share one template."""
    return _(source)


def _standing_view(standing: Standing, context: _Context) -> StandingSnapshot:
    return StandingSnapshot(
        section=standing.section,
        place=standing.place,
        place_to=standing.place_to,
        entry=context.entries[standing.entry_id],
        played=standing.played,
        wins=standing.wins,
        draws=standing.draws,
        rate_wins=standing.rate_wins,
        losses=standing.losses,
        points_for=standing.points_for,
        points_against=standing.points_against,
        tiebreaks=tuple((slug, value) for slug, value in standing.tiebreaks),
        decided_by=standing.decided_by,
        note=_sentence(standing.note, context.language),
        why=_sentence(standing.why, context.language),
        is_still_in=standing.place != standing.place_to and standing.why.get("code") in STILL_IN,
    )


def view_chain(chain: Chain) -> EventSnapshot:
    """Return the event as the chain was loaded, with standings computed from its results instead of those stored."""
    lines = {stage.pk: fill_standings(chain, stage) if stage.drawn_at is not None else [] for stage in chain.stages}
    return view_event(chain, lines)
