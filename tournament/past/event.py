"""An event as it stood at any moment: the data stored from that time, and the plan and standings that follow."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import MAXYEAR, MINYEAR, datetime
from typing import Any

from django.db.models import Max, Q, QuerySet
from django.utils.dateparse import parse_datetime
from django.utils.timezone import is_naive, make_aware
from django.utils.translation import gettext as _

from matches.models import Match, Ruling, Scoresheet
from players.errors import Refusal
from players.models import Player
from players.rows import with_rows
from tournament.changes.entries import fields_from
from tournament.draw.chain import Chain, load_people
from tournament.draw.challenge_rows import with_challenges
from tournament.draw.lots import load_lots
from tournament.draw.moves import with_moves_at
from tournament.draw.outcomes import mark_as_new, sheets_as_of
from tournament.draw.reconcile import fill_fixture
from tournament.draw.standings import standing_rows
from tournament.events.terms import DECLARED
from tournament.formats.editions import FIRST
from tournament.formats.plan import Entrant
from tournament.models import (
    Advance,
    Board,
    Entry,
    Event,
    Fixture,
    FormerMatch,
    LogEntry,
    Member,
    PlayOff,
    Stage,
    Standing,
    Tournament,
)
from tournament.past.deadlines import MOVES_DEADLINE, deadlines_then
from tournament.snapshot import EventSnapshot, view_event

MERGES = ("merge_players", "undo_merge")
UNWOUND_VERBS = (
    *("add_entries", "remove_entry", "seed_entry", "keep_apart", "withdraw_entry", "return_entry", "seat_reserve"),
    *("make_draw", "cancel_draw", "add_stage", "finish_event", "reopen_event", "update_event", "redeclare", "set_door"),
    *("set_self_entry", "enter_play_off", "void_play_off", "set_error_rates", "challenge", "withdraw_challenge"),
    *(*MERGES, *MOVES_DEADLINE),
)
FORGETS_RATES = Q(verb="void_result", detail__has_key="rates")
UNWOUND = FORGETS_RATES | Q(detail__has_key="was") | Q(verb__in=UNWOUND_VERBS)
"""The rows describing what is not stored with its time: they are unwound, newest first."""

APPEARANCES = {"create_event": False, "import_event": False, "delete_event": True, "restore_event": False}
"""The verbs by which an event appears and disappears, and whether it existed before."""

DOOR_FIELDS = ("max_entries", "check_in", "late_minutes")
TERM_FIELDS = ("name", "tiebreaks", "public_source", "phones", "confirm_minutes", "shows_chances", *DECLARED)


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment in an event: everything up to ``at``, and the log rows up to ``row``, if known."""

    at: datetime
    row: int | None = None

    def later(self, rows: QuerySet[LogEntry]) -> QuerySet[LogEntry]:
        """Return the log rows written since."""
        return rows.filter(pk__gt=self.row) if self.row else rows.filter(at__gt=self.at)


def find_moment(subject: Event | Tournament, text: str) -> Moment:
    """Return the moment named by a text: a time in ISO 8601, or the number of a log row.

    The log is that of the event or tournament. Raises Refusal.
    """
    if text.isascii() and text.isdecimal() and len(text) < 19:
        row = subject.log.filter(pk=int(text)).first()
        if row is not None:
            # Rows that had waited for the lock may stand behind rows with a later time, which were there by then.
            until = subject.log.filter(pk__lte=row.pk).aggregate(at=Max("at"))["at"]
            return Moment(until, row.pk)
    try:
        at = parse_datetime(text.replace(" ", "+")) or parse_datetime(text)
    except ValueError:
        at = None
    # The first and the last year have moments that another time zone, such as that of the database, has no name for.
    if at is None or not MINYEAR < at.year < MAXYEAR:
        raise Refusal("moment_unknown", _("“%(text)s” is not a moment in this event.") % {"text": text[:40]})
    return Moment(make_aware(at) if is_naive(at) else at)


def events_at(tournament: Tournament, moment: Moment) -> list[int]:
    """Return the tournament's events at that moment, in order of creation: those created and not deleted."""
    events = Event.everything.filter(tournament=tournament).order_by("id")
    there = {event.pk: event.deleted_at is None and event.created_at <= moment.at for event in events}
    for row in moment.later(tournament.log.filter(event__in=there, verb__in=APPEARANCES)).order_by("-id"):
        there[row.event_id] = APPEARANCES[row.verb]  # type: ignore[index]
    return [event_id for event_id, was_there in there.items() if was_there]


def snapshot_at(event_id: int, moment: Moment) -> EventSnapshot:
    """Return the event as it stood then, in a number of queries that does not depend on its size.

    In a Swiss the pairings of rounds that had begun are those that were published; others follow from the results of
    that time, as they did. A pairing that has lost its place since, before it began, is shown without its match or
    boards. Raises Event.DoesNotExist.
    """
    chain = chain_at(event_id, moment)
    event, stages, entries, known, lots = chain.event, chain.stages, chain.entries, chain.fixtures, chain.lots
    fixtures: dict[int, list[Fixture]] = {}
    lines: dict[int, list[Standing]] = {}
    for stage in stages:
        fixtures[stage.pk], lines[stage.pk] = _filled(chain, stage, known[stage.pk], event.version)
    ordered = sorted(entries.values(), key=lambda entry: entry.number)
    return replace(view_event(Chain(event, stages, ordered, fixtures, lots), lines), at=moment.at)


def _urns_of(rows: Iterable[LogEntry], verb: str) -> set[tuple[int, int]]:
    """Return the chain and the number of each urn that these rows of the log name."""
    return {(urn["chain"], urn["number"]) for row in rows if row.verb == verb for urn in row.detail.get("urns", ())}


def entries_at(event_id: int, moment: Moment) -> list[Entry]:
    """Return the entries as they were then, in order, with their players. Raises as :func:`snapshot_at` does."""
    _event, _stages, entries, _later = _unwound(event_id, moment)
    return sorted(entries.values(), key=lambda entry: entry.number)


def chain_at(event_id: int, moment: Moment) -> Chain:
    """Return the chain of stages as it stood then, with the results of that time. Raises as :func:`snapshot_at`."""
    event, stages, entries, later = _unwound(event_id, moment)
    known = _fixtures_then(event, list(stages.values()), entries, later, moment)
    lots = load_lots(event).as_of(moment.at, **{verb: _urns_of(later, verb) for verb in ("make_draw", "cancel_draw")})
    return Chain(event, stages.values(), entries.values(), known, lots)


def _unwound(event_id: int, moment: Moment) -> tuple[Event, dict[int, Stage], dict[int, Entry], Sequence[LogEntry]]:
    """Return the event, its stages by number and its entries by id, with later log rows unwound; and those rows."""
    event = Event.everything.select_related("tournament").get(pk=event_id)
    rows = event.stages.order_by("number").prefetch_related("play_offs")
    stages = {stage.number: stage for stage in with_challenges(with_moves_at(rows, moment.at))}
    entries = {entry.pk: entry for entry in load_people(event.entries.order_by("number"))}
    later = list(moment.later(event.log.filter(UNWOUND)))
    for row in later:
        _unwind(event, stages, entries, row, moment)
    _load_players(entries.values())
    return event, stages, entries, later


def _unwind(event: Event, stages: dict[int, Stage], entries: dict[int, Entry], row: LogEntry, moment: Moment) -> None:
    """Revert the event, its stages and entries to their state before the row was written."""
    detail = row.detail
    stage = stages.get(detail.get("stage", 1))
    changes = detail.get("changes", {})
    for pk, fields in detail.get("was", {}).items():
        if int(pk) in entries:
            _set_fields(entries[int(pk)], fields)
    match row.verb:
        case "add_entries":
            for kept in detail.get("kept", []):
                entries.pop(kept["id"], None)
        case "remove_entry":
            for kept in detail.get("kept", []):
                entries[kept["id"]] = _entry_of(event, kept)
        case "merge_players" | "undo_merge":
            _unwind_merge(entries.values(), _person_before(row))
        case "make_draw" if stage is not None:
            stage.drawn_at, stage.edition = None, 0
        case "cancel_draw" if stage is not None:
            stage.seed, stage.drawn_at = "" if "urns" in detail else detail["seed"], moment.at
            stage.edition = detail.get("edition", FIRST)
        case "enter_play_off" | "void_play_off" if stage is not None:
            _unwind_play_off(stage, detail["entries"], was_entered=row.verb == "enter_play_off")
        case "challenge" | "withdraw_challenge" if stage is not None:
            _unwind_challenge(stage, detail["number"], was_made=row.verb == "challenge")
        case "set_door":
            for field in DOOR_FIELDS:
                setattr(event, field, changes.get(field, [getattr(event, field)])[0])
        case "set_self_entry":
            event.self_entry = changes.get("self_entry", [event.self_entry])[0]
            if "self_entry_until" in changes:
                event.self_entry_until = parse_datetime(changes["self_entry_until"][0] or "")
        case "add_stage":
            stages.pop(detail["stage"], None)
        case "finish_event":
            event.finished_at = None
        case "reopen_event":
            event.finished_at = row.at
        case "update_event" | "redeclare":
            for field in TERM_FIELDS:
                setattr(event, field, changes.get(field, [getattr(event, field)])[0])
        case _ if detail.get("entry") in entries:
            _set_fields(entries[detail["entry"]], {name: before for name, (before, _after) in changes.items()})


def _set_fields(entry: Entry, kept: Mapping[str, Any]) -> None:
    for name, value in fields_from(kept).items():
        setattr(entry, name, value)


def _person_before(row: LogEntry) -> dict[int, int]:
    """Return who played before a merge, or its undoing, keyed by the player who has played in their place since."""
    kept, gone = row.detail["ids"]
    return {kept: gone} if row.verb == "merge_players" else {gone: kept}


def _unwind_merge(entries: Iterable[Entry], before: Mapping[int, int]) -> None:
    for entry in entries:
        entry.player_id = before.get(entry.player_id, entry.player_id)
        entry.partner_id = before.get(entry.partner_id or 0, entry.partner_id)
        for member in entry.members.all():
            member.player_id = before.get(member.player_id, member.player_id)


def _entry_of(event: Event, kept: Mapping[str, Any]) -> Entry:
    """Return the entry as the log kept it when it was removed."""
    entry = Entry(event=event, **fields_from(kept))
    members = (Member(entry=entry, player_id=player, board=board) for player, board in kept.get("members", []))
    return with_rows(entry, "members", members)


def _unwind_play_off(stage: Stage, entries: Sequence[int], *, was_entered: bool) -> None:
    """Remove the play-off between winner and loser if it was entered since, or add it if it was voided since."""
    winner, loser = entries
    kept = [match for match in stage.play_offs.all() if {match.winner_id, match.loser_id} != {winner, loser}]
    if not was_entered:
        kept.append(PlayOff(stage=stage, winner_id=winner, loser_id=loser))
    with_rows(stage, "play_offs", kept)


def _unwind_challenge(stage: Stage, number: int, *, was_made: bool) -> None:
    """Remove the challenge if it was made since, or let it stand again if it was withdrawn since."""
    kept = [row for row in stage.challenges.all() if not (was_made and row.number == number)]
    for row in kept:
        if row.number == number:
            row.withdrawn_at = None
    with_rows(stage, "challenges", kept)


def _load_players(entries: Collection[Entry]) -> None:
    """Load the players of recreated or changed entries and members, as those of the others already are."""
    made = [entry for entry in entries if not (Entry.player.is_cached(entry) and Entry.partner.is_cached(entry))]
    members = [one for entry in entries for one in entry.members.all() if not Member.player.is_cached(one)]
    if made or members:
        ids = {person for entry in made for person in (entry.player_id, entry.partner_id) if person is not None}
        players = Player.objects.select_related("club").in_bulk(ids | {member.player_id for member in members})
        for entry in made:
            entry.player = players[entry.player_id]
            entry.partner = players[entry.partner_id] if entry.partner_id is not None else None
        for member in members:
            member.player = players[member.player_id]


@dataclass(slots=True)
class _Place:
    """The position of a match in the draw, alone or on a board between two teams."""

    fixture: Fixture | FormerMatch
    board: int
    match: Match


def _fixtures_then(
    event: Event,
    stages: Sequence[Stage],
    entries: dict[int, Entry],
    later: Sequence[LogEntry],
    moment: Moment,
) -> dict[int, list[Fixture]]:
    """Return each stage's fixtures that had a match or a bye then, with the claims made by that time.

    ``later`` are the rows since, the last first: of reserves who took a board, and of merged players.
    """
    found: dict[int, list[Fixture]] = {stage.pk: [] for stage in stages}
    drawn = {stage.pk for stage in stages if stage.drawn_at is not None}
    now = list(Fixture.objects.filter(stage__in=drawn).select_related("match"))
    former = FormerMatch.objects.filter(stage__in=drawn, left_at__gt=moment.at)
    people = ("match__side_a", "match__side_b") if event.has_teams else ("match",)
    places = [_Place(fixture, 0, fixture.match) for fixture in now if fixture.match is not None]
    places += [_Place(one, one.board, one.match) for one in former.select_related(*people)]
    if event.has_teams:
        boards = Board.objects.filter(fixture__in=now).select_related(*people)
        of_fixture = {fixture.pk: fixture for fixture in now}
        places += [_Place(of_fixture[board.fixture_id], board.number, board.match) for board in boards]
        _unseat(places, later)
    places = [place for place in places if place.match.created_at <= moment.at]
    _as_of({place.match.pk: place.match for place in places}, moment)
    _unrate({place.match.pk: place.match for place in places}, later)
    deadlines = deadlines_then(now, later)
    fixtures: dict[tuple[int, str, int | None, int | None], Fixture] = {}
    for place in sorted(places, key=lambda place: place.board):
        at = place.fixture
        if not {at.entry_a_id, at.entry_b_id} <= entries.keys():
            continue
        known = fixtures.get((at.stage_id, at.key, at.entry_a_id, at.entry_b_id))
        if known is None:
            known = Fixture(stage_id=at.stage_id, key=at.key, bracket=at.bracket, round=at.round, number=at.number)
            known.entry_a_id, known.entry_b_id = at.entry_a_id, at.entry_b_id
            known.play_by = deadlines.get(at.pk) if isinstance(at, Fixture) else None
            with_rows(known, "boards", ())
            fixtures[at.stage_id, at.key, at.entry_a_id, at.entry_b_id] = known
            found[at.stage_id].append(known)
        if place.board:
            with_rows(known, "boards", [*known.boards.all(), Board(number=place.board, match=place.match)])
        else:
            known.match = place.match
    for fixture in now:
        if fixture.match is None and fixture.feed_b == "bye" and fixture.entry_a_id in entries:
            with_rows(fixture, "boards", ())
            found[fixture.stage_id].append(fixture)
    for of_stage in found.values():
        of_stage.sort(key=lambda fixture: (fixture.bracket, fixture.round, fixture.number))
    return found


def _unseat(places: Sequence[_Place], later: Sequence[LogEntry]) -> None:
    """Restore the players who sat at the boards before reserves replaced them, and those who have since been merged."""
    seats = [row.detail for row in later if row.verb == "seat_reserve"]
    before = [seat["before"] for seat in seats if "before" in seat]
    matches = Match.objects.in_bulk({seat["match"] for seat in before})
    players = Player.objects.in_bulk({seat[side] for seat in before for side in ("side_a_id", "side_b_id")})
    of_match = {place.match.pk: place for place in places}
    for seat in seats:
        place = of_match.get(seat["match"]) if "before" in seat else None
        if place is None:
            continue
        earlier = seat["before"]
        if earlier["match"] != place.match.pk:
            place.match = matches[earlier["match"]]
            of_match[place.match.pk] = place
        place.match.side_a, place.match.side_b = players[earlier["side_a_id"]], players[earlier["side_b_id"]]
    merges = [_person_before(row) for row in later if row.verb in MERGES]
    persons = Player.objects.in_bulk({person for merge in merges for person in merge.values()})
    for match in [place.match for place in places if merges]:
        for merge in merges:
            if match.side_a_id in merge:
                match.side_a = persons[merge[match.side_a_id]]
            if match.side_b_id in merge:
                match.side_b = persons[merge[match.side_b_id]]


def _unrate(matches: Mapping[int, Match], later: Sequence[LogEntry]) -> None:
    """Give the matches the error rates that they had before these rows, the last of which comes first."""
    for row in later:
        before = "before" if row.verb == "set_error_rates" else "rates" if row.verb == "void_result" else ""
        if before and (match := matches.get(row.detail["match"])) is not None:
            match.rate_a, match.rate_b = row.detail[before] or (None, None)


def _as_of(matches: dict[int, Match], moment: Moment) -> None:
    """Give each match the terms, open sheets and ruling on who advances that it had then, as if loaded."""
    sheets: dict[int, list[Scoresheet]] = defaultdict(list)
    claimed = Scoresheet.objects.filter(match__in=matches, at__lte=moment.at).select_related("claimed_by")
    for sheet in claimed.prefetch_related("lines", "changes").order_by("number"):
        sheets[sheet.match_id] += sheets_as_of([sheet], moment.at)
    for ruling in Ruling.objects.filter(match__in=matches, at__gt=moment.at).order_by("-pk"):
        for name, value in ruling.before.items():
            setattr(matches[ruling.match_id], name, value)
    advances: dict[int, list[Advance]] = defaultdict(list)
    for advance in Advance.objects.filter(match__in=matches, at__lte=moment.at):
        if advance.ended_at is None or advance.ended_at > moment.at:
            advances[advance.match_id].append(advance)
    for match in matches.values():
        mark_as_new(match)
        match.open_sheets = sheets[match.pk]
        match.standing_advances = advances[match.pk]  # type: ignore[attr-defined]


def _filled(chain: Chain, stage: Stage, known: Sequence[Fixture], version: int) -> tuple[list[Fixture], list[Standing]]:
    """Return the fixtures under the stage's plan at that time, and the standings, as if they had been loaded."""
    fixtures: list[Fixture] = []
    standings: list[Standing] = []
    if stage.drawn_at is not None:
        played = {(fixture.key, fixture.entry_a_id, fixture.entry_b_id): fixture for fixture in known}
        for pairing in () if chain.waits(stage) else chain.at(stage).plan.pairings:
            fixture = Fixture(stage=stage, key=pairing.key)
            seats = [chain.entries[seat.id] if isinstance(seat, Entrant) else None for seat in (pairing.a, pairing.b)]
            fill_fixture(fixture, pairing, *seats)
            fixture.why = pairing.why.as_dict()
            then = played.get((fixture.key, fixture.entry_a_id, fixture.entry_b_id))
            fixture.match = then.match if then else None
            fixture.play_by = then.play_by if then else None
            with_rows(fixture, "boards", then.boards.all() if then else ())
            fixtures.append(fixture)
        standings = standing_rows(chain, stage)
        stage.standings_version = version
        stage.standings_matches = 0 if chain.waits(stage) else len(chain.at(stage).results)
    fixtures.sort(key=lambda fixture: (fixture.bracket, fixture.round, fixture.number))
    return fixtures, standings
